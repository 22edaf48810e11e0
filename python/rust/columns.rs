//! Columns of numbers as people.

use mindrel::schema::{Answer, AnswerError, Kind, Question};
use mindrel::{Label, People, Schema};
use numpy::PyReadonlyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;

use crate::errors::value_error;

/// One array for each question, as Python lends it: a number as it is, a boolean as 0 or 1, a category as the place of its level.
pub type Lent<'py> = Vec<PyReadonlyArray1<'py, f64>>;

/// The columns of a table, and a class for each row where there is one.
pub struct Columns<'a> {
    schema: &'a Schema,
    columns: Vec<ArrayView1<'a, f64>>,
    labels: Option<ArrayView1<'a, i64>>,
    n_rows: usize,
}

/// A cell that is no answer, by its row.
pub struct CellError {
    row: usize,
    cause: AnswerError,
}

impl<'a> Columns<'a> {
    /// Columns, once they are seen to be as many as the questions and of one length.
    pub fn new(
        schema: &'a Schema,
        columns: &'a [PyReadonlyArray1<'_, f64>],
        labels: Option<&'a PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Self> {
        let columns: Vec<_> = columns.iter().map(PyReadonlyArray1::as_array).collect();
        let labels = labels.map(PyReadonlyArray1::as_array);
        let n_questions = schema.questions().len();
        if columns.len() != n_questions {
            return Err(value_error(format!("{} columns for {n_questions} questions", columns.len())));
        }
        let n_rows = columns.first().map_or(0, ArrayView1::len);
        if columns.iter().any(|column| column.len() != n_rows) || labels.is_some_and(|labels| labels.len() != n_rows) {
            return Err(value_error("the columns are not all of one length"));
        }
        let n_classes = schema.target().classes.len() as i64;
        if labels.is_some_and(|labels| labels.iter().any(|label| !(0..n_classes).contains(label))) {
            return Err(value_error(format!("a class is none of the {n_classes} of the model")));
        }
        Ok(Columns { schema, columns, labels, n_rows })
    }

    /// How many people.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Writes one person's columns.
    pub fn encode(&self, row: usize, person: &mut [f64]) -> Result<(), CellError> {
        let mut start = 0;
        for (question, column) in self.schema.questions().iter().zip(&self.columns) {
            let end = start + question.n_columns();
            let answer = answer_of(question, column[row]).map_err(|cause| CellError { row, cause })?;
            question.encode(&answer, &mut person[start..end]).map_err(|cause| CellError { row, cause })?;
            start = end;
        }
        Ok(())
    }

    /// Some rows as people, each on a line of their own.
    pub fn people(&self, rows: std::ops::Range<usize>) -> Result<People, CellError> {
        let mut people = People::new(self.schema.n_columns());
        for row in rows {
            self.encode(row, people.push(line_of(row)))?;
            people.set_label(self.labels.map(|labels| Label::new(labels[row] as usize)));
        }
        Ok(people)
    }
}

/// The line of a row, were the table a file with a header: people who are drawn for draw alike here and on the command line.
fn line_of(row: usize) -> u64 {
    row as u64 + 2
}

fn answer_of(question: &Question, value: f64) -> Result<Answer, AnswerError> {
    let name = || question.name.clone();
    match &question.kind {
        Kind::Number { missing, .. } | Kind::Integer { missing, .. } if value.is_nan() => {
            missing.map(Answer::Number).ok_or_else(|| AnswerError::Missing { question: name() })
        }
        Kind::Number { .. } | Kind::Integer { .. } => Ok(Answer::Number(value)),
        Kind::Boolean if value == 0.0 || value == 1.0 => Ok(Answer::Boolean(value == 1.0)),
        Kind::Boolean if value.is_nan() => Err(AnswerError::Missing { question: name() }),
        Kind::Boolean => Err(AnswerError::NotBoolean { question: name() }),
        Kind::Category { levels, .. } if value >= 0.0 && value < levels.len() as f64 => {
            Ok(Answer::Level(value as usize))
        }
        Kind::Category { .. } => Err(AnswerError::UnknownLevel { question: name(), choices: question.choices() }),
    }
}

impl From<CellError> for PyErr {
    fn from(error: CellError) -> Self {
        value_error(format!("row {}: {}", error.row, error.cause))
    }
}
