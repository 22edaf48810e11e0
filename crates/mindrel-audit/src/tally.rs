//! Counting. All counts are integers, so the order of people does not matter.

use mindrel::core_test::Guarantee;
use mindrel::model::Model;
use mindrel::{Label, Person, Plan};

use crate::burden::CellTally;
use crate::decisions::{CohortSlice, Decided, RunDecisions, question_costs};
use crate::fixed::FixedSum;
use crate::giveaway::GiveawayTally;
use crate::rule::Rule;
use crate::run::Run;
use crate::stream::Audit;

/// The counts of one run.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunTally {
    pub correct: u64,
    pub flips: u64,
    pub flips_inside: u64,
    /// Flips by the class that the model with everything revealed assigns.
    pub flips_by_class: Vec<u64>,
    pub proved: u64,
    pub sampled: u64,
    pub probable: u64,
    /// Flips among the probable decisions.
    pub probable_flips: u64,
    /// The people and flips of each group of a calibration; one group if there is no calibration.
    pub groups: Vec<[u64; 2]>,
    /// People for whom a test ran out of budget or time.
    pub out_of_budget: u64,
    /// The number of such tests, over all people.
    pub tests_out_of_budget: u64,
    pub complete: u64,
    pub outside: u64,
    /// For each sensitive question, how many people revealed it.
    pub asked: Vec<u64>,
    /// For each, how many were not asked it because it followed from other answers.
    pub implied: Vec<u64>,
    /// How many people revealed 0, 1, 2, … questions.
    pub histogram: Vec<u64>,
    /// How many people have each regret, with a regret of zero in the middle; empty if no optimum is known.
    pub regret: Vec<u64>,
    /// The total cost of the cheapest core sets, if they are computed.
    pub least_cost: Option<FixedSum>,
    /// The counts of each cell, if people are grouped.
    pub cells: Vec<CellTally>,
    /// How well unasked answers could be inferred, if that is measured.
    pub giveaway: Option<GiveawayTally>,
    pub nanoseconds: u128,
}

/// The counts of all runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub people: u64,
    pub labelled: u64,
    pub correct_all: u64,
    /// People by the class that the model with everything revealed assigns.
    pub by_class: Vec<u64>,
    /// For each rule between questions, how many people break it.
    pub rule_breakers: Vec<u64>,
    pub nanoseconds_decoding: u128,
    pub runs: Vec<RunTally>,
}

impl Tally {
    pub fn new(audit: &Audit<'_>) -> Self {
        let n_classes = audit.plan.schema().target().classes.len();
        let runs = audit.runs.iter().map(|run| RunTally::new(audit, run)).collect();
        let rule_breakers = vec![0; audit.plan.schema().implications().len()];
        Tally { by_class: vec![0; n_classes], rule_breakers, runs, ..Tally::default() }
    }

    /// Counts the decisions of every run about some people; `labels` are the model's with everything revealed.
    pub fn add(&mut self, audit: &Audit<'_>, part: &CohortSlice<'_>, labels: &[Label], decisions: &[RunDecisions]) {
        self.people += labels.len() as u64;
        for (person, label) in part.iter().zip(labels) {
            self.labelled += u64::from(person.label.is_some());
            self.correct_all += u64::from(person.label == Some(*label));
            self.by_class[label.index()] += 1;
            audit.plan.broken_implications(person.columns).for_each(|rule| self.rule_breakers[rule] += 1);
        }
        let optimum = audit.optimum().map(|place| &decisions[place]);
        for ((run, tally), decisions) in audit.runs.iter().zip(&mut self.runs).zip(decisions) {
            tally.add(run, part, labels, decisions);
            if let Some(optimum) = optimum {
                tally.add_regret(decisions, optimum);
            }
            if let Some(giveaway) = &mut tally.giveaway {
                giveaway.add(&run.plan, part, decisions);
            }
        }
    }

    /// The sum of two tallies.
    pub fn merge(mut self, other: Tally) -> Tally {
        self.people += other.people;
        self.labelled += other.labelled;
        self.correct_all += other.correct_all;
        self.nanoseconds_decoding += other.nanoseconds_decoding;
        add(&mut self.by_class, &other.by_class);
        add(&mut self.rule_breakers, &other.rule_breakers);
        for (run, other) in self.runs.iter_mut().zip(other.runs) {
            run.merge(&other);
        }
        self
    }
}

