//! An answer as it stands in a token.

use mindrel::schema::Answer;
use serde::{Deserialize, Serialize};

/// An answer. It has no `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Said {
    Number(f64),
    Boolean(bool),
    Level(usize),
}

impl From<&Answer> for Said {
    fn from(answer: &Answer) -> Self {
        match answer {
            Answer::Number(value) => Said::Number(*value),
            Answer::Boolean(value) => Said::Boolean(*value),
            Answer::Level(level) => Said::Level(*level),
        }
    }
}

impl From<&Said> for Answer {
    fn from(said: &Said) -> Self {
        match said {
            Said::Number(value) => Answer::Number(*value),
            Said::Boolean(value) => Answer::Boolean(*value),
            Said::Level(level) => Answer::Level(*level),
        }
    }
}
