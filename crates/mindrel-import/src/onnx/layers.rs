//! Operators of networks: matrices, sums and rectifiers.

use super::features::FeatureArithmetic;
use super::graph_value::{Features, Layers};
use super::tensor::Tensor;
use crate::pipeline::{DenseLayer, Feature};

/// More weights than this in one layer are no model of a table.
const MOST_WEIGHTS: usize = 50_000_000;

impl Layers {
    /// Features times a matrix.
    pub fn first(features: &Features, weights: &Tensor, transposed: bool) -> Option<Layers> {
        let features = features.as_single().or_else(|| features.cast(11))?;
        let layer = dense(weights, features.columns.len(), transposed)?;
        Some(Layers { features: features.columns, layers: vec![layer], rectified: false })
    }

    /// Times another matrix: a further layer after a rectifier, otherwise the same layer with multiplied weights.
    pub fn multiply(&self, weights: &Tensor, transposed: bool) -> Option<Layers> {
        let mut result = self.clone();
        let next = dense(weights, self.n_units(), transposed)?;
        if self.rectified {
            result.layers.push(next);
        } else {
            let last = result.layers.last_mut()?;
            *last = compose(&next, last)?;
        }
        result.rectified = false;
        Some(result)
    }

    pub fn n_units(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.biases.len())
    }

    pub fn rectify(&self) -> Layers {
        Layers { rectified: true, ..self.clone() }
    }

    /// Each unit moved or scaled by its constant.
    pub fn arithmetic(&self, operation: FeatureArithmetic, constants: &Tensor) -> Option<Layers> {
        (!self.rectified).then_some(())?;
        let values = constants.spread(self.n_units())?;
        let mut result = self.clone();
        let last = result.layers.last_mut()?;
        for ((value, bias), row) in values.iter().zip(&mut last.biases).zip(&mut last.weights) {
            match operation {
                FeatureArithmetic::Add => *bias += value,
                FeatureArithmetic::Subtract => *bias -= value,
                FeatureArithmetic::Multiply => row.iter_mut().chain([bias]).for_each(|weight| *weight *= value),
                FeatureArithmetic::Divide => row.iter_mut().chain([bias]).for_each(|weight| *weight /= value),
            }
        }
        Some(result)
    }

    /// Everything with the other sign.
    pub fn negated(&self) -> Option<Layers> {
        self.arithmetic(FeatureArithmetic::Multiply, &Tensor { dims: vec![], values: vec![-1.0], single: true })
    }

    /// The features, and the layers with two scores made one: the difference of the second and the first.
    pub fn scores(&self) -> Option<(Vec<Feature>, Vec<DenseLayer>)> {
        (!self.rectified).then_some(())?;
        let mut layers = self.layers.clone();
        let last = layers.last_mut()?;
        if let ([first, second], [first_bias, second_bias]) = (&last.weights[..], &last.biases[..]) {
            let weights = second.iter().zip(first).map(|(second, first)| second - first).collect();
            *last = DenseLayer { weights: vec![weights], biases: vec![second_bias - first_bias] };
        }
        Some((self.features.clone(), layers))
    }
}

/// The rows of a matrix as units: its columns, unless it is transposed already.
fn dense(weights: &Tensor, n_inputs: usize, transposed: bool) -> Option<DenseLayer> {
    let (rows, columns) = weights.matrix()?;
    let (found, n_units) = if transposed { (columns, rows) } else { (rows, columns) };
    (found == n_inputs && n_units > 0 && n_inputs > 0).then_some(())?;
    let place = |unit: usize, input: usize| if transposed { unit * columns + input } else { input * columns + unit };
    let row = |unit: usize| (0..n_inputs).map(|input| weights.values[place(unit, input)]).collect();
    Some(DenseLayer { weights: (0..n_units).map(row).collect(), biases: vec![0.0; n_units] })
}

/// `W₂ (W₁ x + b₁) + b₂` as one layer.
fn compose(outer: &DenseLayer, inner: &DenseLayer) -> Option<DenseLayer> {
    let n_inputs = inner.weights.first()?.len();
    let product = outer.biases.len().checked_mul(n_inputs)?;
    (product <= MOST_WEIGHTS && product.checked_mul(inner.biases.len())? <= 20 * MOST_WEIGHTS).then_some(())?;
    let mut result =
        DenseLayer { weights: vec![vec![0.0; n_inputs]; outer.biases.len()], biases: outer.biases.clone() };
    for ((row, bias), factors) in result.weights.iter_mut().zip(&mut result.biases).zip(&outer.weights) {
        for ((factor, inner_row), inner_bias) in factors.iter().zip(&inner.weights).zip(&inner.biases) {
            *bias += factor * inner_bias;
            row.iter_mut().zip(inner_row).for_each(|(place, weight)| *place += factor * weight);
        }
    }
    Some(result)
}
