//! Where the files are.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::checksum::sha256_of_reader;
use crate::{Checksum, DataError, DataSet};

/// The environment variable that names the data folder.
pub const FOLDER_VARIABLE: &str = "MINDREL_DATA";

/// The folder that holds the data sets, each in a file of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFolder {
    path: PathBuf,
}

impl DataFolder {
    /// The folder given explicitly, else the one named by `MINDREL_DATA`, else the user's own: `mindrel/data` under
    /// `$XDG_DATA_HOME` or `~/.local/share` (on Windows, under the roaming application data).
    ///
    /// It need not exist. For a user without a home it is `mindrel-data` in the current folder.
    #[must_use]
    pub fn find(explicit: Option<&Path>) -> Self {
        let home = || etcetera::choose_base_strategy().ok().map(|strategy| strategy.data_dir());
        DataFolder::choose(explicit, std::env::var_os(FOLDER_VARIABLE), home)
    }

    fn choose(explicit: Option<&Path>, variable: Option<OsString>, home: impl FnOnce() -> Option<PathBuf>) -> Self {
        let named = variable.filter(|value| !value.is_empty()).map(PathBuf::from);
        let own = || home().map_or_else(|| PathBuf::from("mindrel-data"), |home| home.join("mindrel").join("data"));
        DataFolder { path: explicit.map(Path::to_owned).or(named).unwrap_or_else(own) }
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the file of a set is, or would be.
    #[must_use]
    pub fn place(&self, set: &DataSet) -> PathBuf {
        self.path.join(set.file_name())
    }

    /// The file of a set. What is in it is not looked at: that is [`checksum_state`](Self::checksum_state).
    ///
    /// # Errors
    /// When it is not there.
    pub fn file(&self, set: &DataSet) -> Result<PathBuf, DataError> {
        let path = self.place(set);
        if path.is_file() { Ok(path) } else { Err(DataError::Missing { name: set.name, path }) }
    }

    /// Whether the file of a set is the catalogued one; reads all of it.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub fn checksum_state(&self, set: &DataSet) -> Result<Checksum, DataError> {
        let path = self.file(set)?;
        let found = File::open(&path).and_then(sha256_of_reader);
        let found = found.map_err(|cause| DataError::Read { name: set.name, path, cause })?;
        Ok(Checksum::compare(found, set.sha256))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(explicit: Option<&str>, variable: Option<&str>, home: Option<&str>) -> PathBuf {
        DataFolder::choose(explicit.map(Path::new), variable.map(OsString::from), || home.map(PathBuf::from)).path
    }

    #[test]
    fn a_folder_given_comes_before_the_variable_and_the_variable_before_the_home() {
        assert_eq!(chosen(Some("given"), Some("named"), Some("home")), Path::new("given"));
        assert_eq!(chosen(None, Some("named"), Some("home")), Path::new("named"));
        assert_eq!(chosen(None, Some(""), Some("home")), Path::new("home/mindrel/data"));
        assert_eq!(chosen(None, None, Some("home")), Path::new("home/mindrel/data"));
        assert_eq!(chosen(None, None, None), Path::new("mindrel-data"));
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = DataFolder { path: PathBuf::from("/nowhere") };
        let bank = DataSet::named("bank").expect("a set");
        for error in [folder.file(bank).expect_err("missing"), folder.checksum_state(bank).expect_err("missing")] {
            assert!(
                matches!(error, DataError::Missing { name: "bank", .. })
                    && error.to_string().contains("/nowhere/bank.csv"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_file_of_other_content_is_told_apart() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let bank = DataSet::named("bank").expect("a set");
        std::fs::write(folder.path().join("bank.csv"), "abc").expect("the folder may be written to");
        // FIPS 180-2, B.1.
        let found = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned();
        let state = DataFolder::find(Some(folder.path())).checksum_state(bank).expect("the file can be read");
        assert_eq!(state, Checksum::Differs { found });
    }
}
