//! ReLU networks: fully connected layers of any number and width [TF23, §6].

use serde::{Deserialize, Serialize};

use super::{Model, ModelError, check_n_scores};
use crate::checked::read_by_new;
use crate::math::LARGEST;
use crate::math::vector::dot;

/// Scores through layers of rectified linear units.
///
/// ```text
/// y_0 = x,   z_l = W_l y_{l−1} + b_l,   y_l = max(z_l, 0) for every layer but the last,   scores = z_last
/// ```
///
/// A binary network has one score, a network of three or more classes one for each. The paper's has two hidden layers
/// of 10
/// [TF23, App. D].
///
/// # Numerics
/// Scores are plain sums, always in the same order; [`rounding_bound`](Network::rounding_bound) says how far they can
/// be from the exact ones, and a proof keeps that distance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "NetworkParts")]
pub struct Network {
    layers: Vec<Layer>,
    /// For every layer, the most its `z` can be in size, and be wrong by, while every column stays within [−1, 1].
    #[serde(skip_serializing)]
    reach: Vec<LayerReach>,
}

/// One layer: a row of weights and a bias for each unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LayerParts")]
pub struct Layer {
    n_inputs: usize,
    /// Row of a unit: its weight on each input.
    weights: Vec<f64>,
    biases: Vec<f64>,
}

