//! ReLU networks: fully connected layers of any number and width [TF23, §6].

use serde::{Deserialize, Serialize};

use super::linear::dot;
use super::{Model, ModelError, check_n_scores};
use crate::math::LARGEST;

/// Scores through layers of rectified linear units.
///
/// ```text
/// y_0 = x,   z_l = W_l y_{l−1} + b_l,   y_l = max(z_l, 0) for every layer but the last,   scores = z_last
/// ```
///
/// A binary network has one score, a network of three or more classes one for each. The paper's has two hidden layers of 10
/// [TF23, App. D].
///
/// # Numerics
/// Scores are plain sums, always in the same order; [`rounding_bound`](Network::rounding_bound) says how far they can be from the
/// exact ones, and a proof keeps that distance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "NetworkParts", into = "NetworkParts")]
pub struct Network {
    layers: Vec<Layer>,
    /// For every layer, the most its `z` can be in size, and be wrong by, while every column stays within [−1, 1].
    reach: Vec<Reach>,
}

/// One layer: a row of weights and a bias for each unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    n_inputs: usize,
    /// Row of a unit: its weight on each input.
    weights: Vec<f64>,
    biases: Vec<f64>,
}

/// How large the sums of a layer can get, and how far rounding can move them, over columns within [−1, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reach {
    /// `max_unit (|b| + Σ |w| · (reach of the layer below))`: no sum of terms, however grouped and signed, is larger.
    pub magnitude: f64,
    /// No plain evaluation of a `z` is further from the exact value.
    pub error: f64,
}

impl Layer {
    /// A layer from its weights (one row of `n_inputs` for each unit) and one bias for each unit.
    ///
    /// # Errors
    /// When the counts do not fit or a number is not finite.
    pub fn new(n_inputs: usize, weights: Vec<f64>, biases: Vec<f64>) -> Result<Self, ModelError> {
        let expected = biases.len().saturating_mul(n_inputs);
        if weights.len() != expected {
            return Err(ModelError::WeightCount { expected, found: weights.len() });
        }
        if weights.iter().chain(&biases).any(|value| !value.is_finite()) {
            return Err(ModelError::NotFinite);
        }
        Ok(Layer { n_inputs, weights, biases })
    }

    /// How many inputs each unit has.
    #[must_use]
    pub fn n_inputs(&self) -> usize {
        self.n_inputs
    }

    /// How many units.
    #[must_use]
    pub fn n_units(&self) -> usize {
        self.biases.len()
    }

    /// The weights of one unit.
    #[must_use]
    pub fn weights(&self, unit: usize) -> &[f64] {
        &self.weights[unit * self.n_inputs..(unit + 1) * self.n_inputs]
    }

    /// The bias of each unit.
    #[must_use]
    pub fn biases(&self) -> &[f64] {
        &self.biases
    }

    /// Writes `W y + b`.
    fn apply(&self, inputs: &[f64], outputs: &mut [f64]) {
        for (unit, place) in outputs.iter_mut().enumerate() {
            *place = self.biases[unit] + dot(self.weights(unit), inputs);
        }
    }

    /// How far its sums reach over inputs of a size, each of them wrong by an error.
    fn reach(&self, input: Reach) -> Reach {
        let row_sum = |unit: usize| self.weights(unit).iter().map(|weight| weight.abs()).sum::<f64>();
        let sums = (0..self.n_units()).map(|unit| (row_sum(unit), self.biases[unit].abs()));
        let (mut magnitude, mut error) = (0.0f64, 0.0f64);
        // Every product and addition, twice over; the last term covers products that underflow.
        let operations = 2.0 * (self.n_inputs as f64 + 4.0);
        for (weights, bias) in sums {
            let size = weights * (input.magnitude + input.error) + bias;
            magnitude = magnitude.max(size);
            error = error.max(weights * input.error + operations * (f64::EPSILON * size + f64::MIN_POSITIVE));
        }
        // The sums above are rounded themselves.
        Reach { magnitude: magnitude * 1.000_001, error: error * 1.000_001 }
    }
}

