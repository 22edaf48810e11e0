//! A Bayesian neural network with one hidden layer, and the moments of what it predicts.

use serde::{Deserialize, Serialize};

use super::layer::BayesianLayer;
use super::rectified::rectified_moments;
use super::room::RegressorRoom;
use crate::belief::BeliefError;
use crate::belief::gaussian::check_covariance;
use crate::checked::read_by_new;
use crate::math::vector::dot;

/// Between which bounds a predicted ln-variance is held: deviations from 0.01 to 20 times that of the column.
///
/// Below, a column would count as known although no small network knows it, and in training one exception in thousands
/// would outweigh all others; above, one outlier would swamp a belief.
pub const LN_VARIANCE_BOUNDS: (f64, f64) = (-9.2, 6.0);

/// A network that predicts the mean and the ln-variance of some targets, in standardised units.
///
/// ```text
/// z = W₁ x + b₁,   r = max(z, 0),   (m, l) = W₂ r + b₂,   target_i = m_i + D_i ε_i,   E[ε εᵀ] = R
/// ```
///
/// The weights are normal and independent ([`BayesianLayer`]); the outputs are first one mean for each target and then
/// one ln-variance for each. `residual` is R, the second moments of the noise in units of its predicted deviation: it
/// says how targets move together, and by how much the predicted deviations are off.
///
/// Departs from [TF23, §4], which draws weights: moments are taken over them, and the noise of a target is predicted
/// with its mean, since without it a belief would become certain as the number of rows grows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RegressorParts")]
pub struct Regressor {
    hidden: BayesianLayer,
    output: BayesianLayer,
    residual: Vec<f64>,
}

impl Regressor {
    /// A network from its two layers and the second moments of its noise, row after row.
    ///
    /// # Errors
    /// When the layers do not fit together, the outputs are not pairs of a mean and an ln-variance, or `residual` is
    /// not a positive semi-definite matrix over the targets.
    pub fn new(hidden: BayesianLayer, output: BayesianLayer, residual: Vec<f64>) -> Result<Self, BeliefError> {
        let (units, outputs) = (hidden.n_units(), output.n_units());
        if output.n_inputs() != units {
            return Err(BeliefError::LayersApart { units, inputs: output.n_inputs() });
        }
        if outputs == 0 || !outputs.is_multiple_of(2) {
            return Err(BeliefError::OutputCount { found: outputs });
        }
        check_covariance(outputs / 2, &residual)?;
        Ok(Regressor { hidden, output, residual })
    }

    /// How many inputs it reads.
    #[must_use]
    pub fn n_inputs(&self) -> usize {
        self.hidden.n_inputs()
    }

    /// How many targets it predicts; it has twice as many outputs.
    #[must_use]
    pub fn n_targets(&self) -> usize {
        self.output.n_units() / 2
    }

    /// The layer of rectified units.
    #[must_use]
    pub fn hidden(&self) -> &BayesianLayer {
        &self.hidden
    }

    /// The layer of means and ln-variances.
    #[must_use]
    pub fn output(&self) -> &BayesianLayer {
        &self.output
    }

    /// The second moments R of the noise in units of its predicted deviation, row after row.
    #[must_use]
    pub fn residual(&self) -> &[f64] {
        &self.residual
    }

