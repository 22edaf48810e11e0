//! Mean and covariance of the encoded rows, from which a Gaussian belief is made.

use nalgebra::{DMatrix, SymmetricEigen};

use crate::EncodedRows;
use crate::kernel::{BLOCK_ROWS, add_outer_products, add_scaled, mirror_lower};

/// The first two moments of the encoded rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Moments {
    /// One mean for each column.
    pub mean: Vec<f64>,
    /// The covariance of every pair of columns: a symmetric matrix, row after row.
    pub covariance: Vec<f64>,
}

/// The mean and the covariance of the rows, both divided by the number of rows n.
///
/// ```text
/// μ = 1/n Σ_i x_i,   Σ = 1/n Σ_i (x_i − μ)(x_i − μ)ᵀ
/// ```
///
/// [TF23, Alg. 1, line 1].
///
/// # Numerics
/// The mean is corrected once by the mean of what it leaves, and the covariance sums products of centred values, so
/// that columns far from zero lose no digits. A constant column has covariance zero up to the rounding of its mean.
/// O(rows · columns²).
///
/// # Example
/// ```
/// use mindrel_train::{TrainError, TrainingSet, moments};
///
/// let set = TrainingSet::new(vec![0.0, 1.0, 2.0, -1.0], 2, vec![0, 1], 2)?;
/// let moments = moments(&set);
/// assert_eq!(moments.mean, [1.0, 0.0]);
/// assert_eq!(moments.covariance, [1.0, -1.0, -1.0, 1.0]);
/// # Ok::<(), TrainError>(())
/// ```
#[must_use]
pub fn moments(set: &EncodedRows) -> Moments {
    let mean = mean(set);
    let covariance = covariance(set, &mean);
    Moments { mean, covariance }
}

/// A symmetric matrix with eigenvalues of at least `floor`, `V max(Λ, floor) Vᵀ`.
pub(crate) fn raise_eigenvalues(matrix: DMatrix<f64>, floor: f64) -> DMatrix<f64> {
    let mut eigen = SymmetricEigen::new(matrix);
    eigen.eigenvalues.apply(|value| *value = value.max(floor));
    eigen.recompose()
}

/// `1/n Σ_i x_i`.
pub(crate) fn mean(set: &EncodedRows) -> Vec<f64> {
    let first_guess = mean_of(set, &vec![0.0; set.n_columns()], |value| value);
    let mut mean = mean_of(set, &first_guess, |difference| difference);
    add_scaled(&mut mean, 1.0, &first_guess);
    mean
}

/// `1/n Σ_i (x_i − centre)²` for each column.
pub(crate) fn mean_square(set: &EncodedRows, centres: &[f64]) -> Vec<f64> {
    mean_of(set, centres, |difference| difference * difference)
}

/// `1/n Σ_i term(x_i − centre)` for each column.
fn mean_of(set: &EncodedRows, centres: &[f64], term: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut sums = vec![0.0; centres.len()];
    for row in set.rows().chunks_exact(set.n_columns()) {
        for ((sum, value), centre) in sums.iter_mut().zip(row).zip(centres) {
            *sum += term(value - centre);
        }
    }
    let n_rows = set.n_rows() as f64;
    sums.iter().map(|sum| sum / n_rows).collect()
}

fn covariance(set: &EncodedRows, mean: &[f64]) -> Vec<f64> {
    let n_columns = set.n_columns();
    let mut matrix = vec![0.0; n_columns * n_columns];
    let mut centred = Vec::with_capacity(BLOCK_ROWS * n_columns);
    for block in set.rows().chunks(BLOCK_ROWS * n_columns) {
        centred.clear();
        for row in block.chunks_exact(n_columns) {
            centred.extend(row.iter().zip(mean).map(|(value, mean)| value - mean));
        }
        add_outer_products(&mut matrix, n_columns, &centred, &[1.0; BLOCK_ROWS][..block.len() / n_columns]);
    }
    let n_rows = set.n_rows() as f64;
    matrix.iter_mut().for_each(|sum| *sum /= n_rows);
    mirror_lower(&mut matrix, n_columns);
    matrix
}
