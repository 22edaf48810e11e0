//! The probabilistic test for linear models under a Gaussian belief [TF23, Props 4-5, App. C].
//!
//! ```text
//! binary        score ~ N(m, σ²),         P(label 1) = Φ(m / σ)
//! multi-class   margins of c ~ N(m, S),   P(label c) = P(every margin ≥ 0), an orthant probability
//! ```
//!
//! Departs from [TF23, App. C], which estimates the multi-class probabilities by counting draws: here they are worked
//! out, by bivariate and trivariate normal distributions for three and four classes and on a lattice for more.

use super::pairs::{Pair, Pairs};
use crate::Label;
use crate::math::reveal::{KNOWN_SHARE, factorise};
use crate::math::spread::Spread;
use crate::math::vector::dot;
use crate::math::{normal, orthant};
use crate::model::label_of_scores;

/// Points of the lattice that tells how far the usual one can be trusted.
const COARSE_POINTS: usize = 1021;

/// Expected scores (with a zero past the last) and their covariance: the distribution of the soft prediction.
#[derive(Clone, Copy)]
pub(crate) struct ScoreDistribution<'a> {
    pub expected: &'a [f64],
    pub covariance: &'a [f64],
}

impl ScoreDistribution<'_> {
    fn n_scores(&self) -> usize {
        self.expected.len() - 1
    }

    fn pair_moments(&self, pair: &Pair) -> (f64, f64) {
        (pair.margin(self.expected), pair.variance(self.covariance, self.n_scores()))
    }

    /// The probability that one pair's winner is ahead.
    fn pair_probability(&self, pair: &Pair) -> f64 {
        let (mean, variance) = self.pair_moments(pair);
        if variance > 0.0 { normal_at_least_zero(mean, variance) } else { f64::from(u8::from(pair.wins(mean))) }
    }

    /// The probability of a label.
    pub fn probability(&self, labels: &Pairs, label: Label) -> f64 {
        self.probability_with(labels, label, orthant::POINTS)
    }

    /// The same, with another number of lattice points for five and more classes.
    fn probability_with(&self, labels: &Pairs, label: Label, points: usize) -> f64 {
        let pairs = labels.of(label);
        if let [pair] = pairs {
            return self.pair_probability(pair);
        }
        let mean: Vec<f64> = pairs.iter().map(|pair| pair.margin(self.expected)).collect();
        let covariance: Vec<f64> = pairs
            .iter()
            .flat_map(|row| pairs.iter().map(|column| row.covariance_with(*column, self.covariance, self.n_scores())))
            .collect();
        orthant::orthant_probability(&mean, &covariance, points)
    }

    /// The probability of a label less what a coarser lattice makes of it: with five and more classes it is not exact,
    /// and an error must not settle a label.
    fn probability_floor(&self, labels: &Pairs, label: Label) -> f64 {
        let probability = self.probability(labels, label);
        if labels.n_classes() < 5 {
            return probability;
        }
        probability - (probability - self.probability_with(labels, label, COARSE_POINTS)).abs()
    }

    /// Whether a label's probability is at least `threshold`.
    ///
    /// Two bounds usually answer without an orthant probability: no label is likelier than its least likely lead, and
    /// none is less likely than one minus the sum of its rivals' chances.
    pub fn reaches(&self, labels: &Pairs, label: Label, threshold: f64) -> bool {
        let pairs = labels.of(label);
        let (mut ceiling, mut floor) = (1.0f64, 1.0);
        for pair in pairs {
            let (mean, variance) = self.pair_moments(pair);
            if !(mean.is_finite() && variance.is_finite()) {
                return false;
            }
            let probability = self.pair_probability(pair);
            ceiling = ceiling.min(probability);
            floor -= 1.0 - probability;
        }
        if pairs.len() == 1 || ceiling < threshold || floor >= threshold {
            return ceiling >= threshold;
        }
        self.probability_floor(labels, label) >= threshold
    }

    /// Writes the probabilities of all labels, coarsely for five and more; they sum to one.
    pub fn probabilities(&self, labels: &Pairs, probabilities: &mut [f64]) {
        if let Some(draws) = labels.draws() {
            return self.shares(draws, probabilities);
        }
        let last = probabilities.len() - 1;
        let mut rest = 1.0;
        for (label, place) in probabilities[..last].iter_mut().enumerate() {
            *place = self.probability(labels, Label::new(label)).min(rest);
            rest -= *place;
        }
        probabilities[last] = rest;
    }

    /// Writes the share of draws of the scores that have each label.
    fn shares(&self, draws: &Spread, shares: &mut [f64]) {
        let n_scores = self.n_scores();
        let at = |row: usize, column: usize| self.covariance[row * n_scores + column];
        let mut factor = Vec::new();
        factorise(n_scores, at, |score| KNOWN_SHARE * at(score, score), &mut factor);
        let mut scores = vec![0.0; n_scores];
        shares.fill(0.0);
        for index in 0..draws.len() {
            let rows = self.expected.iter().zip(factor.chunks_exact(n_scores));
            for (score, (expected, row)) in scores.iter_mut().zip(rows) {
                *score = expected + dot(row, draws.point(index));
            }
            shares[label_of_scores(&scores).index()] += 1.0 / draws.len() as f64;
        }
    }

    /// The work of an entropy, in elementary operations.
    pub fn entropy_work(labels: &Pairs) -> u64 {
        let n_classes = labels.n_classes() as u64;
        match (n_classes, labels.draws()) {
            (_, Some(draws)) => draws.len() as u64 * n_classes * (n_classes + 4),
            // Every probability of four classes is an integral over three margins.
            (4, None) => 20_000,
            (_, None) => 500,
        }
    }

    /// The entropy of the label, in nats [TF23, Prop. 1].
    pub fn entropy(&self, labels: &Pairs, probabilities: &mut [f64]) -> f64 {
        if probabilities.len() == 2 {
            return normal::binary_entropy(self.probability(labels, Label::POSITIVE));
        }
        self.probabilities(labels, probabilities);
        normal::entropy(probabilities)
    }
}

/// `P(X ≥ 0)` for `X ~ N(mean, variance)`; without variance, whether the mean is.
pub(crate) fn normal_at_least_zero(mean: f64, variance: f64) -> f64 {
    if variance > 0.0 { normal::cdf(mean / variance.sqrt()) } else { f64::from(u8::from(mean >= 0.0)) }
}
