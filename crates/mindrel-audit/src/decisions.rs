//! The decisions of one run.

use std::ops::Range;
use std::time::Instant;

use mindrel::core_test::Guarantee;
use mindrel::optimal::Oracle;
use mindrel::session::Walk;
use mindrel::{Label, Person, Plan};

use crate::cohort::Cohort;
use crate::rule::Rule;
use crate::run::Run;
use crate::side_by_side::SideBySide;

/// Some of the people of a block.
pub(crate) struct CohortSlice<'a> {
    pub cohort: &'a Cohort,
    pub places: Range<usize>,
}

impl CohortSlice<'_> {
    pub fn iter(&self) -> impl Iterator<Item = Person<'_>> {
        self.places.clone().map(|place| self.cohort.people().person(place))
    }

    /// The cell of each person, if they are grouped.
    pub fn cells(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.places.clone().map(|place| self.cohort.cell(place))
    }
}

/// The decision about one person in one run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decided {
    pub label: Label,
    pub guarantee: Guarantee,
    /// The failure probability; with calibrated rules, that of the person's group.
    pub delta: f64,
    /// The index of that group.
    pub group: usize,
    /// How many tests ran out of budget or time.
    pub tests_out_of_budget: u64,
    /// The range of the revealed questions in [`RunDecisions`].
    revealed: Range<usize>,
}

/// The decisions about some people in one run.
pub(crate) struct RunDecisions {
    each: Vec<Decided>,
    /// The revealed questions of all people, by index and in the order they were asked.
    revealed: Vec<usize>,
    /// The questions that followed from others, by index; of all people one after the other.
    pub implied: Vec<usize>,
    /// The cost of each person's cheapest core set, if it is computed and questions differ in cost.
    pub least_costs: Vec<f64>,
    pub nanoseconds: u128,
}

impl RunDecisions {
    /// Decides about everyone in a slice; `labels` are the model's with everything revealed.
    pub fn of(run: &Run, part: &CohortSlice<'_>, labels: &[Label]) -> Self {
        let start = Instant::now();
        let mut decisions = RunDecisions {
            each: Vec::with_capacity(labels.len()),
            revealed: Vec::new(),
            implied: Vec::new(),
            least_costs: Vec::new(),
            nanoseconds: 0,
        };
        match run.rule {
            Rule::Asking(_) => decisions.ask(run, part),
            Rule::All => decisions.reveal_all(run, labels),
            Rule::Optimal => decisions.reveal_least(run, part, labels),
        }
        decisions.nanoseconds = start.elapsed().as_nanos();
        decisions
    }

    fn ask(&mut self, run: &Run, part: &CohortSlice<'_>) {
        let plans = run.group_plans();
        if let Some(side_by_side) = SideBySide::new(&plans) {
            let people: Vec<Person<'_>> = part.iter().collect();
            let ask = |walks: &mut Vec<Walk>, place: usize| {
                let decided = ask_one(run, walks, &people[place]);
                let walk = &walks[decided.group];
                (decided, walk.revealed_places().to_vec(), walk.implied_places().to_vec())
            };
            let decided = side_by_side.each(people.len(), |plans| walks(run, plans), ask);
            decided.into_iter().for_each(|(decided, revealed, implied)| self.push(decided, &revealed, &implied));
        } else {
            let mut walks = walks(run, &plans);
            for person in part.iter() {
                let decided = ask_one(run, &mut walks, &person);
                let walk = &walks[decided.group];
                self.push(decided, walk.revealed_places(), walk.implied_places());
            }
        }
    }

    fn push(&mut self, decided: Decided, revealed: &[usize], implied: &[(usize, usize)]) {
        let revealed = self.add(revealed);
        self.implied.extend(implied.iter().map(|(place, _)| place));
        self.each.push(Decided { revealed, ..decided });
    }

    fn reveal_all(&mut self, run: &Run, labels: &[Label]) {
        let every: Vec<usize> = (0..run.plan.sensitive().len()).collect();
        let revealed = self.add(&every);
        self.each.extend(labels.iter().map(|&label| baseline(label, Guarantee::Complete, revealed.clone(), false)));
    }

    fn reveal_least(&mut self, run: &Run, part: &CohortSlice<'_>, labels: &[Label]) {
        let mut oracle = Oracle::new(&run.plan);
        run.each_step.into_iter().for_each(|limit| oracle.limit_time(limit));
        let costs = question_costs(&run.plan);
        for (person, &label) in part.iter().zip(labels) {
            let smallest = oracle.smallest_core_set(person.columns);
            let mut out_of_budget = oracle.ran_out_of_budget();
            if let Some(costs) = &costs {
                let cheapest = oracle.cheapest_core_set(person.columns);
                out_of_budget |= oracle.ran_out_of_budget();
                self.least_costs.push(cheapest.iter().map(|&place| costs[place]).sum());
            }
            let is_all = smallest.len() == run.plan.sensitive().len();
            let guarantee = if is_all { Guarantee::Complete } else { Guarantee::Proved };
            let revealed = self.add(&smallest);
            self.each.push(baseline(label, guarantee, revealed, out_of_budget));
        }
    }

    fn add(&mut self, revealed: &[usize]) -> Range<usize> {
        let start = self.revealed.len();
        self.revealed.extend_from_slice(revealed);
        start..self.revealed.len()
    }

    /// Each person's decision and the questions they revealed.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Decided, &[usize])> {
        self.each.iter().map(|decided| (decided, &self.revealed[decided.revealed.clone()]))
    }

    pub fn get(&self, person: usize) -> (&Decided, &[usize]) {
        let decided = &self.each[person];
        (decided, &self.revealed[decided.revealed.clone()])
    }

    /// How many questions a person revealed.
    pub fn n_revealed(&self, person: usize) -> usize {
        self.each[person].revealed.len()
    }
}

/// The cost of each sensitive question; `None` if each costs 1, so that costs are numbers of questions.
pub(crate) fn question_costs(plan: &Plan) -> Option<Vec<f64>> {
    let costs: Vec<f64> = plan.sensitive().iter().map(|&id| plan.schema().question(id).cost).collect();
    costs.iter().any(|cost| *cost != 1.0).then_some(costs)
}

/// A baseline's decision, which is the model's own.
fn baseline(label: Label, guarantee: Guarantee, revealed: Range<usize>, out_of_budget: bool) -> Decided {
    Decided { label, guarantee, delta: 0.0, group: 0, tests_out_of_budget: u64::from(out_of_budget), revealed }
}

/// A walk for each group of people.
fn walks(run: &Run, plans: &[Plan]) -> Vec<Walk> {
    let mut walks: Vec<Walk> = plans.iter().map(Walk::new).collect();
    if let Some(limit) = run.each_step {
        walks.iter_mut().for_each(|walk| walk.limit_time(limit));
    }
    walks
}

/// Asks one person by the walk of their group, which then says what they revealed.
fn ask_one(run: &Run, walks: &mut [Walk], person: &Person<'_>) -> Decided {
    let seed = run.plan.rules().seed;
    let group = run.group_of(person.columns);
    let walk = &mut walks[group];
    let seed = if run.calibrated { seed } else { seed ^ person.line.rotate_left(32) };
    let (label, guarantee) = walk.decide(person.columns, seed);
    let tests_out_of_budget = walk.out_of_budget().len() as u64;
    Decided { label, guarantee, delta: walk.plan().rules().delta, group, tests_out_of_budget, revealed: 0..0 }
}
