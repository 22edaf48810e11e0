//! The smallest core set: what an oracle that sees every answer would reveal [TF23, App. D, "Optimal"].
//!
//! Nobody can ask in this way, since it takes the answers to choose; it is the bound that leakage is measured against.

mod certify;
mod cover;
mod linear_oracle;
mod search_oracle;

pub use certify::{Verdict, Witness, certify, score_bounds};

use std::sync::Arc;

use crate::Label;
use crate::model::Model;
use crate::plan::{EngineTables, Plan};
use crate::rules::{Budget, TimeLimit};

use crate::core_test::certified::linear::LinearProver;
use crate::questionnaire::Questionnaire;
use linear_oracle::LinearOracle;
use search_oracle::SearchOracle;

/// The places (in [`Plan::sensitive`]) of a smallest set of questions that proves the model's own label for an
/// encoded person.
///
/// Exact: no smaller set is a pure core feature set. All questions together always are one. Sets of a network or of
/// trees are those the certified test settles within the plan's budget; [`Oracle`] tells where that ran out. Of a
/// black box only everything is known to be a core set. It looks at up to 128 questions.
#[must_use]
pub fn smallest_core_set(plan: &Plan, person: &[f64]) -> Vec<usize> {
    Oracle::new(plan).smallest_core_set(person)
}

/// The places of a cheapest set of questions that proves the model's own label for an encoded person.
///
/// ```text
/// min Σ_{q ∈ R} cost_q   such that R is a pure core feature set
/// ```
///
/// Exact, and found within the same limits, as [`smallest_core_set`].
#[must_use]
pub fn cheapest_core_set(plan: &Plan, person: &[f64]) -> Vec<usize> {
    Oracle::new(plan).cheapest_core_set(person)
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
    oracle(plan).proves(person, label, revealed)
}

/// Each place once.
fn distinct(plan: &Plan, places: &[usize]) -> Vec<usize> {
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let n_questions = plan.sensitive().len();
    assert!(places.last().is_none_or(|&last| last < n_questions), "a place is that of a sensitive question");
    places
}

/// Finds smallest or cheapest core sets for one person after another, and reuses its buffers.
pub struct Oracle {
    core_sets: Box<dyn CoreSets>,
    /// For people who break a rule between questions: rules say nothing of them.
    without_rules: Option<Box<dyn CoreSets>>,
    /// Whether the last person was one of them.
    breaks_rules: bool,
    questions: Arc<Questionnaire>,
    /// What each sensitive question costs.
    costs: Vec<f64>,
}

/// What a family of classifiers does to find core sets, for one person after the other.
trait CoreSets: Send {
    /// The places of a smallest set of questions that proves the model's own label.
    fn smallest_core_set(&mut self, person: &[f64]) -> Vec<usize>;

    /// The places of a cheapest set of questions that proves the model's own label; `costs` by place.
    fn cheapest_core_set(&mut self, person: &[f64], costs: &[f64]) -> Vec<usize>;

    /// Whether revealing some questions proves a label.
    fn proves(&mut self, person: &[f64], label: Label, revealed: &[usize]) -> bool;

    /// Tests whether some questions are core for a person whose open answers lie somewhere in the domain.
    fn certify(&mut self, known: Vec<f64>, label: Label, revealed: &[usize], budget: Budget) -> Verdict;

    /// Bounds on every score over all values of what is not revealed.
    fn score_bounds(&mut self, person: &[f64], revealed: &[usize]) -> Vec<(f64, f64)>;

    /// Whether some test ran out of budget for the last person.
    fn ran_out_of_budget(&self) -> bool;

    /// Limits how long each search may take, where that may be long.
    fn limit_time(&mut self, _: TimeLimit) {}
}

/// What finds core sets under a plan.
fn oracle(plan: &Plan) -> Box<dyn CoreSets> {
    match &plan.prepared().engine {
        EngineTables::LinearGaussian(tables, _) | EngineTables::Linear(tables) => {
            if tables.questions.implications.is_empty() {
                return Box::new(LinearOracle { tables: Arc::clone(tables), out_of_nodes: false });
            }
            let prover = Box::new(LinearProver::new(Arc::clone(tables)));
            Box::new(SearchOracle::new(Arc::clone(&tables.questions), prover, plan.rules().budget))
        }
        EngineTables::Searched(tables) => {
            Box::new(SearchOracle::new(Arc::clone(&tables.questions), tables.prover(), plan.rules().budget))
        }
    }
}

impl Oracle {
    /// An oracle under a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let costs = plan.sensitive().iter().map(|&id| plan.schema().question(id).cost).collect();
        let questions = Arc::clone(&plan.prepared().questions);
        let without_rules = (!questions.implications.is_empty()).then(|| oracle(&plan.without_implications()));
        Oracle { core_sets: oracle(plan), without_rules, breaks_rules: false, questions, costs }
    }

    fn core_sets_for(&mut self, person: &[f64]) -> &mut dyn CoreSets {
        self.breaks_rules = self.questions.implications.broken_at(person).is_some();
        match &mut self.without_rules {
            Some(without_rules) if self.breaks_rules => &mut **without_rules,
            _ => &mut *self.core_sets,
        }
    }

    /// Limits how long each search may take, by a clock that is passed in. What is not proved in time counts as not
    /// core. Linear models need no limit.
    pub fn limit_time(&mut self, limit: TimeLimit) {
        self.core_sets.limit_time(limit);
        self.without_rules.iter_mut().for_each(|core_sets| core_sets.limit_time(limit));
    }

    /// The places of a smallest set of questions that proves the model's own label for an encoded person.
    pub fn smallest_core_set(&mut self, person: &[f64]) -> Vec<usize> {
        self.core_sets_for(person).smallest_core_set(person)
    }

    /// The places of a cheapest set of questions that proves the model's own label for an encoded person.
    pub fn cheapest_core_set(&mut self, person: &[f64]) -> Vec<usize> {
        let costs = self.costs.clone();
        self.core_sets_for(person).cheapest_core_set(person, &costs)
    }

    /// Whether some test ran out of budget for the last person, so that a smaller or cheaper set may exist that was
    /// not found.
    #[must_use]
    pub fn ran_out_of_budget(&self) -> bool {
        let without_rules = self.without_rules.as_ref().filter(|_| self.breaks_rules);
        without_rules.unwrap_or(&self.core_sets).ran_out_of_budget()
    }
}

/// Says nothing of the people it was asked about.
impl std::fmt::Debug for Oracle {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Oracle").finish_non_exhaustive()
    }
}
