//! The smallest core set of a network, by [`SmallestSets`] and the certified test.

use crate::Label;
use crate::core_test::Budget;
use crate::core_test::certified::smallest::SmallestSets;
use crate::core_test::certified::{Certifier, Verdict};
use crate::model::Network;
use crate::plan::Plan;

/// Finds smallest core sets of a network, person after person. It has no `Debug`: it holds answers.
pub(super) struct NetworkOracle {
    plan: Plan,
    certifier: Certifier,
    sets: SmallestSets,
    out_of_budget: bool,
}

impl NetworkOracle {
    pub fn new(plan: &Plan) -> Self {
        let (certifier, sets) = (Certifier::default(), SmallestSets::default());
        NetworkOracle { plan: plan.clone(), certifier, sets, out_of_budget: false }
    }

    pub fn ran_out_of_budget(&self) -> bool {
        self.out_of_budget
    }

    pub fn proves(&mut self, person: &[f64], label: Label, revealed: &[usize]) -> bool {
        let prepared = self.plan.prepared();
        let tables = prepared.network();
        let model = network(&self.plan);
        self.certifier.begin(&tables.network, &prepared.asked, |place| !revealed.contains(&place), person);
        let mut start: Vec<f64> = self.certifier.open.columns.iter().map(|&column| person[column]).collect();
        start.resize(self.certifier.open.width, 0.0);
        self.certifier.open.bring_in(&mut start);
        if self.certifier.refute(tables, model, label, &start) {
            return false;
        }
        let budget = Budget::nodes(self.plan.rules().budget);
        self.certifier.test(tables, model, label, &budget) == Verdict::Core
    }

    pub fn smallest_core_set(&mut self, person: &[f64]) -> Vec<usize> {
        let prepared = self.plan.prepared();
        let tables = prepared.network();
        self.certifier.begin(&tables.network, &prepared.asked, |_| true, person);
        self.sets.counterexamples.clear();
        let open = &mut self.certifier.open;
        // The answers may lie outside the domain, and are known once they are revealed.
        open.largest = person.iter().fold(open.largest, |largest, value| largest.max(value.abs()));
        let mut point: Vec<f64> = open.columns.iter().map(|&column| person[column]).collect();
        point.resize(open.width, 0.0);
        let budget = Budget::nodes(self.plan.rules().budget);
        let smallest = self.sets.find(&mut self.certifier, tables, network(&self.plan), &point, &budget);
        self.out_of_budget = smallest.out_of_budget;
        let questions = self.certifier.open.questions.iter().enumerate();
        let chosen = questions.filter(|(index, _)| smallest.questions.checked_shr(*index as u32).unwrap_or(1) & 1 == 1);
        let mut places: Vec<usize> = chosen.map(|(_, question)| question.place).collect();
        places.sort_unstable();
        places
    }
}

fn network(plan: &Plan) -> &Network {
    plan.model().network().expect("the plan holds a network")
}
