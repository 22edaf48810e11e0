//! What is open of one person: the questions, and where their columns are.

use std::ops::Range;

use super::Region;
use super::implications::Implications;
use crate::schema::{Domain, QuestionId, Schema};

/// Rows are worked through this many numbers at a time, in vector registers; rows are filled up with zeros to whole
/// lanes.
pub(crate) const LANES: usize = 4;

/// A question by its domain and its columns of the encoded person.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub domain: Domain,
    pub columns: Range<usize>,
}

impl Asked {
    pub fn new(schema: &Schema, id: QuestionId) -> Self {
        Asked { domain: schema.question(id).domain(), columns: schema.columns(id) }
    }
}

/// The open questions of one person, and what they can be.
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
    /// What the open questions can be, before a proof cuts it.
    pub whole: Region,
    /// The rules that say more about them.
    pub rules: Implications,
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
    /// Takes on a person: columns of the sensitive questions that are not known are free, all others are as in the
    /// region.
    pub fn set(&mut self, asked: &[Asked], rules: &Implications, region: &Region) {
        self.questions.clear();
        self.columns.clear();
        self.free.clear();
        self.free.resize(region.lower.len(), false);
        let open = |question: &Asked| !region.is_known(&question.columns);
        self.n_plain = self.append(asked, open, |domain| matches!(domain, Domain::Interval | Domain::Grid { .. }));
        self.n_numbers = self.append(asked, open, |domain| matches!(domain, Domain::OrMissing { .. }));
        self.append(asked, open, |domain| matches!(domain, Domain::OneOf { .. }));
        self.columns.iter().for_each(|&column| self.free[column] = true);
        self.width = self.columns.len().next_multiple_of(LANES);
        self.largest = 1.0;
        for (value, _) in region.lower.iter().zip(&self.free).filter(|(_, free)| !**free) {
            self.largest = self.largest.max(value.abs());
        }
        self.whole.pick(region, &self.columns, self.width);
        self.rules = if rules.is_empty() { Implications::default() } else { rules.left_in(region, self) };
    }

    /// Appends the open questions of a kind; returns how many columns there are now.
    fn append(&mut self, asked: &[Asked], open: impl Fn(&Asked) -> bool, is_kind: impl Fn(Domain) -> bool) -> usize {
        for (place, question) in asked.iter().enumerate().filter(|(_, question)| is_kind(question.domain)) {
            if open(question) {
                let start = self.columns.len();
                self.columns.extend(question.columns.clone());
                let columns = start..self.columns.len();
                self.questions.push(OpenQuestion { place, columns, domain: question.domain });
            }
        }
        self.columns.len()
    }

    /// Brings a point to what the open questions can be, each by itself.
    pub fn bring_in(&self, point: &mut [f64]) {
        self.whole.bring_in(self, point);
    }

    /// Whether a point breaks no rule.
    pub fn is_possible(&self, point: &[f64]) -> bool {
        self.rules.broken_at(point).is_none()
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
