//! What becomes of a number that is missing.

use serde::{Deserialize, Serialize};

use super::Answer;

/// What a number that is missing in a table, or that a person does not know, stands for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "WrittenMissing", into = "WrittenMissing")]
pub enum MissingNumber {
    /// This number.
    StandIn(f64),
    /// Itself: an answer of its own beside all numbers.
    Answer,
}

impl MissingNumber {
    /// The answer it stands for.
    #[must_use]
    pub fn answer(self) -> Answer {
        match self {
            MissingNumber::StandIn(value) => Answer::Number(value),
            MissingNumber::Answer => Answer::Missing,
        }
    }

    /// The number it stands for, if it does.
    #[must_use]
    pub fn stand_in(self) -> Option<f64> {
        match self {
            MissingNumber::StandIn(value) => Some(value),
            MissingNumber::Answer => None,
        }
    }
}

/// As it is written in files: a number, or `"answer"`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenMissing {
    StandIn(f64),
    Word(MissingWord),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MissingWord {
    Answer,
}

impl From<WrittenMissing> for MissingNumber {
    fn from(written: WrittenMissing) -> Self {
        match written {
            WrittenMissing::StandIn(value) => MissingNumber::StandIn(value),
            WrittenMissing::Word(MissingWord::Answer) => MissingNumber::Answer,
        }
    }
}

impl From<MissingNumber> for WrittenMissing {
    fn from(missing: MissingNumber) -> Self {
        match missing {
            MissingNumber::StandIn(value) => WrittenMissing::StandIn(value),
            MissingNumber::Answer => WrittenMissing::Word(MissingWord::Answer),
        }
    }
}