/// How large the sums of a layer can get, and how far rounding can move them, over columns within [−1, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LayerReach {
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
    fn reach(&self, input: LayerReach) -> LayerReach {
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
        LayerReach { magnitude: magnitude * 1.000_001, error: error * 1.000_001 }
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
        if layers[0].n_inputs == 0 {
            return Err(ModelError::NoInputs);
        }
        for (place, pair) in layers.windows(2).enumerate() {
            let (expected, found) = (pair[0].n_units(), pair[1].n_inputs);
            if expected != found || expected == 0 {
                return Err(ModelError::LayerInputs { layer: place + 1, expected, found });
            }
        }
        let mut reach = Vec::with_capacity(layers.len());
        let mut input = LayerReach { magnitude: 1.0, error: 0.0 };
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
    pub(crate) fn reach(&self) -> &[LayerReach] {
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

read_by_new!(Layer from LayerParts { n_inputs: usize, weights: Vec<f64>, biases: Vec<f64> } or ModelError);
read_by_new!(Network from NetworkParts { layers: Vec<Layer> } or ModelError);

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::Ratio;
    use proptest::prelude::*;

    use super::*;

    type Rational = Ratio<BigInt>;

    fn rational(value: f64) -> Rational {
        Rational::from_float(value).expect("finite")
    }

    /// The sums of every layer, unrounded, and the size of each: the sum of the sizes of all terms.
    fn exact_sums(network: &Network, person: &[f64]) -> Vec<Vec<(Rational, Rational)>> {
        let zero = || rational(0.0);
        let mut inputs: Vec<(Rational, Rational)> =
            person.iter().map(|&value| (rational(value), rational(value.abs()))).collect();
        let mut all = Vec::new();
        for layer in &network.layers {
            let sum = |unit: usize| {
                let bias = layer.biases[unit];
                let terms = layer.weights(unit).iter().zip(&inputs);
                terms.fold((rational(bias), rational(bias.abs())), |(sum, size), (&weight, (value, largest))| {
                    (sum + rational(weight) * value, size + rational(weight.abs()) * largest)
                })
            };
            let sums: Vec<(Rational, Rational)> = (0..layer.n_units()).map(sum).collect();
            let rectified = |(sum, size): &(Rational, Rational)| (sum.clone().max(zero()), size.clone());
            inputs = sums.iter().map(rectified).collect();
            all.push(sums);
        }
        all
    }

    fn network(widths: &[usize]) -> impl Strategy<Value = Network> + use<> {
        // Numbers with full mantissas of very different sizes: sums of them are rounded, and cancel.
        let number = || (-1.0f64..1.0, -20i32..20).prop_map(|(value, power)| value * f64::from(power).exp2());
        let layers: Vec<_> = widths
            .windows(2)
            .map(|pair| {
                let (n_inputs, n_units) = (pair[0], pair[1]);
                let numbers = |count: usize| prop::collection::vec(number(), count);
                (numbers(n_inputs * n_units), numbers(n_units))
                    .prop_map(move |(weights, biases)| Layer::new(n_inputs, weights, biases).expect("sound"))
            })
            .collect();
        layers.prop_map(|layers| Network::new(layers).expect("sound"))
    }

    proptest! {
        /// Against rational arithmetic: no sum of a layer is larger than its reach, no computed score further off than
        /// its error, and no difference of two further than the bound; over columns larger than 1, in proportion.
        #[test]
        fn scores_are_no_further_off_than_the_rounding_bound(
            network in prop_oneof![network(&[3, 1]), network(&[4, 5, 3]), network(&[2, 6, 5, 1]), network(&[3, 4, 4, 3, 4])],
            person in prop::collection::vec(-1.0f64..1.0, 4),
            factor in prop::sample::select(vec![1.0, 1.0, 37.5, 1e9]),
        ) {
            let person: Vec<f64> = person[..network.n_columns()].iter().map(|value| factor * value).collect();
            let exact = exact_sums(&network, &person);
            for (sums, reach) in exact.iter().zip(&network.reach) {
                let reach = rational(reach.magnitude * factor);
                prop_assert!(sums.iter().all(|(_, size)| *size <= reach));
            }
            let mut scores = vec![0.0; network.n_scores()];
            network.scores(&person, &mut scores);
            let error = rational(network.reach[network.reach.len() - 1].error * factor);
            let off = |(computed, (exact, _)): (&f64, &(Rational, Rational))| rational(*computed) - exact;
            let off: Vec<Rational> = scores.iter().zip(&exact[exact.len() - 1]).map(off).collect();
            prop_assert!(off.iter().all(|off| *off <= error && -off <= error));
            let bound = rational(network.rounding_bound(factor));
            prop_assert!(off.iter().all(|left| off.iter().all(|right| left - right <= bound)));
        }
    }

    /// max(x, 0) at x = 0 has the slope 0, and what is off gets none.
    #[test]
    fn a_unit_at_zero_counts_as_off() {
        let first = Layer::new(1, vec![1.0], vec![0.0]).unwrap();
        let network = Network::new(vec![first, Layer::new(1, vec![3.0], vec![1.0]).unwrap()]).unwrap();
        let slope = |value: f64| {
            let mut gradient = [f64::NAN];
            network.gradient(&[value], &[2.0], &mut gradient);
            gradient[0]
        };
        assert_eq!((slope(0.5), slope(0.0), slope(-0.5)), (6.0, 0.0, 0.0));
    }

    /// Two units by hand, max(x − y, 0) and max(−x, 0), and the scores they make.
    #[test]
    fn scores_are_those_worked_out_by_hand() {
        let hidden = Layer::new(2, vec![1.0, -1.0, -1.0, 0.0], vec![0.0, 0.0]).unwrap();
        let last = Layer::new(2, vec![2.0, 0.0, 0.0, 1.0, -1.0, 1.0], vec![0.0, 0.5, 0.25]).unwrap();
        let network = Network::new(vec![hidden, last]).unwrap();
        let mut scores = [0.0; 6];
        network.scores_of_many(&[0.5, -0.25, -0.5, 0.5], &mut scores);
        assert_eq!(scores, [1.5, 0.5, -0.5, 0.0, 1.0, 0.75]);
        assert_eq!((network.n_columns(), network.n_scores(), network.width()), (2, 3, 3));
        assert_eq!(network.label(&[0.5, -0.25]), crate::Label::new(0));
        assert_eq!(network.label(&[-0.5, 0.5]), crate::Label::new(1));
    }
}
