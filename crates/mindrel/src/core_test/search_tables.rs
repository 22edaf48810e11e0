//! What is worked out once of a model whose decisions are not proved by sums.

use std::sync::Arc;

use super::certified::Prover;
use super::certified::composition::{CompositionProver, CompositionTables};
use super::certified::network::{NetworkProver, NetworkTables};
use super::certified::runner::BlackBoxRunner;
use super::certified::trees::{TreeProver, TreeTables};
use super::pairs::Pairs;
use crate::math::spread::Spread;
use crate::model::BlackBox;
use crate::questionnaire::Questionnaire;

/// Proved by search, if at all, and otherwise known by draws.
#[derive(Debug)]
pub(crate) struct SearchTables {
    pub questions: Arc<Questionnaire>,
    pub pairs: Pairs,
    /// Evenly spread draws, one coordinate for each sensitive column.
    pub spread: Spread,
    model: SearchedModel,
}

/// What is searched.
#[derive(Debug)]
pub(crate) enum SearchedModel {
    Network(Arc<NetworkTables>),
    Trees(Arc<TreeTables>),
    Composition(Arc<CompositionTables>),
    BlackBox(BlackBox),
}

impl SearchTables {
    pub fn new(questions: Arc<Questionnaire>, model: SearchedModel, n_scores: usize) -> Self {
        let spread = Spread::new(questions.columns.len());
        SearchTables { questions, pairs: Pairs::new(n_scores), spread, model }
    }

    /// What tests one person after the other.
    pub fn prover(&self) -> Box<dyn Prover> {
        let questions = Arc::clone(&self.questions);
        match &self.model {
            SearchedModel::Network(tables) => Box::new(NetworkProver::new(questions, Arc::clone(tables))),
            SearchedModel::Trees(tables) => Box::new(TreeProver::new(questions, Arc::clone(tables))),
            SearchedModel::Composition(tables) => Box::new(CompositionProver::new(questions, Arc::clone(tables))),
            SearchedModel::BlackBox(model) => Box::new(BlackBoxRunner::new(questions, model.clone())),
        }
    }

    /// The network, which alone has gradients to be expanded by [TF23, Thm 1].
    pub fn network(&self) -> Option<&NetworkTables> {
        match &self.model {
            SearchedModel::Network(tables) => Some(tables),
            SearchedModel::Trees(_) | SearchedModel::Composition(_) | SearchedModel::BlackBox(_) => None,
        }
    }
}
