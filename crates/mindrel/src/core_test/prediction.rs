//! The distribution of a network's prediction under the belief.
//!
//! ```text
//! taylor   scores ~ N(f(m), G Σ Gᵀ),   m, Σ the posterior mean and covariance, G = ∂f/∂x at m      [TF23, Thm 1]
//! qmc      P(label) = share of evenly spread draws x ~ N(m, Σ), brought into the domain, with that label
//! ```
//!
//! Taylor's is the published one and takes one gradient a score. Draws also see where the network bends.

use super::certified::Certifier;
use super::certified::open::Open;
use super::pairs::Pairs;
use super::probable::ScoreDistribution;
use crate::Label;
use crate::belief::Posterior;
use crate::math::normal;
use crate::model::{Model, Network};
use crate::plan::{NetworkTables, Prepared};

/// The mean and a square root of the covariance of the open columns, under one posterior.
#[derive(Default)]
pub(crate) struct OpenBelief {
    pub mean: Vec<f64>,
    /// Row after row, `L` with `L Lᵀ` the covariance: lower triangular.
    factor: Vec<f64>,
    covariance: Vec<f64>,
}

impl OpenBelief {
    /// What a posterior says of the open columns.
    pub fn set(&mut self, prepared: &Prepared, open: &Open, posterior: &Posterior) {
        self.set_places(prepared, open.columns.iter().map(|&column| prepared.place_of_column[column]), posterior);
        self.mean.resize(open.width, 0.0);
    }

    /// What a posterior says of some sensitive columns, by their places.
    pub fn set_places(&mut self, prepared: &Prepared, places: impl Iterator<Item = usize>, posterior: &Posterior) {
        let places: Vec<usize> = places.collect();
        let size = places.len();
        self.mean.clear();
        self.mean.extend(places.iter().map(|&place| posterior.mean()[place]));
        self.covariance.clear();
        for &row in &places {
            self.covariance.extend(places.iter().map(|&column| posterior.covariance(&prepared.prior, row, column)));
        }
        let known_below: Vec<f64> = places.iter().map(|&place| prepared.prior.known_below()[place]).collect();
        self.factor.clear();
        self.factor.resize(size * size, 0.0);
        for column in 0..size {
            let earlier = |row: usize, factor: &[f64]| -> f64 {
                (0..column).map(|source| factor[row * size + source] * factor[column * size + source]).sum()
            };
            let variance = self.covariance[column * size + column] - earlier(column, &self.factor);
            // A column that is a function of those before it, as the last indicator of a category is, adds nothing of its own.
            if variance <= known_below[column] {
                continue;
            }
            let deviation = variance.sqrt();
            for row in column..size {
                let rest = self.covariance[row * size + column] - earlier(row, &self.factor);
                self.factor[row * size + column] = rest / deviation;
            }
        }
    }

    /// Writes `mean + L z`, filled up to whole lanes.
    pub fn draw(&self, normals: &[f64], point: &mut Vec<f64>) {
        let size = self.covariance.len().isqrt();
        point.clear();
        point.extend_from_slice(&self.mean);
        for (row, place) in point.iter_mut().enumerate().take(size) {
            let factor = &self.factor[row * size..row * size + row + 1];
            *place += factor.iter().zip(normals).map(|(share, normal)| share * normal).sum::<f64>();
        }
    }

    /// `leftᵀ Σ right` for two rows over the open columns.
    fn covariance_of(&self, left: &[f64], right: &[f64]) -> f64 {
        let size = self.covariance.len().isqrt();
        let rows = self.covariance.chunks_exact(size.max(1)).zip(left);
        rows.map(|(row, weight)| weight * row.iter().zip(right).map(|(entry, weight)| entry * weight).sum::<f64>())
            .sum()
    }
}

/// Expected scores (with a zero past the last) and their covariance by first-order Taylor expansion [TF23, Thm 1, Eq. (7)].
#[derive(Default)]
pub(crate) struct TaylorScores {
    pub expected: Vec<f64>,
    pub covariance: Vec<f64>,
    /// Row of a score: its gradient on the open columns.
    gradients: Vec<f64>,
    gradient: Vec<f64>,
    combination: Vec<f64>,
}

impl TaylorScores {
    /// Expands the model around a person whose open columns are at their means.
    pub fn set(&mut self, model: &Network, open: &Open, belief: &OpenBelief, person: &mut [f64]) {
        for (&column, &mean) in open.columns.iter().zip(&belief.mean) {
            person[column] = mean;
        }
        let n_scores = model.n_scores();
        self.expected.clear();
        self.expected.resize(n_scores + 1, 0.0);
        model.scores(person, &mut self.expected[..n_scores]);
        self.gradient.resize(model.n_columns(), 0.0);
        self.gradients.clear();
        for score in 0..n_scores {
            self.combination.clear();
            self.combination.resize(n_scores, 0.0);
            self.combination[score] = 1.0;
            model.gradient(person, &self.combination, &mut self.gradient);
            self.gradients.extend(open.columns.iter().map(|&column| self.gradient[column]));
        }
        let row = |score: usize| &self.gradients[score * open.len()..(score + 1) * open.len()];
        let pairs = (0..n_scores).flat_map(|left| (0..n_scores).map(move |right| (left, right)));
        self.covariance.clear();
        self.covariance.extend(pairs.map(|(left, right)| belief.covariance_of(row(left), row(right))));
    }

    pub fn distribution(&self) -> ScoreDistribution<'_> {
        ScoreDistribution { expected: &self.expected, covariance: &self.covariance }
    }
}

/// Counts the labels of draws.
#[derive(Default)]
pub(crate) struct LabelCounts {
    pub counts: Vec<u32>,
    point: Vec<f64>,
}

impl LabelCounts {
    /// Counts the labels of the first `n_points` evenly spread draws; with `stop`, only until more than so many are not that label.
    ///
    /// Returns whether all were counted.
    pub fn count(
        &mut self,
        tables: &NetworkTables,
        model: &Network,
        certifier: &mut Certifier,
        belief: &OpenBelief,
        n_points: usize,
        stop: Option<(Label, u32)>,
    ) -> bool {
        self.counts.clear();
        self.counts.resize(tables.pairs.n_classes(), 0);
        let mut others = 0;
        for index in 0..n_points {
            belief.draw(tables.spread.point(index), &mut self.point);
            certifier.open.bring_in(&mut self.point);
            let label = certifier.quick_label_at(tables, model, &self.point);
            self.counts[label.index()] += 1;
            if let Some((wanted, most_others)) = stop {
                others += u32::from(label != wanted);
                if others > most_others {
                    return false;
                }
            }
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
