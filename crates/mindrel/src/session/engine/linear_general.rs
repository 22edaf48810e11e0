//! Linear models under beliefs other than one Gaussian: the scores are normal, with a covariance that depends on the
//! answers, or those of a copula's points, which are counted.

use std::sync::Arc;

use super::kept_margins::{ExactMargins, expect};
use super::{Engine, KnownSoFar, TestResult, posterior_of};
use crate::Label;
use crate::belief::Posterior;
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::score_belief::ScoreBelief;
use crate::model::Model;
use crate::plan::Plan;
use crate::proof::Proof;
use crate::rules::{Budget, Guarantee};
use crate::selector::{GeneralBelief, LinearView, Reason, posterior_between};

/// It has no `Debug`: margins and means tell about answers.
pub(in crate::session) struct GeneralLinearEngine {
    exact: ExactMargins,
    posterior: Posterior,
    /// How many of the revealed questions `posterior` includes; `None` before the public ones are in.
    n_followed: Option<usize>,
    /// Row of a score: what each sensitive question is expected to contribute; what it does, if it is revealed.
    expected_contributions: Vec<f64>,
    /// Expected scores, then a zero.
    expected: Vec<f64>,
    scores: ScoreBelief,
    /// Whether test or selector look at what the open columns probably are.
    follows_belief: bool,
    /// Whether they look at the distribution of the scores.
    follows_scores: bool,
}

impl GeneralLinearEngine {
    pub fn new(plan: &Plan, tables: Arc<LinearTables>) -> Self {
        let (n_questions, n_scores) = (tables.questions.len(), tables.n_scores());
        let rules = *plan.rules();
        let follows_scores = rules.delta > 0.0 || rules.selector.needs_effects(rules.delta);
        GeneralLinearEngine {
            exact: ExactMargins::new(tables),
            posterior: Posterior::new(&plan.prepared().prior),
            n_followed: None,
            expected_contributions: vec![0.0; n_scores * n_questions],
            expected: vec![0.0; n_scores + 1],
            scores: ScoreBelief::default(),
            follows_belief: follows_scores || rules.selector.needs_belief(n_scores),
            follows_scores,
        }
    }

    /// Brings the belief up to what is revealed. Put off until the exact test has failed: the last answer needs none.
    fn catch_up(&mut self, standing: &KnownSoFar<'_>) {
        let tables = &self.exact.tables;
        let n_followed = self.n_followed.unwrap_or_else(|| {
            self.posterior.begin(standing.person());
            0
        });
        for &place in &standing.known[n_followed..] {
            let columns = tables.questions.columns_of(place);
            self.posterior.reveal(columns, standing.person(), self.follows_scores);
        }
        self.n_followed = Some(standing.known.len());
        let (mean, public_scores) = (self.posterior.mean(), &self.exact.public_scores);
        expect(tables, public_scores, mean, &mut self.expected_contributions, &mut self.expected);
        if self.follows_scores {
            tables.believed_scores(&self.posterior, public_scores, &mut self.scores);
        }
    }
}

impl Engine for GeneralLinearEngine {
    fn begin(&mut self, standing: &KnownSoFar<'_>) {
        self.exact.begin(standing);
        self.n_followed = None;
    }

    fn narrow(&mut self, standing: &KnownSoFar<'_>, places: &[usize]) {
        self.exact.narrow(standing, places);
    }

    /// The core test: everything revealed, else the proof, else, at δ > 0, the probability.
    fn verdict(&mut self, standing: &KnownSoFar<'_>, _: &mut Budget) -> TestResult {
        if standing.is_complete() {
            return TestResult::Core(self.exact.tables.model.label(standing.person()), Guarantee::Complete);
        }
        if let Some(label) = self.exact.settled(standing) {
            return TestResult::Core(label, Guarantee::Proved);
        }
        if self.follows_belief {
            self.catch_up(standing);
        }
        let delta = standing.plan.rules().delta;
        if delta > 0.0 {
            let labels = self.exact.tables.margins.by_label();
            let largest = self.posterior.mean().iter().fold(standing.largest, |largest, mean| largest.max(mean.abs()));
            let slack = self.exact.tables.model.rounding_bound(largest);
            if let (label, true) = self.scores.settle(labels, 1.0 - delta, slack) {
                return TestResult::Core(label, Guarantee::Probable);
            }
        }
        TestResult::Open
    }

    fn choose(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> (usize, Reason) {
        let posterior = &self.posterior;
        self.exact.expect(posterior.mean(), |column, low, high| posterior_between(posterior, column, low, high));
        let rules = standing.plan.rules();
        let view = LinearView {
            tables: &self.exact.tables,
            importance: &standing.plan.prepared().importance,
            delta: rules.delta,
            askable: standing.askable,
            worst: &self.exact.worst,
            narrowed: self.exact.narrowed.as_deref(),
            expected_contributions: &self.expected_contributions,
            expected: &self.expected,
            belief: GeneralBelief {
                posterior: &self.posterior,
                scores: &self.scores,
                known: standing.person(),
                public_scores: &self.exact.public_scores,
            },
        };
        view.choose(rules, budget, &mut standing.random())
    }

    fn is_hopeless(&mut self, standing: &KnownSoFar<'_>) -> bool {
        self.exact.is_hopeless(standing)
    }

    fn outlook(&self, standing: &KnownSoFar<'_>) -> (Label, f64) {
        let tables = &self.exact.tables;
        let mut scores = ScoreBelief::default();
        tables.believed_scores(&posterior_of(standing), &self.exact.public_scores, &mut scores);
        scores.likeliest(tables.margins.by_label())
    }

    fn worst_margin(&self, label: Label) -> f64 {
        self.exact.worst_margin(label)
    }

    /// The sum that [`verify`](crate::verify) adds up again is proof enough.
    fn proof(&self, _: &KnownSoFar<'_>, _: Label) -> Option<Proof> {
        None
    }
}
