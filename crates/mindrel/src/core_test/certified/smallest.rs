//! The smallest set of open questions whose answers, if they were those of one person, would prove the person's label.
//!
//! An implicit hitting set: every counterexample, a person with another label, differs from this one in some
//! questions, and any core set must have one of them. So: take a smallest set that meets all counterexamples found so
//! far; test it; if it is not core, the test has a new counterexample. The first set that passes is a smallest core
//! set, since every core set meets all of them.

use std::ops::Range;

use super::{Conclusion, Prover};
use crate::Label;
use crate::math::hitting::{HittingSet, MOST_ITEMS, cheapest_hitting_set, hitting_set};
use crate::region::Region;
use crate::rules::Budget;

/// More counterexamples are not kept: one that has not helped for so long will hardly help again.
const MOST_KEPT: usize = 16;

/// A smallest core set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Smallest {
    /// The open questions in it, as bits by their place in
    /// [`OpenColumns::questions`](crate::region::OpenColumns::questions).
    pub questions: u128,
    /// Whether a test ran out of budget, so that a smaller set may exist that was not proved.
    pub out_of_budget: bool,
}

/// How hard to look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// The work of each test at most.
    pub each_test: u64,
    /// Whether a set that is neither proved nor refuted within the budget is taken for core. Good enough to choose a
    /// question by.
    pub guess: bool,
    /// How many sets to try before giving up.
    pub most_sets: usize,
    /// How many steps the search for each of them may take.
    pub most_steps: u64,
}

/// A person, as a point of the open columns, and the label that a core set must prove. It has no `Debug`: it holds
/// answers.
struct Sought<'a> {
    prover: &'a mut dyn Prover,
    point: &'a [f64],
    label: Label,
}

/// Buffers for finding smallest sets. It has no `Debug`: points hold answers.
#[derive(Default)]
pub(crate) struct SmallestSets {
    /// Points of the open columns that had another label than somebody, the one that helped last first.
    pub counterexamples: Vec<Vec<f64>>,
    /// What each open question costs, if a cheapest set is looked for in place of a smallest.
    pub costs: Option<Vec<f64>>,
    sets: Vec<u128>,
    /// The questions that may be revealed.
    allowed: u128,
    region: Region,
    trial: Vec<f64>,
}

impl SmallestSets {
    /// A smallest core set for a point of the open columns, of questions that may be asked. Of these only those whose
    /// answer lies in the domain may be revealed: another answer can unsettle a label that was settled without it,
    /// and then core sets are no longer upward closed. So there may be none.
    pub fn find(
        &mut self,
        prover: &mut dyn Prover,
        point: &[f64],
        may_be_asked: impl Fn(usize) -> bool,
        effort: Effort,
        budget: &mut Budget,
    ) -> Option<Smallest> {
        let n_questions = prover.open().questions.len();
        if n_questions > MOST_ITEMS {
            return Some(Smallest { questions: u128::MAX, out_of_budget: true });
        }
        self.allow(prover, point, may_be_asked);
        // Some of the answers may lie outside the domain.
        let label = prover.label_at(point);
        let mut person = Sought { prover, point, label };
        self.sets.clear();
        let mut out_of_budget = false;
        let mut at_least = 0;
        loop {
            let HittingSet { items: chosen, is_optimal, steps } = match &self.costs {
                None => hitting_set(&self.sets, at_least, effort.most_steps)?,
                Some(costs) => cheapest_hitting_set(&self.sets, costs, effort.most_steps)?,
            };
            budget.spend((steps + 1) * self.sets.len() as u64);
            out_of_budget |= !is_optimal;
            if is_optimal {
                // More counterexamples never make a smallest set smaller.
                at_least = chosen.count_ones();
            }
            if self.sets.len() >= effort.most_sets || budget.is_used_up() {
                let questions = if effort.guess { chosen } else { u128::MAX };
                return Some(Smallest { questions, out_of_budget: true });
            }
            if chosen.count_ones() as usize == n_questions {
                return Some(Smallest { questions: chosen, out_of_budget });
            }
            if self.recall(&mut person, chosen, budget) {
                self.learn(&mut person, budget);
                continue;
            }
            match budget.within(effort.each_test, |budget| self.test(&mut person, chosen, budget)) {
                Conclusion::Core => return Some(Smallest { questions: chosen, out_of_budget }),
                Conclusion::Open => {
                    self.keep_witness(&person);
                    if self.recall(&mut person, chosen, budget) {
                        self.learn(&mut person, budget);
                    } else {
                        // The label as folded and as computed differ: too close to zero to tell them apart.
                        out_of_budget = true;
                        self.sets.push(self.allowed & !chosen);
                    }
                }
                Conclusion::OutOfBudget if effort.guess => {
                    return Some(Smallest { questions: chosen, out_of_budget: true });
                }
                Conclusion::OutOfBudget => {
                    // Not core as far as anybody knows: something else must be revealed.
                    out_of_budget = true;
                    self.sets.push(self.allowed & !chosen);
                }
            }
        }
    }

