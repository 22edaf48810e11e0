//! What a linear model proves without any belief: the smallest margins, kept up to date by a few additions.

use std::cmp::Ordering;
use std::sync::Arc;

use super::KnownSoFar;
use crate::Label;
use crate::core_test::exact_margins::exact_sign;
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::pairs::Pair;
use crate::math::vector::dot;

/// It has no `Debug`: margins tell about answers.
pub(super) struct ExactMargins {
    pub tables: Arc<LinearTables>,
    /// Part of every score that the public columns make up, then a zero.
    pub public_scores: Vec<f64>,
    /// Smallest margin of every pair.
    pub worst: Vec<f64>,
    /// What the question revealed last contributes to every score, then a zero.
    contribution: Vec<f64>,
}

impl ExactMargins {
    pub fn new(tables: Arc<LinearTables>) -> Self {
        let n_scores = tables.n_scores();
        ExactMargins {
            public_scores: vec![0.0; n_scores + 1],
            worst: vec![0.0; tables.margins.pairs().len()],
            contribution: vec![0.0; n_scores + 1],
            tables,
        }
    }

    pub fn begin(&mut self, standing: &KnownSoFar<'_>) {
        let tables = &self.tables;
        tables.known_scores(&tables.questions.public_columns, standing.person, &mut self.public_scores);
        tables.margins.begin(&self.public_scores, &mut self.worst);
    }

    pub fn reveal(&mut self, standing: &KnownSoFar<'_>, place: usize) {
        let tables = &self.tables;
        let columns = tables.questions.asked[place].columns.clone();
        for (score, contribution) in self.contribution.iter_mut().enumerate().take(tables.n_scores()) {
            *contribution = dot(&tables.model.weights(score)[columns.clone()], &standing.person[columns.clone()]);
        }
        tables.margins.reveal(place, &self.contribution, &mut self.worst);
    }

    /// The label that no value of what is open can change.
    pub fn settled(&self, standing: &KnownSoFar<'_>) -> Option<Label> {
        let slack = self.tables.model.rounding_bound(standing.largest);
        self.tables.margins.settled(&self.worst, slack, |pair| self.exact_sign_of(standing, pair))
    }

    /// Whether no answer to what may still be asked can prove any label. At δ > 0 the belief may still come round.
    pub fn is_hopeless(&self, standing: &KnownSoFar<'_>) -> bool {
        if standing.plan.rules().delta > 0.0 {
            return false;
        }
        let margins = &self.tables.margins;
        let slack = self.tables.model.rounding_bound(standing.largest);
        let out_of_reach = |place: usize| {
            let width = margins.width_row(place).iter().zip(standing.askable).filter(|(_, askable)| **askable);
            self.worst[place] + width.map(|(width, _)| width).sum::<f64>() < -slack
        };
        (0..margins.n_classes()).all(|label| margins.of_winner(Label::new(label)).any(out_of_reach))
    }

    /// The smallest margin by which a label wins.
    pub fn worst_margin(&self, label: Label) -> f64 {
        let places = self.tables.margins.of_winner(label);
        self.worst[places].iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn exact_sign_of(&self, standing: &KnownSoFar<'_>, pair: &Pair) -> Option<Ordering> {
        let questions = &self.tables.questions;
        let known_columns = standing.order.iter().flat_map(|&place| questions.asked[place].columns.clone());
        let open = questions.asked.iter().enumerate().filter(|(place, _)| standing.is_open(*place));
        let columns = questions.public_columns.iter().copied().chain(known_columns);
        exact_sign(&self.tables.model, pair, standing.person, columns, open.map(|(_, question)| question))
    }
}

/// Works out what every sensitive question is expected to contribute, and the expected scores [TF23, Eq. (5)].
///
/// The mean of a known column is its value, so revealed and open questions add up alike.
pub(super) fn expect(
    tables: &LinearTables,
    public_scores: &[f64],
    mean: &[f64],
    contributions: &mut [f64],
    expected: &mut [f64],
) {
    let n_questions = tables.questions.len();
    for (score, weights) in tables.weights.iter().enumerate() {
        let row = &mut contributions[score * n_questions..(score + 1) * n_questions];
        if weights.len() == n_questions {
            // Every question has one column: two rows of plain numbers.
            for ((contribution, weight), mean) in row.iter_mut().zip(weights).zip(mean) {
                *contribution = weight * mean;
            }
        } else {
            for (contribution, columns) in row.iter_mut().zip(&tables.questions.places) {
                *contribution = dot(&weights[columns.clone()], &mean[columns.clone()]);
            }
        }
        expected[score] = public_scores[score] + dot(weights, mean);
    }
}
