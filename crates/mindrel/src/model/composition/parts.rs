//! What is written of a composition.

use serde::{Deserialize, Serialize};

use crate::model::{LinearModel, Model, Network, QuadraticModel, TreeEnsemble};

/// What is written of a [`Composition`](super::Composition).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompositionParts {
    /// How many columns an encoded person has.
    pub n_columns: usize,
    /// The models over the columns whose scores are composed.
    pub models: Vec<PartModel>,
    /// Functions of the scores and of each other, each of earlier ones only.
    pub values: Vec<ComposedValue>,
    /// The place of each class's value.
    pub outputs: Vec<usize>,
    /// The classes in the order in which they win ties.
    pub tie_order: Vec<usize>,
}

/// A model that is part of a composition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "lowercase")]
pub enum PartModel {
    /// Scores that are linear in the columns.
    Linear(LinearModel),
    /// Scores that are a sum of quadratic functions of the columns.
    Quadratic(QuadraticModel),
    /// Scores through layers of rectified linear units.
    Network(Network),
    /// Sums or votes of decision trees.
    Trees(TreeEnsemble),
}

impl PartModel {
    /// It, as a model.
    #[must_use]
    pub fn model(&self) -> &dyn Model {
        match self {
            PartModel::Linear(model) => model,
            PartModel::Quadratic(model) => model,
            PartModel::Network(model) => model,
            PartModel::Trees(model) => model,
        }
    }

    /// Whether it is known that a column does not enter its scores.
    #[must_use]
    pub fn ignores(&self, column: usize) -> bool {
        match self {
            PartModel::Linear(model) => (0..model.n_scores()).all(|score| model.weights(score)[column] == 0.0),
            PartModel::Quadratic(model) => (0..model.n_scores())
                .all(|score| model.weights(score)[column] == 0.0 && model.squares(score)[column] == 0.0),
            PartModel::Network(network) => {
                let first = &network.layers()[0];
                (0..first.n_units()).all(|unit| first.weights(unit)[column] == 0.0)
            }
            PartModel::Trees(trees) => !trees.splits_on(column),
        }
    }

    /// How many weights and intercepts it has, or nodes of trees.
    #[must_use]
    pub fn n_parameters(&self) -> usize {
        match self {
            PartModel::Linear(model) => model.n_scores() * (model.n_columns() + 1),
            PartModel::Quadratic(model) => model.n_scores() * (2 * model.n_columns() + 1),
            PartModel::Network(network) => {
                network.layers().iter().map(|layer| layer.n_units() * (layer.n_inputs() + 1)).sum()
            }
            PartModel::Trees(trees) => trees.n_nodes(),
        }
    }
}

/// A number made of earlier ones, which are known by their places among the values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ComposedValue {
    /// A score of one of the models.
    Score {
        /// The model.
        model: usize,
        /// Which of its scores.
        score: usize,
    },
    /// `(start + Σ weight · value) / divisor`, added up in order.
    Sum {
        /// What the sum starts from.
        start: f64,
        /// Values and their weights.
        terms: Vec<(usize, f64)>,
        /// What the sum is divided by.
        divisor: f64,
    },
    /// `1 / (1 + e^(−value))`.
    Sigmoid {
        /// The value.
        of: usize,
    },
    /// A function that never falls, given by its corners: lines between them, and constant beyond the first and last.
    Table {
        /// The value.
        of: usize,
        /// Where the corners are, in ascending order.
        at: Vec<f64>,
        /// How high the corners are, never lower than the one before.
        heights: Vec<f64>,
    },
    /// `e^(value of the class) / Σ e^(values)`.
    Softmax {
        /// A value for each class.
        of: Vec<usize>,
        /// The class, by its place among them.
        class: usize,
    },
    /// `value of the class / Σ values`, all of which are at least zero; an equal share for each if all are zero.
    Share {
        /// A value for each class.
        of: Vec<usize>,
        /// The class, by its place among them.
        class: usize,
    },
    /// 1 if the value is at least a bound, else 0.
    AtLeast {
        /// The value.
        of: usize,
        /// The bound.
        bound: f64,
    },
    /// 1 if the value of the class is the largest, the first of equals; else 0.
    Largest {
        /// A value for each class.
        of: Vec<usize>,
        /// The class, by its place among them.
        class: usize,
    },
    /// `value / (3 (|value| + 1))`, by which one-against-one voting breaks ties.
    Confidence {
        /// The value.
        of: usize,
    },
    /// The value in single precision.
    Single {
        /// The value.
        of: usize,
    },
    /// A score of trees over values.
    Trees {
        /// The values, which are the columns of the trees.
        of: Vec<usize>,
        /// The trees; each split compares one value with a threshold.
        ensemble: TreeEnsemble,
        /// Which of its scores.
        score: usize,
    },
}

impl ComposedValue {
    /// The places of the values it is made of.
    #[must_use]
    pub fn operands(&self) -> Vec<usize> {
        match self {
            ComposedValue::Score { .. } => Vec::new(),
            ComposedValue::Sum { terms, .. } => terms.iter().map(|(place, _)| *place).collect(),
            ComposedValue::Sigmoid { of }
            | ComposedValue::Table { of, .. }
            | ComposedValue::AtLeast { of, .. }
            | ComposedValue::Confidence { of }
            | ComposedValue::Single { of } => vec![*of],
            ComposedValue::Softmax { of, .. }
            | ComposedValue::Share { of, .. }
            | ComposedValue::Largest { of, .. }
            | ComposedValue::Trees { of, .. } => of.clone(),
        }
    }
}