    /// Takes note of the questions that may be revealed.
    fn allow(&mut self, prover: &dyn Prover, point: &[f64], may_be_asked: impl Fn(usize) -> bool) {
        let questions = prover.open().questions.iter().enumerate();
        let inside = questions.filter(|(_, question)| question.domain.contains(&point[question.columns.clone()]));
        let allowed = inside.filter(|(_, question)| may_be_asked(question.place));
        self.allowed = allowed.fold(0, |allowed, (index, _)| allowed | 1 << index);
    }

    /// A small core set for a point, as far as quick looks tell: of all that may be revealed, one question after the
    /// other is left out, in an order, unless a counterexample without it turns up. `None` if one turns up with all of
    /// them.
    pub fn shrink(
        &mut self,
        prover: &mut dyn Prover,
        point: &[f64],
        may_be_asked: impl Fn(usize) -> bool,
        order: &[usize],
        budget: &mut Budget,
    ) -> Option<u128> {
        self.allow(prover, point, may_be_asked);
        let label = prover.label_at(point);
        let mut person = Sought { prover, point, label };
        let mut chosen = self.allowed;
        if self.is_refuted(&mut person, chosen, budget) {
            return None;
        }
        if !self.is_refuted(&mut person, 0, budget) {
            return Some(0);
        }
        for &question in order {
            if budget.is_used_up() {
                break;
            }
            let without = chosen & !(1 << question);
            if without != chosen && !self.is_refuted(&mut person, without, budget) {
                chosen = without;
            }
        }
        Some(chosen)
    }

    /// Whether a counterexample to a chosen set is known or quickly found.
    fn is_refuted(&mut self, person: &mut Sought<'_>, chosen: u128, budget: &mut Budget) -> bool {
        if self.recall(person, chosen, budget) {
            return true;
        }
        self.set_region(person, chosen);
        let refuted = person.prover.refute_within(person.label, person.point, budget, &self.region);
        if refuted {
            self.keep_witness(person);
        }
        refuted
    }

    fn keep_witness(&mut self, person: &Sought<'_>) {
        self.counterexamples.truncate(MOST_KEPT - 1);
        self.counterexamples.insert(0, person.prover.witness().to_vec());
    }

    /// Writes a counterexample with the chosen questions answered as at the point.
    fn put_on_trial(&mut self, person: &Sought<'_>, chosen: u128, place: usize) {
        self.trial.clone_from(&self.counterexamples[place]);
        for columns in person.columns_of(chosen) {
            self.trial[columns.clone()].copy_from_slice(&person.point[columns]);
        }
    }

    /// Whether a counterexample met before refutes a chosen set; it comes first from then on, and stays on trial.
    fn recall(&mut self, person: &mut Sought<'_>, chosen: u128, budget: &mut Budget) -> bool {
        for place in 0..self.counterexamples.len() {
            budget.spend(person.prover.label_work());
            self.put_on_trial(person, chosen, place);
            let is_possible = person.prover.open().is_possible(&self.trial);
            if is_possible && person.prover.quick_label_at(&self.trial) != person.label {
                self.counterexamples[..=place].rotate_right(1);
                return true;
            }
        }
        false
    }

    /// Notes in which questions the counterexample on trial, the first one, must be met: those that cannot go back to
    /// the person's own answers.
    fn learn(&mut self, person: &mut Sought<'_>, budget: &mut Budget) {
        let Sought { prover, point, label } = person;
        let n_questions = prover.open().questions.len();
        budget.spend(n_questions as u64 * prover.label_work());
        let mut needed = 0;
        for question in 0..n_questions {
            let columns = prover.open().questions[question].columns.clone();
            // Nobody whose answer stays unknown can be known by it, nor have one outside the domain.
            if self.allowed >> question & 1 == 0 || self.trial[columns.clone()] == point[columns.clone()] {
                continue;
            }
            self.trial[columns.clone()].copy_from_slice(&point[columns.clone()]);
            if !prover.open().is_possible(&self.trial) || prover.quick_label_at(&self.trial) == *label {
                self.trial[columns.clone()].copy_from_slice(&self.counterexamples[0][columns]);
                needed |= 1 << question;
            }
        }
        self.sets.push(needed);
    }

    fn test(&mut self, person: &mut Sought<'_>, chosen: u128, budget: &mut Budget) -> Conclusion {
        self.set_region(person, chosen);
        person.prover.settle_within(person.label, person.point, budget, &self.region)
    }

    /// Becomes the domain with the chosen questions answered as at the point.
    fn set_region(&mut self, person: &Sought<'_>, chosen: u128) {
        self.region.clone_from(&person.prover.open().whole);
        for columns in person.columns_of(chosen) {
            self.region.lower[columns.clone()].copy_from_slice(&person.point[columns.clone()]);
            self.region.upper[columns.clone()].copy_from_slice(&person.point[columns]);
        }
    }
}

impl Sought<'_> {
    /// The open columns of some open questions, which are given as bits.
    fn columns_of(&self, questions: u128) -> impl Iterator<Item = Range<usize>> + '_ {
        let chosen =
            self.prover.open().questions.iter().enumerate().filter(move |(index, _)| questions >> index & 1 == 1);
        chosen.map(|(_, question)| question.columns.clone())
    }
}
