//! Black boxes: their labels at many points, as few as will do and as many as possible in one call.
//!
//! What a step tries follows from the answers so far alone, so that a session that is resumed, a batch and a check of a
//! certificate try the same.

use std::sync::Arc;

use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::followed::Followed;
use super::{Engine, KnownSoFar, TestResult, posterior_of};
use crate::Label;
use crate::belief::Predictive;
use crate::core_test::certified::runner::BlackBoxRunner;
use crate::core_test::certified::{Conclusion, Prover};
use crate::core_test::counterexamples::CounterexampleSearch;
use crate::core_test::enough_draws::{EnoughDraws, FIRST_LOOK};
use crate::core_test::prediction::{believe, draw_inside, outlook_by_draws};
use crate::core_test::search_tables::SearchTables;
use crate::core_test::tried::Tried;
use crate::model::Model;
use crate::plan::Plan;
use crate::proof::Proof;
use crate::rules::{Budget, Guarantee, Rules, Selector};
use crate::selector::grouped_entropy::GROUPS;
use crate::selector::searched::by_draws::{ModelSaid, most_telling};
use crate::selector::{Reason, best_of, choose_blindly, gain_per_cost};

/// Draws that are looked at, with the points of the search, before anything is concluded at δ = 0.
const FIRST_DRAWS: usize = 64;

/// A sample that has contradicted nothing grows by this factor.
const GROWTH: usize = 8;

/// It has no `Debug`: what was tried holds answers.
pub(in crate::session) struct BlackBoxEngine {
    tables: Arc<SearchTables>,
    enough: EnoughDraws,
    followed: Followed,
    runner: BlackBoxRunner,
    belief: Predictive,
    /// The open columns of the expected person, brought into the domain.
    expected: Vec<f64>,
    /// What was tried in this step.
    tried: Tried,
    /// The places of the draws from the belief among it.
    drawn: Vec<usize>,
    search: CounterexampleSearch,
    likely: Label,
    normals: Vec<f64>,
    point: Vec<f64>,
}

impl BlackBoxEngine {
    pub fn new(plan: &Plan, tables: Arc<SearchTables>, runner: BlackBoxRunner) -> Self {
        BlackBoxEngine {
            enough: EnoughDraws::new(plan.rules().delta, tables.spread.len()),
            followed: Followed::new(plan),
            tables,
            runner,
            belief: Predictive::default(),
            expected: Vec::new(),
            tried: Tried::default(),
            drawn: Vec::new(),
            search: CounterexampleSearch::default(),
            likely: Label::NEGATIVE,
            normals: Vec::new(),
            point: Vec::new(),
        }
    }

    /// Brings the belief and what is known up to what is revealed.
    fn catch_up(&mut self, standing: &KnownSoFar<'_>) {
        let questions = &self.tables.questions;
        self.followed.catch_up(standing, questions);
        self.runner.begin(standing.region);
        believe(questions, self.runner.open(), &self.followed.posterior, &mut self.belief);
        self.tried.begin(&self.runner);
        self.drawn.clear();
    }

    /// Adds evenly spread draws until there are `n_draws`, without running them. They are the same for everyone, so
    /// that people with the same answers share what is run.
    fn spread(&mut self, n_draws: usize) {
        for rank in self.drawn.len()..n_draws {
            let index = self.tables.order[rank];
            // Of points each in turn: none is counted more often than another.
            let nth = |n_points: usize| ((index % n_points) as f64 + 0.5) / n_points as f64;
            let share = self.belief.points().map_or(0.0, |points| nth(points.len()));
            let normals = self.tables.spread.point(index);
            draw_inside(&self.belief, self.runner.open(), share, normals, &mut self.point);
            self.drawn.push(self.tried.push(&self.point));
        }
    }

    /// Adds random draws until there are `n_draws`, without running them.
    fn draw(&mut self, n_draws: usize, random: &mut Pcg64Mcg) {
        self.normals.resize(self.runner.open().len(), 0.0);
        for _ in self.drawn.len()..n_draws {
            self.normals.iter_mut().for_each(|normal| *normal = StandardNormal.sample(random));
            let share = self.belief.random_share(random);
            draw_inside(&self.belief, self.runner.open(), share, &self.normals, &mut self.point);
            self.drawn.push(self.tried.push(&self.point));
        }
    }

    /// Whether some label has at least a probability, as judged by the evenly spread draws.
    fn is_probable(&mut self) -> bool {
        let (tables, enough) = (Arc::clone(&self.tables), std::mem::take(&mut self.enough));
        let is_likely = enough.is_likely(|n_draws| {
            self.spread(n_draws);
            self.tried.run(&mut self.runner);
            let mut counts = vec![0; tables.pairs.n_classes()];
            self.tried.labels().iter().for_each(|label| counts[label.index()] += 1);
            let most = (0..counts.len()).rev().max_by_key(|&label| counts[label]).expect("there are labels");
            self.likely = Label::new(most);
            n_draws - counts[most]
        });
        self.enough = enough;
        is_likely
    }

