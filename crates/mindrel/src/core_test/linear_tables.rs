//! What is worked out once of a linear model.

use std::sync::Arc;

use super::exact_margins::Margins;
use super::joined_questions::JoinedQuestions;
use super::score_belief::ScoreBelief;
use crate::belief::Posterior;
use crate::math::vector::dot;
use crate::model::{LinearModel, Model};
use crate::questionnaire::Questionnaire;

/// A linear model, and what its decisions are proved with.
#[derive(Debug)]
pub(crate) struct LinearTables {
    pub questions: Arc<Questionnaire>,
    pub model: LinearModel,
    pub margins: Margins,
    /// Row of a score: its weights on the sensitive columns.
    pub weights: Vec<Vec<f64>>,
    /// What rules between questions join.
    pub joined: JoinedQuestions,
}

impl LinearTables {
    pub fn new(questions: Arc<Questionnaire>, model: LinearModel) -> Self {
        let on_sensitive = |score| questions.columns.iter().map(|&column| model.weights(score)[column]).collect();
        let weights = (0..model.n_scores()).map(on_sensitive).collect();
        let rules = &questions.implications;
        let joined = JoinedQuestions::new(rules, &questions.asked, &questions.place_of, &questions.whole);
        LinearTables { margins: Margins::new(&model, &questions.asked), joined, weights, questions, model }
    }

    /// The distribution of the scores: expected ones [TF23, Eq. (5)] with their covariance [TF23, Eq. (6)], or those of
    /// points.
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

    /// Writes the part of every score that some columns of an encoded person make up; what is past the last score
    /// stays.
    pub fn known_scores(&self, columns: &[usize], person: &[f64], scores: &mut [f64]) {
        for (score, place) in scores.iter_mut().enumerate().take(self.weights.len()) {
            let weights = self.model.weights(score);
            let products = columns.iter().map(|&column| weights[column] * person[column]);
            *place = self.model.intercept(score) + products.sum::<f64>();
        }
    }
}
