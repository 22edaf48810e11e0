//! Answers: what a person says, kept out of every message, and how it becomes columns.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::domain::{HALF, MISSING, is_missing};
use super::{AnswerError, Encoding, Kind, MissingNumber, Question};
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
    /// That a number is missing, where the schema takes that for an answer of its own.
    Missing,
}

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Answer(…)")
    }
}

impl Answer {
    /// The answer as one number: a number itself, 0 and 1 for no and yes, a level by its place, NaN if it is missing.
    #[must_use]
    pub fn code(&self) -> f64 {
        match self {
            Answer::Number(value) => *value,
            Answer::Boolean(value) => f64::from(u8::from(*value)),
            Answer::Level(level) => *level as f64,
            Answer::Missing => f64::NAN,
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

/// What a person says to a question whose answer they do not know, where the table has such answers, unless the level
/// has words of its own.
pub const NOT_KNOWN: &str = "not known";

/// Where an answer lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Within the declared domain.
    Inside,
    /// Outside: the schema is narrower than the world, or the answer is wrong.
    Outside,
}

/// What to do about a value outside its declared domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutsidePolicy {
    /// Refuse it; a person is asked again.
    #[default]
    Refuse,
    /// Take it as it is.
    Accept,
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
                    return missing.map(MissingNumber::answer).ok_or_else(|| self.missing_error());
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

    /// Reads an answer as a person types it: as [`parse`](Question::parse), a level by its words as well and in any
    /// case, if only one is meant, and [`NOT_KNOWN`].
    ///
    /// # Errors
    /// As [`parse`](Question::parse).
    pub fn parse_typed(&self, text: &str) -> Result<Answer, AnswerError> {
        self.parse(text).or_else(|error| {
            let is_meant = |name: &str| name.eq_ignore_ascii_case(text.trim());
            let Kind::Category { levels, .. } = &self.kind else {
                return self.missing_answer().filter(|_| is_meant(NOT_KNOWN)).ok_or(error);
            };
            let mut alike =
                (0..levels.len()).filter(|&level| is_meant(&levels[level]) || is_meant(self.level_words(level)));
            match (alike.next(), alike.next()) {
                (Some(level), None) => Ok(Answer::Level(level)),
                _ => Err(error),
            }
        })
    }

    /// Reads an answer as a file states it: a number, a text, [`NOT_KNOWN`], or no and yes, which may also be levels
    /// of a category.
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
            // An empty text is a question left out, not an answer that is not known.
            (StatedAnswer::Text(text), Kind::Number { .. } | Kind::Integer { .. }) if text.trim().is_empty() => {
                Err(self.missing_error())
            }
            (StatedAnswer::Text(text), _) => {
                let missing = || self.missing_answer().filter(|_| text.trim().eq_ignore_ascii_case(NOT_KNOWN));
                self.parse(text).or_else(|error| missing().ok_or(error))
            }
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
                missing.map(MissingNumber::answer).ok_or_else(|| self.missing_error())
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
            (Answer::Missing, _) => StatedAnswer::Text(NOT_KNOWN.to_owned()),
        }
    }

    /// The answer as a person would say it, a level in its words; empty for an answer to another question.
    #[must_use]
    pub fn show(&self, answer: &Answer) -> String {
        match (answer, &self.kind) {
            (Answer::Number(value), _) => value.to_string(),
            (Answer::Boolean(value), _) => if *value { "yes" } else { "no" }.to_owned(),
            (Answer::Level(level), Kind::Category { levels, .. }) if *level < levels.len() => {
                self.level_words(*level).to_owned()
            }
            (Answer::Missing, _) => NOT_KNOWN.to_owned(),
            (Answer::Level(_), _) => String::new(),
        }
    }

    /// Refuses an answer outside the declared domain, so that the person can be asked again;
    /// [`OutsidePolicy::Accept`] admits it.
    ///
    /// # Errors
    /// When the answer is refused; the error names the range.
    pub fn admit(&self, answer: &Answer) -> Result<(), AnswerError> {
        if self.outside == OutsidePolicy::Refuse && self.placement(answer) == Placement::Outside {
            return Err(AnswerError::Outside { question: self.name.clone(), choices: self.range() });
        }
        Ok(())
    }

    /// Where an answer lies. What stands in for a missing one is inside, as the schema was checked for.
    fn placement(&self, answer: &Answer) -> Placement {
        match (answer, &self.kind) {
            (Answer::Number(value), Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. })
                if !(*lower..=*upper).contains(value) =>
            {
                Placement::Outside
            }
            _ => Placement::Inside,
        }
    }

    /// Writes the answer into the question's columns.
    ///
    /// ```text
    /// number      −1 + 2 (value − lower) / (upper − lower)
    /// boolean     −1 for no, 1 for yes
    /// category    1 in the column of its level and 0 elsewhere (onehot), −1 + 2 place / (levels − 1) (ordinal)
    ///
    /// number that may be missing   half of the above in both columns; 1 and −1 if it is missing
    /// ```
    ///
    /// # Errors
    /// When the answer is of another kind than the question, or half a number where a whole one is asked for.
    pub fn encode(&self, answer: &Answer, columns: &mut [f64]) -> Result<Placement, AnswerError> {
        match (answer, &self.kind) {
            (Answer::Number(value), Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) => {
                columns[0] = scale(*value, *lower, *upper);
                if columns[0].is_nan() || columns[0].abs() > LARGEST {
                    return Err(AnswerError::TooLarge { question: self.name.clone(), choices: self.range() });
                }
                self.check_whole(*value)?;
                if self.has_missing_point() {
                    columns.fill(HALF * columns[0]);
                }
            }
            (Answer::Missing, _) if self.has_missing_point() => columns.copy_from_slice(&MISSING),
            (Answer::Boolean(value), Kind::Boolean) => columns[0] = if *value { 1.0 } else { -1.0 },
            (Answer::Level(level), Kind::Category { levels, encoding }) if *level < levels.len() => match encoding {
                Encoding::Onehot => {
                    columns.fill(0.0);
                    columns[*level] = 1.0;
                }
                Encoding::Ordinal => columns[0] = scale(*level as f64, 0.0, (levels.len() - 1) as f64),
            },
            (_, Kind::Number { .. } | Kind::Integer { .. }) => return Err(self.number_error()),
            (_, Kind::Boolean) => return Err(self.boolean_error()),
            (_, Kind::Category { .. }) => return Err(self.level_error()),
        }
        Ok(self.placement(answer))
    }

    /// A number scaled so that the bounds of the question become −1 and 1; `None` if it is no question for a number.
    pub(crate) fn scaled(&self, value: f64) -> Option<f64> {
        let (Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) = &self.kind else { return None };
        Some(scale(value, *lower, *upper))
    }

    /// The answer whose encoding is nearest to these columns, without rounding for a number: the inverse of
    /// [`encode`](Question::encode).
    ///
    /// # Panics
    /// When there are fewer columns than the question has.
    #[must_use]
    pub fn decode(&self, columns: &[f64]) -> Answer {
        let has_missing_point = self.has_missing_point();
        let number = || if has_missing_point { columns[0] + columns[1] } else { columns[0] };
        match &self.kind {
            Kind::Number { .. } | Kind::Integer { .. } if has_missing_point && is_missing(columns) => Answer::Missing,
            Kind::Number { lower, upper, .. } => Answer::Number(unscale(number(), *lower, *upper)),
            Kind::Integer { lower, upper, missing } => {
                let value = unscale(number(), *lower, *upper);
                let is_nearer = |missing: &f64| (value - missing).abs() < (value - value.round()).abs();
                let stand_in = missing.and_then(MissingNumber::stand_in);
                Answer::Number(stand_in.filter(is_nearer).unwrap_or(value.round()))
            }
            Kind::Boolean => Answer::Boolean(columns[0] > 0.0),
            Kind::Category { levels, encoding } => Answer::Level(encoding.level_of(levels.len(), columns)),
        }
    }

    /// The same, with the fewest digits that make a number of these columns, so that 30,000 does not come back as
    /// 30000.000000000004.
    pub(crate) fn decode_plainly(&self, columns: &[f64]) -> Answer {
        let has_columns = |value: &f64| {
            let mut own = vec![0.0; columns.len()];
            self.encode(&Answer::Number(*value), &mut own).is_ok() && own == columns
        };
        match self.decode(columns) {
            Answer::Number(value) => {
                let rounded = (0..17).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
                Answer::Number(rounded.into_iter().find(has_columns).unwrap_or(value))
            }
            other => other,
        }
    }

    /// What stands in for a missing answer need not be whole.
    fn check_whole(&self, value: f64) -> Result<(), AnswerError> {
        match self.kind {
            Kind::Integer { missing, .. } if value.fract() != 0.0 && missing != Some(MissingNumber::StandIn(value)) => {
                Err(AnswerError::NotWhole { question: self.name.clone(), choices: self.range() })
            }
            _ => Ok(()),
        }
    }

    fn number_error(&self) -> AnswerError {
        AnswerError::NotANumber { question: self.name.clone(), choices: self.range() }
    }

    fn boolean_error(&self) -> AnswerError {
        AnswerError::NotBoolean { question: self.name.clone() }
    }

    fn level_error(&self) -> AnswerError {
        AnswerError::UnknownLevel { question: self.name.clone(), choices: self.named_levels() }
    }

    /// The levels by their names, which tables and requests use, with the words for people: `A11 (less than 0) / A12`.
    fn named_levels(&self) -> String {
        let levels = self.levels().unwrap_or_default();
        let named = levels.iter().filter(|level| !level.is_empty()).map(|level| match self.words.get(level) {
            Some(words) => format!("{level} ({words})"),
            None => level.clone(),
        });
        named.collect::<Vec<String>>().join(" / ")
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

/// The inverse of [`scale`], up to rounding, which takes nothing out of the bounds.
fn unscale(column: f64, lower: f64, upper: f64) -> f64 {
    let value = lower + (column + 1.0) / 2.0 * (upper - lower);
    if (-1.0..=1.0).contains(&column) { value.clamp(lower, upper) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions() -> Vec<(Question, Vec<Answer>)> {
        let integer = |missing| Kind::Integer { lower: -3.0, upper: 7.0, missing };
        let number = Kind::Number { lower: -2.0, upper: 6.0, missing: Some(MissingNumber::Answer) };
        let levels = || vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let ordinal = Kind::Category { levels: levels(), encoding: Encoding::Ordinal };
        let numbers = |values: &[f64]| values.iter().copied().map(Answer::Number).collect::<Vec<_>>();
        let places = vec![Answer::Level(0), Answer::Level(1), Answer::Level(2)];
        let asked = |kind| Question::new("q", super::super::Visibility::Sensitive, kind);
        vec![
            (Question::number("q", -2.0, 6.0), numbers(&[-2.0, 0.5, 6.0, 8.0])),
            (asked(integer(None)), numbers(&[-3.0, 0.0, 2.0, 7.0, 9.0])),
            (asked(integer(Some(MissingNumber::StandIn(2.5)))), numbers(&[-3.0, 2.0, 2.5, 3.0])),
            (asked(integer(Some(MissingNumber::Answer))), [numbers(&[-3.0, 2.0, 9.0]), vec![Answer::Missing]].concat()),
            (asked(number), [numbers(&[-2.0, 0.5, 6.0, 8.0]), vec![Answer::Missing]].concat()),
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
                assert_eq!(question.domain().contains(&columns), question.placement(&answer) == Placement::Inside);
                assert_eq!(question.from_code(answer.code()), Ok(answer.clone()));
                assert_eq!(question.accept(&question.state(&answer)), Ok(answer));
            }
        }
    }

    #[test]
    fn what_is_not_known_can_be_stated_where_something_stands_for_it() {
        let stated = StatedAnswer::Text(NOT_KNOWN.to_owned());
        let number = |missing| {
            let kind = Kind::Number { lower: 0.0, upper: 9.0, missing: Some(missing) };
            Question::new("q", super::super::Visibility::Sensitive, kind)
        };
        assert_eq!(number(MissingNumber::StandIn(4.5)).accept(&stated), Ok(Answer::Number(4.5)));
        assert_eq!(number(MissingNumber::Answer).accept(&stated), Ok(Answer::Missing));
        assert_eq!(Question::category("q", ["a", "", "b"]).accept(&stated), Ok(Answer::Level(1)));
        assert_eq!(Question::category("q", ["", NOT_KNOWN]).accept(&stated), Ok(Answer::Level(1)));
        for question in [Question::number("q", 0.0, 9.0), Question::boolean("q"), Question::category("q", ["a", "b"])] {
            assert!(question.accept(&stated).is_err(), "{question:?}");
        }
    }

    /// One third of the way and back is off by rounding; at the bounds that would be outside.
    #[test]
    fn a_decoded_answer_is_inside_where_its_columns_are() {
        for (lower, upper) in [(0.1, 0.7), (-1.0 / 3.0, 1e9), (0.3, 0.9)] {
            let question = Question::number("q", lower, upper);
            for column in [-1.0, -1.0 / 3.0, 0.0, 1.0] {
                assert_eq!(question.admit(&question.decode(&[column])), Ok(()), "{column} of {lower} to {upper}");
            }
        }
    }

    #[test]
    fn a_stand_in_for_missing_answers_is_inside_by_construction() {
        let integer = |missing| {
            let kind = Kind::Integer { lower: 0.0, upper: 9.0, missing: Some(MissingNumber::StandIn(missing)) };
            Question::new("q", super::super::Visibility::Sensitive, kind)
        };
        assert_eq!(integer(4.5).check(), Ok(()));
        assert_eq!(integer(4.5).admit(&integer(4.5).parse("").unwrap()), Ok(()));
        assert!(integer(9.5).check().is_err() && integer(f64::NAN).check().is_err());
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
                Kind::Integer { missing: Some(value), .. } | Kind::Number { missing: Some(value), .. } => {
                    assert_eq!(missing, Ok(value.answer()));
                }
                _ => assert!(matches!(missing, Err(AnswerError::Missing { .. }))),
            }
        }
    }
}
