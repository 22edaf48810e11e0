//! Columns of a table as answers.

use std::collections::HashMap;
use std::ops::Range;

use mindrel::schema::{AnswerError, Kind, Question, parse_boolean};
use mindrel::{Label, People};
use numpy::PyReadonlyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::errors::value_error;
use crate::work::Progress;

/// The replacement for a missing cell.
#[derive(FromPyObject)]
pub enum Fill {
    /// A number.
    Number(f64),
    /// A level.
    Text(String),
}

/// A column borrowed from Python: its name, the kind of its cells, the cells, and the replacement for missing ones.
#[derive(FromPyObject)]
pub enum LentColumn<'py> {
    /// Numbers, NaN if missing; or booleans as 0 and 1.
    Numbers(String, bool, PyReadonlyArray1<'py, f64>, Option<Fill>),
    /// Levels, and the index of each cell's level, negative if it is missing.
    Levels(String, Vec<String>, PyReadonlyArray1<'py, i64>, Option<Fill>),
}

impl LentColumn<'_> {
    /// The column's name.
    pub fn name(&self) -> &str {
        match self {
            LentColumn::Numbers(name, ..) | LentColumn::Levels(name, ..) => name,
        }
    }

    /// The replacement for a missing cell.
    pub fn fill(&self) -> Option<&Fill> {
        match self {
            LentColumn::Numbers(_, _, _, fill) | LentColumn::Levels(_, _, _, fill) => fill.as_ref(),
        }
    }

    /// The name of a number as a level: no and yes in a column of booleans.
    pub fn level_name(&self, number: f64) -> String {
        match (self, number) {
            (LentColumn::Numbers(_, true, ..), 0.0) => "no".to_owned(),
            (LentColumn::Numbers(_, true, ..), 1.0) => "yes".to_owned(),
            _ => number.to_string(),
        }
    }

    fn len(&self) -> usize {
        match self {
            LentColumn::Numbers(_, _, cells, _) => cells.as_array().len(),
            LentColumn::Levels(_, _, cells, _) => cells.as_array().len(),
        }
    }
}

/// The answers to some questions, person after person, and their classes, if known.
pub struct AnswerColumns<'a> {
    questions: &'a [Question],
    columns: Vec<AnswerColumn<'a>>,
    labels: Option<ArrayView1<'a, i64>>,
    /// The number of each row in the table it comes from; its place if there is none.
    rows: Option<ArrayView1<'a, i64>>,
    n_rows: usize,
}

