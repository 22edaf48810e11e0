//! Answers: what a person says, kept out of every message, and how it becomes columns.

use std::fmt;

use super::{Encoding, Kind, Question};
use crate::certificate::StatedAnswer;
use crate::math::LARGEST;

/// What a person answered. Its value is shown by no `Debug` and no error.
#[derive(Clone, PartialEq)]
pub enum Answer {
    /// A number, whole or not.
    Number(f64),
    /// No or yes.
    Boolean(bool),
    /// A level of a category, by its place in the list.
    Level(usize),
}

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Answer(…)")
    }
}

/// Where an answer lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Within the declared domain.
    Inside,
    /// Outside: accepted, since it is known, but the schema is narrower than the world.
    Outside,
}

/// Why an answer cannot be taken. Names the question, never the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// No question has this name.
    #[error("there is no question `{question}` in this plan; the questions are: {known}")]
    UnknownQuestion {
        /// The name given.
        question: String,
        /// The names there are.
        known: String,
    },
    /// A number was expected.
    #[error("the answer to `{question}` is not a number; give a number from {choices}")]
    NotANumber {
        /// The question.
        question: String,
        /// Its domain in words.
        choices: String,
    },
    /// The number is beyond all bounds.
    #[error("the answer to `{question}` is too large to be meant; give a number from {choices}")]
    TooLarge {
        /// The question.
        question: String,
        /// Its domain in words.
        choices: String,
    },
    /// A whole number was expected.
    #[error("the answer to `{question}` is not a whole number; give a whole number from {choices}")]
    NotWhole {
        /// The question.
        question: String,
        /// Its domain in words.
        choices: String,
    },
    /// No or yes was expected.
    #[error("the answer to `{question}` is neither yes nor no; answer yes or no")]
    NotBoolean {
        /// The question.
        question: String,
    },
    /// The level is not one of the question's.
    #[error("the answer to `{question}` is not one of its levels; choose from: {choices}")]
    UnknownLevel {
        /// The question.
        question: String,
        /// Its levels.
        choices: String,
    },
    /// There is no answer, and the schema does not say what stands in for one.
    #[error("the answer to `{question}` is missing; fill it in, or declare what stands in for it in the schema")]
    Missing {
        /// The question.
        question: String,
    },
    /// The question is not the one being asked.
    #[error("`{question}` is not being asked now; answer or decline the question that is")]
    NotAsked {
        /// The question.
        question: String,
    },
    /// A public question has no value.
    #[error("the public question `{question}` has no value; give it with the other public values")]
    PublicMissing {
        /// The question.
        question: String,
    },
    /// A sensitive question was given among the public values.
    #[error("`{question}` is sensitive and is not taken beforehand; leave it out of the public values")]
    NotPublic {
        /// The question.
        question: String,
    },
}

impl Question {
    /// Reads an answer as a person or a table writes it. Empty text is a missing answer.
    ///
    /// # Errors
    /// When the text is no answer to this question; the error holds no part of it.
    pub fn parse(&self, text: &str) -> Result<Answer, AnswerError> {
        let as_written = text;
        let text = text.trim();
        match &self.kind {
            Kind::Number { missing, .. } | Kind::Integer { missing, .. } => {
                if text.is_empty() {
                    return missing.map(Answer::Number).ok_or_else(|| self.missing_error());
                }
                self.accept_number(text.parse().unwrap_or(f64::NAN))
            }
            Kind::Boolean => {
                if text.is_empty() {
                    return Err(self.missing_error());
                }
                parse_boolean(text).map(Answer::Boolean).ok_or_else(|| self.boolean_error())
            }
            Kind::Category { levels, .. } => {
                let place = |text: &str| levels.iter().position(|level| level == text);
                match place(as_written).or_else(|| place(text)) {
                    Some(level) => Ok(Answer::Level(level)),
                    None if text.is_empty() => Err(self.missing_error()),
                    None => Err(self.level_error()),
                }
            }
        }
    }

    /// Reads an answer as a file states it: a number, a text, or no and yes, which may also be levels of a category.
    ///
    /// # Errors
    /// As [`parse`](Question::parse).
    pub fn accept(&self, stated: &StatedAnswer) -> Result<Answer, AnswerError> {
        match (stated, &self.kind) {
            (StatedAnswer::Boolean(value), Kind::Category { levels, .. }) => {
                let place = levels.iter().position(|level| parse_boolean(level) == Some(*value));
                place.map(Answer::Level).ok_or_else(|| self.level_error())
            }
            (StatedAnswer::Boolean(value), _) => self.parse(if *value { "yes" } else { "no" }),
            (StatedAnswer::Number(value), Kind::Number { .. } | Kind::Integer { .. }) => self.accept_number(*value),
            (StatedAnswer::Number(value), _) => self.parse(&value.to_string()),
            // What stands in for a missing cell of a table is nothing a person said.
            (StatedAnswer::Text(text), Kind::Number { .. } | Kind::Integer { .. }) if text.trim().is_empty() => {
                Err(self.missing_error())
            }
            (StatedAnswer::Text(text), _) => self.parse(text),
        }
    }

