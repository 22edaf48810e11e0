//! The cells of a row, as text.

use std::borrow::Cow;

use mindrel::schema::{Question, joined};

use super::Blocks;
use crate::{Error, Result};

/// The text of a cell, without the blanks around it.
pub(super) fn text<'a>(table: &str, line: u64, cell: &'a [u8]) -> Result<&'a str> {
    let text = std::str::from_utf8(cell).map_err(|_| Error::NotUtf8 { table: table.to_owned(), line })?;
    Ok(text.trim())
}

/// Where a table holds the answer to a question: in one column, or in several that are answered together.
#[derive(Debug, Clone)]
pub(super) struct AnswerCells(Vec<usize>);

impl AnswerCells {
    /// The cells at these places of a row.
    pub fn new(places: Vec<usize>) -> Self {
        AnswerCells(places)
    }

    /// The cells of these columns.
    pub fn of_columns(blocks: &Blocks, columns: &[String]) -> Result<Self> {
        columns.iter().map(|column| blocks.column(column)).collect::<Result<_>>().map(AnswerCells)
    }

    /// The cells of a question.
    pub fn of_question(blocks: &Blocks, question: &Question) -> Result<Self> {
        AnswerCells::of_columns(blocks, question.table_columns())
    }

    /// What a row holds there.
    pub fn text<'a>(
        &self,
        table: &str,
        line: u64,
        record: &'a csv::ByteRecord,
        is_missing: impl Fn(&str) -> bool,
    ) -> Result<Cow<'a, str>> {
        if let [place] = self.0[..] {
            return text(table, line, &record[place]).map(Cow::Borrowed);
        }
        let cells = self.0.iter().map(|&place| text(table, line, &record[place])).collect::<Result<Vec<&str>>>()?;
        Ok(Cow::Owned(joined(&cells, is_missing)))
    }
}
