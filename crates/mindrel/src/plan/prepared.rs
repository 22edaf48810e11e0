//! What a plan works out once, so that a decision needs only a little.

use std::ops::Range;

use super::importance::{gradient_importance, tree_importance, weight_importance};
use crate::Label;
use crate::belief::{Belief, BeliefPaths, Columns, Posterior, Prior};
use crate::core_test::certified::network::bounds::Margin;
use crate::core_test::certified::network::folded::PaddedNetwork;
use crate::core_test::certified::trees::tables::TreeTables;
use crate::core_test::exact::Margins;
use crate::core_test::pairs::{Asked, Pair, Pairs};
use crate::core_test::score_belief::ScoreBelief;
use crate::math::spread::Spread;
use crate::model::{Classifier, LinearModel, Model, Network, dot};
use crate::schema::{QuestionId, Schema, Visibility};

/// Tables over the sensitive questions. A *place* below is a question's position among the sensitive ones.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub sensitive: Vec<QuestionId>,
    pub public_columns: Vec<usize>,
    /// Domain and columns of each sensitive question.
    pub asked: Vec<Asked>,
    /// One over the cost of each sensitive question.
    pub per_cost: Vec<f64>,
    /// Where each sensitive question's columns start among all sensitive columns, and one entry past the last.
    pub starts: Vec<usize>,
    /// What the model goes by: ‖θ_q‖₂ of each sensitive question, a network's mean gradient, or how far splits move the
    /// outputs of trees [TF23, App. D].
    pub importance: Vec<f64>,
    /// What a logistic regression on the same rows goes by.
    pub logistic_importance: Vec<f64>,
    pub prior: Prior,
    /// The place of each column among all sensitive columns; one past the last for public ones.
    pub place_of_column: Vec<usize>,
    pub family: Family,
}

/// What depends on the family of the classifier.
#[derive(Debug)]
pub(crate) enum Family {
    /// Proved by sums.
    Linear(LinearTables),
    /// Proved by search, if at all, and otherwise known by draws.
    Searched(SearchTables),
}

/// For linear models.
#[derive(Debug)]
pub(crate) struct LinearTables {
    pub margins: Margins,
    /// What questions would tell, under a Gaussian belief.
    paths: Option<BeliefPaths>,
    /// Row of a score: its weights on the sensitive columns.
    pub weights: Vec<Vec<f64>>,
}

/// For all that is not linear.
#[derive(Debug)]
pub(crate) struct SearchTables {
    pub pairs: Pairs,
    /// Evenly spread draws, one coordinate for each sensitive column.
    pub spread: Spread,
    pub kind: Searched,
}

/// What depends on what is searched.
#[derive(Debug)]
pub(crate) enum Searched {
    Network(NetworkTables),
    Trees(TreeTables),
    BlackBox,
}

/// For networks.
#[derive(Debug)]
pub(crate) struct NetworkTables {
    pub network: PaddedNetwork,
    /// The margin of each pair.
    margins: Vec<Margin>,
}

impl Prepared {
    /// Nothing where the belief is made for other sensitive questions.
    pub fn new(schema: &Schema, model: &Classifier, belief: &Belief, logistic_weights: Option<&[f64]>) -> Option<Self> {
        let sensitive: Vec<QuestionId> = schema.ids_with(Visibility::Sensitive).collect();
        let public_columns: Vec<usize> =
            schema.ids_with(Visibility::Public).flat_map(|id| schema.columns(id)).collect();
        let asked: Vec<Asked> = sensitive
            .iter()
            .map(|&id| Asked { domain: schema.question(id).domain(), columns: schema.columns(id) })
            .collect();
        let columns: Vec<usize> = asked.iter().flat_map(|question| question.columns.clone()).collect();
        let mut starts = vec![0];
        for question in &asked {
            starts.push(starts[starts.len() - 1] + question.columns.len());
        }
        let mut place_of_column = vec![columns.len(); schema.n_columns()];
        columns.iter().enumerate().for_each(|(place, &column)| place_of_column[column] = place);
        let weights: Vec<Vec<f64>> = model.linear().map_or(Vec::new(), |model| sensitive_weights(model, &columns));
        let places: Vec<Range<usize>> = starts.windows(2).map(|range| range[0]..range[1]).collect();
        let sides = Columns { questions: &places, sensitive: &columns, public: &public_columns, weights: &weights };
        let prior = Prior::new(belief, &sides)?;
        let importance = match model {
            Classifier::Linear(_) => weight_importance(&weights, &starts),
            Classifier::Network(network) => gradient_importance(network, belief, &asked),
            Classifier::Trees(trees) => tree_importance(trees, &asked),
            // Selectors that would go by it are refused.
            Classifier::BlackBox(_) => vec![0.0; asked.len()],
        };
        let logistic = |weights: &[f64]| sensitive.iter().map(|id| weights[id.index()]).collect();
        let family = match model {
            Classifier::Linear(model) => {
                let paths = match &prior {
                    Prior::Gaussian(prior) => Some(BeliefPaths::new(prior, places, weights.clone())),
                    Prior::Bayesian(_) | Prior::Copula(_) => None,
                };
                Family::Linear(LinearTables { margins: Margins::new(model, &asked), paths, weights })
            }
            searched => Family::Searched(SearchTables::new(searched, columns.len())),
        };
        Some(Prepared {
            per_cost: sensitive.iter().map(|&id| schema.question(id).cost.recip()).collect(),
            logistic_importance: logistic_weights.map_or_else(|| importance.clone(), logistic),
            importance,
            prior,
            place_of_column,
            family,
            sensitive,
            public_columns,
            asked,
            starts,
        })
    }

