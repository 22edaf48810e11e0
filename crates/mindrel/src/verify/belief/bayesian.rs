//! What Bayesian neural networks predict, by plain sums over their units.

use super::{Conditional, Statement};
use crate::belief::{BayesianBelief, BayesianLayer, LN_VARIANCE_BOUNDS, Regressor, Regressors};
use crate::math::normal;
use crate::math::reveal::KNOWN_SHARE;
use crate::schema::{QuestionId, Visibility};

impl Statement<'_> {
    /// The open columns, as the network for what is known predicts them.
    pub(super) fn predicted(&self, belief: &BayesianBelief) -> Conditional {
        let schema = self.plan.schema();
        let open = self.open_columns();
        let sensitive: Vec<QuestionId> = schema.ids_with(Visibility::Sensitive).collect();
        let known: Vec<QuestionId> = sensitive.iter().copied().filter(|&id| self.is_known(id)).collect();
        let standard = |column: usize| (self.person[column] - belief.centre()[column]) / belief.scale()[column];
        let (regressor, inputs, targets): (&Regressor, Vec<f64>, Vec<usize>) = match belief.regressors() {
            Regressors::Amortised(regressor) => {
                let value = |column: usize| if open.contains(&column) { 0.0 } else { standard(column) };
                let values = (0..schema.n_columns()).map(value);
                let flags = sensitive.iter().map(|&id| f64::from(u8::from(self.is_known(id))));
                let all: Vec<usize> = sensitive.iter().flat_map(|&id| schema.columns(id)).collect();
                let targets = (0..all.len()).filter(|&target| open.contains(&all[target])).collect();
                (regressor, values.chain(flags).collect(), targets)
            }
            Regressors::PerSet(regressors) => {
                let bits = sensitive.iter().enumerate().filter(|(_, id)| self.is_known(**id));
                let set = bits.fold(0, |set, (bit, _)| set | 1usize << bit);
                let read = schema.ids_with(Visibility::Public).chain(known).flat_map(|id| schema.columns(id));
                (&regressors[set], read.map(standard).collect(), (0..open.len()).collect())
            }
        };
        let outputs = PredictedOutputs::of(regressor, &inputs);
        let scale = |row: usize| belief.scale()[open[row]];
        let mean = |(row, &target): (usize, &usize)| belief.centre()[open[row]] + scale(row) * outputs.mean(target);
        let covariance =
            |row: usize, column: usize| outputs.covariance(targets[row], targets[column]) * scale(row) * scale(column);
        let size = open.len();
        Conditional {
            mean: targets.iter().enumerate().map(mean).collect(),
            covariance: (0..size).map(|row| (0..size).map(|column| covariance(row, column)).collect()).collect(),
            zero: (0..size).map(|row| KNOWN_SHARE * scale(row) * scale(row)).collect(),
            columns: open,
        }
    }
}

/// A network at some inputs: what is expected of each hidden unit and of its square.
struct PredictedOutputs<'a> {
    regressor: &'a Regressor,
    expected: Vec<f64>,
    squares: Vec<f64>,
}

impl<'a> PredictedOutputs<'a> {
    fn of(regressor: &'a Regressor, inputs: &[f64]) -> Self {
        let hidden = regressor.hidden();
        let (mut expected, mut squares) = (Vec::new(), Vec::new());
        for unit in 0..hidden.n_units() {
            let (mean, variance) = sum_moments(hidden, unit, inputs, &vec![0.0; inputs.len()]);
            let (first, second) = rectified(mean, variance.sqrt());
            expected.push(first);
            squares.push(second);
        }
        PredictedOutputs { regressor, expected, squares }
    }

    /// Mean and variance of an output over the weights.
    fn moments(&self, output: usize) -> (f64, f64) {
        let pairs = self.expected.iter().zip(&self.squares);
        let variances: Vec<f64> = pairs.map(|(first, second)| (second - first * first).max(0.0)).collect();
        sum_moments(self.regressor.output(), output, &self.expected, &variances)
    }

    fn mean(&self, target: usize) -> f64 {
        self.moments(target).0
    }

    /// The deviation of a target's noise.
    fn noise(&self, target: usize) -> f64 {
        let (mean, variance) = self.moments(self.regressor.n_targets() + target);
        let (lowest, highest) = LN_VARIANCE_BOUNDS;
        (0.5 * (mean + 0.5 * variance).clamp(lowest, highest)).exp()
    }

    fn covariance(&self, left: usize, right: usize) -> f64 {
        let n_targets = self.regressor.n_targets();
        let noise = self.regressor.residual()[left * n_targets + right] * self.noise(left) * self.noise(right);
        if left == right {
            return noise + self.moments(left).1;
        }
        let output = self.regressor.output();
        let n_hidden = output.n_inputs();
        let weight = |target: usize, unit: usize| output.weights().means[target * n_hidden + unit];
        let shared = (0..n_hidden).map(|unit| {
            let variance = (self.squares[unit] - self.expected[unit] * self.expected[unit]).max(0.0);
            weight(left, unit) * weight(right, unit) * variance
        });
        noise + shared.sum::<f64>()
    }
}

/// Mean and variance of `b + Σ_j w_j x_j`, all of them independent, with `x_j` of some mean and variance.
fn sum_moments(layer: &BayesianLayer, unit: usize, means: &[f64], variances: &[f64]) -> (f64, f64) {
    let (weights, biases) = (layer.weights(), layer.biases());
    let mut mean = biases.means[unit];
    let mut variance = biases.deviations[unit].powi(2);
    for (input, (value, spread)) in means.iter().zip(variances).enumerate() {
        let place = unit * layer.n_inputs() + input;
        let (weight, deviation) = (weights.means[place], weights.deviations[place]);
        mean += weight * value;
        variance += deviation.powi(2) * (value * value + spread) + weight * weight * spread;
    }
    (mean, variance)
}

/// `E[r]` and `E[r²]` of `r = max(z, 0)`, `z ~ N(mean, deviation²)`:
///
/// ```text
/// E[r] = m Φ(m/s) + s φ(m/s),     E[r²] = (m² + s²) Φ(m/s) + m s φ(m/s)
/// ```
fn rectified(mean: f64, deviation: f64) -> (f64, f64) {
    if deviation == 0.0 {
        return (mean.max(0.0), mean.max(0.0).powi(2));
    }
    let (on, height) = (normal::cdf(mean / deviation), normal::density(mean / deviation));
    let first = mean * on + deviation * height;
    let second = (mean * mean + deviation * deviation) * on + mean * deviation * height;
    (first.max(0.0), second.max(0.0))
}
