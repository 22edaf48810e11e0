//! Several predictors, and what is made of their scores.

use mindrel::model::ComposedValue;
use serde::{Deserialize, Serialize};

use super::{Feature, Predictor};

/// Functions of the scores of several predictors over the same inputs. Fields as in
/// `mindrel::model::CompositionParts`, but for the predictors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawComposition {
    /// The predictors, each over features of its own.
    pub predictors: Vec<ComposedPredictor>,
    /// Functions of the scores and of each other.
    pub values: Vec<ComposedValue>,
    /// The place of each class's value, in the model's order.
    pub outputs: Vec<usize>,
    /// The classes in the order in which they win ties.
    pub tie_order: Vec<usize>,
}

/// One of several predictors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComposedPredictor {
    /// Its inputs.
    pub features: Vec<Feature>,
    /// What gives the scores; not composed itself.
    pub predictor: Predictor,
}
