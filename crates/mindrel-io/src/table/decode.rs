//! From blocks of text to encoded people.

use std::collections::HashMap;

use mindrel::schema::{Answer, AnswerError, ColumnProblem, Kind, Placement, Question, QuestionId};
use mindrel::{Label, People, Schema};

use super::{Block, Blocks};
use crate::error::CellProblem;
use crate::{Error, Result};

/// Whether the table must have the label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelColumn {
    /// Yes.
    Required,
    /// No.
    Optional,
}

/// What to do about a value outside its declared domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsidePolicy {
    /// Take it as it is; an audit counts it.
    Accept,
    /// Refuse the row.
    Refuse,
}

/// Turns blocks of a table into encoded people.
#[derive(Debug)]
pub struct Decoder<'a> {
    table: String,
    schema: &'a Schema,
    cells: Vec<QuestionCell<'a>>,
    label: Option<usize>,
    classes: HashMap<&'a str, Label>,
    n_fields: usize,
    outside: OutsidePolicy,
}

/// One question's cell.
#[derive(Debug)]
struct QuestionCell<'a> {
    place: usize,
    id: QuestionId,
    question: &'a Question,
    /// The levels of a category.
    levels: HashMap<&'a str, usize>,
}

impl<'a> Decoder<'a> {
    /// A decoder for a table with this header.
    ///
    /// # Errors
    /// When the table lacks a column the schema asks for.
    pub fn new(blocks: &Blocks, schema: &'a Schema, label: LabelColumn, outside: OutsidePolicy) -> Result<Self> {
        let cells = schema
            .ids()
            .map(|id| {
                let question = schema.question(id);
                let levels = match &question.kind {
                    Kind::Category { levels, .. } => {
                        levels.iter().enumerate().map(|(place, level)| (level.as_str(), place)).collect()
                    }
                    _ => HashMap::new(),
                };
                Ok(QuestionCell { place: blocks.column(&question.name)?, id, question, levels })
            })
            .collect::<Result<Vec<QuestionCell<'a>>>>()?;
        let found = blocks.column(&schema.target().name);
        Ok(Decoder {
            table: blocks.name().to_owned(),
            schema,
            cells,
            label: if label == LabelColumn::Required { Some(found?) } else { found.ok() },
            classes: schema
                .target()
                .classes
                .iter()
                .enumerate()
                .map(|(place, class)| (class.as_str(), Label::new(place)))
                .collect(),
            n_fields: blocks.header().len(),
            outside,
        })
    }

    /// Whether the table has the label.
    #[must_use]
    pub fn has_label(&self) -> bool {
        self.label.is_some()
    }

    /// Parses one block and encodes its people.
    ///
    /// # Errors
    /// Names the line and the column of the first cell that is wrong.
    pub fn decode(&self, block: &Block) -> Result<People> {
        let mut people = People::new(self.schema.n_columns());
        for_each_record(&self.table, self.n_fields, block, |line, record| self.decode_row(line, record, &mut people))?;
        Ok(people)
    }

    fn decode_row(&self, line: u64, record: &csv::ByteRecord, people: &mut People) -> Result<()> {
        let row = people.push(line);
        for cell in &self.cells {
            let problem = |problem: CellProblem| self.cell_error(line, &cell.question.name, problem);
            let text = self.text(line, &record[cell.place])?;
            let answer = match cell.levels.get(text) {
                Some(&level) => Answer::Level(level),
                None => cell.question.parse(text).map_err(|error| problem(cell_problem(text, line, error)))?,
            };
            let placement = self.schema.encode(cell.id, &answer, row).map_err(|error| problem(error.into()))?;
            if placement == Placement::Outside && self.outside == OutsidePolicy::Refuse {
                return Err(problem(CellProblem::OutsideDomain { declared: cell.question.choices() }));
            }
        }
        people.set_label(self.decode_label(line, record)?);
        Ok(())
    }

    fn decode_label(&self, line: u64, record: &csv::ByteRecord) -> Result<Option<Label>> {
        let Some(place) = self.label else { return Ok(None) };
        let text = self.text(line, &record[place])?;
        if let Some(label) = self.classes.get(text) {
            return Ok(Some(*label));
        }
        let problem = if text.is_empty() {
            CellProblem::LabelMissing
        } else {
            CellProblem::UnknownClass { classes: self.schema.target().classes.join(", ") }
        };
        Err(self.cell_error(line, &self.schema.target().name, problem))
    }

    fn text<'b>(&self, line: u64, cell: &'b [u8]) -> Result<&'b str> {
        let text = std::str::from_utf8(cell).map_err(|_| Error::NotUtf8 { table: self.table.clone(), line })?;
        Ok(text.trim())
    }

    fn cell_error(&self, line: u64, column: &str, problem: CellProblem) -> Error {
        Error::Cell { table: self.table.clone(), line, column: column.to_owned(), problem }
    }
}

/// A text such as `NaN` or `inf` is a number, but not one that can be decided about.
fn cell_problem(text: &str, line: u64, error: AnswerError) -> CellProblem {
    let is_number = text.parse::<f64>().is_ok_and(|value| !value.is_finite());
    if is_number { ColumnProblem::NotFinite { row: line }.into() } else { error.into() }
}

/// Calls a function with every row of a block and its line.
pub(super) fn for_each_record(
    table: &str,
    n_fields: usize,
    block: &Block,
    mut row: impl FnMut(u64, &csv::ByteRecord) -> Result<()>,
) -> Result<()> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&block.bytes[..]);
    let mut record = csv::ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => unreachable!("bytes in memory are read as they are: {error}"),
        }
        let line = record.position().map_or(block.first_line, |position| line_of(block, position));
        if record.len() == 1 && record[0].iter().all(u8::is_ascii_whitespace) && n_fields > 1 {
            continue;
        }
        if record.len() != n_fields {
            return Err(Error::Ragged { table: table.to_owned(), line, expected: n_fields, found: record.len() });
        }
        row(line, &record)?;
    }
}

/// The line on which a row begins.
///
/// The reader ends a row at `\r` and leaves the `\n`, and any empty lines, to the next one: these are counted here.
fn line_of(block: &Block, position: &csv::Position) -> u64 {
    let start = usize::try_from(position.byte()).expect("a block fits in memory");
    let skipped = block.bytes[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    block.first_line + position.line() - 1 + skipped.filter(|byte| **byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::{Block, for_each_record};

    fn lines(text: &str) -> Vec<u64> {
        let block = Block { bytes: text.into(), first_line: 1 };
        let mut lines = Vec::new();
        for_each_record("table", 2, &block, |line, _| {
            lines.push(line);
            Ok(())
        })
        .expect("every row has two cells");
        lines
    }

    #[test]
    fn a_row_is_on_its_own_line_whatever_the_line_ends_and_empty_lines() {
        assert_eq!(lines("a,b\nc,d\ne,f"), [1, 2, 3]);
        assert_eq!(lines("a,b\r\nc,d\r\ne,f\r\n"), [1, 2, 3]);
        assert_eq!(lines("\r\na,b\r\n\r\nc,d\n\n\ne,f"), [2, 4, 7]);
        assert_eq!(lines("a,\"b\r\nb\"\r\nc,d\r\n"), [1, 3]);
    }
}
