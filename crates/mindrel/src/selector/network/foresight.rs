//! What the prediction would be once one more question is known.

use super::NetworkView;
use crate::belief::Posterior;
use crate::core_test::Estimate;
use crate::core_test::prediction::{LabelCounts, OpenBelief, TaylorScores};

/// Draws behind the entropy of one imagined answer. Questions are compared by it, nothing is promised.
const ENTROPY_POINTS: usize = 128;

/// Room for looking one answer ahead. It has no `Debug`: it holds answers.
pub(super) struct Foresight {
    posterior: Posterior,
    belief: OpenBelief,
    taylor: TaylorScores,
    counts: LabelCounts,
    person: Vec<f64>,
}

impl Foresight {
    pub fn new(view: &NetworkView<'_>) -> Self {
        Foresight {
            posterior: view.posterior.clone(),
            belief: OpenBelief::default(),
            taylor: TaylorScores::default(),
            counts: LabelCounts::default(),
            person: view.known.to_vec(),
        }
    }

    /// The scores under a posterior, by Taylor's expansion.
    pub fn taylor(&mut self, view: &NetworkView<'_>, posterior: &Posterior) -> TaylorScores {
        let open = &view.certifier.open;
        self.belief.set(view.prepared, open, posterior);
        let mut taylor = TaylorScores::default();
        taylor.set(view.model, open, &self.belief, &mut self.person);
        taylor
    }

    /// The covariance of the scores once a question is known, expanded where the person is expected now.
    pub fn covariance_after(&mut self, view: &NetworkView<'_>, place: usize, answer: &[f64]) -> Vec<f64> {
        self.imagine(view, place, answer);
        let open = &view.certifier.open;
        self.belief.set(view.prepared, open, &self.posterior);
        self.taylor.set(view.model, open, &self.belief, &mut self.person);
        self.taylor.covariance.clone()
    }

    /// The entropy of the label once a question has an answer, in nats.
    pub fn entropy_after(&mut self, view: &mut NetworkView<'_>, place: usize, answer: &[f64]) -> f64 {
        self.imagine(view, place, answer);
        self.entropy(view)
    }

    /// The entropy of the label as things stand.
    pub fn entropy_now(&mut self, view: &mut NetworkView<'_>) -> f64 {
        self.posterior.clone_from(view.posterior);
        self.entropy(view)
    }

    fn imagine(&mut self, view: &NetworkView<'_>, place: usize, answer: &[f64]) {
        self.posterior.clone_from(view.posterior);
        let columns = view.prepared.asked[place].columns.clone();
        self.person[columns].copy_from_slice(answer);
        self.posterior.reveal(&view.prepared.prior, view.prepared.columns(place), &self.person, false);
    }

    fn entropy(&mut self, view: &mut NetworkView<'_>) -> f64 {
        let tables = view.tables;
        let certifier = &mut *view.certifier;
        self.belief.set(view.prepared, &certifier.open, &self.posterior);
        match view.rules.estimate {
            Estimate::Taylor => {
                self.taylor.set(view.model, &certifier.open, &self.belief, &mut self.person);
                let mut probabilities = vec![0.0; tables.pairs.n_classes()];
                self.taylor.distribution().entropy(&tables.pairs, &mut probabilities)
            }
            Estimate::Qmc => {
                self.counts.count(tables, view.model, certifier, &self.belief, ENTROPY_POINTS, None);
                self.counts.entropy()
            }
        }
    }
}
