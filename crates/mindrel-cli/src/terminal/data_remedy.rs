//! What to do when a data set is not available, in terms of this command's options.

use mindrel_data::{DataError, DataSet};

/// The way out of an error, if there is one that the error itself does not name.
pub fn remedy(error: &DataError) -> Option<String> {
    match error {
        DataError::Missing { name, .. } => Some(format!(
            "Get it with: mindrel data fetch {name}; or name the folder that holds it with --data or MINDREL_DATA."
        )),
        DataError::Write { .. } => Some("Name a folder that can be written to with --data or MINDREL_DATA.".to_owned()),
        DataError::Occupied { .. } => Some("Keep that file elsewhere, or replace it with --force.".to_owned()),
        DataError::Unreachable { name, .. }
        | DataError::Status { name, .. }
        | DataError::TooLarge { name, .. }
        | DataError::Content { name, .. }
        | DataError::Checksum { name, .. } => DataSet::named(name).ok().map(other_ways),
        DataError::UnknownSet { .. }
        | DataError::Read { .. }
        | DataError::Address { .. }
        | DataError::CutOff { .. } => None,
    }
}

/// How to do without the download, a line for each way.
fn other_ways(set: &DataSet) -> String {
    let (name, file, homepage) = (set.name, set.file_name(), set.homepage);
    format!(
        "Other ways:\n  \
         by hand   mindrel data fetch {name} --archive FILE, with the file from\n            {homepage}\n  \
         a mirror  mindrel data fetch {name} --from URL, where URL/{file} is a prepared file\n  \
         a folder  --data FOLDER or MINDREL_DATA, where FOLDER/{file} is a prepared file"
    )
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn each_error_with_a_way_out_names_the_option_for_it() {
        let (name, host, path) = ("bank", "server.invalid".to_owned(), "sets/bank.csv".into());
        let ways = ["by hand", "--archive FILE", "--from URL", "MINDREL_DATA", "bank.csv"];
        let status = DataError::Status { name, host, status: "404 Not Found".to_owned() };
        let content = DataError::Content { name, what: "a.zip".to_owned(), problem: "no `bank.csv` in it".to_owned() };
        for error in [status, content] {
            let text = remedy(&error).expect("there are other ways");
            let homepage = DataSet::named(name).expect("a set").homepage;
            assert!(ways.iter().all(|way| text.contains(way)) && text.contains(homepage), "{text}");
        }
        let write = DataError::Write { name, path, cause: io::ErrorKind::NotADirectory.into() };
        assert!(remedy(&write).expect("there is another folder").contains("--data"));
        let occupied = DataError::Occupied { name, path: "bank.csv".into(), expected: "a", found: "b".to_owned() };
        assert!(remedy(&occupied).expect("it may be replaced").contains("--force"));
    }
}
