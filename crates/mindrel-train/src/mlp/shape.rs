//! Where each weight and bias stands in one flat list of parameters.

use std::ops::Range;

use mindrel::model::{Layer, ModelError, Network};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

/// The sizes of a network's layers. The parameters of a layer are the weights, unit after unit, and then the biases.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) layers: Vec<LayerShape>,
}

/// One layer of it.
#[derive(Debug, Clone)]
pub(crate) struct LayerShape {
    pub(crate) n_inputs: usize,
    pub(crate) n_units: usize,
    pub(crate) weights: Range<usize>,
    pub(crate) biases: Range<usize>,
}

impl Shape {
    pub(crate) fn new(n_columns: usize, hidden: &[usize], n_scores: usize) -> Self {
        let mut layers = Vec::with_capacity(hidden.len() + 1);
        let (mut n_inputs, mut start) = (n_columns, 0);
        for &n_units in hidden.iter().chain([&n_scores]) {
            let middle = start + n_units * n_inputs;
            let end = middle + n_units;
            layers.push(LayerShape { n_inputs, n_units, weights: start..middle, biases: middle..end });
            (n_inputs, start) = (n_units, end);
        }
        Shape { layers }
    }

    pub(crate) fn n_parameters(&self) -> usize {
        self.layers[self.layers.len() - 1].biases.end
    }

    /// How many columns and, of every layer, units there are.
    pub(crate) fn widths(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.layers[0].n_inputs).chain(self.layers.iter().map(|layer| layer.n_units))
    }

    /// Weights to start from, which keep the size of a signal from layer to layer [HZRS15, Eq. (10)].
    ///
    /// ```text
    /// w ~ N(0, 2 / n_inputs),   b = 0
    /// ```
    pub(crate) fn first_parameters(&self, random: &mut Pcg64Mcg) -> Vec<f64> {
        let mut parameters = vec![0.0; self.n_parameters()];
        for layer in &self.layers {
            let scale = (2.0 / layer.n_inputs as f64).sqrt();
            for weight in &mut parameters[layer.weights.clone()] {
                let normal: f64 = StandardNormal.sample(random);
                *weight = scale * normal;
            }
        }
        parameters
    }

    /// The network with these parameters.
    ///
    /// # Errors
    /// When they are not finite, or so large that scores could overflow.
    pub(crate) fn network(&self, parameters: &[f64]) -> Result<Network, ModelError> {
        let layer = |layer: &LayerShape| {
            let weights = parameters[layer.weights.clone()].to_vec();
            Layer::new(layer.n_inputs, weights, parameters[layer.biases.clone()].to_vec())
        };
        Network::new(self.layers.iter().map(layer).collect::<Result<Vec<Layer>, ModelError>>()?)
    }
}
