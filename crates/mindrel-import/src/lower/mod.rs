//! From a pipeline to a classifier over the columns of a schema.

mod affine;
mod classes;
mod composed;
mod error;
mod lowered_trees;
mod matching;
mod raw_level;
mod threshold;

pub use classes::{ClassOrder, order_of, order_of_classes};
pub use error::LowerError;
pub use matching::match_inputs;

use mindrel::Schema;
use mindrel::model::{Classifier, Layer, LinearModel, Network};

use crate::pipeline::{DenseLayer, Pipeline, Predictor};
use matching::Matched;

/// The classifier a pipeline is, over the encoded columns of a schema.
///
/// ```text
/// classifier(encode(raw)) = predictor(steps(raw))
/// ```
///
/// The preprocessing becomes part of the classifier, and questions stay the raw columns: a category's features are
/// linear in its indicator columns, a number's are rescaled, and the split of a tree is moved to the encoded column.
///
/// # Numerics
/// Trees are the library's own, roundings included: a threshold on a rounded feature is found among all numbers by
/// bisection. What remains are answers within an ulp or two of a threshold, which the encoding of the question may
/// merge with it. Linear models and networks are lowered in double precision whatever the library computes in.
///
/// # Errors
/// Names the question that does not fit, and the remedy.
pub fn lower(pipeline: &Pipeline, schema: &Schema) -> Result<Classifier, LowerError> {
    let matched = Matched::new(pipeline, schema)?;
    let order = order_of_classes(pipeline, schema)?;
    match &pipeline.predictor {
        Predictor::Linear { weights, intercepts } => Ok(linear(&matched, weights, intercepts, &order)?.into()),
        Predictor::Network { layers } => Ok(network(&matched, layers, &order)?.into()),
        Predictor::Trees(trees) => lowered_trees::lower(&matched, trees, &order),
        Predictor::Gaussians { .. } => Err(LowerError::malformed("Gaussian likelihoods are not part of a composition")),
        Predictor::Composition(composed) => composed::lower(pipeline, composed, schema, &order),
    }
}

fn linear(
    matched: &Matched<'_>,
    weights: &[Vec<f64>],
    intercepts: &[f64],
    order: &ClassOrder,
) -> Result<LinearModel, LowerError> {
    let layer = DenseLayer { weights: weights.to_vec(), biases: intercepts.to_vec() };
    let (weights, intercepts) = affine::first_layer(matched, &order.of_layer(layer))?;
    Ok(LinearModel::new(matched.schema.n_columns(), weights, intercepts)?)
}

fn network(matched: &Matched<'_>, layers: &[DenseLayer], order: &ClassOrder) -> Result<Network, LowerError> {
    let (last, hidden) = layers.split_last().ok_or_else(|| LowerError::malformed("it has no layers"))?;
    let mut layers = hidden.to_vec();
    layers.push(order.of_layer(last.clone()));
    let (weights, biases) = affine::first_layer(matched, &layers[0])?;
    let mut lowered = vec![Layer::new(matched.schema.n_columns(), weights, biases)?];
    for layer in &layers[1..] {
        let n_inputs = layer.weights.first().map_or(0, Vec::len);
        lowered.push(Layer::new(n_inputs, layer.weights.concat(), layer.biases.clone())?);
    }
    Ok(Network::new(lowered)?)
}
