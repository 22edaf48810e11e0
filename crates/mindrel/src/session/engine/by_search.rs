//! Networks and tree ensembles: the certified or the sampled test, and probabilities by draws or, of networks, by
//! Taylor.

use std::sync::Arc;

use super::followed::Followed;
use super::{Engine, KnownSoFar, TestResult, posterior_of};
use crate::Label;
use crate::belief::Predictive;
use crate::core_test::certified::smallest::SmallestSets;
use crate::core_test::certified::{Conclusion, Prover};
use crate::core_test::prediction::{LabelCounts, TaylorScores, believe, likeliest, outlook_by_draws};
use crate::core_test::sampled::constant_label;
use crate::core_test::search_tables::SearchTables;
use crate::model::Model;
use crate::plan::Plan;
use crate::proof::Proof;
use crate::rules::{Budget, Estimate, Guarantee, Test};
use crate::selector::Reason;
use crate::selector::searched::{SearchView, choose};

/// It has no `Debug`: counterexamples hold answers.
pub(in crate::session) struct SearchEngine {
    tables: Arc<SearchTables>,
    followed: Followed,
    prover: Box<dyn Prover>,
    belief: Predictive,
    /// The open columns of the expected person, brought into the domain.
    expected: Vec<f64>,
    likely: Label,
    /// People with another label met in this step, by their open columns, and buffers for sets that hit them.
    sets: SmallestSets,
    taylor: TaylorScores,
    counts: LabelCounts,
    /// The person, with open columns filled in for looking at.
    person: Vec<f64>,
}

/// The part of a step's budget that its test may take; choosing a question is left the rest.
fn test_share(budget: u64) -> u64 {
    budget.div_ceil(2)
}

impl SearchEngine {
    pub fn new(plan: &Plan, tables: Arc<SearchTables>) -> Self {
        SearchEngine {
            followed: Followed::new(plan),
            prover: tables.prover(),
            tables,
            belief: Predictive::default(),
            expected: Vec::new(),
            likely: Label::NEGATIVE,
            sets: SmallestSets::default(),
            taylor: TaylorScores::default(),
            counts: LabelCounts::default(),
            person: vec![0.0; plan.schema().n_columns()],
        }
    }

    /// Brings the belief, what is known and the expected person up to what is revealed.
    fn catch_up(&mut self, standing: &KnownSoFar<'_>) {
        let questions = &self.tables.questions;
        self.followed.catch_up(standing, questions);
        self.prover.begin(standing.region);
        self.sets.counterexamples.clear();
        self.followed.expect(questions, self.prover.open(), &mut self.expected);
        self.likely = self.prover.label_at(&self.expected);
    }

    /// Refutes, bounds, branches. A counterexample that is found is kept for choosing a question.
    fn certify(&mut self, budget: &mut Budget) -> Conclusion {
        let verdict = self.prover.settle(self.likely, &self.expected, budget);
        if verdict == Conclusion::Open {
            self.sets.counterexamples.push(self.prover.witness().to_vec());
        }
        verdict
    }

    /// Whether the likely label has at least a probability.
    fn reaches(&mut self, standing: &KnownSoFar<'_>, threshold: f64) -> bool {
        let tables = &self.tables;
        believe(&tables.questions, self.prover.open(), &self.followed.posterior, &mut self.belief);
        match (standing.plan.rules().estimate, tables.network()) {
            (Estimate::Taylor, Some(network)) => {
                self.person.copy_from_slice(standing.person());
                let open = self.prover.open();
                self.taylor.set(&network.model, open, &self.belief, &mut self.person);
                let slack = network.network.rounding * open.largest;
                let (likely, reached) = self.taylor.scores.settle(&tables.pairs, threshold, slack);
                self.likely = likely;
                reached
            }
            _ => {
                let n_points = tables.spread.len();
                let most_others = ((1.0 - threshold) * n_points as f64).floor() as u32;
                if self.belief.points().is_none() {
                    let stop = Some((self.likely, most_others));
                    return self.counts.count(tables, &mut *self.prover, &self.belief, n_points, stop);
                }
                // The expected person may be like none of the points: they say themselves which label is likely.
                self.counts.count(tables, &mut *self.prover, &self.belief, n_points, None);
                self.likely = likeliest(&tables.pairs, |label| self.counts.share(label)).0;
                n_points as u32 - self.counts.counts[self.likely.index()] <= most_others
            }
        }
    }

