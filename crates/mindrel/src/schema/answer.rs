//! Answers: what a person says, kept out of every message, and how it becomes columns.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Encoding, Kind, Question};
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

impl Answer {
    /// The answer as one number: a number itself, 0 and 1 for no and yes, a level by its place.
    #[must_use]
    pub fn code(&self) -> f64 {
        match self {
            Answer::Number(value) => *value,
            Answer::Boolean(value) => f64::from(u8::from(*value)),
            Answer::Level(level) => *level as f64,
        }
    }
}

/// An answer as a person states it, and as files, certificates and requests hold it. Its value is shown by no `Debug`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StatedAnswer {
    /// No or yes.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A level.
    Text(String),
}

impl fmt::Debug for StatedAnswer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("…")
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

    /// Reads an answer as a person types it: as [`parse`](Question::parse), and a level in any case, if only one is meant.
    ///
    /// # Errors
    /// As [`parse`](Question::parse).
    pub fn parse_typed(&self, text: &str) -> Result<Answer, AnswerError> {
        self.parse(text).or_else(|error| {
            let Kind::Category { levels, .. } = &self.kind else { return Err(error) };
            let mut alike = levels.iter().enumerate().filter(|(_, level)| level.eq_ignore_ascii_case(text.trim()));
            match (alike.next(), alike.next()) {
                (Some((level, _)), None) => Ok(Answer::Level(level)),
                _ => Err(error),
            }
        })
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

    /// Reads an answer from its [code](Answer::code). NaN is a missing answer.
    ///
    /// # Errors
    /// When the code is that of no answer to this question.
    pub fn from_code(&self, code: f64) -> Result<Answer, AnswerError> {
        match &self.kind {
            Kind::Number { missing, .. } | Kind::Integer { missing, .. } if code.is_nan() => {
                missing.map(Answer::Number).ok_or_else(|| self.missing_error())
            }
            Kind::Number { .. } | Kind::Integer { .. } => Ok(Answer::Number(code)),
            Kind::Boolean | Kind::Category { .. } if code.is_nan() => Err(self.missing_error()),
            Kind::Boolean if code == 0.0 || code == 1.0 => Ok(Answer::Boolean(code == 1.0)),
            Kind::Boolean => Err(self.boolean_error()),
            Kind::Category { levels, .. } if (0.0..levels.len() as f64).contains(&code) => {
                Ok(Answer::Level(code as usize))
            }
            Kind::Category { .. } => Err(self.level_error()),
        }
    }

    /// The answer as a file states it, which [`accept`](Question::accept) reads back.
    ///
    /// # Panics
    /// When the answer is a level and the question has no such level.
    #[must_use]
    pub fn state(&self, answer: &Answer) -> StatedAnswer {
        match (answer, &self.kind) {
            (Answer::Number(value), _) => StatedAnswer::Number(*value),
            (Answer::Boolean(value), _) => StatedAnswer::Boolean(*value),
            (Answer::Level(level), Kind::Category { levels, .. }) => StatedAnswer::Text(levels[*level].clone()),
            (Answer::Level(_), _) => panic!("only categories have levels"),
        }
    }

    /// The answer as a person would write it; empty for an answer to another question.
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

    /// The answer whose encoding is nearest to these columns, without rounding for a number: the inverse of [`encode`](Question::encode).
    ///
    /// # Panics
    /// When there are fewer columns than the question has.
    #[must_use]
    pub fn decode(&self, columns: &[f64]) -> Answer {
        match &self.kind {
            Kind::Number { lower, upper, .. } => Answer::Number(unscale(columns[0], *lower, *upper)),
            Kind::Integer { lower, upper, missing } => {
                let value = unscale(columns[0], *lower, *upper);
                let is_nearer = |missing: &f64| (value - missing).abs() < (value - value.round()).abs();
                Answer::Number(missing.filter(is_nearer).unwrap_or(value.round()))
            }
            Kind::Boolean => Answer::Boolean(columns[0] > 0.0),
            Kind::Category { levels, encoding } => Answer::Level(encoding.level_of(levels.len(), columns)),
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

/// The words for no and yes that tables use, in any case. Returns `None` for any other text.
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

/// The inverse of [`scale`], up to rounding.
fn unscale(column: f64, lower: f64, upper: f64) -> f64 {
    lower + (column + 1.0) / 2.0 * (upper - lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions() -> Vec<(Question, Vec<Answer>)> {
        let integer = |missing| Kind::Integer { lower: -3.0, upper: 7.0, missing };
        let levels = || vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let ordinal = Kind::Category { levels: levels(), encoding: Encoding::Ordinal };
        let numbers = |values: &[f64]| values.iter().copied().map(Answer::Number).collect::<Vec<_>>();
        let places = vec![Answer::Level(0), Answer::Level(1), Answer::Level(2)];
        let asked = |kind| Question::new("q", super::super::Visibility::Sensitive, kind);
        vec![
            (Question::number("q", -2.0, 6.0), numbers(&[-2.0, 0.5, 6.0, 8.0])),
            (asked(integer(None)), numbers(&[-3.0, 0.0, 2.0, 7.0, 9.0])),
            (asked(integer(Some(2.5))), numbers(&[-3.0, 2.0, 2.5, 3.0])),
            (Question::boolean("q"), vec![Answer::Boolean(false), Answer::Boolean(true)]),
            (Question::category("q", levels()), places.clone()),
            (asked(ordinal), places),
        ]
    }

    /// Bounds are small binary fractions or whole numbers that scaling returns exactly after rounding to 1e-12.
    #[test]
    fn an_answer_survives_encoding_codes_and_stating() {
        for (question, answers) in questions() {
            for answer in answers {
                let mut columns = vec![0.0; question.n_columns()];
                question.encode(&answer, &mut columns).unwrap();
                match (question.decode(&columns), &answer) {
                    (Answer::Number(found), Answer::Number(value)) => assert!((found - value).abs() < 1e-12),
                    (found, _) => assert_eq!(found, answer),
                }
                assert_eq!(question.from_code(answer.code()), Ok(answer.clone()));
                assert_eq!(question.accept(&question.state(&answer)), Ok(answer));
            }
        }
    }

    #[test]
    fn a_code_that_is_no_answer_is_refused() {
        let category = Question::category("q", ["a", "b"]);
        for code in [-1.0, 2.0, f64::INFINITY] {
            assert!(matches!(category.from_code(code), Err(AnswerError::UnknownLevel { .. })), "{code}");
            assert!(matches!(Question::boolean("q").from_code(code), Err(AnswerError::NotBoolean { .. })), "{code}");
        }
        for (question, _) in questions() {
            let missing = question.from_code(f64::NAN);
            match question.kind {
                Kind::Integer { missing: Some(value), .. } => assert_eq!(missing, Ok(Answer::Number(value))),
                _ => assert!(matches!(missing, Err(AnswerError::Missing { .. }))),
            }
        }
    }
}
