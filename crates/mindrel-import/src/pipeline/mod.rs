//! What a library's model does to the raw columns of a table.

mod composed;
mod cut;
mod feature;
mod raw_trees;
mod sums;

pub use composed::{ComposedPredictor, RawComposition};
pub(crate) use cut::link_of_votes;
pub use cut::{Cut, CutError, ProbabilityLink, Response};
pub use feature::{Category, Feature, FeatureStep, Levels};
pub use raw_trees::{RawCondition, RawNode, RawTree, RawTrees};

use serde::{Deserialize, Serialize};

/// A trained model with the preprocessing in front of it.
///
/// ```text
/// features_k = steps_k(inputs_{input_k}),    outputs = predictor(features)
/// ```
///
/// Scalers and encoders become features, each of which depends on one input. Only the predictor mixes inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// The raw columns, in the model's order.
    pub inputs: Vec<RawInput>,
    /// The inputs of the predictor.
    pub features: Vec<Feature>,
    /// The classifier behind.
    pub predictor: Predictor,
    /// The names of the classes, in the model's order, if any; a positive score means the second of two classes.
    #[serde(default)]
    pub classes: Option<Vec<String>>,
    /// How the probability of the second of two classes follows from the score, where that is known.
    #[serde(default)]
    pub probability: Option<ProbabilityLink>,
}

impl Pipeline {
    /// Whether the predictor itself says what becomes of missing values, and the steps of a feature leave them to it.
    #[must_use]
    pub fn takes_missing(&self, feature: &Feature) -> bool {
        matches!(self.predictor, Predictor::Trees(_) | Predictor::Composition(_)) && feature.leaves_missing()
    }
}

/// A raw column.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawInput {
    /// Its name; without names, inputs are the table's columns in order, without the label.
    #[serde(default)]
    pub name: Option<String>,
    /// The levels the model knows; `None` if the column is not a category.
    #[serde(default)]
    pub levels: Option<Levels>,
}

/// What turns features into scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "lowercase", deny_unknown_fields)]
pub enum Predictor {
    /// One score, or one for each of three and more classes, linear in the features.
    Linear {
        /// For each score, a weight for each feature.
        weights: Vec<Vec<f64>>,
        /// For each score.
        intercepts: Vec<f64>,
    },
    /// Layers of rectified linear units; the last one is not rectified.
    Network {
        /// From the features up.
        layers: Vec<DenseLayer>,
    },
    /// A sum or a vote of trees.
    Trees(RawTrees),
    /// Logarithms of likelihoods that are Gaussian in each feature, as naive Bayes makes them; only as part of a
    /// composition.
    Gaussians {
        /// For each score, the mean of each feature.
        means: Vec<Vec<f64>>,
        /// For each score, the variance of each feature.
        variances: Vec<Vec<f64>>,
        /// For each score, what is added: `score = intercept − Σ (feature − mean)² / (2 variance)`. Of two, the
        /// second less the first is the one score.
        intercepts: Vec<f64>,
    },
    /// Functions of the scores of several predictors.
    Composition(RawComposition),
}

impl Pipeline {
    /// The features of its predictor, or of all predictors it is composed of.
    pub fn all_features(&self) -> impl Iterator<Item = &Feature> {
        let composed = match &self.predictor {
            Predictor::Composition(composed) => &composed.predictors[..],
            _ => &[],
        };
        self.features.iter().chain(composed.iter().flat_map(|part| &part.features))
    }
}

impl Predictor {
    /// How many scores it has; of two classes, two where each has a sum of its own.
    #[must_use]
    pub fn n_scores(&self) -> usize {
        match self {
            Predictor::Linear { intercepts, .. } | Predictor::Gaussians { intercepts, .. } => intercepts.len(),
            Predictor::Network { layers } => layers.last().map_or(0, |layer| layer.biases.len()),
            Predictor::Trees(trees) => trees.n_outputs,
            Predictor::Composition(composed) => composed.outputs.len(),
        }
    }
}

/// A fully connected layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DenseLayer {
    /// For each unit, a weight for each input.
    pub weights: Vec<Vec<f64>>,
    /// For each unit.
    pub biases: Vec<f64>,
}
