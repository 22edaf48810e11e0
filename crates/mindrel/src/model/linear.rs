//! Linear classifiers: binary and multinomial logistic regression, or anything else with linear scores.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{Model, ModelError, check_n_scores, label_of_scores};
use crate::Label;
use crate::checked::read_by_new;
use crate::math::LARGEST;
use crate::math::exact_sum::ExactSum;
use crate::math::vector::dot;

/// Scores that are linear in the columns.
///
/// ```text
/// score_c(x) = b_c + Σ_j w_cj x_j,   c = 1, …, n_scores
/// ```
///
/// A binary model has one score [TF23, §5]; a model of three or more classes has one score for each [TF23, App. C].
///
/// # Numerics
/// The label is that of the exact scores: where two of them lie closer than their own rounding error, they are compared
/// without rounding. A proof about the label is then a statement about numbers, not about an order of additions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LinearParts")]
pub struct LinearModel {
    n_columns: usize,
    /// One row of `n_columns` weights for each score.
    weights: Vec<f64>,
    intercepts: Vec<f64>,
    /// `max_c (|b_c| + Σ_j |w_cj|)`: no score is larger while every column stays within [−1, 1].
    #[serde(skip_serializing)]
    magnitude: f64,
}

impl LinearModel {
    /// A model from its weights (one row of `n_columns` for each score) and one intercept for each score.
    ///
    /// # Errors
    /// When the counts do not fit or a number is not finite.
    pub fn new(n_columns: usize, weights: Vec<f64>, intercepts: Vec<f64>) -> Result<Self, ModelError> {
        let n_scores = intercepts.len();
        check_n_scores(n_scores)?;
        let expected = n_scores.saturating_mul(n_columns);
        if weights.len() != expected {
            return Err(ModelError::WeightCount { expected, found: weights.len() });
        }
        if weights.iter().chain(&intercepts).any(|value| !value.is_finite()) {
            return Err(ModelError::NotFinite);
        }
        let magnitude = (0..n_scores)
            .map(|score| {
                let row = &weights[score * n_columns..(score + 1) * n_columns];
                intercepts[score].abs() + row.iter().map(|weight| weight.abs()).sum::<f64>()
            })
            .fold(0.0, f64::max);
        if magnitude > LARGEST {
            return Err(ModelError::TooLarge);
        }
        Ok(LinearModel { n_columns, weights, intercepts, magnitude })
    }

    /// The weights of one score.
    #[must_use]
    pub fn weights(&self, score: usize) -> &[f64] {
        &self.weights[score * self.n_columns..(score + 1) * self.n_columns]
    }

    /// The intercept of one score.
    #[must_use]
    pub fn intercept(&self, score: usize) -> f64 {
        self.intercepts[score]
    }

    /// A bound on the rounding error of any sum of scores or margins over columns no larger than `largest_value`.
    ///
    /// ```text
    /// |computed − exact| ≤ n ε Σ |terms|,   Σ |terms| ≤ 2 magnitude · max(1, largest value)
    /// ```
    ///
    /// with `n` counting every addition a session makes, twice over.
    #[must_use]
    pub fn rounding_bound(&self, largest_value: f64) -> f64 {
        let operations = 8.0 * (self.n_columns as f64 + 4.0);
        // The last term covers products that underflow.
        operations * (f64::EPSILON * 2.0 * self.magnitude * largest_value.max(1.0) + f64::MIN_POSITIVE)
    }

    /// The sign of `score_plus − score_minus` without rounding; a side that is `None` is zero.
    ///
    /// Returns `None` when numbers are too large or too small to be compared.
    fn exact_comparison(&self, plus: Option<usize>, minus: Option<usize>, columns: &[f64]) -> Option<Ordering> {
        let mut sum = ExactSum::new();
        for (side, sign) in [(plus, 1.0), (minus, -1.0)] {
            let Some(score) = side else { continue };
            sum.add(sign * self.intercepts[score]);
            for (weight, value) in self.weights(score).iter().zip(columns) {
                sum.add_product(sign * weight, *value);
            }
        }
        sum.sign()
    }
}

impl Model for LinearModel {
    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn n_scores(&self) -> usize {
        self.intercepts.len()
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        for (score, place) in scores.iter_mut().enumerate() {
            *place = self.intercepts[score] + dot(self.weights(score), columns);
        }
    }

    fn label(&self, columns: &[f64]) -> Label {
        let largest = columns.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let bound = self.rounding_bound(largest);
        if let [intercept] = self.intercepts[..] {
            let score = intercept + dot(self.weights(0), columns);
            if score.is_finite() && score.abs() > bound {
                return label_of_scores(&[score]);
            }
            let below = self.exact_comparison(Some(0), None, columns).map_or(score < 0.0, Ordering::is_lt);
            return if below { Label::NEGATIVE } else { Label::POSITIVE };
        }
        let mut scores = vec![0.0; self.n_scores()];
        self.scores(columns, &mut scores);
        let mut best = 0;
        for class in 1..scores.len() {
            let lead = scores[class] - scores[best];
            let ahead = if lead.is_finite() && lead.abs() > bound {
                lead > 0.0
            } else {
                self.exact_comparison(Some(class), Some(best), columns).map_or(lead > 0.0, Ordering::is_gt)
            };
            if ahead {
                best = class;
            }
        }
        Label::new(best)
    }
}

read_by_new!(LinearModel from LinearParts { n_columns: usize, weights: Vec<f64>, intercepts: Vec<f64> } or ModelError);
