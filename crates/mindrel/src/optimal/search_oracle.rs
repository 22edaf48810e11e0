//! The smallest core set of a network or a tree ensemble, by [`SmallestSets`] and the certified test.

use std::sync::Arc;

use super::CoreSets;
use super::certify::{Verdict, Witness};
use crate::Label;
use crate::core_test::certified::smallest::{Effort, SmallestSets};
use crate::core_test::certified::{Conclusion, Prover};
use crate::questionnaire::Questionnaire;
use crate::rules::{Budget, TimeLimit};

/// Finds smallest core sets by search, person after person. It has no `Debug`: it holds answers.
pub(super) struct SearchOracle {
    questions: Arc<Questionnaire>,
    /// The work that each test may take.
    budget: u64,
    prover: Box<dyn Prover>,
    sets: SmallestSets,
    out_of_budget: bool,
    /// How long each search may take.
    time: Option<TimeLimit>,
}

/// Past this many counterexamples, or this many steps of the search for a set that meets them all, a smaller set may
/// exist that was not found.
const MOST_SETS: usize = 10_000;
const MOST_STEPS: u64 = 1_000_000;

/// Nor is more work done for one person than as many tests may take.
const MOST_TESTS: u64 = 10;

impl SearchOracle {
    pub fn new(questions: Arc<Questionnaire>, prover: Box<dyn Prover>, budget: u64) -> Self {
        SearchOracle { prover, questions, budget, sets: SmallestSets::default(), out_of_budget: false, time: None }
    }

    /// A budget of work, and of time if that is limited.
    fn budget_of(&self, work: u64) -> Budget {
        let budget = Budget::of(work);
        self.time.map_or(budget, |limit| budget.until(limit.deadline()))
    }

    /// A smallest core set that has some questions in it, and no others whose answers lie outside the domain.
    fn smallest_with(&mut self, person: &[f64], mut revealed: Vec<usize>, costs: Option<&[f64]>) -> Option<Vec<usize>> {
        self.prover.begin(&self.questions.region_with(person, &revealed));
        self.sets.counterexamples.clear();
        self.sets.costs = costs.map(|costs| self.prover.open().questions.iter().map(|it| costs[it.place]).collect());
        let point = self.prover.point_of(person);
        let effort = Effort { each_test: self.budget, guess: false, most_sets: MOST_SETS, most_steps: MOST_STEPS };
        let mut budget = self.budget_of(MOST_TESTS * self.budget);
        let smallest = self.sets.find(&mut *self.prover, &point, |_| true, effort, &mut budget)?;
        self.out_of_budget |= smallest.out_of_budget;
        let questions = self.prover.open().questions.iter().enumerate();
        let chosen = questions.filter(|(index, _)| smallest.questions.checked_shr(*index as u32).unwrap_or(1) & 1 == 1);
        revealed.extend(chosen.map(|(_, question)| question.place));
        revealed.sort_unstable();
        Some(revealed)
    }

    /// Answers outside the domain are revealed or kept in every combination: with one of them revealed, the rest is
    /// an ordinary search.
    fn best(&mut self, person: &[f64], costs: Option<&[f64]>) -> Vec<usize> {
        let cost = |set: &[usize]| costs.map_or(set.len() as f64, |costs| set.iter().map(|&place| costs[place]).sum());
        let asked = &self.questions.asked;
        if !self.prover.can_prove() {
            // Nothing but everything is known to be core.
            self.out_of_budget = true;
            return (0..asked.len()).collect();
        }
        let is_outside = |place: &usize| !asked[*place].domain.contains(&person[asked[*place].columns.clone()]);
        let outside: Vec<usize> = (0..asked.len()).filter(is_outside).collect();
        self.out_of_budget = outside.len() > MOST_OUTSIDE;
        let fewest = if self.out_of_budget { (1 << MOST_OUTSIDE) - 1 } else { 0 };
        let combinations = fewest..1u32 << outside.len().min(MOST_OUTSIDE);
        let mut best: Option<Vec<usize>> = None;
        for combination in combinations {
            let chosen = |(index, _): &(usize, &usize)| *index >= MOST_OUTSIDE || combination >> index & 1 == 1;
            let revealed: Vec<usize> = outside.iter().enumerate().filter(chosen).map(|(_, &place)| place).collect();
            if let Some(found) = self.smallest_with(person, revealed, costs)
                && best.as_ref().is_none_or(|best| cost(&found) < cost(best))
            {
                best = Some(found);
            }
        }
        best.expect("with everything revealed nothing is open")
    }
}

impl CoreSets for SearchOracle {
    fn smallest_core_set(&mut self, person: &[f64]) -> Vec<usize> {
        self.best(person, None)
    }

    fn cheapest_core_set(&mut self, person: &[f64], costs: &[f64]) -> Vec<usize> {
        self.best(person, Some(costs))
    }

    fn proves(&mut self, person: &[f64], label: Label, revealed: &[usize]) -> bool {
        self.prover.begin(&self.questions.region_with(person, revealed));
        let mut start = self.prover.point_of(person);
        self.prover.open().bring_in(&mut start);
        let mut budget = Budget::of(self.budget);
        self.prover.settle(label, &start, &mut budget) == Conclusion::Core
    }

    fn certify(&mut self, known: Vec<f64>, label: Label, revealed: &[usize], mut budget: Budget) -> Verdict {
        self.prover.begin(&self.questions.region_with(&known, revealed));
        let start = self.prover.point_of(&known);
        match self.prover.settle(label, &start, &mut budget) {
            Conclusion::Core => Verdict::Core(label),
            Conclusion::OutOfBudget => Verdict::OutOfBudget,
            Conclusion::Open => {
                let mut other = known.clone();
                self.prover.open().place(self.prover.witness(), &mut other);
                Verdict::Open(Witness { person: known, other })
            }
        }
    }

    fn score_bounds(&mut self, person: &[f64], revealed: &[usize]) -> Vec<(f64, f64)> {
        self.prover.begin(&self.questions.region_with(person, revealed));
        self.prover.score_bounds()
    }

    fn ran_out_of_budget(&self) -> bool {
        self.out_of_budget
    }

    fn limit_time(&mut self, limit: TimeLimit) {
        self.time = Some(limit);
    }
}

/// With more answers outside the domain than this, the others are always revealed, and the set counts as not surely
/// smallest.
const MOST_OUTSIDE: usize = 6;
