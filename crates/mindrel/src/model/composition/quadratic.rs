//! Scores that are sums of quadratic functions, one of each column.

use serde::{Deserialize, Serialize};

use crate::checked::read_by_new;
use crate::math::LARGEST;
use crate::math::vector::dot;
use crate::model::{Model, ModelError, check_n_scores};

/// Scores that are sums of quadratic functions of the columns, as Gaussian naive Bayes makes them.
///
/// ```text
/// score_c(x) = b_c + Σ_j (w_cj x_j + q_cj x_j²)
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "QuadraticParts")]
pub struct QuadraticModel {
    n_columns: usize,
    /// One row of `n_columns` weights for each score.
    weights: Vec<f64>,
    /// The same on the squares of the columns.
    squares: Vec<f64>,
    intercepts: Vec<f64>,
    /// `max_c (|b_c| + Σ_j (|w_cj| + |q_cj|))`.
    #[serde(skip_serializing)]
    magnitude: f64,
}

impl QuadraticModel {
    /// A model from its weights on the columns and on their squares (one row of `n_columns` for each score), and one
    /// intercept for each score.
    ///
    /// # Errors
    /// When the counts do not fit or a number is not finite.
    pub fn new(
        n_columns: usize,
        weights: Vec<f64>,
        squares: Vec<f64>,
        intercepts: Vec<f64>,
    ) -> Result<Self, ModelError> {
        check_n_scores(intercepts.len())?;
        let expected = intercepts.len().saturating_mul(n_columns);
        for found in [weights.len(), squares.len()] {
            if found != expected {
                return Err(ModelError::WeightCount { expected, found });
            }
        }
        if weights.iter().chain(&squares).chain(&intercepts).any(|value| !value.is_finite()) {
            return Err(ModelError::NotFinite);
        }
        let size = |row: &[f64]| row.iter().map(|value| value.abs()).sum::<f64>();
        let magnitude = intercepts.iter().enumerate().map(|(score, intercept)| {
            let row = score * n_columns..(score + 1) * n_columns;
            intercept.abs() + size(&weights[row.clone()]) + size(&squares[row])
        });
        let magnitude = magnitude.fold(0.0, f64::max);
        if magnitude > LARGEST {
            return Err(ModelError::TooLarge);
        }
        Ok(QuadraticModel { n_columns, weights, squares, intercepts, magnitude })
    }

    /// The weights of one score on the columns.
    #[must_use]
    pub fn weights(&self, score: usize) -> &[f64] {
        &self.weights[score * self.n_columns..(score + 1) * self.n_columns]
    }

    /// The weights of one score on the squares of the columns.
    #[must_use]
    pub fn squares(&self, score: usize) -> &[f64] {
        &self.squares[score * self.n_columns..(score + 1) * self.n_columns]
    }

    /// The intercept of one score.
    #[must_use]
    pub fn intercept(&self, score: usize) -> f64 {
        self.intercepts[score]
    }

    /// A bound on the rounding error of any sum of a score over columns no larger than `largest_value`, as
    /// [`LinearModel::rounding_bound`](crate::model::LinearModel::rounding_bound).
    #[must_use]
    pub fn rounding_bound(&self, largest_value: f64) -> f64 {
        let operations = 16.0 * (self.n_columns as f64 + 4.0);
        let largest = largest_value.max(1.0);
        operations * (f64::EPSILON * 2.0 * self.magnitude * largest * largest + f64::MIN_POSITIVE)
    }
}

impl Model for QuadraticModel {
    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn n_scores(&self) -> usize {
        self.intercepts.len()
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        let squared: Vec<f64> = columns.iter().map(|value| value * value).collect();
        for (score, place) in scores.iter_mut().enumerate() {
            *place = self.intercepts[score] + dot(self.weights(score), columns) + dot(self.squares(score), &squared);
        }
    }
}

read_by_new!(
    QuadraticModel from QuadraticParts {
        n_columns: usize, weights: Vec<f64>, squares: Vec<f64>, intercepts: Vec<f64>,
    } or ModelError
);
