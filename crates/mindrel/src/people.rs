//! Encoded people, as audits and training take them.

use std::fmt;

use crate::Label;

/// Some encoded people. Its `Debug` shows how many, and nothing of them.
#[derive(Clone, PartialEq, Default)]
pub struct People {
    n_columns: usize,
    columns: Vec<f64>,
    labels: Vec<Option<Label>>,
    lines: Vec<u64>,
}

/// One encoded person.
#[derive(Clone, Copy, PartialEq)]
pub struct Person<'a> {
    /// The encoded columns.
    pub columns: &'a [f64],
    /// The class, where it is known.
    pub label: Option<Label>,
    /// The line of the table the person stands on.
    pub line: u64,
}

impl People {
    /// Nobody, with a number of columns.
    #[must_use]
    pub fn new(n_columns: usize) -> Self {
        People { n_columns, ..People::default() }
    }

    /// Adds a person whose columns are still zero, and returns the columns to fill in.
    pub fn push(&mut self, line: u64) -> &mut [f64] {
        let start = self.columns.len();
        self.columns.resize(start + self.n_columns, 0.0);
        self.labels.push(None);
        self.lines.push(line);
        &mut self.columns[start..]
    }

    /// Gives the person added last a class.
    ///
    /// # Panics
    /// When there is nobody.
    pub fn set_label(&mut self, label: Option<Label>) {
        *self.labels.last_mut().expect("somebody was added") = label;
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How many columns each has.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// All columns, person after person.
    #[must_use]
    pub fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// One person.
    #[must_use]
    pub fn person(&self, index: usize) -> Person<'_> {
        Person {
            columns: &self.columns[index * self.n_columns..(index + 1) * self.n_columns],
            label: self.labels[index],
            line: self.lines[index],
        }
    }

    /// One after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Person<'_>> {
        (0..self.len()).map(|index| self.person(index))
    }

    /// Adds other people, with as many columns, behind these.
    pub fn append(&mut self, other: &People) {
        debug_assert_eq!(self.n_columns, other.n_columns, "people of one encoding");
        self.columns.extend_from_slice(&other.columns);
        self.labels.extend_from_slice(&other.labels);
        self.lines.extend_from_slice(&other.lines);
    }

    /// Those for whom a condition holds.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(&Person<'_>) -> bool) -> People {
        let mut kept = People::new(self.n_columns);
        for person in self.iter().filter(|person| keep(person)) {
            kept.push(person.line).copy_from_slice(person.columns);
            kept.set_label(person.label);
        }
        kept
    }

    /// At most `count` of them from all over: some tables are sorted.
    #[must_use]
    pub fn spread(&self, count: usize) -> People {
        let count = count.min(self.len());
        let mut some = People::new(self.n_columns);
        for place in 0..count {
            let person = self.person(place * self.len() / count);
            some.push(person.line).copy_from_slice(person.columns);
            some.set_label(person.label);
        }
        some
    }

    /// The first `count` of them.
    pub fn truncate(&mut self, count: usize) {
        self.columns.truncate(count * self.n_columns);
        self.labels.truncate(count);
        self.lines.truncate(count);
    }
}

impl fmt::Debug for People {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "People({} of them)", self.len())
    }
}

impl fmt::Debug for Person<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Person(line {})", self.line)
    }
}
