//! From the ways publishers write a table to the common form.

mod spreadsheet;
mod table;

/// How a source writes a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceLayout {
    /// Delimited text with a header line.
    Table {
        /// Between two cells.
        delimiter: u8,
        /// A column that only numbers the rows, and is left out.
        identifier: Option<&'static str>,
        /// The column that holds the class.
        label: &'static str,
    },
    /// As UCI's Adult: comma and blank between cells, no header line, comments that begin with `|`, `?` for a missing
    /// value, and in one of the files a full stop after the class.
    Census {
        /// The columns, the class last.
        columns: &'static [&'static str],
    },
    /// A sheet of numbers in a binary Excel file (`.xls`), its first column an identifier, which is left out.
    Spreadsheet {
        /// The sheet.
        sheet: &'static str,
        /// Lines above the first row of numbers.
        lines_above: usize,
        /// The columns after the identifier, the class last. The sheet's own names are not read: the checksum covers
        /// them.
        columns: &'static [&'static str],
    },
}

impl SourceLayout {
    /// The common form of a set that is in these files; an error says what is wrong with them.
    pub(crate) fn to_common_form(&self, files: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        match self {
            SourceLayout::Table { delimiter, identifier, label } => {
                table::with_header(&files.concat(), *delimiter, *identifier, label)
            }
            SourceLayout::Census { columns } => table::census(files, columns),
            SourceLayout::Spreadsheet { sheet, lines_above, columns } => {
                spreadsheet::to_common_form(&files.concat(), sheet, *lines_above, columns)
            }
        }
    }
}
