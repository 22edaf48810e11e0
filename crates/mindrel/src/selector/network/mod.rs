//! What to ask next when the model is a network.

mod decisive;
mod f_score;
mod foresight;

use rand_pcg::Pcg64Mcg;

use super::{Reason, Selector, choose_blindly};
use crate::Label;
use crate::belief::Posterior;
use crate::core_test::certified::Certifier;
use crate::core_test::certified::smallest::SmallestSets;
use crate::model::Network;
use crate::plan::{NetworkTables, Prepared, Rules};

/// The state of a session as selectors see it. They change nothing in it but room they work in.
pub(crate) struct NetworkView<'a> {
    pub prepared: &'a Prepared,
    pub tables: &'a NetworkTables,
    pub model: &'a Network,
    pub rules: &'a Rules,
    /// The encoded person; only known columns are filled in.
    pub known: &'a [f64],
    /// For each sensitive question, whether it may be asked: neither revealed nor declined.
    pub askable: &'a [bool],
    pub posterior: &'a Posterior,
    /// The network with everything known folded in.
    pub certifier: &'a mut Certifier,
    /// The open columns of the expected person, brought into the domain.
    pub expected: &'a [f64],
    /// The label held likely: theirs or, by Taylor, that of the mean.
    pub likely: Label,
    /// Counterexamples met so far, and room for sets that meet them.
    pub sets: &'a mut SmallestSets,
}

/// Chooses among the open questions, of which there is at least one.
pub(crate) fn choose(view: &mut NetworkView<'_>, random: &mut Pcg64Mcg) -> (usize, Reason) {
    match view.rules.selector {
        Selector::Decisive => decisive::choose(view),
        Selector::FScore => f_score::choose(view),
        Selector::FScoreMc => f_score::choose_by_draws(view, random),
        blind => choose_blindly(blind, view.prepared, view.askable, random),
    }
}
