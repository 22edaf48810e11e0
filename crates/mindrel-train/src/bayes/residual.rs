//! How the targets' noise moves together, from what a network left unexplained.

use mindrel::belief::{Regressor, RegressorRoom};
use nalgebra::{DMatrix, DVector};
use rand_pcg::Pcg64Mcg;

use super::standardised::Standardised;
use super::task::{Revealed, Task};
use crate::moments::raise_eigenvalues;

/// How much of the correlations may be given up.
const SHRINKAGES: [f64; 8] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0];

/// How many rows decide about that, at most.
const MOST_ROWS: usize = 2000;

/// What a network left unexplained of one row after another, each with a fresh draw of what is revealed of it.
struct Residuals<'a> {
    task: &'a Task,
    data: &'a Standardised,
    /// A regressor without noise, so that the covariance it predicts is that of its weights.
    regressor: &'a Regressor,
    random: Pcg64Mcg,
    revealed: Revealed,
    room: RegressorRoom,
    inputs: Vec<f64>,
    /// The open targets, and what each was off by.
    open: Vec<usize>,
    errors: Vec<f64>,
}

/// The second moments of the noise in units of its predicted deviation, from one draw of what is revealed of each row.
///
/// ```text
/// R_ij = mean over rows where i and j are open of ((y_i − m_i)(y_j − m_j) − Cov[m_i, m_j]) / (D_i D_j)
/// ```
///
/// Cov is the uncertainty of the weights, which a prediction adds again; `regressor` must have no noise of its own yet.
/// Where two targets are never open together, they are taken for uncorrelated.
///
/// One R is to fit all people and all that may be revealed of them. Where some people's columns determine each other
/// and other people's do not, it would be next to singular for the latter, and so its entries beside the diagonal
/// shrink by the one of [`SHRINKAGES`] that makes some of the rows, all open columns together, most likely.
///
/// # Numerics
/// Pairs of columns see different rows, so that the mean need not be positive semi-definite; it is replaced by the
/// nearest matrix that is, with its negative eigenvalues at zero.
pub(super) fn residual_moments(regressor: &Regressor, task: &Task, data: &Standardised, random: Pcg64Mcg) -> Vec<f64> {
    let mut residuals = Residuals::new(regressor, task, data, random);
    let moments = nearest_semi_definite(residuals.second_moments());
    let mut surprises = [0.0; SHRINKAGES.len()];
    let stride = data.n_rows().div_ceil(MOST_ROWS);
    for row in (0..data.n_rows()).step_by(stride) {
        residuals.take(row);
        for (surprise, shrinkage) in surprises.iter_mut().zip(SHRINKAGES) {
            *surprise += residuals.surprise(&moments, shrinkage);
        }
    }
    let best = (0..SHRINKAGES.len()).min_by(|&one, &other| surprises[one].total_cmp(&surprises[other]));
    let shrinkage = SHRINKAGES[best.expect("there are shrinkages")];
    let size = task.n_targets();
    (0..size * size).map(|place| shrunk(&moments, shrinkage, place / size, place % size)).collect()
}

impl<'a> Residuals<'a> {
    fn new(regressor: &'a Regressor, task: &'a Task, data: &'a Standardised, random: Pcg64Mcg) -> Self {
        let (revealed, room) = (task.nothing_revealed(), RegressorRoom::default());
        let (inputs, open, errors) = (Vec::new(), Vec::new(), Vec::new());
        Residuals { task, data, regressor, random, revealed, room, inputs, open, errors }
    }

    fn take(&mut self, row: usize) {
        let Residuals { task, data, regressor, random, revealed, room, inputs, open, errors } = self;
        let row = data.row(row);
        revealed.draw(random);
        inputs.clear();
        inputs.extend(task.inputs(row, revealed));
        open.clear();
        open.extend((0..task.n_targets()).filter(|&target| !revealed.is(task.targets()[target].question)));
        regressor.predict(inputs, open, room);
        errors.clear();
        errors.extend(open.iter().zip(room.mean()).map(|(&target, mean)| row[task.targets()[target].column] - mean));
    }

    fn second_moments(&mut self) -> DMatrix<f64> {
        let size = self.task.n_targets();
        let zeros = || DMatrix::<f64>::zeros(size, size);
        let (mut sums, mut counts) = (zeros(), zeros());
        for row in 0..self.data.n_rows() {
            self.take(row);
            let Residuals { room, open, errors, .. } = self;
            for (i, &one) in open.iter().enumerate() {
                for (j, &other) in open.iter().enumerate() {
                    let noise = room.noise_deviations()[i] * room.noise_deviations()[j];
                    sums[(one, other)] += (errors[i] * errors[j] - room.covariance()[i * open.len() + j]) / noise;
                    counts[(one, other)] += 1.0;
                }
            }
        }
        let never = DMatrix::identity(size, size);
        DMatrix::from_fn(
            size,
            size,
            |i, j| if counts[(i, j)] > 0.0 { sums[(i, j)] / counts[(i, j)] } else { never[(i, j)] },
        )
    }

    /// The negative log-likelihood of the row taken, up to a constant; infinite where no density exists.
    ///
    /// ```text
    /// ½ (ln det Σ + eᵀ Σ⁻¹ e),   Σ = the covariance of the weights + R_ij D_i D_j
    /// ```
    fn surprise(&self, moments: &DMatrix<f64>, shrinkage: f64) -> f64 {
        let Residuals { room, open, errors, .. } = self;
        let noise = room.noise_deviations();
        let covariance = DMatrix::from_fn(open.len(), open.len(), |i, j| {
            let residual = shrunk(moments, shrinkage, open[i], open[j]);
            room.covariance()[i * open.len() + j] + residual * noise[i] * noise[j]
        });
        let Some(factor) = covariance.cholesky() else {
            return f64::INFINITY;
        };
        let scaled = factor.l_dirty().solve_lower_triangular(&DVector::from_column_slice(errors));
        let ln_determinant: f64 = factor.l_dirty().diagonal().iter().map(|pivot| pivot.ln()).sum();
        scaled.map_or(f64::INFINITY, |scaled| ln_determinant + 0.5 * scaled.norm_squared())
    }
}

fn shrunk(moments: &DMatrix<f64>, shrinkage: f64, row: usize, column: usize) -> f64 {
    if row == column { moments[(row, column)] } else { (1.0 - shrinkage) * moments[(row, column)] }
}

/// The nearest positive semi-definite matrix, in the sum of squared entries.
fn nearest_semi_definite(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let matrix = raise_eigenvalues(matrix, 0.0);
    0.5 * (&matrix + matrix.transpose())
}
