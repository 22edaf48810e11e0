//! Linear models under a Gaussian belief: margins in closed form, a few additions a step.

use std::sync::Arc;

use super::kept_margins::{ExactMargins, expect};
use super::{Engine, KnownSoFar, TestResult};
use crate::Label;
use crate::belief::{GaussianPosterior, Position};
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::pairs::Pair;
use crate::core_test::prediction::likeliest;
use crate::core_test::probable::ScoreDistribution;
use crate::model::{Model, label_of_scores};
use crate::plan::{GaussianTables, Plan};
use crate::proof::Proof;
use crate::rules::{Budget, Guarantee};
use crate::selector::{LinearView, OneGaussian, Reason, normal_between};

/// It has no `Debug`: margins and means tell about answers.
pub(in crate::session) struct LinearEngine {
    exact: ExactMargins,
    gaussian: Arc<GaussianTables>,
    posterior: GaussianPosterior,
    position: Position,
    /// How many of the revealed questions `posterior` and `position` include; `None` before the public ones are in.
    n_followed: Option<usize>,
    /// Row of a score: what each sensitive question is expected to contribute; what it does, if it is revealed.
    expected_contributions: Vec<f64>,
    /// Expected scores, then a zero.
    expected: Vec<f64>,
    /// Whether test or selector look at what the open columns probably are.
    follows_belief: bool,
    /// Whether they look at the covariance of the scores.
    follows_scores: bool,
    /// Whether the selector looks at what questions would do to the scores.
    follows_effects: bool,
}

impl LinearEngine {
    pub fn new(plan: &Plan, tables: Arc<LinearTables>, gaussian: Arc<GaussianTables>) -> Self {
        let (n_questions, n_scores) = (tables.questions.len(), tables.n_scores());
        let rules = *plan.rules();
        LinearEngine {
            exact: ExactMargins::new(tables),
            posterior: GaussianPosterior::new(&gaussian.prior),
            gaussian,
            position: Position::START,
            n_followed: None,
            expected_contributions: vec![0.0; n_scores * n_questions],
            expected: vec![0.0; n_scores + 1],
            follows_belief: rules.delta > 0.0 || rules.selector.needs_belief(n_scores),
            follows_scores: rules.delta > 0.0 || rules.selector.needs_effects(rules.delta),
            follows_effects: rules.selector.needs_effects(rules.delta),
        }
    }

    /// Brings the belief up to what is revealed. Put off until the exact test has failed: the last answer needs none.
    fn catch_up(&mut self, standing: &KnownSoFar<'_>) {
        let GaussianTables { prior, paths } = &*self.gaussian;
        let n_followed = self.n_followed.unwrap_or_else(|| {
            if self.follows_belief {
                self.posterior.begin(prior, standing.person());
            }
            0
        });
        for &place in &standing.known[n_followed..] {
            if self.follows_belief {
                let columns = self.exact.tables.questions.columns_of(place);
                self.posterior.reveal(prior, columns, standing.person(), self.follows_scores);
            }
            if self.follows_effects {
                paths.reveal(&mut self.position, place);
            }
        }
        self.n_followed = Some(standing.known.len());
    }

    /// Whether every expected margin lies further above zero than rounding could have put it.
    ///
    /// Where the belief holds two scores equal and leaves them no variance, rounding says which of them is larger, with
    /// probability one: nothing to promise. A margin with a real variance is far above, δ being less than a half.
    fn is_clearly_expected(&self, standing: &KnownSoFar<'_>, pairs: &[Pair]) -> bool {
        let largest = self.posterior.mean().iter().fold(standing.largest, |largest, mean| largest.max(mean.abs()));
        let slack = self.exact.tables.model.rounding_bound(largest);
        pairs.iter().all(|pair| pair.margin(&self.expected) > slack)
    }
}

impl Engine for LinearEngine {
    fn keep_outlook(&mut self) {
        self.follows_belief = true;
        self.follows_scores = true;
    }

