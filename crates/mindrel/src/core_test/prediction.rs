//! The distribution of the prediction under the belief, of all models but linear ones.
//!
//! ```text
//! taylor   scores ~ N(f(m), G Σ Gᵀ),   m, Σ the posterior mean and covariance, G = ∂f/∂x at m      [TF23, Thm 1]
//! qmc      P(label) = share of evenly spread draws x ~ N(m, Σ), brought into the domain, with that label
//!
//! points   under a copula, both by the scores of the points themselves
//! ```
//!
//! Taylor's is the published one and takes one gradient a score, which networks have. Draws also see where the model
//! bends or jumps.

use super::certified::Prover;
use super::labelled_draws::Draws;
use super::pairs::Pairs;
use super::score_belief::ScoreBelief;
use super::search_tables::SearchTables;
use crate::Label;
use crate::belief::{Posterior, Predictive};
use crate::math::normal;
use crate::model::{Model, Network};
use crate::questionnaire::Questionnaire;
use crate::region::open::OpenColumns;

/// What a posterior says of the open columns.
pub(crate) fn believe(questions: &Questionnaire, open: &OpenColumns, posterior: &Posterior, belief: &mut Predictive) {
    belief.set(posterior, open.columns.iter().map(|&column| questions.place_of_column[column]));
}

/// Writes a draw of the open columns, brought into the domain and filled up to whole lanes.
pub(crate) fn draw_inside(belief: &Predictive, open: &OpenColumns, share: f64, normals: &[f64], point: &mut Vec<f64>) {
    belief.draw(share, normals, point);
    point.resize(open.width, 0.0);
    open.bring_in(point);
}

/// Expected scores and their covariance by first-order Taylor expansion at the mean [TF23, Thm 1, Eq. (7)].
#[derive(Default)]
pub(crate) struct TaylorScores {
    pub scores: ScoreBelief,
    /// Row of a score: its gradient on the open columns.
    gradients: Vec<f64>,
    gradient: Vec<f64>,
    combination: Vec<f64>,
    expected: Vec<f64>,
}

impl TaylorScores {
    /// Expands the model around a person whose open columns are at their means.
    pub fn set(&mut self, model: &Network, open: &OpenColumns, belief: &Predictive, person: &mut [f64]) {
        let n_scores = model.n_scores();
        if let Some(points) = belief.points() {
            self.scores.begin_points(n_scores);
            for point in points {
                self.place(model, open, point, person);
                self.scores.push_point(self.expected.iter().copied());
            }
            return;
        }
        self.expand(model, open, &belief.mean(), person);
        let row = |score: usize| &self.gradients[score * open.len()..(score + 1) * open.len()];
        let pairs = (0..n_scores).flat_map(|left| (0..n_scores).map(move |right| (left, right)));
        let covariance = pairs.map(|(left, right)| belief.covariance_of(row(left), row(right)));
        self.scores.set_normal(self.expected.iter().copied(), covariance);
    }

    /// Scores and gradients with the open columns at some values.
    fn expand(&mut self, model: &Network, open: &OpenColumns, values: &[f64], person: &mut [f64]) {
        self.place(model, open, values, person);
        let n_scores = model.n_scores();
        self.gradient.resize(model.n_columns(), 0.0);
        self.gradients.clear();
        for score in 0..n_scores {
            self.combination.clear();
            self.combination.resize(n_scores, 0.0);
            self.combination[score] = 1.0;
            model.gradient(person, &self.combination, &mut self.gradient);
            self.gradients.extend(open.columns.iter().map(|&column| self.gradient[column]));
        }
    }

    /// Scores with the open columns at some values.
    fn place(&mut self, model: &Network, open: &OpenColumns, values: &[f64], person: &mut [f64]) {
        for (&column, &value) in open.columns.iter().zip(values) {
            person[column] = value;
        }
        self.expected.clear();
        self.expected.resize(model.n_scores(), 0.0);
        model.scores(person, &mut self.expected);
    }
}

/// Counts the labels of draws.
#[derive(Default)]
pub(crate) struct LabelCounts {
    pub counts: Vec<u32>,
    draws: Draws,
}

impl LabelCounts {
    /// Counts the labels of the first `n_points` evenly spread draws; with `stop`, only until more than that many have
    /// another label.
    ///
    /// Returns whether all were counted.
    pub fn count(
        &mut self,
        tables: &SearchTables,
        prover: &mut dyn Prover,
        belief: &Predictive,
        n_points: usize,
        stop: Option<(Label, u32)>,
    ) -> bool {
        self.counts.clear();
        self.counts.resize(tables.pairs.n_classes(), 0);
        let mut others = 0;
        let mut from = 0;
        while from < n_points {
            let until = n_points.min(from + prover.batch());
            self.draws.look_at(&tables.spread, prover, belief, from..until);
            for &label in &self.draws.labels {
                self.counts[label.index()] += 1;
                others += stop.map_or(0, |(wanted, _)| u32::from(label != wanted));
            }
            if stop.is_some_and(|(_, most_others)| others > most_others) {
                return false;
            }
            from = until;
        }
        true
    }

    /// The share of a label among what was counted.
    pub fn share(&self, label: Label) -> f64 {
        f64::from(self.counts[label.index()]) / f64::from(self.counts.iter().sum::<u32>().max(1))
    }

    /// The entropy of the labels, in nats.
    pub fn entropy(&self) -> f64 {
        let shares: Vec<f64> = (0..self.counts.len()).map(|label| self.share(Label::new(label))).collect();
        normal::entropy(&shares)
    }
}

/// The likeliest label of a distribution and its probability.
pub(crate) fn likeliest(pairs: &Pairs, probability: impl Fn(Label) -> f64) -> (Label, f64) {
    let labels = (0..pairs.n_classes()).map(|label| (Label::new(label), probability(Label::new(label))));
    labels.reduce(|best, other| if other.1 > best.1 { other } else { best }).expect("there are labels")
}

/// The likeliest label by all evenly spread draws, and its share of them.
pub(crate) fn outlook_by_draws(tables: &SearchTables, prover: &mut dyn Prover, belief: &Predictive) -> (Label, f64) {
    let mut counts = LabelCounts::default();
    let n_points = tables.spread.len();
    counts.count(tables, prover, belief, n_points, None);
    // Draws that all agree make nothing certain, unless nothing is open.
    let n_different = belief.points().map_or(n_points, |points| points.len());
    let most = if prover.open().len() == 0 { 1.0 } else { 1.0 - 0.5 / n_different as f64 };
    likeliest(&tables.pairs, |label| counts.share(label).min(most))
}
