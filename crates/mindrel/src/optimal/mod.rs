//! The smallest core set: what an oracle that sees every answer would reveal [TF23, App. D, "Optimal"].
//!
//! Nobody can ask in this way, since it takes the answers to choose; it is the bound that leakage is measured against.

mod cover;
mod linear;
mod searched;

use crate::Label;
use crate::model::{Classifier, Model};
use crate::plan::Plan;

use searched::SearchOracle;

/// The places (in [`Plan::sensitive`]) of a smallest set of questions that proves the model's own label for an encoded person.
///
/// Exact: no smaller set is a pure core feature set. All questions together always are one. Sets of a network or of trees
/// are those the certified test settles within the plan's budget; [`Oracle`] tells where that ran out. Of a black box only everything is known
/// to be a core set. It looks at up to 128 questions.
#[must_use]
pub fn smallest_core_set(plan: &Plan, person: &[f64]) -> Vec<usize> {
    Oracle::new(plan).smallest_core_set(person)
}

/// Whether revealing some sensitive questions proves a label, by the exact or the certified test.
///
/// # Panics
/// When a place is not that of a sensitive question.
#[must_use]
pub fn proves(plan: &Plan, person: &[f64], label: Label, revealed: &[usize]) -> bool {
    let revealed = &distinct(plan, revealed);
    if revealed.len() == plan.sensitive().len() {
        return plan.model().label(person) == label;
    }
    match plan.model() {
        Classifier::Linear(model) => linear::proves(plan, model, person, label, revealed),
        Classifier::BlackBox(_) => false,
        Classifier::Network(_) | Classifier::Trees(_) => SearchOracle::new(plan).proves(person, label, revealed),
    }
}

/// Each place once.
pub(crate) fn distinct(plan: &Plan, places: &[usize]) -> Vec<usize> {
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let n_questions = plan.sensitive().len();
    assert!(places.last().is_none_or(|&last| last < n_questions), "a place is that of a sensitive question");
    places
}

/// Finds smallest core sets for one person after the other, and keeps the room it needs.
pub struct Oracle {
    plan: Plan,
    search: Option<SearchOracle>,
}

impl Oracle {
    /// An oracle under a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Oracle { plan: plan.clone(), search: plan.model().linear().is_none().then(|| SearchOracle::new(plan)) }
    }

    /// The places of a smallest set of questions that proves the model's own label for an encoded person.
    pub fn smallest_core_set(&mut self, person: &[f64]) -> Vec<usize> {
        match (&mut self.search, self.plan.model()) {
            (None, Classifier::Linear(model)) => linear::smallest_core_set(&self.plan, model, person),
            (Some(search), _) => search.smallest_core_set(person),
            (None, _) => unreachable!("all that is not linear is searched"),
        }
    }

    /// Whether some test ran out of budget for the last person, so that a smaller set may exist that was not proved.
    #[must_use]
    pub fn ran_out_of_budget(&self) -> bool {
        self.search.as_ref().is_some_and(SearchOracle::ran_out_of_budget)
    }
}

/// Says nothing of the people it was asked about.
impl std::fmt::Debug for Oracle {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Oracle").finish_non_exhaustive()
    }
}
