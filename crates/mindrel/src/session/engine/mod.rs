//! What the families of classifiers do differently: test and choose.

mod by_running;
mod by_search;
mod followed;
mod kept_margins;
mod linear_gaussian;
mod linear_general;

use std::sync::Arc;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use crate::Label;
use crate::belief::Posterior;
use crate::math::mix::mix;
use crate::plan::{EngineTables, Plan};
use crate::proof::Proof;
use crate::region::Region;
use crate::rules::{Budget, Guarantee, TimeLimit};
use crate::selector::Reason;

pub(super) use by_running::BlackBoxEngine;
pub(super) use by_search::SearchEngine;
pub(super) use linear_gaussian::LinearEngine;
pub(super) use linear_general::GeneralLinearEngine;

/// What is known of the person being asked. It has no `Debug`: it holds answers.
pub(super) struct KnownSoFar<'a> {
    pub plan: &'a Plan,
    /// What the person can still be.
    pub region: &'a Region,
    /// For each sensitive question, whether it may be asked: neither known nor declined.
    pub askable: &'a [bool],
    /// Known questions in the order they became so, by place among the sensitive ones.
    pub known: &'a [usize],
    /// How many questions were answered or declined.
    pub n_asked: usize,
    pub n_declined: usize,
    /// The largest known value in size.
    pub largest: f64,
    pub seed: u64,
    /// How long one step may take.
    pub time: Option<TimeLimit>,
}

impl KnownSoFar<'_> {
    /// The encoded person; only known columns are to be read.
    pub fn person(&self) -> &[f64] {
        self.region.values()
    }

    /// Whether every sensitive question is known.
    pub fn is_complete(&self) -> bool {
        self.known.len() == self.askable.len()
    }

    /// Whether some question may be asked. Nearly always one look at two numbers tells.
    pub fn may_ask(&self) -> bool {
        self.known.len() + self.n_declined < self.askable.len() || self.askable.contains(&true)
    }

    /// What this step may take, its test and its choice.
    pub fn budget(&self) -> Budget {
        let budget = Budget::of(self.plan.rules().budget);
        self.time.map_or(budget, |limit| budget.until(limit.deadline()))
    }

    /// Random numbers for this step, the same whenever it is taken.
    pub fn random(&self) -> Pcg64Mcg {
        Pcg64Mcg::seed_from_u64(mix(self.seed ^ mix(self.n_asked as u64)))
    }
}

/// What a core test says of the answers so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TestResult {
    /// A core feature set.
    Core(Label, Guarantee),
    /// Not one.
    Open,
    /// Neither was found within the budget, so not one.
    OutOfBudget,
}

/// The working parts of a walk that depend on the family of the classifier.
///
/// One engine serves one person after the other. What it keeps is room, and what follows from the answers: a step never
/// depends on how earlier ones went.
pub(super) trait Engine: Send {
    /// Says that the outlook will be asked for at every step: what it is worked out from may be kept at hand.
    fn keep_outlook(&mut self) {}

    /// Starts with a new person, of whom the public columns are known.
    fn begin(&mut self, standing: &KnownSoFar<'_>);

    /// Takes note that the person can be less than before in some questions, by place: one that was revealed, and what
    /// rules say then.
    fn narrow(&mut self, standing: &KnownSoFar<'_>, places: &[usize]);

    /// The core test, with part of what the step may take.
    fn verdict(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> TestResult;

    /// The next question, after a verdict that was not `Core`, with what is left of the step's budget.
    fn choose(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> (usize, Reason);

    /// Whether no answer to what may still be asked can prove any label: what was declined then stands in the way, and
    /// asking on would only collect answers that cannot help.
    fn is_hopeless(&mut self, standing: &KnownSoFar<'_>) -> bool;

    /// The label the belief holds likeliest, and its probability.
    fn outlook(&self, standing: &KnownSoFar<'_>) -> (Label, f64);

    /// The smallest margin by which a label wins, where it can be told; else not a number.
    fn worst_margin(&self, label: Label) -> f64;

    /// The proof that a label wins, where it takes more than a sum.
    fn proof(&self, standing: &KnownSoFar<'_>, label: Label) -> Option<Proof>;
}

/// The engine for a plan.
pub(super) fn engine(plan: &Plan) -> Box<dyn Engine> {
    match &plan.prepared().engine {
        EngineTables::LinearGaussian(linear, gaussian) => {
            Box::new(LinearEngine::new(plan, Arc::clone(linear), Arc::clone(gaussian)))
        }
        EngineTables::Linear(tables) => Box::new(GeneralLinearEngine::new(plan, Arc::clone(tables))),
        EngineTables::Searched(tables) => match tables.runner() {
            Some(runner) => Box::new(BlackBoxEngine::new(plan, Arc::clone(tables), runner)),
            None => Box::new(SearchEngine::new(plan, Arc::clone(tables))),
        },
    }
}

/// What is believed of the sensitive columns, worked out from the start.
fn posterior_of(standing: &KnownSoFar<'_>) -> Posterior {
    let prepared = standing.plan.prepared();
    let mut posterior = Posterior::new(&prepared.prior);
    posterior.begin(standing.person());
    for &place in standing.known {
        posterior.reveal(prepared.questions.columns_of(place), standing.person(), true);
    }
    posterior
}