    fn sample(&mut self, standing: &KnownSoFar<'_>) -> Option<Label> {
        let rules = standing.plan.rules();
        believe(&self.tables.questions, self.prover.open(), &self.followed.posterior, &mut self.belief);
        let seed = standing.seed.wrapping_add(standing.known.len() as u64);
        constant_label(&mut *self.prover, &self.belief, rules.samples, seed)
    }
}

impl Engine for SearchEngine {
    fn begin(&mut self, _: &KnownSoFar<'_>) {
        self.followed.forget();
    }

    fn narrow(&mut self, _: &KnownSoFar<'_>, _: &[usize]) {}

    /// The core test: everything revealed, else the certified or the sampled test, else, at δ > 0, the probability.
    ///
    /// At δ > 0 one look at the bounds is taken first: a proof holds under any belief.
    fn verdict(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> TestResult {
        let rules = standing.plan.rules();
        if standing.is_complete() {
            return TestResult::Core(standing.plan.model().label(standing.person()), Guarantee::Complete);
        }
        self.catch_up(standing);
        if rules.delta > 0.0 {
            if self.prover.can_prove() && budget.within(1, |one_look| self.certify(one_look)) == Conclusion::Core {
                return TestResult::Core(self.likely, Guarantee::Proved);
            }
            let reached = self.reaches(standing, 1.0 - rules.delta);
            return if reached { TestResult::Core(self.likely, Guarantee::Probable) } else { TestResult::Open };
        }
        if rules.test == Test::Sampled {
            let label = self.sample(standing);
            return label.map_or(TestResult::Open, |label| TestResult::Core(label, Guarantee::Sampled));
        }
        match budget.within(test_share(rules.budget), |budget| self.certify(budget)) {
            Conclusion::Core => TestResult::Core(self.likely, Guarantee::Proved),
            Conclusion::Open => TestResult::Open,
            Conclusion::OutOfBudget => TestResult::OutOfBudget,
        }
    }

    fn choose(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> (usize, Reason) {
        let mut view = SearchView {
            tables: &self.tables,
            importance: &standing.plan.prepared().importance,
            rules: standing.plan.rules(),
            known: standing.person(),
            askable: standing.askable,
            posterior: &self.followed.posterior,
            prover: &mut *self.prover,
            expected: &self.expected,
            sets: &mut self.sets,
        };
        choose(&mut view, budget, &mut standing.random())
    }

    /// Whether a declined question stands in the way of every proof is as hard to tell as a proof itself; asking goes
    /// on.
    fn is_hopeless(&mut self, _: &KnownSoFar<'_>) -> bool {
        false
    }

    fn outlook(&self, standing: &KnownSoFar<'_>) -> (Label, f64) {
        let tables = &self.tables;
        let posterior = posterior_of(standing);
        let mut prover = self.prover.anew();
        prover.begin(standing.region);
        let mut belief = Predictive::default();
        believe(&tables.questions, prover.open(), &posterior, &mut belief);
        match (standing.plan.rules().estimate, tables.network()) {
            (Estimate::Taylor, Some(network)) => {
                let mut taylor = TaylorScores::default();
                let mut person = standing.person().to_vec();
                taylor.set(&network.model, prover.open(), &belief, &mut person);
                taylor.scores.likeliest(&tables.pairs)
            }
            _ => outlook_by_draws(tables, &mut *prover, &belief),
        }
    }

    /// Only a bound of it is known, which the proof has.
    fn worst_margin(&self, _: Label) -> f64 {
        f64::NAN
    }

    fn proof(&self, standing: &KnownSoFar<'_>, label: Label) -> Option<Proof> {
        let mut prover = self.prover.anew();
        prover.begin(standing.region);
        let mut budget = Budget::of(test_share(standing.plan.rules().budget));
        let parts = prover.prove(label, &self.expected, &mut budget)?;
        Some(Proof::new(standing.plan, prover.open(), label, &parts))
    }
}