impl RunTally {
    fn new(audit: &Audit<'_>, run: &Run) -> Self {
        let n_questions = run.plan.sensitive().len();
        let n_cells = audit.groups.map_or(0, |groups| groups.n_cells());
        let has_regret = audit.optimum().is_some() && run.rule != Rule::Optimal;
        RunTally {
            flips_by_class: vec![0; run.plan.schema().target().classes.len()],
            groups: vec![[0; 2]; run.group_plans().len()],
            asked: vec![0; n_questions],
            implied: vec![0; n_questions],
            histogram: vec![0; n_questions + 1],
            regret: if has_regret { vec![0; 2 * n_questions + 1] } else { Vec::new() },
            least_cost: question_costs(&run.plan).filter(|_| run.rule == Rule::Optimal).map(|_| FixedSum::default()),
            cells: vec![CellTally::new(n_questions); n_cells],
            giveaway: audit.giveaway.then(|| GiveawayTally::new(&run.plan)),
            ..RunTally::default()
        }
    }

    fn add(&mut self, run: &Run, part: &CohortSlice<'_>, labels: &[Label], decisions: &RunDecisions) {
        self.nanoseconds += decisions.nanoseconds;
        decisions.implied.iter().for_each(|&place| self.implied[place] += 1);
        if let Some(sum) = &mut self.least_cost {
            decisions.least_costs.iter().for_each(|&cost| sum.add(cost));
        }
        let people = part.iter().zip(part.cells()).zip(labels);
        for (((person, cell), &full), (decided, revealed)) in people.zip(decisions.iter()) {
            self.count(run, &person, full, decided, revealed);
            if let Some(cell) = cell {
                self.cells[cell].count(&person, full, decided, revealed.len());
            }
        }
    }

    fn count(&mut self, run: &Run, person: &Person<'_>, full: Label, decided: &Decided, revealed: &[usize]) {
        let outside = run.plan.is_outside(person.columns);
        let flipped = decided.label != full;
        self.outside += u64::from(outside);
        self.correct += u64::from(person.label == Some(decided.label));
        self.flips += u64::from(flipped);
        self.flips_by_class[full.index()] += u64::from(flipped);
        self.flips_inside += u64::from(flipped && !outside);
        self.groups[decided.group][0] += 1;
        self.groups[decided.group][1] += u64::from(flipped);
        self.out_of_budget += decided.tests_out_of_budget.min(1);
        self.tests_out_of_budget += decided.tests_out_of_budget;
        match decided.guarantee {
            Guarantee::Complete => self.complete += 1,
            Guarantee::Proved => self.proved += 1,
            Guarantee::Sampled => self.sampled += 1,
            Guarantee::Probable => {
                self.probable += 1;
                self.probable_flips += u64::from(flipped);
            }
        }
        for &place in revealed {
            self.asked[place] += 1;
        }
        self.histogram[revealed.len()] += 1;
    }

    fn add_regret(&mut self, decisions: &RunDecisions, optimum: &RunDecisions) {
        if self.regret.is_empty() {
            return;
        }
        for (person, (_, revealed)) in decisions.iter().enumerate() {
            self.regret[self.asked.len() + revealed.len() - optimum.n_revealed(person)] += 1;
        }
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
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| cell.merge(other));
        add(&mut self.flips_by_class, &other.flips_by_class);
        add(&mut self.asked, &other.asked);
        add(&mut self.implied, &other.implied);
        add(&mut self.histogram, &other.histogram);
        add(&mut self.regret, &other.regret);
        if let (Some(sum), Some(other)) = (&mut self.least_cost, other.least_cost) {
            sum.merge(other);
        }
        if let (Some(giveaway), Some(other)) = (&mut self.giveaway, &other.giveaway) {
            giveaway.merge(other);
        }
    }
}

pub(crate) fn add(counts: &mut [u64], others: &[u64]) {
    for (count, other) in counts.iter_mut().zip(others) {
        *count += other;
    }
}

/// The model's labels with everything revealed.
pub(crate) fn full_labels(plan: &Plan, part: &CohortSlice<'_>) -> Vec<Label> {
    let people = part.cohort.people();
    let columns = part.places.start * people.n_columns()..part.places.end * people.n_columns();
    plan.model().labels_of_many(&people.columns()[columns])
}
