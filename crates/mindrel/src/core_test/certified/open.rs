//! What is open of one person: the questions, and where their columns are.

use std::ops::Range;

use super::region::grid_value;
use crate::questionnaire::Asked;
use crate::schema::Domain;

/// Rows are worked through this many numbers at a time, in vector registers; rows are filled up with zeros to whole lanes.
pub(crate) const LANES: usize = 4;

/// The open questions of one person.
///
/// Its columns are those of the open numbers first, then those of the open categories.
#[derive(Default)]
pub(crate) struct OpenColumns {
    pub questions: Vec<OpenQuestion>,
    /// The encoded column behind each open column.
    pub columns: Vec<usize>,
    /// Of all encoded columns, those that are open.
    pub free: Vec<bool>,
    /// How many of the open columns are numbers.
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
        for numbers in [true, false] {
            for (place, question) in asked.iter().enumerate() {
                if open(place) && numbers != matches!(question.domain, Domain::OneOf { .. }) {
                    let start = self.columns.len();
                    self.columns.extend(question.columns.clone());
                    let columns = start..self.columns.len();
                    self.questions.push(OpenQuestion { place, columns, domain: question.domain });
                }
            }
            if numbers {
                self.n_numbers = self.columns.len();
            }
        }
        self.columns.iter().for_each(|&column| self.free[column] = true);
        self.width = self.columns.len().next_multiple_of(LANES);
        self.largest = 1.0;
        for (value, _) in person.iter().zip(&self.free).filter(|(_, free)| !**free) {
            self.largest = self.largest.max(value.abs());
        }
    }

    /// Brings a point into the domain: numbers to the nearest value, categories to the largest indicator.
    pub fn bring_in(&self, point: &mut [f64]) {
        for question in &self.questions {
            let column = question.columns.start;
            match question.domain {
                Domain::Interval => point[column] = point[column].clamp(-1.0, 1.0),
                Domain::Grid { points } => {
                    let index = (f64::midpoint(point[column].clamp(-1.0, 1.0), 1.0) * (points - 1) as f64).round();
                    point[column] = grid_value(index as usize, points);
                }
                Domain::OneOf { .. } => {
                    let columns = question.columns.clone();
                    let mut best = columns.start;
                    for column in columns.clone() {
                        if point[column] > point[best] {
                            best = column;
                        }
                    }
                    columns.for_each(|column| point[column] = f64::from(u8::from(column == best)));
                }
            }
        }
    }

    /// Writes a point's columns into an encoded person.
    pub fn place(&self, point: &[f64], person: &mut [f64]) {
        self.columns.iter().zip(point).for_each(|(&column, &value)| person[column] = value);
    }

    /// The number of open columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// The open questions that are categories.
    pub fn categories(&self) -> impl Iterator<Item = &OpenQuestion> {
        self.questions.iter().filter(|question| question.columns.start >= self.n_numbers)
    }
}
