//! The families of classifiers a plan can hold.

use serde::{Deserialize, Serialize};

use super::{BlackBox, LinearModel, Model, Network, TreeEnsemble, label_of_scores};
use crate::Label;

/// A classifier of one of the families whose decisions can be proved, or one that can only be run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "lowercase")]
pub enum Classifier {
    /// Scores that are linear in the columns.
    Linear(LinearModel),
    /// Scores through layers of rectified linear units.
    Network(Network),
    /// Sums or votes of decision trees.
    Trees(TreeEnsemble),
    /// Scores of something that can only be run.
    #[serde(rename = "black-box")]
    BlackBox(BlackBox),
}

impl Classifier {
    /// The linear model, if it is one.
    #[must_use]
    pub fn linear(&self) -> Option<&LinearModel> {
        match self {
            Classifier::Linear(model) => Some(model),
            _ => None,
        }
    }

    /// The network, if it is one.
    #[must_use]
    pub fn network(&self) -> Option<&Network> {
        match self {
            Classifier::Network(network) => Some(network),
            _ => None,
        }
    }

    /// The trees, if it is an ensemble of them.
    #[must_use]
    pub fn trees(&self) -> Option<&TreeEnsemble> {
        match self {
            Classifier::Trees(trees) => Some(trees),
            _ => None,
        }
    }

    /// The black box, if it is one.
    #[must_use]
    pub fn black_box(&self) -> Option<&BlackBox> {
        match self {
            Classifier::BlackBox(black_box) => Some(black_box),
            _ => None,
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
            Classifier::Trees(trees) if trees.n_trees() == 1 => "decision tree".to_owned(),
            Classifier::Trees(trees) => format!("ensemble of {} trees", trees.n_trees()),
            Classifier::BlackBox(black_box) => format!("black box ({})", black_box.parts().format),
        }
    }

    /// The labels of several encoded people, person after person; a black box is run once for all of them.
    #[must_use]
    pub fn labels_of_many(&self, people: &[f64]) -> Vec<Label> {
        let persons = people.chunks_exact(self.n_columns());
        if !matches!(self, Classifier::BlackBox(_)) {
            return persons.map(|person| self.label(person)).collect();
        }
        let mut scores = vec![0.0; persons.len() * self.n_scores()];
        self.scores_of_many(people, &mut scores);
        scores.chunks_exact(self.n_scores()).map(label_of_scores).collect()
    }

    fn model(&self) -> &dyn Model {
        match self {
            Classifier::Linear(model) => model,
            Classifier::Network(network) => network,
            Classifier::Trees(trees) => trees,
            Classifier::BlackBox(black_box) => black_box,
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

impl From<TreeEnsemble> for Classifier {
    fn from(trees: TreeEnsemble) -> Self {
        Classifier::Trees(trees)
    }
}

impl From<BlackBox> for Classifier {
    fn from(black_box: BlackBox) -> Self {
        Classifier::BlackBox(black_box)
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