    /// Looks for a point that contradicts the label of the expected person: by changing single answers and by few
    /// draws, by a search, and at last by as many draws as the rules say.
    fn contradict(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> Conclusion {
        let samples = standing.plan.rules().samples;
        let seed = standing.seed.wrapping_add(standing.known.len() as u64);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        self.followed.expect(&self.tables.questions, self.runner.open(), &mut self.expected);
        self.search.begin(self.runner.open(), &self.expected, &mut self.tried);
        self.draw(samples.min(FIRST_DRAWS), &mut random);
        self.tried.run(&mut self.runner);
        self.likely = self.tried.labels()[self.search.expected()];
        if self.tried.contradicts(self.likely) {
            return Conclusion::Open;
        }
        if self.search.exhausts(&mut self.runner, &mut self.tried) {
            return if self.tried.contradicts(self.likely) { Conclusion::Open } else { Conclusion::Core };
        }
        if self.search.finds(self.likely, &mut self.runner, &mut self.tried) {
            return Conclusion::Open;
        }
        while self.drawn.len() < samples {
            if budget.is_past_deadline() {
                return Conclusion::OutOfBudget;
            }
            self.draw(samples.min(self.drawn.len() * GROWTH), &mut random);
            self.tried.run(&mut self.runner);
            if self.tried.contradicts(self.likely) {
                return Conclusion::Open;
            }
        }
        Conclusion::Core
    }

    /// The question whose answer moves the label's margin furthest down from the expected person's; `None` if no single
    /// answer moves it.
    fn furthest_reaching(&self, askable: &[bool]) -> Option<(usize, Reason)> {
        let open = self.runner.open();
        let mut falls = vec![0.0; askable.len()];
        for (question, fall) in open.questions.iter().zip(self.search.falls(open, &self.tried, self.likely)) {
            falls[question.place] = gain_per_cost(fall, self.tables.questions.per_cost[question.place]);
        }
        let place = best_of(askable, |place| falls[place]);
        (falls[place] > 0.0).then_some((place, Reason::Narrows))
    }

    /// The question that the draws say tells most about the label; of two labels by their margins, which say more.
    fn most_telling(&mut self, askable: &[bool]) -> (usize, Reason) {
        let (tables, open) = (&self.tables, self.runner.open());
        let points: Vec<&[f64]> = self.drawn.iter().map(|&place| self.tried.point(place)).collect();
        if tables.pairs.n_classes() == 2 {
            let margins = self.drawn.iter().map(|&place| self.tried.margin(place, Label::POSITIVE));
            let margins: Vec<f64> = margins.collect();
            return most_telling(tables, open, askable, &points, &ModelSaid::Margins(&margins));
        }
        let labels: Vec<usize> = self.drawn.iter().map(|&place| self.tried.labels()[place].index()).collect();
        most_telling(tables, open, askable, &points, &ModelSaid::Labels(&labels))
    }

    /// The same by random draws, as many for each group of a number as the rules say.
    fn most_telling_at_random(&mut self, rules: &Rules, askable: &[bool], mut random: Pcg64Mcg) -> (usize, Reason) {
        self.drawn.clear();
        self.draw(GROUPS.saturating_mul(rules.draws), &mut random);
        self.tried.run(&mut self.runner);
        self.most_telling(askable)
    }
}

impl Engine for BlackBoxEngine {
    fn begin(&mut self, _: &KnownSoFar<'_>) {
        self.followed.forget();
    }

    fn narrow(&mut self, _: &KnownSoFar<'_>, _: &[usize]) {}

    fn verdict(&mut self, standing: &KnownSoFar<'_>, budget: &mut Budget) -> TestResult {
        if standing.is_complete() {
            return TestResult::Core(standing.plan.model().label(standing.person()), Guarantee::Complete);
        }
        self.catch_up(standing);
        if standing.plan.rules().delta > 0.0 {
            let is_probable = self.is_probable();
            return if is_probable { TestResult::Core(self.likely, Guarantee::Probable) } else { TestResult::Open };
        }
        match self.contradict(standing, budget) {
            Conclusion::Core => TestResult::Core(self.likely, Guarantee::Sampled),
            Conclusion::Open => TestResult::Open,
            Conclusion::OutOfBudget => TestResult::OutOfBudget,
        }
    }

    fn choose(&mut self, standing: &KnownSoFar<'_>, _: &mut Budget) -> (usize, Reason) {
        let (rules, askable) = (standing.plan.rules(), standing.askable);
        match rules.selector {
            Selector::Decisive if rules.delta == 0.0 => {
                self.furthest_reaching(askable).unwrap_or_else(|| self.most_telling(askable))
            }
            Selector::Decisive | Selector::FScore => {
                if rules.delta > 0.0 {
                    self.spread(FIRST_LOOK);
                } else {
                    self.draw(FIRST_LOOK, &mut standing.random());
                }
                self.tried.run(&mut self.runner);
                self.most_telling(askable)
            }
            Selector::FScoreMc => self.most_telling_at_random(rules, askable, standing.random()),
            blind => {
                let importance = &standing.plan.prepared().importance;
                choose_blindly(blind, importance, &self.tables.questions, askable, &mut standing.random())
            }
        }
    }

    fn is_hopeless(&mut self, _: &KnownSoFar<'_>) -> bool {
        false
    }

    fn outlook(&self, standing: &KnownSoFar<'_>) -> (Label, f64) {
        let mut runner = self.runner.anew();
        runner.begin(standing.region);
        let mut belief = Predictive::default();
        believe(&self.tables.questions, runner.open(), &posterior_of(standing), &mut belief);
        outlook_by_draws(&self.tables, &mut *runner, &belief)
    }

    /// Nothing is known of it.
    fn worst_margin(&self, _: Label) -> f64 {
        f64::NAN
    }

    /// There is none.
    fn proof(&self, _: &KnownSoFar<'_>, _: Label) -> Option<Proof> {
        None
    }
}