impl Network {
    /// A network from its layers, the first one's inputs being the columns.
    ///
    /// # Errors
    /// When there are no layers, neighbours do not fit together, or the number of scores is that of no model.
    pub fn new(layers: Vec<Layer>) -> Result<Self, ModelError> {
        let last = layers.last().ok_or(ModelError::ScoreCount { found: 0 })?;
        check_n_scores(last.n_units())?;
        for (place, pair) in layers.windows(2).enumerate() {
            let (expected, found) = (pair[0].n_units(), pair[1].n_inputs);
            if expected != found || expected == 0 {
                return Err(ModelError::LayerInputs { layer: place + 1, expected, found });
            }
        }
        let mut reach = Vec::with_capacity(layers.len());
        let mut input = Reach { magnitude: 1.0, error: 0.0 };
        for layer in &layers {
            input = layer.reach(input);
            reach.push(input);
        }
        if reach.iter().any(|reach| reach.magnitude.is_nan() || reach.magnitude > LARGEST) {
            return Err(ModelError::TooLarge);
        }
        Ok(Network { layers, reach })
    }

    /// The layers, the last of which gives the scores.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The number of units of the widest layer.
    #[must_use]
    pub fn width(&self) -> usize {
        self.layers.iter().map(Layer::n_units).max().expect("a network has layers")
    }

    /// How far each layer's sums reach over columns within [−1, 1]; over columns of size `v` > 1, `v` times as far.
    pub(crate) fn reach(&self) -> &[Reach] {
        &self.reach
    }

    /// A bound on the rounding error of any difference of two scores over columns no larger than `largest_value`.
    #[must_use]
    pub fn rounding_bound(&self, largest_value: f64) -> f64 {
        let last = self.reach[self.reach.len() - 1];
        2.0 * last.error * largest_value.max(1.0)
    }

    /// Writes the gradient of a combination of the scores, `∂ Σ_c a_c score_c / ∂x`, at one encoded person.
    ///
    /// A unit at exactly zero counts as off.
    pub fn gradient(&self, columns: &[f64], combination: &[f64], gradient: &mut [f64]) {
        let mut active: Vec<Vec<bool>> = Vec::with_capacity(self.layers.len());
        let mut values = columns.to_vec();
        for layer in &self.layers[..self.layers.len() - 1] {
            let mut sums = vec![0.0; layer.n_units()];
            layer.apply(&values, &mut sums);
            active.push(sums.iter().map(|&sum| sum > 0.0).collect());
            values = sums.iter().map(|&sum| rectified(sum)).collect();
        }
        let mut slopes = combination.to_vec();
        for (place, layer) in self.layers.iter().enumerate().rev() {
            let mut below = vec![0.0; layer.n_inputs];
            for (unit, slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
                for (share, weight) in below.iter_mut().zip(layer.weights(unit)) {
                    *share += slope * weight;
                }
            }
            if place > 0 {
                for (share, active) in below.iter_mut().zip(&active[place - 1]) {
                    *share = if *active { *share } else { 0.0 };
                }
            }
            slopes = below;
        }
        gradient.copy_from_slice(&slopes);
    }
}

/// `max(z, 0)`; what is not a number stays so.
fn rectified(sum: f64) -> f64 {
    if sum < 0.0 { 0.0 } else { sum }
}

impl Model for Network {
    fn n_columns(&self) -> usize {
        self.layers[0].n_inputs
    }

    fn n_scores(&self) -> usize {
        self.layers[self.layers.len() - 1].n_units()
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.scores_of_many(columns, scores);
    }

    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        let width = self.width();
        let (mut values, mut sums) = (vec![0.0; width], vec![0.0; width]);
        let (hidden, last) = self.layers.split_at(self.layers.len() - 1);
        let rows = people.chunks_exact(self.n_columns()).zip(scores.chunks_exact_mut(self.n_scores()));
        for (person, scores) in rows {
            let mut inputs = person;
            for layer in hidden {
                let sums = &mut sums[..layer.n_units()];
                layer.apply(inputs, sums);
                sums.iter_mut().for_each(|sum| *sum = rectified(*sum));
                values[..layer.n_units()].copy_from_slice(sums);
                inputs = &values[..layer.n_units()];
            }
            last[0].apply(inputs, scores);
        }
    }
}

/// What is written of a network.
#[derive(Clone, Serialize, Deserialize)]
struct NetworkParts {
    layers: Vec<Layer>,
}

impl TryFrom<NetworkParts> for Network {
    type Error = ModelError;

    fn try_from(parts: NetworkParts) -> Result<Self, ModelError> {
        let checked = parts.layers.into_iter().map(|layer| Layer::new(layer.n_inputs, layer.weights, layer.biases));
        Network::new(checked.collect::<Result<Vec<Layer>, ModelError>>()?)
    }
}

impl From<Network> for NetworkParts {
    fn from(network: Network) -> Self {
        NetworkParts { layers: network.layers }
    }
}
