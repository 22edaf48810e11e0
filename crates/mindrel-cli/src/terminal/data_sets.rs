//! The catalogue of data sets as a table.

use comfy_table::CellAlignment;
use mindrel_data::{Checksum, DataError, DataFolder, DataSet};

use super::audit_tables::{WIDTH, finish, new_table, wrapped};
use super::words::grouped;

/// What a set's file in the folder is.
pub enum FileState {
    /// The catalogued one.
    Right,
    /// Another one, with this checksum.
    Differs(String),
    /// Not there.
    Missing,
    /// There, and cannot be read.
    Unreadable,
}

impl FileState {
    /// Looks at the file of a set.
    pub fn of(set: &DataSet, folder: &DataFolder) -> Self {
        match folder.checksum_state(set) {
            Ok(Checksum::Right) => FileState::Right,
            Ok(Checksum::Differs { found }) => FileState::Differs(found),
            Err(DataError::Missing { .. }) => FileState::Missing,
            Err(_) => FileState::Unreadable,
        }
    }

    /// In a word.
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

/// What the last column means, and what to do about it.
pub fn legend(sets: &[(&DataSet, FileState)]) -> String {
    let any = |wanted: &str| sets.iter().any(|(_, state)| state.word() == wanted);
    let mut text = String::from("right: the file has the catalogued sha256. ");
    if any("differs") {
        text += "differs: it is another file; mindrel data fetch --force NAME replaces it. ";
    }
    if any("missing") {
        text += "missing: mindrel data fetch NAME gets it, or mindrel data fetch --all. ";
    }
    text += "unconfirmed: the licence is on its page and we could not confirm it; treat it as for research only. \
             The table of mindrel demo, loan, is part of the program.";
    wrapped(&text, WIDTH)
}
