//! The smallest core set of a linear model.
//!
//! ```text
//! min |R|   such that for every rival k:   Σ_{q ∈ R} gain_{q,k} ≥ deficit_k
//! gain_{q,k} = contribution_q − min contribution_q,     deficit_k = −(smallest margin with nothing revealed)
//! ```
//!
//! Revealing a question moves every smallest margin by its own gain, whatever else is revealed. With one rival the
//! largest gains first are optimal, O(|S| log |S|) instead of 2^|S|; with several it is a small covering problem,
//! solved by branch and bound.

use std::cell::OnceCell;
use std::sync::Arc;

use super::CoreSets;
use super::certify::{Verdict, Witness};
use super::cover::Cover;
use crate::Label;
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::narrowed_margins::least_person;
use crate::core_test::pairs::Pair;
use crate::math::vector::dot;
use crate::model::Model;
use crate::region::Asked;
use crate::rules::Budget;

/// Core sets of a linear model.
pub(super) struct LinearOracle {
    pub tables: Arc<LinearTables>,
    /// Whether the search was given up for the last person, so that a better set may exist.
    pub out_of_nodes: bool,
}

impl CoreSets for LinearOracle {
    fn smallest_core_set(&mut self, person: &[f64]) -> Vec<usize> {
        let label = self.tables.model.label(person);
        let found = self.cover(person, label).smallest(|chosen| self.has_proof(person, label, chosen));
        self.out_of_nodes = found.as_ref().is_some_and(|found| found.is_given_up);
        found.map_or_else(|| (0..self.tables.questions.len()).collect(), |found| found.items)
    }

    fn cheapest_core_set(&mut self, person: &[f64], costs: &[f64]) -> Vec<usize> {
        let known = self.smallest_core_set(person);
        let label = self.tables.model.label(person);
        let cover = self.cover(person, label);
        let found = cover.cheapest(costs, known, |chosen| self.has_proof(person, label, chosen));
        self.out_of_nodes |= found.is_given_up;
        found.items
    }

    fn proves(&mut self, person: &[f64], label: Label, revealed: &[usize]) -> bool {
        self.has_proof(person, label, revealed)
    }

    /// Exact, whatever the budget.
    fn certify(&mut self, known: Vec<f64>, label: Label, revealed: &[usize], _: Budget) -> Verdict {
        if self.has_proof(&known, label, revealed) {
            return Verdict::Core(label);
        }
        let LinearTables { model, margins, .. } = &*self.tables;
        let region = self.tables.questions.region_with(&known, revealed);
        let worst = |pair: &Pair| least_person(&self.tables, pair, &region).map(|(other, _)| other);
        let people = margins.by_label().of(label).iter().filter_map(worst);
        let other = people.into_iter().find(|other| model.label(other) != label);
        // Only numbers too small or too large to be compared leave nobody.
        other.map_or(Verdict::OutOfBudget, |other| Verdict::Open(Witness { person: known, other }))
    }

    /// Exact but for rounding.
    fn score_bounds(&mut self, person: &[f64], revealed: &[usize]) -> Vec<(f64, f64)> {
        (0..self.tables.n_scores()).map(|score| self.bounds(person, revealed, score)).collect()
    }

    fn ran_out_of_budget(&self) -> bool {
        self.out_of_nodes
    }
}

impl LinearOracle {
    /// The questions as items whose gains must cover what every rival is ahead.
    fn cover(&self, person: &[f64], label: Label) -> Cover {
        let rounding = self.tables.model.rounding_bound(largest(person));
        Cover::new(&self.gains(person, label), &self.deficits(person, label), rounding)
    }

    /// The questions that are not revealed.
    fn open<'a>(&'a self, revealed: &'a [usize]) -> impl Iterator<Item = &'a Asked> {
        let asked = self.tables.questions.asked.iter().enumerate();
        asked.filter(|(place, _)| !revealed.contains(place)).map(|(_, question)| question)
    }

    /// The exact test, without rounding where it matters.
    fn has_proof(&self, person: &[f64], label: Label, revealed: &[usize]) -> bool {
        let LinearTables { model, margins, questions, .. } = &*self.tables;
        let gains = self.gains(person, label);
        let mut worst: Vec<f64> = vec![f64::NEG_INFINITY; margins.pairs().len()];
        for (rival, (place, deficit)) in margins.of_winner(label).zip(self.deficits(person, label)).enumerate() {
            worst[place] = revealed.iter().map(|&question| gains[rival][question]).sum::<f64>() - deficit;
        }
        let region = OnceCell::new();
        let settled = margins.settled(&worst, model.rounding_bound(largest(person)), |pair| {
            let region = region.get_or_init(|| questions.region_with(person, revealed));
            least_person(&self.tables, pair, region).map(|(_, sign)| sign)
        });
        settled == Some(label)
    }

    /// Row of a rival: how much revealing each question moves the smallest margin.
    fn gains(&self, person: &[f64], label: Label) -> Vec<Vec<f64>> {
        let LinearTables { margins, questions, weights, .. } = &*self.tables;
        let gain = |place: usize, question: usize| {
            let own = &person[questions.asked[question].columns.clone()];
            let contribution = |score: usize| dot(&weights[score][questions.columns_of(question)], own);
            margins.pairs()[place].difference(weights.len(), contribution) - margins.worst(place, question)
        };
        let row = |place| (0..questions.len()).map(|question| gain(place, question)).collect();
        margins.of_winner(label).map(row).collect()
    }

    /// What each rival is ahead in the worst case, with nothing revealed.
    fn deficits(&self, person: &[f64], label: Label) -> Vec<f64> {
        let LinearTables { margins, questions, .. } = &*self.tables;
        let mut scores = vec![0.0; self.tables.n_scores() + 1];
        self.tables.known_scores(&questions.public_columns, person, &mut scores);
        let mut worst = vec![0.0; margins.pairs().len()];
        margins.begin(&scores, &mut worst);
        worst[margins.of_winner(label)].iter().map(|margin| -margin).collect()
    }

    fn bounds(&self, person: &[f64], revealed: &[usize], score: usize) -> (f64, f64) {
        let model = &self.tables.model;
        let weights = model.weights(score);
        let mut largest: f64 = 1.0;
        let (mut lower, mut upper) = (model.intercept(score), model.intercept(score));
        for (column, weight) in weights.iter().enumerate() {
            if !self.open(revealed).any(|question| question.columns.contains(&column)) {
                lower += weight * person[column];
                upper += weight * person[column];
                largest = largest.max(person[column].abs());
            }
        }
        for question in self.open(revealed) {
            let at = |vertex: usize| question.domain.at_vertex(vertex, &weights[question.columns.clone()]);
            let vertices = 0..question.domain.n_vertices();
            lower += vertices.clone().map(at).fold(f64::INFINITY, f64::min);
            upper += vertices.map(at).fold(f64::NEG_INFINITY, f64::max);
        }
        let rounding = model.rounding_bound(largest);
        (lower - rounding, upper + rounding)
    }
}

/// The size of the largest value.
fn largest(person: &[f64]) -> f64 {
    person.iter().fold(0.0, |largest, value| largest.max(value.abs()))
}
