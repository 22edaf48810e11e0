//! What a prediction leaves behind.

use std::fmt;

/// Where a [`Regressor`](super::Regressor) leaves what it predicts; kept from call to call, so that no call allocates.
///
/// Says nothing in `Debug`: a prediction tells of the person it was made for.
#[derive(Clone, Default)]
pub struct RegressorRoom {
    /// The squares of the inputs.
    pub(super) squares: Vec<f64>,
    /// E[r], √Var[r] and E[r²] of every hidden unit.
    pub(super) hidden_means: Vec<f64>,
    pub(super) hidden_deviations: Vec<f64>,
    pub(super) hidden_squares: Vec<f64>,
    /// μ √Var[r] of every output asked for, hidden unit after hidden unit.
    pub(super) spreads: Vec<f64>,
    pub(super) mean: Vec<f64>,
    pub(super) covariance: Vec<f64>,
    pub(super) noise: Vec<f64>,
}

impl RegressorRoom {
    /// The predicted mean, in the order asked for.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The predicted covariance, row after row, in the order asked for.
    #[must_use]
    pub fn covariance(&self) -> &[f64] {
        &self.covariance
    }

    /// The deviations D of the noise from [`Regressor::predict`](super::Regressor::predict), in the order asked for.
    #[must_use]
    pub fn noise_deviations(&self) -> &[f64] {
        &self.noise
    }
}

impl fmt::Debug for RegressorRoom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RegressorRoom").finish_non_exhaustive()
    }
}
