//! The smallest set of open questions whose answers, if they were those of one person, would prove the person's label.
//!
//! An implicit hitting set: every counterexample, a person with another label, differs from this one in some questions, and any
//! core set must have one of them. So: take a smallest set that meets all counterexamples found so far; test it; if it is not core,
//! the test has a new counterexample. The first set that passes is a smallest core set, since every core set meets all of them.

use super::budget::Budget;
use super::open::OpenQuestion;
use super::region::Region;
use super::{Certifier, Verdict};
use crate::Label;
use crate::math::hitting::{MOST_ITEMS, smallest_hitting_set};
use crate::model::{Network, label_of_scores};
use crate::plan::NetworkTables;

/// More counterexamples are not kept: one that has not helped for so long will hardly help again.
const MOST_KEPT: usize = 24;

/// A smallest core set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Smallest {
    /// The open questions in it, as bits by their place in [`Open::questions`](super::open::Open::questions).
    pub questions: u128,
    /// Whether a test ran out of budget, so that a smaller set may exist that was not proved.
    pub out_of_budget: bool,
}

/// Room for finding smallest sets. It has no `Debug`: points hold answers.
#[derive(Default)]
pub(crate) struct SmallestSets {
    /// Points of the open columns that had another label than somebody, the newest last.
    pub counterexamples: Vec<Vec<f64>>,
    sets: Vec<u128>,
    region: Region,
    trial: Vec<f64>,
}

impl SmallestSets {
    /// A smallest core set for a point of the open columns, whose label is given.
    pub fn find(
        &mut self,
        certifier: &mut Certifier,
        tables: &NetworkTables,
        model: &Network,
        point: &[f64],
        budget: &Budget,
    ) -> Smallest {
        let n_questions = certifier.open.questions.len();
        let everything = if n_questions >= MOST_ITEMS { u128::MAX } else { (1 << n_questions) - 1 };
        if n_questions > MOST_ITEMS {
            return Smallest { questions: everything, out_of_budget: true };
        }
        let label = label_at(certifier, tables, point);
        self.sets.clear();
        for place in 0..self.counterexamples.len() {
            self.learn(certifier, tables, label, point, 0, place);
        }
        let mut out_of_budget = false;
        loop {
            let chosen = smallest_hitting_set(&self.sets).expect("every counterexample differs somewhere");
            if chosen == everything {
                return Smallest { questions: chosen, out_of_budget };
            }
            match self.test(certifier, tables, model, label, point, chosen, budget) {
                Verdict::Core => return Smallest { questions: chosen, out_of_budget },
                Verdict::Open => {
                    if self.counterexamples.len() == MOST_KEPT {
                        self.counterexamples.remove(0);
                    }
                    self.counterexamples.push(certifier.witness.clone());
                    let newest = self.counterexamples.len() - 1;
                    if !self.learn(certifier, tables, label, point, chosen, newest) {
                        // The label as folded and as computed differ: too close to zero to tell them apart.
                        out_of_budget = true;
                        self.sets.push(everything & !chosen);
                    }
                }
                Verdict::OutOfBudget => {
                    // Not core as far as anybody knows: something else must be revealed.
                    out_of_budget = true;
                    self.sets.push(everything & !chosen);
                }
            }
        }
    }

    /// Notes in which questions a counterexample must be met, without those that can go back to the person's own answers; whether it
    /// is one at all, with `chosen` at the person's own answers.
    fn learn(
        &mut self,
        certifier: &mut Certifier,
        tables: &NetworkTables,
        label: Label,
        point: &[f64],
        chosen: u128,
        place: usize,
    ) -> bool {
        self.trial.clone_from(&self.counterexamples[place]);
        let n_questions = certifier.open.questions.len();
        for question in (0..n_questions).filter(|question| chosen >> question & 1 == 1) {
            let columns = certifier.open.questions[question].columns.clone();
            self.trial[columns.clone()].copy_from_slice(&point[columns]);
        }
        if label_at(certifier, tables, &self.trial) == label {
            return false;
        }
        let mut needed = 0;
        for question in 0..n_questions {
            let OpenQuestion { columns, domain, .. } = certifier.open.questions[question].clone();
            if self.trial[columns.clone()] == point[columns.clone()] {
                continue;
            }
            if !domain.contains(&point[columns.clone()]) {
                // Nobody whose answer is not known can have this one.
                needed |= 1 << question;
                continue;
            }
            self.trial[columns.clone()].copy_from_slice(&point[columns.clone()]);
            if label_at(certifier, tables, &self.trial) == label {
                self.trial[columns.clone()].copy_from_slice(&self.counterexamples[place][columns]);
                needed |= 1 << question;
            }
        }
        self.sets.push(needed);
        true
    }

    #[expect(clippy::too_many_arguments, reason = "one test of what belongs to one person")]
    fn test(
        &mut self,
        certifier: &mut Certifier,
        tables: &NetworkTables,
        model: &Network,
        label: Label,
        point: &[f64],
        chosen: u128,
        budget: &Budget,
    ) -> Verdict {
        self.region.set_whole(&certifier.open);
        for (index, question) in certifier.open.questions.iter().enumerate() {
            if chosen >> index & 1 == 1 {
                let columns = question.columns.clone();
                self.region.lower[columns.clone()].copy_from_slice(&point[columns.clone()]);
                self.region.upper[columns.clone()].copy_from_slice(&point[columns]);
            }
        }
        if certifier.refute_within(tables, model, label, point, &self.region) {
            return Verdict::Open;
        }
        certifier.test_within(tables, model, label, budget, &self.region)
    }
}

fn label_at(certifier: &mut Certifier, tables: &NetworkTables, point: &[f64]) -> Label {
    let scores = certifier.evaluator.scores(&tables.network, &certifier.open, point);
    label_of_scores(&scores[..tables.network.n_scores])
}