    /// A number as an answer, if it is finite and, where that is asked for, whole.
    fn accept_number(&self, value: f64) -> Result<Answer, AnswerError> {
        if !value.is_finite() {
            return Err(self.number_error());
        }
        self.check_whole(value)?;
        Ok(Answer::Number(value))
    }

    /// The answer as a person would write it; nothing for an answer to another question.
    #[must_use]
    pub fn show(&self, answer: &Answer) -> String {
        match (answer, &self.kind) {
            (Answer::Number(value), _) => value.to_string(),
            (Answer::Boolean(value), _) => if *value { "yes" } else { "no" }.to_owned(),
            (Answer::Level(level), Kind::Category { levels, .. }) => levels.get(*level).cloned().unwrap_or_default(),
            (Answer::Level(_), _) => String::new(),
        }
    }

    /// Writes the answer into the question's columns.
    ///
    /// ```text
    /// number      −1 + 2 (value − lower) / (upper − lower)
    /// boolean     −1 for no, 1 for yes
    /// category    1 in the column of its level and 0 elsewhere (onehot), −1 + 2 place / (levels − 1) (ordinal)
    /// ```
    ///
    /// # Errors
    /// When the answer is of another kind than the question, or half a number where a whole one is asked for.
    pub fn encode(&self, answer: &Answer, columns: &mut [f64]) -> Result<Placement, AnswerError> {
        match (answer, &self.kind) {
            (Answer::Number(value), Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) => {
                columns[0] = scale(*value, *lower, *upper);
                if columns[0].is_nan() || columns[0].abs() > LARGEST {
                    return Err(AnswerError::TooLarge { question: self.name.clone(), choices: self.choices() });
                }
                self.check_whole(*value)?;
                let inside = (*lower..=*upper).contains(value);
                Ok(if inside { Placement::Inside } else { Placement::Outside })
            }
            (Answer::Boolean(value), Kind::Boolean) => {
                columns[0] = if *value { 1.0 } else { -1.0 };
                Ok(Placement::Inside)
            }
            (Answer::Level(level), Kind::Category { levels, encoding }) if *level < levels.len() => {
                match encoding {
                    Encoding::Onehot => {
                        columns.fill(0.0);
                        columns[*level] = 1.0;
                    }
                    Encoding::Ordinal => columns[0] = scale(*level as f64, 0.0, (levels.len() - 1) as f64),
                }
                Ok(Placement::Inside)
            }
            (_, Kind::Number { .. } | Kind::Integer { .. }) => Err(self.number_error()),
            (_, Kind::Boolean) => Err(self.boolean_error()),
            (_, Kind::Category { .. }) => Err(self.level_error()),
        }
    }

    /// What stands in for a missing answer need not be whole.
    fn check_whole(&self, value: f64) -> Result<(), AnswerError> {
        match self.kind {
            Kind::Integer { missing, .. } if value.fract() != 0.0 && missing != Some(value) => {
                Err(AnswerError::NotWhole { question: self.name.clone(), choices: self.choices() })
            }
            _ => Ok(()),
        }
    }

    fn number_error(&self) -> AnswerError {
        AnswerError::NotANumber { question: self.name.clone(), choices: self.choices() }
    }

    fn boolean_error(&self) -> AnswerError {
        AnswerError::NotBoolean { question: self.name.clone() }
    }

    fn level_error(&self) -> AnswerError {
        AnswerError::UnknownLevel { question: self.name.clone(), choices: self.choices() }
    }

    fn missing_error(&self) -> AnswerError {
        AnswerError::Missing { question: self.name.clone() }
    }
}

/// The words for no and yes that tables use, in any case; nothing for any other text.
#[must_use]
pub fn parse_boolean(text: &str) -> Option<bool> {
    const NO: [&str; 6] = ["no", "n", "false", "f", "0", "0.0"];
    const YES: [&str; 6] = ["yes", "y", "true", "t", "1", "1.0"];
    if NO.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        Some(false)
    } else if YES.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        Some(true)
    } else {
        None
    }
}

/// A value scaled so that the bounds become −1 and 1; exact at both, and monotone in between.
fn scale(value: f64, lower: f64, upper: f64) -> f64 {
    -1.0 + 2.0 * ((value - lower) / (upper - lower))
}
