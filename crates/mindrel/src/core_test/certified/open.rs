//! What is open of one person: the questions, and where their columns are.

use std::ops::Range;

use crate::questionnaire::Asked;
use crate::schema::Domain;

/// Rows are worked through this many numbers at a time, in vector registers; rows are filled up with zeros to whole
/// lanes.
pub(crate) const LANES: usize = 4;

/// The open questions of one person.
///
/// Its columns are those of the open numbers first, then those of numbers that may be missing, then those of the open
/// categories.
#[derive(Default)]
pub(crate) struct OpenColumns {
    pub questions: Vec<OpenQuestion>,
    /// The encoded column behind each open column.
    pub columns: Vec<usize>,
    /// Of all encoded columns, those that are open.
    pub free: Vec<bool>,
    /// How many of the open columns are those of numbers that cannot be missing.
    pub n_plain: usize,
    /// How many are those of numbers, missing or not.
    pub n_numbers: usize,
    /// The number of open columns, filled up to whole lanes.
    pub width: usize,
    /// The size of the largest known value, at least 1.
    pub largest: f64,
}

/// One open question.
#[derive(Clone)]
pub(crate) struct OpenQuestion {
    /// Its place among the sensitive questions.
    pub place: usize,
    /// Its open columns.
    pub columns: Range<usize>,
    pub domain: Domain,
}

impl OpenColumns {
    /// Takes on a person: columns of the questions in `open` are free, all others are as in `person`.
    pub fn set(&mut self, asked: &[Asked], open: impl Fn(usize) -> bool, person: &[f64]) {
        self.questions.clear();
        self.columns.clear();
        self.free.clear();
        self.free.resize(person.len(), false);
        self.n_plain = self.append(asked, &open, |domain| matches!(domain, Domain::Interval | Domain::Grid { .. }));
        self.n_numbers = self.append(asked, &open, |domain| matches!(domain, Domain::OrMissing { .. }));
        self.append(asked, &open, |domain| matches!(domain, Domain::OneOf { .. }));
        self.columns.iter().for_each(|&column| self.free[column] = true);
        self.width = self.columns.len().next_multiple_of(LANES);
        self.largest = 1.0;
        for (value, _) in person.iter().zip(&self.free).filter(|(_, free)| !**free) {
            self.largest = self.largest.max(value.abs());
        }
    }

    /// Appends the open questions of a kind; returns how many columns there are now.
    fn append(&mut self, asked: &[Asked], open: impl Fn(usize) -> bool, is_kind: impl Fn(Domain) -> bool) -> usize {
        for (place, question) in asked.iter().enumerate().filter(|(_, question)| is_kind(question.domain)) {
            if open(place) {
                let start = self.columns.len();
                self.columns.extend(question.columns.clone());
                let columns = start..self.columns.len();
                self.questions.push(OpenQuestion { place, columns, domain: question.domain });
            }
        }
        self.columns.len()
    }

    /// Brings a point into the domain.
    pub fn bring_in(&self, point: &mut [f64]) {
        self.questions.iter().for_each(|question| question.domain.bring_in(&mut point[question.columns.clone()]));
    }

    /// Writes a point's columns into an encoded person.
    pub fn place(&self, point: &[f64], person: &mut [f64]) {
        self.columns.iter().zip(point).for_each(|(&column, &value)| person[column] = value);
    }

    /// The number of open columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// The open questions that are numbers which may be missing.
    pub fn numbers_or_missing(&self) -> impl Iterator<Item = &OpenQuestion> {
        let columns = self.n_plain..self.n_numbers;
        self.questions.iter().filter(move |question| columns.contains(&question.columns.start))
    }

    /// The open questions that are categories.
    pub fn categories(&self) -> impl Iterator<Item = &OpenQuestion> {
        self.questions.iter().filter(|question| question.columns.start >= self.n_numbers)
    }
}
