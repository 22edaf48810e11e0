//! Equal burden: are some groups of people asked more than others, or are decisions about them less accurate?
//!
//! `docs/equal-burden.md` says what is compared and why these tests are used.

mod compare;
mod differences;
mod means;
mod sentence;
mod shares;

pub use compare::GroupTest;
pub use differences::{
    BurdenComparison, Comparison, DifferenceVerdict, GroupDifference, GroupFigures, GroupingComparison,
    IntervalEstimate, Members, RunBurden,
};

pub use sentence::TOO_FEW;

pub(crate) use means::Counts;

use mindrel::{Label, Person};

use crate::decisions::Decided;
use crate::tally::add;

/// A group with fewer people is not compared.
pub const FEWEST_PEOPLE: u64 = 30;

/// A difference is reported up to this p-value, corrected for the number of tests.
pub const LEVEL: f64 = 0.05;

/// The counts of one cell in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellTally {
    /// How many people revealed 0, 1, 2, … questions.
    pub histogram: Vec<u64>,
    pub flips: u64,
    pub correct: u64,
    pub out_of_budget: u64,
}

impl CellTally {
    pub fn new(n_questions: usize) -> Self {
        CellTally { histogram: vec![0; n_questions + 1], flips: 0, correct: 0, out_of_budget: 0 }
    }

    pub fn count(&mut self, person: &Person<'_>, full: Label, decided: &Decided, n_revealed: usize) {
        self.histogram[n_revealed] += 1;
        self.flips += u64::from(decided.label != full);
        self.correct += u64::from(person.label == Some(decided.label));
        self.out_of_budget += decided.tests_out_of_budget.min(1);
    }

    pub fn merge(&mut self, other: &CellTally) {
        add(&mut self.histogram, &other.histogram);
        self.flips += other.flips;
        self.correct += other.correct;
        self.out_of_budget += other.out_of_budget;
    }

    pub fn people(&self) -> u64 {
        self.histogram.iter().sum()
    }
}
