//! What is worked out once of a model whose decisions are not proved by sums.

use std::sync::Arc;

use super::certified::Prover;
use super::certified::composition::{CompositionProver, CompositionTables};
use super::certified::network::{NetworkProver, NetworkTables};
use super::certified::possible::PossibleProver;
use super::certified::runner::BlackBoxRunner;
use super::certified::trees::{TreeProver, TreeTables};
use super::pairs::Pairs;
use crate::math::mix::mix;
use crate::math::spread::Spread;
use crate::model::BlackBox;
use crate::questionnaire::Questionnaire;

/// The order of the draws comes from it.
const ORDER_SEED: u64 = 0x6f72_6465_7200_0000;

/// Proved by search, if at all, and otherwise known by draws.
#[derive(Debug)]
pub(crate) struct SearchTables {
    pub questions: Arc<Questionnaire>,
    pub pairs: Pairs,
    /// Evenly spread draws, one coordinate for each sensitive column.
    pub spread: Spread,
    /// The draws in a random order, the same for everyone: the first of them are like all, as chance has it.
    pub order: Vec<usize>,
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
        let mut order: Vec<usize> = (0..spread.len()).collect();
        order.sort_by_key(|&index| mix(index as u64 ^ ORDER_SEED));
        SearchTables { questions, pairs: Pairs::new(n_scores), spread, order, model }
    }

    /// What tests one person after the other, by what possible people have.
    pub fn prover(&self) -> Box<dyn Prover> {
        let plain = self.plain_prover();
        if self.questions.implications.is_empty() { plain } else { Box::new(PossibleProver::new(plain)) }
    }

    /// What knows of no rules between questions.
    fn plain_prover(&self) -> Box<dyn Prover> {
        let questions = Arc::clone(&self.questions);
        match &self.model {
            SearchedModel::Network(tables) => Box::new(NetworkProver::new(questions, Arc::clone(tables))),
            SearchedModel::Trees(tables) => Box::new(TreeProver::new(questions, Arc::clone(tables))),
            SearchedModel::Composition(tables) => Box::new(CompositionProver::new(questions, Arc::clone(tables))),
            SearchedModel::BlackBox(model) => Box::new(BlackBoxRunner::new(questions, model.clone())),
        }
    }

    /// What runs a model that can only be run; `None` for others.
    pub fn runner(&self) -> Option<BlackBoxRunner> {
        match &self.model {
            SearchedModel::BlackBox(model) => Some(BlackBoxRunner::new(Arc::clone(&self.questions), model.clone())),
            SearchedModel::Network(_) | SearchedModel::Trees(_) | SearchedModel::Composition(_) => None,
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