/// The answers to one question, as the codes of [`Question::from_code`].
enum AnswerColumn<'a> {
    /// Cells that are already codes.
    Codes(ArrayView1<'a, f64>),
    /// Levels: the code of each, followed by that of a missing one.
    Levels(ArrayView1<'a, i64>, Vec<f64>),
    /// Numbers that are levels of a category: the code of each by its bits, that of a missing one, and that of all
    /// others.
    NumberLevels(ArrayView1<'a, f64>, HashMap<u64, f64>, f64, f64),
}

/// How many rows one core checks at a time.
const CHECKED_ROWS: usize = 4096;

/// The code of no level and no boolean.
const UNKNOWN: f64 = -1.0;

/// A cell that is not an answer, by its row.
pub struct CellError {
    /// The row.
    pub row: usize,
    /// What is wrong, without the value.
    pub cause: AnswerError,
}

impl From<CellError> for PyErr {
    fn from(error: CellError) -> Self {
        value_error(format!("row {}: {}", error.row, error.cause))
    }
}

impl<'a> AnswerColumns<'a> {
    /// Finds the column of each question, and checks that all have the same length.
    pub fn new(
        questions: &'a [Question],
        lent: &'a [LentColumn<'_>],
        labels: Option<&'a PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Self> {
        let n_rows = lent.first().map_or(0, LentColumn::len);
        let labels = labels.map(PyReadonlyArray1::as_array);
        if lent.iter().any(|column| column.len() != n_rows) || labels.is_some_and(|labels| labels.len() != n_rows) {
            return Err(value_error("the columns are not all of one length"));
        }
        let columns = questions.iter().map(|question| {
            let found = lent.iter().find(|column| column.name() == question.name);
            found.map_or_else(|| Err(missing_column(question, lent)), |column| AnswerColumn::new(question, column))
        });
        Ok(AnswerColumns { questions, columns: columns.collect::<PyResult<_>>()?, labels, rows: None, n_rows })
    }

    /// The number of people.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Encodes one person.
    pub fn encode(&self, row: usize, person: &mut [f64]) -> Result<(), CellError> {
        let mut start = 0;
        for (question, column) in self.questions.iter().zip(&self.columns) {
            let end = start + question.n_columns();
            let answer = question.from_code(column.code(row));
            let encoded = answer.and_then(|answer| question.encode(&answer, &mut person[start..end]));
            encoded.map_err(|cause| CellError { row, cause })?;
            start = end;
        }
        Ok(())
    }

    /// What is wrong with each row that is not a person, in order.
    pub fn unfit_rows(&self, progress: &Progress) -> Vec<CellError> {
        let n_columns = self.questions.iter().map(Question::n_columns).sum();
        let blocks = (0..self.n_rows.div_ceil(CHECKED_ROWS)).into_par_iter();
        let found = blocks.flat_map_iter(|block| {
            progress.go_on();
            let mut person = vec![0.0; n_columns];
            let rows = block * CHECKED_ROWS..self.n_rows.min((block + 1) * CHECKED_ROWS);
            rows.filter_map(move |row| self.encode(row, &mut person).err())
        });
        found.collect()
    }

    /// Numbers the rows otherwise than by their places, as rows of a larger table.
    pub fn numbered(self, rows: Option<&'a PyReadonlyArray1<'_, i64>>) -> PyResult<Self> {
        let rows = rows.map(PyReadonlyArray1::as_array);
        if rows.is_some_and(|rows| rows.len() != self.n_rows) {
            return Err(value_error("there is not one number for each row"));
        }
        Ok(AnswerColumns { rows, ..self })
    }

    /// Some rows as people.
    pub fn people(&self, rows: Range<usize>) -> Result<People, CellError> {
        let mut people = People::new(self.questions.iter().map(Question::n_columns).sum());
        for row in rows {
            self.encode(row, people.push(self.line_of(row)))?;
            people.set_label(self.labels.map(|labels| Label::new(labels[row] as usize)));
        }
        Ok(people)
    }

    /// The line that a row would have in a file with a header, so that draws for a person are the same as on the
    /// command line.
    fn line_of(&self, row: usize) -> u64 {
        self.rows.map_or(row as u64, |rows| rows[row] as u64) + 2
    }

    /// The codes of everybody's answers, question after question.
    pub fn codes(&self) -> Result<Vec<Vec<f64>>, CellError> {
        let column = |(question, column): (&Question, &AnswerColumn<'_>)| {
            let code = |row| question.from_code(column.code(row)).map(|answer| answer.code());
            (0..self.n_rows).map(|row| code(row).map_err(|cause| CellError { row, cause })).collect()
        };
        self.questions.iter().zip(&self.columns).map(column).collect()
    }
}

impl<'a> AnswerColumn<'a> {
    fn new(question: &Question, column: &'a LentColumn<'_>) -> PyResult<Self> {
        Ok(match (&question.kind, column) {
            (Kind::Category { levels, .. }, LentColumn::Numbers(_, is_boolean, cells, _)) => {
                let value = |level: &String| match is_boolean {
                    true => parse_boolean(level).map(|value| f64::from(u8::from(value))),
                    false => level.parse().ok(),
                };
                let codes = levels.iter().zip(0u32..);
                let codes = codes.filter_map(|(level, place)| Some((bits(value(level)?), f64::from(place)))).collect();
                AnswerColumn::NumberLevels(cells.as_array(), codes, missing_code(levels, column), other_code(question))
            }
            (Kind::Category { levels, .. }, LentColumn::Levels(_, own, cells, _)) => {
                let codes = own.iter().map(|level| place_of(levels, level).unwrap_or(other_code(question)));
                let codes = codes.chain([missing_code(levels, column)]).collect();
                AnswerColumn::Levels(cells.as_array(), codes)
            }
            (Kind::Boolean, LentColumn::Levels(_, own, cells, _)) => {
                let code = |level: &String| parse_boolean(level).map_or(UNKNOWN, |value| f64::from(u8::from(value)));
                AnswerColumn::Levels(cells.as_array(), own.iter().map(code).chain([f64::NAN]).collect())
            }
            (_, LentColumn::Numbers(_, _, cells, _)) => AnswerColumn::Codes(cells.as_array()),
            (Kind::Number { .. } | Kind::Integer { .. }, LentColumn::Levels(name, ..)) => {
                return Err(PyTypeError::new_err(format!(
                    "column `{name}` holds texts, and question `{name}` takes numbers; convert the column to numbers"
                )));
            }
        })
    }

    fn code(&self, row: usize) -> f64 {
        match self {
            AnswerColumn::Codes(cells) => cells[row],
            AnswerColumn::Levels(cells, codes) => {
                let last = codes.len() - 1;
                usize::try_from(cells[row]).map_or(codes[last], |level| codes.get(level).copied().unwrap_or(UNKNOWN))
            }
            AnswerColumn::NumberLevels(cells, _, missing, _) if cells[row].is_nan() => *missing,
            AnswerColumn::NumberLevels(cells, codes, _, other) => {
                codes.get(&bits(cells[row])).copied().unwrap_or(*other)
            }
        }
    }
}

/// The code of a level that is not listed.
fn other_code(question: &Question) -> f64 {
    question.other.map_or(UNKNOWN, |place| place as f64)
}

/// The bits of a number, the same for both zeros.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

fn place_of(levels: &[String], level: &str) -> Option<f64> {
    levels.iter().position(|known| known == level).map(|place| place as f64)
}

/// The code of a missing cell: that of its replacement, or of the level for missing answers.
fn missing_code(levels: &[String], column: &LentColumn<'_>) -> f64 {
    let place = match column.fill() {
        None => place_of(levels, ""),
        Some(Fill::Text(text)) => place_of(levels, text),
        Some(Fill::Number(number)) => place_of(levels, &column.level_name(*number)),
    };
    place.unwrap_or(f64::NAN)
}

fn missing_column(question: &Question, lent: &[LentColumn<'_>]) -> PyErr {
    let names: Vec<&str> = lent.iter().map(LentColumn::name).collect();
    value_error(format!("X has no column `{}`; its columns are: {}", question.name, names.join(", ")))
}
