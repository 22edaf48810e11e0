//! Counting. Everything is a whole number, so that the order of people does not matter.

use std::ops::Range;
use std::time::Instant;

use mindrel::core_test::Guarantee;
use mindrel::model::Model;
use mindrel::optimal::Oracle;
use mindrel::schema::QuestionId;
use mindrel::session::Walk;
use mindrel::{Label, People, Person, Plan};

use crate::clock::clock;
use crate::run::{Rule, Run};

/// The counts of one run.
#[derive(Debug, Clone)]
pub(crate) struct RunTally {
    pub correct: u64,
    pub flips: u64,
    pub flips_inside: u64,
    /// For each class, how many of those whom the model gives it with everything revealed get another.
    pub flips_by_class: Vec<u64>,
    pub proved: u64,
    pub sampled: u64,
    pub probable: u64,
    /// Flips among the probable.
    pub probable_flips: u64,
    /// For each group of a calibration, its people and the flips among them; one group where there is none.
    pub groups: Vec<[u64; 2]>,
    /// People for whom a test ran out of budget or time on the way.
    pub out_of_budget: u64,
    /// The tests that did, of everybody together.
    pub tests_out_of_budget: u64,
    pub complete: u64,
    pub outside: u64,
    /// For each sensitive question, how many people revealed it.
    pub asked: Vec<u64>,
    /// For each number of questions, how many people revealed so many.
    pub histogram: Vec<u64>,
    pub nanoseconds: u128,
}

/// Some of the people of a block.
pub(crate) struct Part<'a> {
    pub people: &'a People,
    pub places: Range<usize>,
}

impl Part<'_> {
    fn iter(&self) -> impl Iterator<Item = Person<'_>> {
        self.places.clone().map(|place| self.people.person(place))
    }
}

/// The counts of all runs.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    pub people: u64,
    pub labelled: u64,
    pub correct_all: u64,
    /// For each class, how many the model gives it with everything revealed.
    pub by_class: Vec<u64>,
    pub nanoseconds_decoding: u128,
    pub runs: Vec<RunTally>,
}

impl Tally {
    pub fn new(plan: &Plan, runs: &[Run]) -> Self {
        let n_classes = plan.schema().target().classes.len();
        let run = |run: &Run| {
            let n_questions = run.plan.sensitive().len();
            RunTally {
                correct: 0,
                flips: 0,
                flips_inside: 0,
                flips_by_class: vec![0; run.plan.schema().target().classes.len()],
                proved: 0,
                sampled: 0,
                probable: 0,
                probable_flips: 0,
                groups: vec![[0; 2]; run.group_plans().len()],
                out_of_budget: 0,
                tests_out_of_budget: 0,
                complete: 0,
                outside: 0,
                asked: vec![0; n_questions],
                histogram: vec![0; n_questions + 1],
                nanoseconds: 0,
            }
        };
        Tally {
            people: 0,
            labelled: 0,
            correct_all: 0,
            by_class: vec![0; n_classes],
            nanoseconds_decoding: 0,
            runs: runs.iter().map(run).collect(),
        }
    }

    /// Decides about some people under every run; `decided` is told how many decisions were made, run by run.
    pub fn add(&mut self, runs: &[Run], plan: &Plan, part: &Part<'_>, decided: &(dyn Fn(usize) + Sync)) {
        let labels: Vec<Label> = part.iter().map(|person| plan.model().label(person.columns)).collect();
        self.people += labels.len() as u64;
        for (person, label) in part.iter().zip(&labels) {
            self.labelled += u64::from(person.label.is_some());
            self.correct_all += u64::from(person.label == Some(*label));
            self.by_class[label.index()] += 1;
        }
        for (run, tally) in runs.iter().zip(&mut self.runs) {
            let start = Instant::now();
            tally.add(run, part, &labels);
            tally.nanoseconds += start.elapsed().as_nanos();
            decided(labels.len());
        }
    }

    /// The counts of two parts together.
    pub fn merge(mut self, other: Tally) -> Tally {
        self.people += other.people;
        self.labelled += other.labelled;
        self.correct_all += other.correct_all;
        self.nanoseconds_decoding += other.nanoseconds_decoding;
        add(&mut self.by_class, &other.by_class);
        for (run, other) in self.runs.iter_mut().zip(other.runs) {
            run.merge(&other);
        }
        self
    }
}