    fn begin(&mut self, standing: &KnownSoFar<'_>) {
        self.exact.begin(standing);
        self.position = Position::START;
        self.n_followed = None;
    }

    fn narrow(&mut self, standing: &KnownSoFar<'_>, places: &[usize]) {
        self.exact.narrow(standing, places);
    }

    /// The core test: everything revealed, else the proof, else, at δ > 0, the probability.
    ///
    /// Departs from [TF23, Alg. 1] at δ > 0, where a proof also ends the questioning: it holds under any belief.
    fn verdict(&mut self, standing: &KnownSoFar<'_>, _: &mut Budget) -> TestResult {
        if standing.is_complete() {
            return TestResult::Core(self.exact.tables.model.label(standing.person()), Guarantee::Complete);
        }
        if let Some(label) = self.exact.settled(standing) {
            return TestResult::Core(label, Guarantee::Proved);
        }
        self.catch_up(standing);
        let tables = &self.exact.tables;
        if self.follows_belief {
            let mean = self.posterior.mean();
            let contributions = &mut self.expected_contributions;
            expect(tables, &self.exact.public_scores, mean, contributions, &mut self.expected);
        }
        let delta = standing.plan.rules().delta;
        if delta > 0.0 {
            // Only the label of the expected scores can have a probability above one half.
            let label = label_of_scores(&self.expected[..tables.n_scores()]);
            let covariance = self.posterior.score_covariance();
            let scores = ScoreDistribution { expected: &self.expected, covariance };
            let pairs = tables.margins.by_label();
            if scores.reaches(pairs, label, 1.0 - delta) && self.is_clearly_expected(standing, pairs.of(label)) {
                return TestResult::Core(label, Guarantee::Probable);
            }
        }
        TestResult::Open
    }

    fn choose(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> (usize, Reason) {
        let (mean, variance) = (self.posterior.mean(), self.posterior.variance());
        self.exact.expect(mean, |column, low, high| normal_between(mean[column], variance[column], low, high, None));
        let rules = standing.plan.rules();
        let GaussianTables { paths, .. } = &*self.gaussian;
        let view = LinearView {
            tables: &self.exact.tables,
            importance: &standing.plan.prepared().importance,
            delta: rules.delta,
            askable: standing.askable,
            worst: &self.exact.worst,
            narrowed: self.exact.narrowed.as_deref(),
            expected_contributions: &self.expected_contributions,
            expected: &self.expected,
            belief: OneGaussian { posterior: &self.posterior, paths, known: paths.known(&self.position) },
        };
        view.choose(rules, budget, &mut standing.random())
    }

    fn is_hopeless(&mut self, standing: &KnownSoFar<'_>) -> bool {
        self.exact.is_hopeless(standing)
    }

    fn outlook(&self, standing: &KnownSoFar<'_>) -> (Label, f64) {
        let tables = &self.exact.tables;
        let labels = tables.margins.by_label();
        if self.follows_belief && self.follows_scores && self.n_followed == Some(standing.known.len()) {
            let scores = ScoreDistribution { expected: &self.expected, covariance: self.posterior.score_covariance() };
            return likeliest(labels, |label| scores.probability(labels, label));
        }
        let prior = &self.gaussian.prior;
        let mut posterior = GaussianPosterior::new(prior);
        posterior.begin(prior, standing.person());
        for &place in standing.known {
            posterior.reveal(prior, tables.questions.columns_of(place), standing.person(), true);
        }
        let mut expected = self.expected.clone();
        let mut contributions = self.expected_contributions.clone();
        expect(tables, &self.exact.public_scores, posterior.mean(), &mut contributions, &mut expected);
        let scores = ScoreDistribution { expected: &expected, covariance: posterior.score_covariance() };
        likeliest(labels, |label| scores.probability(labels, label))
    }

    fn worst_margin(&self, label: Label) -> f64 {
        self.exact.worst_margin(label)
    }

    /// The sum that [`verify`](crate::verify) adds up again is proof enough.
    fn proof(&self, _: &KnownSoFar<'_>, _: Label) -> Option<Proof> {
        None
    }
}