    /// The places of a sensitive question's columns among all sensitive columns.
    pub fn columns(&self, question: usize) -> Range<usize> {
        self.starts[question]..self.starts[question + 1]
    }

    /// How many columns the sensitive questions have together.
    pub fn n_sensitive_columns(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The tables of a linear model.
    pub fn linear(&self) -> &LinearTables {
        match &self.family {
            Family::Linear(tables) => tables,
            Family::Searched(_) => unreachable!("only linear models are asked for linear tables"),
        }
    }

    /// The tables of any other model.
    pub fn search(&self) -> &SearchTables {
        match &self.family {
            Family::Searched(tables) => tables,
            Family::Linear(_) => unreachable!("linear models are not searched"),
        }
    }

    /// The tables of a network.
    pub fn network(&self) -> &NetworkTables {
        match &self.search().kind {
            Searched::Network(tables) => tables,
            _ => unreachable!("only networks are asked for a network's tables"),
        }
    }

    /// The tables of a tree ensemble.
    pub fn trees(&self) -> &TreeTables {
        match &self.search().kind {
            Searched::Trees(tables) => tables,
            _ => unreachable!("only tree ensembles are asked for their tables"),
        }
    }
}

impl LinearTables {
    /// What questions would tell, where only plans with a Gaussian belief come.
    pub fn paths(&self) -> &BeliefPaths {
        self.paths.as_ref().expect("the belief is Gaussian")
    }

    /// The distribution of the scores: expected ones [TF23, Eq. (5)] with their covariance [TF23, Eq. (6)], or those of points.
    ///
    /// The mean of a known column is its value, so revealed and open questions add up alike.
    pub fn believed_scores(&self, posterior: &Posterior, public_scores: &[f64], scores: &mut ScoreBelief) {
        let scores_at = |columns| {
            let each = self.weights.iter().zip(public_scores);
            each.map(move |(weights, public)| public + dot(weights, columns))
        };
        match posterior.points() {
            None => scores.set_normal(scores_at(posterior.mean()), posterior.score_covariance().iter().copied()),
            Some(points) => {
                scores.begin_points(self.n_scores());
                points.for_each(|point| scores.push_point(scores_at(point)));
            }
        }
    }

    /// How many scores the model has.
    pub fn n_scores(&self) -> usize {
        self.weights.len()
    }

    /// Writes the part of every score that some columns of an encoded person make up; what is past the last score stays.
    pub fn known_scores(&self, model: &LinearModel, columns: &[usize], person: &[f64], scores: &mut [f64]) {
        for (score, place) in scores.iter_mut().enumerate().take(self.weights.len()) {
            let weights = model.weights(score);
            let products = columns.iter().map(|&column| weights[column] * person[column]);
            *place = model.intercept(score) + products.sum::<f64>();
        }
    }
}

impl SearchTables {
    fn new(model: &Classifier, n_sensitive_columns: usize) -> Self {
        let pairs = Pairs::new(model.n_scores());
        let kind = match model {
            Classifier::Network(network) => Searched::Network(NetworkTables::new(network, &pairs)),
            Classifier::Trees(trees) => Searched::Trees(TreeTables::new(trees)),
            Classifier::BlackBox(_) => Searched::BlackBox,
            Classifier::Linear(_) => unreachable!("linear models are not searched"),
        };
        SearchTables { pairs, spread: Spread::new(n_sensitive_columns), kind }
    }
}

impl NetworkTables {
    fn new(network: &Network, pairs: &Pairs) -> Self {
        let padded = PaddedNetwork::new(network);
        let margin = |pair: &Pair| {
            let (plus, minus) = pair.sides(network.n_scores());
            Margin::new(&padded, plus, minus)
        };
        let margins = pairs.all().iter().map(margin).collect();
        NetworkTables { network: padded, margins }
    }

    /// The margins of one label over each rival.
    pub fn margins(&self, pairs: &Pairs, label: Label) -> &[Margin] {
        &self.margins[pairs.places(label)]
    }
}

fn sensitive_weights(model: &LinearModel, columns: &[usize]) -> Vec<Vec<f64>> {
    (0..model.n_scores()).map(|score| columns.iter().map(|&column| model.weights(score)[column]).collect()).collect()
}
