//! The Gaussian belief [TF23, Prop. 3].

use std::fmt;

use serde::{Deserialize, Serialize};

use super::BeliefError;
use crate::math::LARGEST;
use crate::math::reveal::{KNOWN_SHARE, Symmetric};

/// How far a covariance may be from symmetric, and how far below zero a pivot may fall, as a share of the variances.
const TOLERANCE: f64 = 1e-8;

/// A column that deviates from its mean by no more than this share of it never varied: the mean of equal numbers is off
/// by rounding, by at most 1e-16 of them for every row of a plain sum.
const CONSTANT: f64 = 1e-12;

/// A joint normal distribution of all columns.
///
/// ```text
/// X ~ N(μ, Σ);   revealing x_j:   k = Σ_·j / Σ_jj,   μ ← μ + k (x_j − μ_j),   Σ ← Σ − k Σ_j·
/// ```
///
/// This is the conditional Gaussian of [TF23, Prop. 3], one column at a time, O(n²) and without an inverse. It also
/// holds where the inverse does not exist: the indicators of a one-hot category sum to one, so that the last of them is
/// known once the others are, and is passed over.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "GaussianParts", into = "GaussianParts")]
pub struct GaussianBelief {
    mean: Vec<f64>,
    covariance: Symmetric,
    known_below: Vec<f64>,
}

/// The number of columns only: the mean of a revealed column is an answer.
impl fmt::Debug for GaussianBelief {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GaussianBelief").field("n_columns", &self.n_columns()).finish_non_exhaustive()
    }
}

impl GaussianBelief {
    /// A belief from its mean and its covariance, row after row.
    ///
    /// # Errors
    /// When the numbers are those of no normal distribution.
    pub fn new(mean: Vec<f64>, covariance: Vec<f64>) -> Result<Self, BeliefError> {
        if !all_finite(&mean) {
            return Err(BeliefError::NotFinite);
        }
        let covariance = check_covariance(mean.len(), &covariance)?;
        let known_below =
            mean.iter().enumerate().map(|(column, mean)| known_below(*mean, covariance.at(column, column)));
        let known_below = known_below.collect();
        Ok(GaussianBelief { mean, covariance, known_below })
    }

    /// How many columns.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.mean.len()
    }

    /// The mean of the columns; a revealed column's is its value.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The covariance of the columns; zero for revealed ones.
    #[must_use]
    pub fn covariance(&self) -> &Symmetric {
        &self.covariance
    }

    /// Mean and standard deviation of a column.
    pub(super) fn marginal(&self, column: usize) -> (f64, f64) {
        (self.mean[column], self.covariance.at(column, column).max(0.0).sqrt())
    }

    /// The variances at or below which columns count as known.
    #[must_use]
    pub(crate) fn known_below(&self) -> &[f64] {
        &self.known_below
    }

    /// Conditions on the value of one column.
    pub fn reveal(&mut self, column: usize, value: f64) {
        let surprise = value - self.mean[column];
        if let Some(gain) = self.covariance.reveal(column, self.known_below[column]) {
            for (mean, share) in self.mean.iter_mut().zip(&gain) {
                *mean += share * surprise;
            }
        }
        self.mean[column] = value;
    }
}

/// A covariance over `columns` columns, if the entries make one.
pub(super) fn check_covariance(columns: usize, entries: &[f64]) -> Result<Symmetric, BeliefError> {
    if entries.len() != columns.saturating_mul(columns) {
        return Err(BeliefError::Size { columns, found: entries.len() });
    }
    if !all_finite(entries) {
        return Err(BeliefError::NotFinite);
    }
    let covariance = Symmetric::new(columns, entries.to_vec());
    check_symmetric(&covariance)?;
    check_pivots(&covariance)?;
    Ok(covariance)
}

fn all_finite(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| number.abs() <= LARGEST)
}

/// The variance at or below which a column counts as known, from its mean and variance before anything is revealed.
fn known_below(mean: f64, variance: f64) -> f64 {
    let never_varied = variance.sqrt() <= CONSTANT * mean.abs();
    if never_varied { variance } else { KNOWN_SHARE * variance }
}

fn check_symmetric(covariance: &Symmetric) -> Result<(), BeliefError> {
    for row in 0..covariance.size() {
        for column in 0..row {
            let scale = (covariance.at(row, row) * covariance.at(column, column)).abs().sqrt();
            if (covariance.at(row, column) - covariance.at(column, row)).abs() > TOLERANCE * scale {
                return Err(BeliefError::NotSymmetric { row, column });
            }
        }
    }
    Ok(())
}

/// Reveals every column in turn: in a covariance, no variance ever falls below zero by more than rounding, and a column
/// without variance has no covariance.
fn check_pivots(covariance: &Symmetric) -> Result<(), BeliefError> {
    let size = covariance.size();
    let mut rest: Vec<f64> = covariance.entries().to_vec();
    for pivot in 0..size {
        let prior = covariance.at(pivot, pivot);
        let variance = rest[pivot * size + pivot];
        if prior < 0.0 || variance < -TOLERANCE * prior {
            return Err(BeliefError::Indefinite { column: pivot });
        }
        let known = variance <= TOLERANCE * prior;
        let row: Vec<f64> = rest[pivot * size..(pivot + 1) * size].to_vec();
        for other in pivot + 1..size {
            let scale = (prior * covariance.at(other, other)).abs().sqrt();
            // |Σ_ij| ≤ √(Σ_ii Σ_jj): with next to no variance left, at most √tolerance of the scale may be left too.
            if known && row[other].abs() > 2.0 * TOLERANCE.sqrt() * scale {
                return Err(BeliefError::Indefinite { column: pivot });
            }
            if !known {
                let share = row[other] / variance;
                for column in pivot + 1..size {
                    rest[other * size + column] -= share * row[column];
                }
            }
        }
    }
    Ok(())
}

/// What is written of a belief.
#[derive(Clone, Serialize, Deserialize)]
struct GaussianParts {
    mean: Vec<f64>,
    covariance: Vec<f64>,
}

impl TryFrom<GaussianParts> for GaussianBelief {
    type Error = BeliefError;

    fn try_from(parts: GaussianParts) -> Result<Self, BeliefError> {
        GaussianBelief::new(parts.mean, parts.covariance)
    }
}

impl From<GaussianBelief> for GaussianParts {
    fn from(belief: GaussianBelief) -> Self {
        GaussianParts { mean: belief.mean, covariance: belief.covariance.entries().to_vec() }
    }
}
