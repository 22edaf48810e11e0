//! The families of classifiers a plan can hold.

use serde::{Deserialize, Serialize};

use super::{BlackBox, Composition, LinearModel, Model, Network, PartModel, TreeEnsemble};
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
    /// Functions of the scores of several models.
    Composition(Composition),
    /// Scores of something that can only be run.
    #[serde(rename = "black-box")]
    BlackBox(BlackBox),
}

/// How the decisions of a family of classifiers can be proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProvedBy {
    /// By adding up: exactly, and at once.
    Sums,
    /// By bounding and branching, within a budget.
    Search,
    /// Not at all.
    Nothing,
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

    /// How its decisions can be proved.
    #[must_use]
    pub fn proved_by(&self) -> ProvedBy {
        match self {
            Classifier::Linear(_) => ProvedBy::Sums,
            Classifier::Network(_) | Classifier::Trees(_) | Classifier::Composition(_) => ProvedBy::Search,
            Classifier::BlackBox(_) => ProvedBy::Nothing,
        }
    }

    /// How a proof of one of its decisions is found, in a few words; `None` for a black box.
    #[must_use]
    pub fn proof_in_words(&self) -> Option<&'static str> {
        match self {
            Classifier::Linear(_) => Some("exact sums: rounding never settles a decision"),
            Classifier::Network(_) => Some(
                "bounds and branching that keep clear of rounding, within the budget; past it one more question is asked",
            ),
            Classifier::Trees(_) => Some(
                "the leaves that can be reached, added up as the model adds, within the budget; past it one more question is asked",
            ),
            Classifier::Composition(_) => Some(
                "bounds on every part and on what is made of them, and branching, within the budget; past it one more question \
                 is asked",
            ),
            Classifier::BlackBox(_) => None,
        }
    }

    /// Whether its scores have gradients, so that they can be expanded [TF23, Thm 1].
    #[must_use]
    pub fn has_gradients(&self) -> bool {
        matches!(self, Classifier::Linear(_) | Classifier::Network(_))
    }

    /// The format of a black box that nothing here runs.
    #[must_use]
    pub fn missing_runtime(&self) -> Option<&str> {
        match self {
            Classifier::BlackBox(black_box) if !black_box.has_runtime() => Some(&black_box.parts().format),
            _ => None,
        }
    }

    /// Whether it is known that a column does not enter the scores.
    #[must_use]
    pub fn ignores(&self, column: usize) -> bool {
        match self {
            Classifier::Linear(model) => (0..model.n_scores()).all(|score| model.weights(score)[column] == 0.0),
            Classifier::Network(network) => {
                let first = &network.layers()[0];
                (0..first.n_units()).all(|unit| first.weights(unit)[column] == 0.0)
            }
            Classifier::Trees(trees) => !trees.splits_on(column),
            Classifier::Composition(composition) => composition.models().iter().all(|part| part.ignores(column)),
            Classifier::BlackBox(_) => false,
        }
    }

    /// The name of its family in files.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self {
            Classifier::Linear(_) => "linear",
            Classifier::Network(_) => "network",
            Classifier::Trees(_) => "trees",
            Classifier::Composition(_) => "composition",
            Classifier::BlackBox(_) => "black-box",
        }
    }

    /// How many weights and intercepts it has, or nodes of trees; zero for a black box, of which that is not known.
    #[must_use]
    pub fn n_parameters(&self) -> usize {
        match self {
            Classifier::Linear(linear) => linear.n_scores() * (linear.n_columns() + 1),
            Classifier::Network(network) => {
                network.layers().iter().map(|layer| layer.n_units() * (layer.n_inputs() + 1)).sum()
            }
            Classifier::Trees(trees) => trees.n_nodes(),
            Classifier::Composition(composition) => composition.models().iter().map(PartModel::n_parameters).sum(),
            Classifier::BlackBox(_) => 0,
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
            Classifier::Composition(composition) if composition.models().len() == 1 => {
                "composition of 1 model".to_owned()
            }
            Classifier::Composition(composition) => format!("composition of {} models", composition.models().len()),
            Classifier::BlackBox(black_box) => format!("black box ({})", black_box.parts().format),
        }
    }

    fn model(&self) -> &dyn Model {
        match self {
            Classifier::Linear(model) => model,
            Classifier::Network(network) => network,
            Classifier::Trees(trees) => trees,
            Classifier::Composition(composition) => composition,
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

impl From<Composition> for Classifier {
    fn from(composition: Composition) -> Self {
        Classifier::Composition(composition)
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

    fn labels_of_many(&self, people: &[f64]) -> Vec<Label> {
        self.model().labels_of_many(people)
    }
}
