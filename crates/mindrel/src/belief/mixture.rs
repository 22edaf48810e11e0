//! The Gaussian mixture belief.

use serde::{Deserialize, Serialize};

use super::{BeliefError, GaussianBelief};

/// How far from one the weights may sum up.
const TOLERANCE: f64 = 1e-9;

/// A weighted mixture of joint normal distributions of all columns.
///
/// ```text
/// X ~ Σ_k π_k N(μ_k, Σ_k);   given x_R:   Σ_k π_k' N(μ_k | x_R, Σ_k | x_R),   π_k' ∝ π_k N(x_R; μ_k, Σ_k)
/// ```
///
/// Each component is conditioned as one Gaussian is [TF23, Prop. 3], and weighed by how well it foresaw what is known. Where the
/// data have modes, as skewed numbers and categories do, this fits where one Gaussian cannot. Goes beyond [TF23, §4.1], whose
/// alternative is a Bayesian network of its own for each set of known questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "MixtureParts", into = "MixtureParts")]
pub struct MixtureBelief {
    components: Vec<(f64, GaussianBelief)>,
}

impl MixtureBelief {
    /// A belief from its components and their weights, which sum to one.
    ///
    /// # Errors
    /// When there is no component, the weights are no probabilities, or components are of different columns.
    pub fn new(components: Vec<(f64, GaussianBelief)>) -> Result<Self, BeliefError> {
        let Some((_, first)) = components.first() else {
            return Err(BeliefError::NoComponents);
        };
        let columns = first.n_columns();
        if let Some((_, other)) = components.iter().find(|(_, other)| other.n_columns() != columns) {
            return Err(BeliefError::Components { columns, found: other.n_columns() });
        }
        let total: f64 = components.iter().map(|(weight, _)| weight).sum();
        let are_positive = components.iter().all(|(weight, _)| *weight > 0.0);
        if !are_positive || total.is_nan() || (total - 1.0).abs() > TOLERANCE {
            return Err(BeliefError::Weights);
        }
        Ok(MixtureBelief { components })
    }

    /// How many columns.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.components[0].1.n_columns()
    }

    /// How many components.
    #[must_use]
    pub fn n_components(&self) -> usize {
        self.components.len()
    }

    /// Mean and standard deviation of a column, within the components and between them.
    pub(super) fn marginal(&self, column: usize) -> (f64, f64) {
        let moments = |(weight, gaussian): &(f64, GaussianBelief)| (*weight, gaussian.marginal(column));
        let mean: f64 = self.components.iter().map(moments).map(|(weight, (mean, _))| weight * mean).sum();
        let square = |(weight, (own, deviation)): (f64, (f64, f64))| {
            weight * (deviation * deviation + (own - mean) * (own - mean))
        };
        (mean, self.components.iter().map(moments).map(square).sum::<f64>().sqrt())
    }

    /// The components with their weights.
    pub fn components(&self) -> impl Iterator<Item = (f64, &GaussianBelief)> {
        self.components.iter().map(|(weight, gaussian)| (*weight, gaussian))
    }
}

/// What is written of a mixture.
#[derive(Clone, Serialize, Deserialize)]
struct MixtureParts {
    components: Vec<ComponentParts>,
}

#[derive(Clone, Serialize, Deserialize)]
struct ComponentParts {
    weight: f64,
    #[serde(flatten)]
    gaussian: GaussianBelief,
}

impl TryFrom<MixtureParts> for MixtureBelief {
    type Error = BeliefError;

    fn try_from(parts: MixtureParts) -> Result<Self, BeliefError> {
        MixtureBelief::new(parts.components.into_iter().map(|part| (part.weight, part.gaussian)).collect())
    }
}

impl From<MixtureBelief> for MixtureParts {
    fn from(belief: MixtureBelief) -> Self {
        let part = |(weight, gaussian)| ComponentParts { weight, gaussian };
        MixtureParts { components: belief.components.into_iter().map(part).collect() }
    }
}
