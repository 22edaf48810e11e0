//! One layer whose weights are not numbers but normal distributions.

use serde::{Deserialize, Serialize};

use crate::belief::BeliefError;
use crate::checked::read_by_new;
use crate::math::vector::dot;

/// No mean or deviation of a weight is larger, so that second moments stay finite for all inputs up to
/// [`LARGEST`](crate::math::LARGEST).
const LARGEST_WEIGHT: f64 = 1e30;

/// Independent normal numbers, `w_k ~ N(mean_k, deviation_k²)`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Normals {
    /// One mean for each.
    pub means: Vec<f64>,
    /// One standard deviation for each; zero for a number that is certain.
    pub deviations: Vec<f64>,
}

/// A layer of a Bayesian neural network: every weight and bias is normal, and independent of the others.
///
/// ```text
/// z_u = b_u + Σ_j w_uj x_j,   w_uj ~ N(μ_uj, σ_uj²),   b_u ~ N(μ_u, σ_u²)
/// ```
///
/// This is the mean-field posterior of [TF23, §4, `p(w | D)`], as fitted by variational inference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BayesianLayerParts")]
pub struct BayesianLayer {
    n_inputs: usize,
    weights: Normals,
    biases: Normals,
}

impl BayesianLayer {
    /// A layer from its weights, unit after unit, and its biases, one for each unit.
    ///
    /// # Errors
    /// When the sizes do not fit, a number is not finite or is too large, or a deviation is negative.
    pub fn new(n_inputs: usize, weights: Normals, biases: Normals) -> Result<Self, BeliefError> {
        let n_weights = n_inputs.saturating_mul(biases.means.len());
        check("weights", &weights, n_weights)?;
        check("biases", &biases, biases.means.len())?;
        Ok(BayesianLayer { n_inputs, weights, biases })
    }

    /// How many numbers it reads.
    #[must_use]
    pub fn n_inputs(&self) -> usize {
        self.n_inputs
    }

    /// How many numbers it makes of them.
    #[must_use]
    pub fn n_units(&self) -> usize {
        self.biases.means.len()
    }

    /// The weights, unit after unit.
    #[must_use]
    pub fn weights(&self) -> &Normals {
        &self.weights
    }

    /// The biases, one for each unit.
    #[must_use]
    pub fn biases(&self) -> &Normals {
        &self.biases
    }

    /// The means of one unit's weights.
    pub(super) fn weight_means(&self, unit: usize) -> &[f64] {
        &self.weights.means[unit * self.n_inputs..(unit + 1) * self.n_inputs]
    }

    /// The mean of one unit's sum, for inputs with these means.
    ///
    /// ```text
    /// E[z_u] = μ_u + Σ_j μ_uj E[x_j]
    /// ```
    pub(super) fn mean(&self, unit: usize, inputs: &[f64]) -> f64 {
        self.biases.means[unit] + dot(self.weight_means(unit), inputs)
    }

    /// The part of one unit's variance that its own weights add, for inputs with these mean squares.
    ///
    /// ```text
    /// σ_u² + Σ_j σ_uj² E[x_j²]
    /// ```
    pub(super) fn own_variance(&self, unit: usize, squares: &[f64]) -> f64 {
        let deviations = &self.weights.deviations[unit * self.n_inputs..(unit + 1) * self.n_inputs];
        let terms = deviations.iter().zip(squares).map(|(deviation, square)| deviation * deviation * square);
        let bias = self.biases.deviations[unit];
        bias * bias + terms.sum::<f64>()
    }
}

fn check(part: &'static str, normals: &Normals, expected: usize) -> Result<(), BeliefError> {
    for found in [normals.means.len(), normals.deviations.len()] {
        if found != expected {
            return Err(BeliefError::LayerSize { part, expected, found });
        }
    }
    let all = normals.means.iter().chain(&normals.deviations);
    if all.clone().any(|value| value.is_nan() || value.abs() > LARGEST_WEIGHT) {
        return Err(BeliefError::WeightNotFinite { part });
    }
    match normals.deviations.iter().position(|&deviation| deviation < 0.0) {
        Some(place) => Err(BeliefError::NegativeDeviation { part, place }),
        None => Ok(()),
    }
}

read_by_new!(
    #[serde(deny_unknown_fields)]
    BayesianLayer from BayesianLayerParts { n_inputs: usize, weights: Normals, biases: Normals } or BeliefError
);

#[cfg(test)]
mod tests {
    use super::*;

    fn normals(means: &[f64], deviations: &[f64]) -> Normals {
        Normals { means: means.to_vec(), deviations: deviations.to_vec() }
    }

    #[test]
    fn a_sum_has_the_moments_of_independent_terms() {
        let weights = normals(&[1.0, 2.0, -1.0, 0.5], &[0.5, 0.0, 1.0, 2.0]);
        let layer = BayesianLayer::new(2, weights, normals(&[0.25, -1.0], &[0.5, 0.0])).expect("a valid layer");
        assert_eq!((layer.mean(0, &[2.0, 3.0]), layer.mean(1, &[2.0, 3.0])), (8.25, -1.5));
        assert_eq!((layer.own_variance(0, &[4.0, 9.0]), layer.own_variance(1, &[4.0, 9.0])), (1.25, 40.0));
    }

    #[test]
    fn a_layer_without_inputs_is_its_biases() {
        let layer = BayesianLayer::new(0, Normals::default(), normals(&[3.0], &[2.0])).expect("a valid layer");
        assert_eq!((layer.mean(0, &[]), layer.own_variance(0, &[])), (3.0, 4.0));
    }

    #[test]
    fn a_layer_of_the_wrong_size_is_refused() {
        let error = |weights, biases| BayesianLayer::new(2, weights, biases).expect_err("it does not fit");
        let one = || normals(&[0.0], &[1.0]);
        let expected = BeliefError::LayerSize { part: "weights", expected: 2, found: 1 };
        assert_eq!(error(normals(&[0.0, 0.0], &[1.0]), one()), expected);
        assert_eq!(error(one(), one()), expected);
        let expected = BeliefError::LayerSize { part: "biases", expected: 1, found: 0 };
        assert_eq!(error(normals(&[0.0, 0.0], &[1.0, 1.0]), normals(&[0.0], &[])), expected);
    }

    #[test]
    fn numbers_of_no_distribution_are_refused() {
        let one = || normals(&[0.0], &[1.0]);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e31] {
            for weights in [normals(&[bad], &[1.0]), normals(&[0.0], &[bad])] {
                let refused = BayesianLayer::new(1, weights, one());
                assert_eq!(refused, Err(BeliefError::WeightNotFinite { part: "weights" }));
            }
        }
        let refused = BayesianLayer::new(1, one(), normals(&[0.0], &[-0.5]));
        assert_eq!(refused, Err(BeliefError::NegativeDeviation { part: "biases", place: 0 }));
    }

    #[test]
    fn a_layer_survives_being_written_and_a_bad_one_is_not_read() {
        let layer = BayesianLayer::new(1, normals(&[0.1], &[0.2]), normals(&[0.3], &[0.4])).expect("a valid layer");
        let written = serde_json::to_string(&layer).expect("it can be written");
        assert_eq!(serde_json::from_str::<BayesianLayer>(&written).expect("and read"), layer);
        assert!(serde_json::from_str::<BayesianLayer>(&written.replace("0.2", "-0.2")).is_err());
    }
}