impl RunTally {
    fn add(&mut self, run: &Run, part: &Part<'_>, labels: &[Label]) {
        let mut walks: Vec<Walk> = run.group_plans().iter().map(Walk::new).collect();
        if let Some(each) = run.each_test {
            walks.iter_mut().for_each(|walk| walk.limit_time(clock, each));
        }
        let mut oracle = Oracle::new(&run.plan);
        let every: Vec<usize> = (0..run.plan.sensitive().len()).collect();
        let seed = run.plan.rules().seed;
        for (person, &full) in part.iter().zip(labels) {
            match run.rule {
                Rule::Asking(_) => {
                    let group = run.group_of(person.columns);
                    let walk = &mut walks[group];
                    let seed = if run.calibrated { seed } else { seed ^ person.line.rotate_left(32) };
                    let (label, guarantee) = walk.decide(person.columns, seed);
                    self.groups[group][0] += 1;
                    self.groups[group][1] += u64::from(label != full);
                    let n_tests = walk.out_of_budget().len() as u64;
                    self.out_of_budget += n_tests.min(1);
                    self.tests_out_of_budget += n_tests;
                    self.count(run, &person, full, label, guarantee, walk.revealed_places());
                }
                Rule::All => self.count(run, &person, full, full, Guarantee::Complete, &every),
                Rule::Optimal => {
                    let smallest = oracle.smallest_core_set(person.columns);
                    self.out_of_budget += u64::from(oracle.ran_out_of_budget());
                    let guarantee = if smallest.len() == every.len() { Guarantee::Complete } else { Guarantee::Proved };
                    self.count(run, &person, full, full, guarantee, &smallest);
                }
            }
        }
    }

    fn count(
        &mut self,
        run: &Run,
        person: &Person<'_>,
        full: Label,
        label: Label,
        guarantee: Guarantee,
        revealed: &[usize],
    ) {
        let outside = is_outside(&run.plan, person, revealed);
        self.outside += u64::from(outside);
        self.correct += u64::from(person.label == Some(label));
        self.flips += u64::from(label != full);
        self.flips_by_class[full.index()] += u64::from(label != full);
        self.flips_inside += u64::from(label != full && !outside);
        match guarantee {
            Guarantee::Complete => self.complete += 1,
            Guarantee::Proved => self.proved += 1,
            Guarantee::Sampled => self.sampled += 1,
            Guarantee::Probable => {
                self.probable += 1;
                self.probable_flips += u64::from(label != full);
            }
        }
        for &place in revealed {
            self.asked[place] += 1;
        }
        self.histogram[revealed.len()] += 1;
    }

    fn merge(&mut self, other: &RunTally) {
        self.correct += other.correct;
        self.flips += other.flips;
        self.flips_inside += other.flips_inside;
        self.proved += other.proved;
        self.sampled += other.sampled;
        self.probable += other.probable;
        self.probable_flips += other.probable_flips;
        self.out_of_budget += other.out_of_budget;
        self.tests_out_of_budget += other.tests_out_of_budget;
        self.complete += other.complete;
        self.outside += other.outside;
        self.nanoseconds += other.nanoseconds;
        self.groups.iter_mut().zip(&other.groups).for_each(|(group, other)| add(group, other));
        add(&mut self.flips_by_class, &other.flips_by_class);
        add(&mut self.asked, &other.asked);
        add(&mut self.histogram, &other.histogram);
    }
}

fn add(counts: &mut [u64], others: &[u64]) {
    for (count, other) in counts.iter_mut().zip(others) {
        *count += other;
    }
}

/// Whether a value that was not revealed lies outside its domain, so that no guarantee speaks of this person.
fn is_outside(plan: &Plan, person: &Person<'_>, revealed: &[usize]) -> bool {
    let schema = plan.schema();
    let outside = |id: QuestionId| {
        let values = &person.columns[schema.columns(id)];
        !schema.question(id).domain().contains(values)
    };
    // Nearly everybody is inside, so the domains come first.
    plan.sensitive().iter().enumerate().any(|(place, &id)| outside(id) && !revealed.contains(&place))
}
