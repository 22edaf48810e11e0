//! The catalogue of data sets as a table.

use comfy_table::CellAlignment;
use mindrel_data::{Checksum, DataError, DataFolder, DataSet};

use super::tables::{WIDTH, finish, new_table, wrapped};
use super::words::grouped;

/// The state of a data set's file in the folder.
pub enum FileState {
    /// It is the catalogued file.
    Right,
    /// A different file, with this checksum.
    Differs(String),
    /// Not there.
    Missing,
    /// Exists, but cannot be read.
    Unreadable,
}

impl FileState {
    /// Checks the file of a data set.
    pub fn of(set: &DataSet, folder: &DataFolder) -> Self {
        match folder.checksum_state(set) {
            Ok(Checksum::Right) => FileState::Right,
            Ok(Checksum::Differs { found }) => FileState::Differs(found),
            Err(DataError::Missing { .. }) => FileState::Missing,
            Err(_) => FileState::Unreadable,
        }
    }

    /// The state as one word.
    pub fn word(&self) -> &'static str {
        match self {
            FileState::Right => "right",
            FileState::Differs(_) => "differs",
            FileState::Missing => "missing",
            FileState::Unreadable => "unreadable",
        }
    }
}

/// One line for each set.
pub fn sets_table(sets: &[(&DataSet, FileState)]) -> String {
    let mut table = new_table(&["name", "rows", "features", "classes", "licence", "origin", "file"]);
    for column in table.column_iter_mut().skip(4) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for (set, state) in sets {
        table.add_row(vec![
            set.name.to_owned(),
            grouped(set.rows),
            set.features.to_string(),
            set.classes.to_string(),
            set.licence.to_owned(),
            set.origin.to_owned(),
            state.word().to_owned(),
        ]);
    }
    finish(table)
}

/// What the last column means, and what to do.
pub fn legend(sets: &[(&DataSet, FileState)]) -> String {
    let any = |wanted: &str| sets.iter().any(|(_, state)| state.word() == wanted);
    let mut text = String::from("right: the file has the recorded SHA-256. ");
    if any("differs") {
        text += "differs: the file is a different one; replace it with mindrel data fetch --force NAME. ";
    }
    if any("missing") {
        text += "missing: download it with mindrel data fetch NAME, or all with mindrel data fetch --all. ";
    }
    text += "unconfirmed: we could not confirm the licence stated on the data set's page; use for research only. \
             The loan table of mindrel demo is part of the program.";
    wrapped(&text, WIDTH)
}
