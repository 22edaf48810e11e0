//! From encoded columns back to what a graph takes in.

use mindrel::Schema;
use mindrel::schema::{Encoding, Kind, QuestionId};
use serde::{Deserialize, Serialize};

use crate::LowerError;

/// How one input comes from encoded columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub(super) enum RawColumn {
    /// A number between two bounds.
    Number { column: usize, lower: f64, upper: f64 },
    /// One of several numbers, by level.
    Levels { column: usize, encoding: Encoding, values: Vec<f64> },
}

impl RawColumn {
    /// How the raw number behind a question comes back.
    pub fn new(schema: &Schema, id: QuestionId) -> Result<Self, LowerError> {
        let (question, column) = (schema.question(id), schema.columns(id).start);
        Ok(match &question.kind {
            Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. } => {
                RawColumn::Number { column, lower: *lower, upper: *upper }
            }
            Kind::Boolean => RawColumn::Levels { column, encoding: Encoding::Ordinal, values: vec![0.0, 1.0] },
            Kind::Category { levels, encoding } => {
                let number = |level: &String| {
                    let error =
                        || LowerError::LevelIsNoNumber { question: question.name.clone(), level: level.clone() };
                    level.trim().parse().map_err(|_| error())
                };
                let values = levels.iter().map(number).collect::<Result<_, _>>()?;
                RawColumn::Levels { column, encoding: *encoding, values }
            }
        })
    }

    /// Whether its columns are there.
    pub fn fits(&self, n_columns: usize) -> bool {
        match self {
            RawColumn::Number { column, .. } => *column < n_columns,
            RawColumn::Levels { column, encoding, values } => {
                let width = if *encoding == Encoding::Onehot { values.len() } else { 1 };
                !values.is_empty() && column.checked_add(width).is_some_and(|end| end <= n_columns)
            }
        }
    }

    /// The number a graph gets for an encoded person.
    pub fn raw(&self, row: &[f64]) -> f32 {
        match self {
            RawColumn::Number { column, lower, upper } => (lower + (row[*column] + 1.0) / 2.0 * (upper - lower)) as f32,
            RawColumn::Levels { column, encoding, values } => {
                values[encoding.level_of(values.len(), &row[*column..])] as f32
            }
        }
    }
}
