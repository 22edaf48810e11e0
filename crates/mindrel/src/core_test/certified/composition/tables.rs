//! What is worked out once of a composition.

use std::sync::Arc;

use crate::core_test::certified::network::NetworkTables;
use crate::core_test::certified::network::bounds::ScoreMargin;
use crate::core_test::certified::trees::TreeTables;
use crate::model::{Composition, LinearModel, Model, PartModel, QuadraticModel};

/// A composition, and what bounding its models takes.
#[derive(Debug)]
pub(crate) struct CompositionTables {
    pub model: Composition,
    pub parts: Vec<PartTables>,
}

/// What bounding one model takes.
#[derive(Debug)]
pub(crate) enum PartTables {
    Smooth(SmoothTables),
    Network {
        tables: Arc<NetworkTables>,
        /// Each score by itself, and its negative.
        margins: Vec<(ScoreMargin, ScoreMargin)>,
    },
    Trees(Arc<TreeTables>),
}

/// A linear or quadratic model.
#[derive(Debug)]
pub(crate) enum SmoothTables {
    Linear(LinearModel),
    Quadratic(QuadraticModel),
}

impl CompositionTables {
    pub fn new(model: Composition) -> Self {
        let parts = model.models().iter().map(PartTables::new).collect();
        CompositionTables { model, parts }
    }
}

impl PartTables {
    fn new(model: &PartModel) -> Self {
        match model {
            PartModel::Linear(model) => PartTables::Smooth(SmoothTables::Linear(model.clone())),
            PartModel::Quadratic(model) => PartTables::Smooth(SmoothTables::Quadratic(model.clone())),
            PartModel::Network(network) => {
                let tables = Arc::new(NetworkTables::new(network.clone()));
                let margin = |score: usize| {
                    let (plus, minus) = (Some(score), Some(score));
                    (ScoreMargin::new(&tables.network, plus, None), ScoreMargin::new(&tables.network, None, minus))
                };
                let margins = (0..network.n_scores()).map(margin).collect();
                PartTables::Network { tables, margins }
            }
            PartModel::Trees(trees) => PartTables::Trees(Arc::new(TreeTables::new(trees.clone()))),
        }
    }
}

impl SmoothTables {
    pub fn n_scores(&self) -> usize {
        match self {
            SmoothTables::Linear(model) => model.n_scores(),
            SmoothTables::Quadratic(model) => model.n_scores(),
        }
    }

    pub fn weights(&self, score: usize) -> &[f64] {
        match self {
            SmoothTables::Linear(model) => model.weights(score),
            SmoothTables::Quadratic(model) => model.weights(score),
        }
    }

    /// The weights on the squares; `None` if there are none.
    pub fn squares(&self, score: usize) -> Option<&[f64]> {
        match self {
            SmoothTables::Linear(_) => None,
            SmoothTables::Quadratic(model) => Some(model.squares(score)),
        }
    }

    pub fn intercept(&self, score: usize) -> f64 {
        match self {
            SmoothTables::Linear(model) => model.intercept(score),
            SmoothTables::Quadratic(model) => model.intercept(score),
        }
    }

    /// More than rounding can do to a computed score, and to a bound of it.
    pub fn rounding(&self, largest: f64) -> f64 {
        match self {
            SmoothTables::Linear(model) => model.rounding_bound(largest),
            SmoothTables::Quadratic(model) => model.rounding_bound(largest),
        }
    }

    pub fn scores(&self, person: &[f64], scores: &mut [f64]) {
        match self {
            SmoothTables::Linear(model) => model.scores(person, scores),
            SmoothTables::Quadratic(model) => model.scores(person, scores),
        }
    }
}
