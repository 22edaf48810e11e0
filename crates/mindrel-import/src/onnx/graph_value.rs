//! What is known of a tensor of the graph.

use super::tensor::Tensor;
use crate::pipeline::{DenseLayer, Feature, Predictor};

/// What the numbers of features are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Single,
    Double,
    Integer,
    Text,
}

/// Features, one for each column of a tensor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Features {
    pub columns: Vec<Feature>,
    pub element: Element,
}

/// Layers over features. The last one is rectified, or still open to be scaled, moved and multiplied.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layers {
    pub features: Vec<Feature>,
    pub layers: Vec<DenseLayer>,
    pub rectified: bool,
}

/// A classifier's output.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClassifierOutput {
    pub features: Vec<Feature>,
    pub predictor: Predictor,
    pub form: OutputForm,
}

/// What an output says of the scores behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// One number for each class, the larger the likelier.
    Classes,
    /// The probability of the second of two classes, or of the first.
    One { second: bool },
    /// The class itself, or its place.
    Label,
}

/// What is known of a tensor.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum GraphValue {
    Constant(Tensor),
    Features(Features),
    Layers(Layers),
    Output(ClassifierOutput),
    /// Nothing is known: the operator that computed it, and its place in the graph.
    Unknown {
        operator: String,
        place: String,
    },
}

impl GraphValue {
    /// How much it holds, in numbers and steps.
    pub fn size(&self) -> usize {
        let features = |features: &[Feature]| features.iter().map(|feature| 1 + feature.steps.len()).sum::<usize>();
        let layers =
            |layers: &[DenseLayer]| layers.iter().flat_map(|layer| &layer.weights).map(Vec::len).sum::<usize>();
        match self {
            GraphValue::Constant(tensor) => tensor.values.len(),
            GraphValue::Features(columns) => features(&columns.columns),
            GraphValue::Layers(network) => features(&network.features) + layers(&network.layers),
            GraphValue::Output(output) => {
                features(&output.features)
                    + match &output.predictor {
                        Predictor::Linear { weights, .. } => weights.iter().map(Vec::len).sum(),
                        Predictor::Network { layers: network } => layers(network),
                        Predictor::Trees(trees) => {
                            trees.trees.iter().map(|tree| tree.nodes.len() * trees.n_outputs).sum()
                        }
                        // No graph is read as one of these.
                        Predictor::Gaussians { .. } | Predictor::Composition(_) => 0,
                    }
            }
            GraphValue::Unknown { .. } => 1,
        }
    }
}
