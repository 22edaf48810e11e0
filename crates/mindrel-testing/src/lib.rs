//! What the tests and benches of several crates share: the evaluation data, plans trained on them, generated people,
//! grown trees, the processor time of a thread, and how a test is skipped.

pub mod generated;
pub mod grown;
mod processor_time;
mod trained;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use mindrel::{People, Schema};
use mindrel_io::table::{LabelColumn, Table, Unfit};

pub use processor_time::processor_time;
pub use trained::Trained;

/// The data sets of the paper's evaluation [TF23, App. D].
pub const DATA_SETS: [&str; 6] = ["bank", "adult", "credit", "insurance", "customer", "fetal"];

/// Says that a test is skipped, and why.
///
/// Written straight to standard error, because `eprintln!` is captured where tests pass; and appended to the file named
/// by `MINDREL_SKIPPED`, from which `make test` prints all skipped tests at its end.
pub fn skip(test: &str, why: &str) {
    let line = format!("SKIPPED {test}: {why}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os("MINDREL_SKIPPED") {
        let list = OpenOptions::new().create(true).append(true).open(path);
        let _ = list.and_then(|mut list| list.write_all(line.as_bytes()));
    }
}

/// The folder of the evaluation data: the one named by `MINDREL_DATA`, else `../shared/data` beside the repository.
///
/// Returns `None` where neither exists, after [skipping](skip) `test`.
#[must_use]
pub fn data_folder(test: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("MINDREL_DATA").map_or(beside, PathBuf::from);
    if folder.join("bank.csv").is_file() {
        return Some(folder);
    }
    skip(test, "no evaluation data; name their folder in MINDREL_DATA");
    None
}

/// All people of a table.
///
/// # Panics
/// When the table does not fit the schema.
#[must_use]
pub fn read_people(table: &Table, schema: &Schema) -> People {
    table.people(schema, LabelColumn::Required, Unfit::Skip, |_| ()).expect("the table fits").0
}