    /// Leaves in `room` the mean and the covariance of some targets, over the weights and the noise.
    ///
    /// ```text
    /// mean_i = E[m_i],   covariance_ij = R_ij D_i D_j + Cov[m_i, m_j],   D_i² = exp(E[l_i] + ½ Var[l_i])
    /// ```
    ///
    /// # Panics
    /// When there are not [`n_inputs`](Regressor::n_inputs) inputs, or a target does not exist.
    ///
    /// # Numerics
    /// D² is E[exp(l)] as if l were normal, with the exponent held within [`LN_VARIANCE_BOUNDS`]; the rest is exact
    /// ([`outputs`](Regressor::outputs)). Positive semi-definite up to rounding: a product of R with D on both sides,
    /// and a covariance. O(inputs · hidden + targets² · hidden).
    pub fn predict(&self, inputs: &[f64], targets: &[usize], room: &mut RegressorRoom) {
        self.outputs(inputs, targets, room);
        let n_targets = self.n_targets();
        let RegressorRoom { hidden_means, hidden_deviations, hidden_squares, noise, covariance, .. } = room;
        noise.clear();
        noise.extend(targets.iter().map(|&target| {
            let output = n_targets + target;
            let spread = self.output.weight_means(output).iter().zip(&*hidden_deviations);
            let shared: f64 = spread.map(|(mean, deviation)| (mean * deviation) * (mean * deviation)).sum();
            let variance = shared + self.output.own_variance(output, hidden_squares);
            let (lowest, highest) = LN_VARIANCE_BOUNDS;
            let exponent = self.output.mean(output, hidden_means) + 0.5 * variance;
            libm::exp(0.5 * exponent.clamp(lowest, highest))
        }));
        for (row, &target) in targets.iter().enumerate() {
            let residuals = &self.residual[target * n_targets..(target + 1) * n_targets];
            let covariances = &mut covariance[row * targets.len()..(row + 1) * targets.len()];
            for ((covariance, &other), deviation) in covariances.iter_mut().zip(targets).zip(&*noise) {
                *covariance += residuals[other] * (noise[row] * deviation);
            }
        }
    }

    /// Leaves in `room` the mean and the covariance of some outputs over the weights alone, whatever the noise.
    ///
    /// ```text
    /// E[o_i] = μ_i + Σ_k μ_ik E[r_k]
    /// Cov[o_i, o_j] = Σ_k μ_ik μ_jk Var[r_k] + [i = j] (σ_i² + Σ_k σ_ik² E[r_k²])
    /// ```
    ///
    /// The outputs below [`n_targets`](Regressor::n_targets) are the means of the targets, the others their
    /// ln-variances. Exact, without drawing a weight: given the inputs, the sums of the hidden units are normal and
    /// independent, and so the moments of the rectified units have closed forms.
    ///
    /// # Panics
    /// When there are not [`n_inputs`](Regressor::n_inputs) inputs, or an output does not exist.
    pub fn outputs(&self, inputs: &[f64], outputs: &[usize], room: &mut RegressorRoom) {
        self.rectified(inputs, room);
        let RegressorRoom { hidden_means, hidden_deviations, hidden_squares, spreads, mean, covariance, .. } = room;
        mean.clear();
        mean.extend(outputs.iter().map(|&output| self.output.mean(output, hidden_means)));
        spreads.clear();
        for &output in outputs {
            let weights = self.output.weight_means(output).iter();
            spreads.extend(weights.zip(&*hidden_deviations).map(|(weight, deviation)| weight * deviation));
        }
        let (size, n_hidden) = (outputs.len(), hidden_means.len());
        covariance.clear();
        covariance.resize(size * size, 0.0);
        let spread = |row: usize| &spreads[row * n_hidden..(row + 1) * n_hidden];
        for (row, &output) in outputs.iter().enumerate() {
            for column in 0..=row {
                let shared = dot(spread(row), spread(column));
                (covariance[row * size + column], covariance[column * size + row]) = (shared, shared);
            }
            covariance[row * size + row] += self.output.own_variance(output, hidden_squares);
        }
    }

    /// The moments of the hidden units.
    fn rectified(&self, inputs: &[f64], room: &mut RegressorRoom) {
        assert_eq!(inputs.len(), self.n_inputs(), "a regressor reads as many inputs as it has weights for");
        room.squares.clear();
        room.squares.extend(inputs.iter().map(|input| input * input));
        for list in [&mut room.hidden_means, &mut room.hidden_deviations, &mut room.hidden_squares] {
            list.clear();
        }
        for unit in 0..self.hidden.n_units() {
            let deviation = self.hidden.own_variance(unit, &room.squares).sqrt();
            let (mean, variance) = rectified_moments(self.hidden.mean(unit, inputs), deviation);
            room.hidden_means.push(mean);
            room.hidden_deviations.push(variance.sqrt());
            room.hidden_squares.push(variance + mean * mean);
        }
    }
}

read_by_new!(
    #[serde(deny_unknown_fields)]
    Regressor from RegressorParts { hidden: BayesianLayer, output: BayesianLayer, residual: Vec<f64> } or BeliefError
);
