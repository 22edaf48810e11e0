//! From blocks of text to encoded people.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use mindrel::plan::Training;
use mindrel::schema::{Answer, AnswerError, ColumnProblem, Kind, Placement, Question, QuestionId};
use mindrel::{Label, People, Schema};
use serde::Serialize;

use super::cells::{self, AnswerCells};
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

/// What to do about a row that does not fit the schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfit {
    /// Refuse the table.
    Refuse,
    /// Refuse the table if the row is one to train on; skip and count it if it is held out.
    RefuseInTraining(Training),
    /// Skip and count it. A number outside its domain fits: an audit counts it.
    Skip,
}

/// Rows that were skipped for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedRows {
    /// The column at fault.
    pub column: String,
    /// What is wrong with its cell, in words that follow the column's name.
    pub reason: &'static str,
    /// How many rows.
    pub rows: u64,
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
    unfit: Unfit,
    skipped: SkipCounts,
}

/// How many rows were skipped because of one column.
#[derive(Debug, Default)]
struct SkipCounts {
    missing: AtomicU64,
    unknown: AtomicU64,
}

impl SkipCounts {
    fn add(&self, is_missing: bool) {
        if is_missing { &self.missing } else { &self.unknown }.fetch_add(1, Ordering::Relaxed);
    }

    fn rows(&self, column: &str, unknown: &'static str) -> [SkippedRows; 2] {
        let rows = |reason, count: &AtomicU64| SkippedRows {
            column: column.to_owned(),
            reason,
            rows: count.load(Ordering::Relaxed),
        };
        [rows("is missing", &self.missing), rows(unknown, &self.unknown)]
    }
}

/// One question's cell.
#[derive(Debug)]
struct QuestionCell<'a> {
    cells: AnswerCells,
    id: QuestionId,
    question: &'a Question,
    /// The levels of a category.
    levels: HashMap<&'a str, usize>,
    skipped: SkipCounts,
}

impl<'a> Decoder<'a> {
    /// A decoder for a table with this header.
    ///
    /// # Errors
    /// When the table lacks a column the schema asks for.
    pub fn new(blocks: &Blocks, schema: &'a Schema, label: LabelColumn, unfit: Unfit) -> Result<Self> {
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
                Ok(QuestionCell {
                    cells: AnswerCells::of_question(blocks, question)?,
                    id,
                    question,
                    levels,
                    skipped: SkipCounts::default(),
                })
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
            unfit,
            skipped: SkipCounts::default(),
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
        self.decode_kept(block, |_| true)
    }

    /// The same for the rows whose line is `kept`; the others are neither parsed nor counted.
    ///
    /// # Errors
    /// As [`decode`](Decoder::decode).
    pub fn decode_kept(&self, block: &Block, kept: impl Fn(u64) -> bool) -> Result<People> {
        let mut people = People::new(self.schema.n_columns());
        for_each_record(&self.table, self.n_fields, block, |line, record| {
            if kept(line) { self.decode_row(line, record, &mut people) } else { Ok(()) }
        })?;
        Ok(people)
    }

    /// What was skipped in all blocks so far, question after question.
    #[must_use]
    pub fn skipped(&self) -> Vec<SkippedRows> {
        let unknown = "has a value that the plan does not know";
        let questions = self.cells.iter().map(|cell| (&cell.question.name, &cell.skipped, unknown));
        let label = (&self.schema.target().name, &self.skipped, "is not one of the plan's classes");
        let all = questions.chain([label]).flat_map(|(column, counts, unknown)| counts.rows(column, unknown));
        all.filter(|skipped| skipped.rows > 0).collect()
    }

    fn skips(&self, line: u64) -> bool {
        match &self.unfit {
            Unfit::Refuse => false,
            Unfit::RefuseInTraining(training) => training.is_held_out(line),
            Unfit::Skip => true,
        }
    }

    fn decode_row(&self, line: u64, record: &csv::ByteRecord, people: &mut People) -> Result<()> {
        let n_before = people.len();
        let row = people.push(line);
        let fits = self.fill_row(line, record, row)?;
        if fits && let Some(label) = self.decode_label(line, record)? {
            people.set_label(label);
        } else {
            people.truncate(n_before);
        }
        Ok(())
    }

    /// Encodes the answers of a row; false if the row is to be skipped.
    fn fill_row(&self, line: u64, record: &csv::ByteRecord, row: &mut [f64]) -> Result<bool> {
        for cell in &self.cells {
            let problem = |problem: CellProblem| self.cell_error(line, &cell.question.name, problem);
            let text = cell.cells.text(&self.table, line, record, |text| self.schema.is_missing(text))?;
            let parsed = match cell.levels.get(&*text) {
                Some(&level) => Ok(Answer::Level(level)),
                None => self.schema.parse_cell(cell.id, &text),
            };
            let placed = parsed.and_then(|answer| self.schema.encode(cell.id, &answer, row));
            match placed {
                Ok(Placement::Outside) if self.unfit != Unfit::Skip && !self.skips(line) => {
                    return Err(problem(CellProblem::OutsideDomain { declared: cell.question.range() }));
                }
                Ok(_) => {}
                Err(error) if self.skips(line) => {
                    cell.skipped.add(matches!(error, AnswerError::Missing { .. }));
                    return Ok(false);
                }
                Err(error) => return Err(problem(cell_problem(&text, line, error))),
            }
        }
        Ok(true)
    }

    /// The label of a row, which is none where the table has none; nothing if the row is to be skipped.
    fn decode_label(&self, line: u64, record: &csv::ByteRecord) -> Result<Option<Option<Label>>> {
        let Some(place) = self.label else { return Ok(Some(None)) };
        let text = cells::text(&self.table, line, &record[place])?;
        if let Some(label) = self.classes.get(text) {
            return Ok(Some(Some(*label)));
        }
        let is_missing = self.schema.is_missing(text);
        if is_missing || self.skips(line) {
            self.skipped.add(is_missing);
            return Ok(None);
        }
        let problem = CellProblem::UnknownClass { classes: self.schema.target().classes.join(", ") };
        Err(self.cell_error(line, &self.schema.target().name, problem))
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
    let mut reader = super::blocks::reader(&block.bytes, block.delimiter);
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
    use crate::table::Delimiter;

    fn lines(text: &str) -> Vec<u64> {
        let block = Block { bytes: text.into(), first_line: 1, delimiter: Delimiter::Comma };
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
