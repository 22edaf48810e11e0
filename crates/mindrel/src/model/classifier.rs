//! The families of classifiers a plan can hold.

use serde::{Deserialize, Serialize};

use super::{LinearModel, Model, Network};
use crate::Label;

/// A classifier of one of the families whose decisions can be proved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "lowercase")]
pub enum Classifier {
    /// Scores that are linear in the columns.
    Linear(LinearModel),
    /// Scores through layers of rectified linear units.
    Network(Network),
}

impl Classifier {
    /// The linear model, if it is one.
    #[must_use]
    pub fn linear(&self) -> Option<&LinearModel> {
        match self {
            Classifier::Linear(model) => Some(model),
            Classifier::Network(_) => None,
        }
    }

    /// The network, if it is one.
    #[must_use]
    pub fn network(&self) -> Option<&Network> {
        match self {
            Classifier::Linear(_) => None,
            Classifier::Network(network) => Some(network),
        }
    }

    /// What it is called in a sentence.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Classifier::Linear(_) => "linear model".to_owned(),
            Classifier::Network(network) => {
                let (_, hidden) = network.layers().split_last().expect("a network has layers");
                if hidden.is_empty() {
                    return "network without hidden layers".to_owned();
                }
                let widths: Vec<String> = hidden.iter().map(|layer| layer.n_units().to_string()).collect();
                format!("ReLU network with hidden layers of {}", widths.join(", "))
            }
        }
    }

    fn model(&self) -> &dyn Model {
        match self {
            Classifier::Linear(model) => model,
            Classifier::Network(network) => network,
        }
    }
}

impl From<LinearModel> for Classifier {
    fn from(model: LinearModel) -> Self {
        Classifier::Linear(model)
    }
}

impl From<Network> for Classifier {
    fn from(network: Network) -> Self {
        Classifier::Network(network)
    }
}

impl Model for Classifier {
    fn n_columns(&self) -> usize {
        self.model().n_columns()
    }

    fn n_scores(&self) -> usize {
        self.model().n_scores()
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.model().scores(columns, scores);
    }

    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        self.model().scores_of_many(people, scores);
    }

    fn label(&self, columns: &[f64]) -> Label {
        self.model().label(columns)
    }
}
