//! What the prediction would be once one more question is known.

use super::SearchView;
use crate::belief::{Posterior, Predictive};
use crate::core_test::prediction::{LabelCounts, TaylorScores, believe};
use crate::rules::Estimate;

/// Draws behind the entropy of one imagined answer. Questions are compared by it, nothing is promised.
const ENTROPY_POINTS: usize = 128;

/// Buffers for looking one answer ahead. It has no `Debug`: it holds answers.
pub(super) struct SearchForesight {
    posterior: Posterior,
    belief: Predictive,
    taylor: TaylorScores,
    counts: LabelCounts,
    person: Vec<f64>,
    /// What was done since it was last asked for.
    work: u64,
}

impl SearchForesight {
    pub fn new(view: &SearchView<'_>) -> Self {
        SearchForesight {
            posterior: view.posterior.clone(),
            belief: Predictive::default(),
            taylor: TaylorScores::default(),
            counts: LabelCounts::default(),
            person: view.known.to_vec(),
            work: 0,
        }
    }

    /// The entropy of the label once a question has an answer, in nats.
    pub fn entropy_after(&mut self, view: &mut SearchView<'_>, place: usize, answer: &[f64]) -> f64 {
        self.imagine(view, place, answer);
        self.entropy(view)
    }

    /// The entropy of the label as things stand.
    pub fn entropy_now(&mut self, view: &mut SearchView<'_>) -> f64 {
        self.posterior.clone_from(view.posterior);
        self.entropy(view)
    }

    /// The work done since this was last called, in elementary operations.
    pub fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn imagine(&mut self, view: &SearchView<'_>, place: usize, answer: &[f64]) {
        self.posterior.clone_from(view.posterior);
        let columns = view.questions().asked[place].columns.clone();
        self.person[columns].copy_from_slice(answer);
        self.posterior.reveal(view.questions().columns_of(place), &self.person, false);
    }

    fn entropy(&mut self, view: &mut SearchView<'_>) -> f64 {
        believe(view.questions(), view.prover.open(), &self.posterior, &mut self.belief);
        let n_open = view.prover.open().len() as u64;
        let points = self.belief.points().map_or(ENTROPY_POINTS, |points| points.len()) as u64;
        self.work += n_open * n_open + points * (n_open * n_open / 2 + view.prover.label_work());
        match (view.rules.estimate, view.tables.network()) {
            (Estimate::Taylor, Some(network)) => {
                self.taylor.set(&network.model, view.prover.open(), &self.belief, &mut self.person);
                self.taylor.scores.entropy(&view.tables.pairs)
            }
            _ => {
                self.counts.count(view.tables, view.prover, &self.belief, ENTROPY_POINTS, None);
                self.counts.entropy()
            }
        }
    }
}
