//! What a plan works out once, so that a decision needs only a few additions.

use crate::belief::{BeliefPaths, GaussianBelief, Prior};
use crate::core_test::exact::{Asked, Margins};
use crate::model::{LinearModel, Model};
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
    pub margins: Margins,
    pub prior: Prior,
    pub paths: BeliefPaths,
    /// Where each sensitive question's columns start among all sensitive columns, and one entry past the last.
    pub starts: Vec<usize>,
    /// Row of a score: its weights on the sensitive columns.
    pub weights: Vec<Vec<f64>>,
    /// ‖θ_q‖₂ of each sensitive question [TF23, App. D].
    pub importance: Vec<f64>,
}

impl Prepared {
    pub fn new(schema: &Schema, model: &LinearModel, belief: &GaussianBelief) -> Self {
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
        let weights: Vec<Vec<f64>> = (0..model.n_scores())
            .map(|score| columns.iter().map(|&column| model.weights(score)[column]).collect())
            .collect();
        let importance = starts
            .windows(2)
            .map(|range| {
                let squares = weights.iter().flat_map(|row| &row[range[0]..range[1]]).map(|weight| weight * weight);
                squares.sum::<f64>().sqrt()
            })
            .collect();
        let prior = Prior::new(belief, &columns, &public_columns, &weights);
        let places = starts.windows(2).map(|range| range[0]..range[1]).collect();
        Prepared {
            per_cost: sensitive.iter().map(|&id| schema.question(id).cost.recip()).collect(),
            margins: Margins::new(model, &asked),
            paths: BeliefPaths::new(&prior, places, weights.clone()),
            prior,
            sensitive,
            public_columns,
            asked,
            starts,
            weights,
            importance,
        }
    }

    /// Writes the part of every score that the public columns of an encoded person make up; what is past the last score stays.
    pub fn public_scores(&self, model: &LinearModel, person: &[f64], scores: &mut [f64]) {
        for (score, place) in scores.iter_mut().enumerate().take(self.weights.len()) {
            let weights = model.weights(score);
            let products = self.public_columns.iter().map(|&column| weights[column] * person[column]);
            *place = model.intercept(score) + products.sum::<f64>();
        }
    }

    /// The places of a sensitive question's columns among all sensitive columns.
    pub fn columns(&self, question: usize) -> std::ops::Range<usize> {
        self.starts[question]..self.starts[question + 1]
    }
}
