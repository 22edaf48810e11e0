//! What to ask next when the model is not linear.

pub(crate) mod by_draws;
mod by_foresight;
mod decisive_by_search;
mod foresight;

use rand_pcg::Pcg64Mcg;

use super::{Importance, Reason, choose_blindly};
use crate::belief::Posterior;
use crate::core_test::certified::Prover;
use crate::core_test::certified::smallest::SmallestSets;
use crate::core_test::search_tables::SearchTables;
use crate::questionnaire::Questionnaire;
use crate::rules::{Budget, Rules, Selector};

/// The state of a session as selectors see it. They change nothing in it but buffers.
pub(crate) struct SearchView<'a> {
    pub tables: &'a SearchTables,
    pub importance: &'a Importance,
    pub rules: &'a Rules,
    /// The encoded person; only known columns are filled in.
    pub known: &'a [f64],
    /// For each sensitive question, whether it may be asked: neither revealed nor declined.
    pub askable: &'a [bool],
    pub posterior: &'a Posterior,
    /// The model with everything known filled in.
    pub prover: &'a mut dyn Prover,
    /// The open columns of the expected person, brought into the domain.
    pub expected: &'a [f64],
    /// Counterexamples found so far, and buffers for sets that hit them.
    pub sets: &'a mut SmallestSets,
}

impl<'a> SearchView<'a> {
    fn questions(&self) -> &'a Questionnaire {
        &self.tables.questions
    }
}

/// What the model weighs a question, for its cost.
fn weight(view: &SearchView<'_>, place: usize) -> f64 {
    view.importance.of_model[place] * view.questions().per_cost[place]
}

/// Chooses among the open questions, of which there is at least one.
pub(crate) fn choose(view: &mut SearchView<'_>, budget: &mut Budget, random: &mut Pcg64Mcg) -> (usize, Reason) {
    match (view.rules.selector, view.tables.network()) {
        (Selector::Decisive, _) if view.rules.delta == 0.0 && view.prover.can_prove() => {
            decisive_by_search::choose(view, budget)
        }
        (Selector::Decisive, _) | (Selector::FScore, None) => by_draws::choose(view),
        (Selector::FScoreMc, None) => by_draws::choose_at_random(view, budget, random),
        (Selector::FScore, Some(_)) => by_foresight::choose(view, budget),
        (Selector::FScoreMc, Some(_)) => by_foresight::choose_by_draws(view, budget, random),
        (blind, _) => choose_blindly(blind, view.importance, view.questions(), view.askable, random),
    }
}
