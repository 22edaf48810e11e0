//! What to ask next when the model is not linear.

mod by_draws;
mod decisive;
mod f_score;
mod foresight;

use rand_pcg::Pcg64Mcg;

use super::{Reason, Selector, choose_blindly};
use crate::Label;
use crate::belief::Posterior;
use crate::core_test::certified::Prover;
use crate::core_test::certified::smallest::SmallestSets;
use crate::plan::{Plan, Prepared, Rules};

/// The state of a session as selectors see it. They change nothing in it but room they work in.
pub(crate) struct SearchView<'a> {
    pub plan: &'a Plan,
    pub prepared: &'a Prepared,
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
    /// The label held likely: theirs or, by Taylor, that of the mean.
    pub likely: Label,
    /// Counterexamples met so far, and room for sets that meet them.
    pub sets: &'a mut SmallestSets,
}

/// Chooses among the open questions, of which there is at least one.
pub(crate) fn choose(view: &mut SearchView<'_>, random: &mut Pcg64Mcg) -> (usize, Reason) {
    let is_network = view.plan.model().network().is_some();
    let has_proofs = view.plan.model().black_box().is_none();
    match view.rules.selector {
        Selector::Decisive if view.rules.delta == 0.0 && has_proofs => decisive::choose(view),
        Selector::Decisive if is_network => (decisive::choose_likely(view), Reason::Tells),
        Selector::Decisive | Selector::FScore if !is_network => by_draws::choose(view),
        Selector::FScoreMc if !is_network => by_draws::choose_at_random(view, random),
        Selector::FScore => f_score::choose(view),
        Selector::FScoreMc => f_score::choose_by_draws(view, random),
        blind => choose_blindly(blind, view.prepared, view.askable, random),
    }
}
