//! What a plan works out once, so that a decision needs only a little.

use std::sync::Arc;

use crate::belief::{Belief, BeliefPaths, GaussianPrior, Prior};
use crate::core_test::certified::composition::CompositionTables;
use crate::core_test::certified::network::NetworkTables;
use crate::core_test::certified::trees::TreeTables;
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::search_tables::{SearchTables, SearchedModel};
use crate::model::{Classifier, Model};
use crate::questionnaire::Questionnaire;
use crate::schema::Schema;
use crate::selector::{Importance, composition_importance, gradient_importance, tree_importance, weight_importance};

/// What every engine of a plan shares.
#[derive(Debug)]
pub(crate) struct PlanTables {
    pub questions: Arc<Questionnaire>,
    pub importance: Importance,
    pub prior: Prior,
    pub engine: EngineTables,
}

/// What engines are made of: the one place where families of classifiers and kinds of beliefs part.
#[derive(Debug)]
pub(crate) enum EngineTables {
    /// A linear model under one Gaussian, whose covariances depend on no answer.
    LinearGaussian(Arc<LinearTables>, Arc<GaussianTables>),
    /// A linear model under any other belief.
    Linear(Arc<LinearTables>),
    /// Any other model.
    Searched(Arc<SearchTables>),
}

/// One Gaussian, and what questions would tell under it.
#[derive(Debug)]
pub(crate) struct GaussianTables {
    pub prior: Arc<GaussianPrior>,
    pub paths: BeliefPaths,
}

impl PlanTables {
    /// `None` if the belief is made for other sensitive questions.
    pub fn new(schema: &Schema, model: &Classifier, belief: &Belief, logistic_weights: Option<&[f64]>) -> Option<Self> {
        let questions = Arc::new(Questionnaire::new(schema));
        let asked = &questions.asked;
        let search = |model: SearchedModel, n_scores: usize| {
            EngineTables::Searched(Arc::new(SearchTables::new(Arc::clone(&questions), model, n_scores)))
        };
        let (of_model, prior, engine) = match model {
            Classifier::Linear(model) => {
                let tables = Arc::new(LinearTables::new(Arc::clone(&questions), model.clone()));
                let prior = Prior::new(belief, &questions, &tables.weights)?;
                let of_model = weight_importance(&tables.weights, &questions.places);
                let engine = EngineTables::linear(tables, &prior);
                (of_model, prior, engine)
            }
            Classifier::Network(network) => {
                let tables = SearchedModel::Network(Arc::new(NetworkTables::new(network.clone())));
                let of_model = gradient_importance(network, belief, asked);
                (of_model, Prior::new(belief, &questions, &[])?, search(tables, network.n_scores()))
            }
            Classifier::Trees(trees) => {
                let tables = SearchedModel::Trees(Arc::new(TreeTables::new(trees.clone())));
                let of_model = tree_importance(trees, asked);
                (of_model, Prior::new(belief, &questions, &[])?, search(tables, trees.n_scores()))
            }
            Classifier::Composition(composition) => {
                let tables = SearchedModel::Composition(Arc::new(CompositionTables::new(composition.clone())));
                let of_model = composition_importance(composition, belief, asked);
                (of_model, Prior::new(belief, &questions, &[])?, search(tables, composition.n_scores()))
            }
            Classifier::BlackBox(black_box) => {
                let runs = SearchedModel::BlackBox(black_box.clone());
                // Selectors that would go by importance are refused.
                let of_model = vec![0.0; asked.len()];
                (of_model, Prior::new(belief, &questions, &[])?, search(runs, black_box.n_scores()))
            }
        };
        let logistic = |weights: &[f64]| questions.sensitive.iter().map(|id| weights[id.index()]).collect();
        let of_logistic = logistic_weights.map_or_else(|| of_model.clone(), logistic);
        Some(PlanTables { importance: Importance { of_model, of_logistic }, questions, prior, engine })
    }
}

impl EngineTables {
    fn linear(tables: Arc<LinearTables>, prior: &Prior) -> Self {
        match prior {
            Prior::Gaussian(prior) => {
                let paths = BeliefPaths::new(prior, tables.questions.places.clone(), tables.weights.clone());
                let gaussian = GaussianTables { prior: Arc::clone(prior), paths };
                EngineTables::LinearGaussian(tables, Arc::new(gaussian))
            }
            Prior::Bayesian(_) | Prior::Copula(_) => EngineTables::Linear(tables),
        }
    }
}
