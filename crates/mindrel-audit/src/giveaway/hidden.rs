//! Counting how well hidden answers can be guessed.

use mindrel::inference::Inference;
use mindrel::schema::Encoding;
use mindrel::{Person, Plan};

use crate::decisions::{CohortSlice, RunDecisions};
use crate::fixed::FixedSum;
use crate::tally::add;

/// The sums of one run, for each sensitive question.
#[derive(Debug, Clone)]
pub(crate) struct GiveawayTally {
    pub questions: Vec<HiddenTally>,
}

/// The sums of one question, over the people who were not asked it. Pairs are before any question and after those that
/// were asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct HiddenTally {
    pub people: u64,
    /// The variance of a number under the belief; the probability of the best guess of a choice.
    pub believed: [FixedSum; 2],
    /// The squared error of a number's expected value; 1 for each choice that was guessed right.
    pub measured: [FixedSum; 2],
    /// The values of a number.
    pub sum: FixedSum,
    /// Their squares.
    pub squares: FixedSum,
    /// How many people have each level of a choice; empty for a number.
    pub levels: Vec<u64>,
}

/// Before any question, and after those that were asked.
const BEFORE: usize = 0;
const AFTER: usize = 1;

impl GiveawayTally {
    pub fn new(plan: &Plan) -> Self {
        let inference = Inference::new(plan);
        let question = |place| HiddenTally::new(inference.n_levels(place).unwrap_or(0));
        GiveawayTally { questions: (0..plan.sensitive().len()).map(question).collect() }
    }

    /// Counts what could be inferred of everybody's hidden answers.
    pub fn add(&mut self, plan: &Plan, part: &CohortSlice<'_>, decisions: &RunDecisions) {
        let mut inference = Inference::new(plan);
        let mut hidden = vec![true; self.questions.len()];
        for (person, (_, revealed)) in part.iter().zip(decisions.iter()) {
            if revealed.len() == self.questions.len() {
                continue;
            }
            hidden.fill(true);
            revealed.iter().for_each(|&place| hidden[place] = false);
            inference.begin(person.columns);
            self.look(plan, &inference, &person, &hidden, BEFORE);
            revealed.iter().for_each(|&place| inference.reveal(place, person.columns));
            inference.follow_rules(person.columns, revealed);
            self.look(plan, &inference, &person, &hidden, AFTER);
        }
    }

    fn look(&mut self, plan: &Plan, inference: &Inference, person: &Person<'_>, hidden: &[bool], when: usize) {
        for (place, tally) in self.questions.iter_mut().enumerate().filter(|(place, _)| hidden[*place]) {
            let values = &person.columns[plan.schema().columns(plan.sensitive()[place])];
            if when == BEFORE {
                tally.count(values);
            }
            let (believed, measured) = match inference.best_guess(place) {
                Some((guess, probability)) => (probability, f64::from(u8::from(guess == level_of(values)))),
                None => (inference.variance(place)[0], (values[0] - inference.mean(place)[0]).powi(2)),
            };
            tally.believed[when].add(believed);
            tally.measured[when].add(measured);
        }
    }

    pub fn merge(&mut self, other: &GiveawayTally) {
        self.questions.iter_mut().zip(&other.questions).for_each(|(tally, other)| tally.merge(other));
    }
}

impl HiddenTally {
    fn new(n_levels: usize) -> Self {
        HiddenTally { levels: vec![0; n_levels], ..HiddenTally::default() }
    }

    /// The same question with nobody counted.
    pub fn emptied(&self) -> Self {
        HiddenTally::new(self.levels.len())
    }

    pub fn is_number(&self) -> bool {
        self.levels.is_empty()
    }

    /// Counts a person and their value.
    fn count(&mut self, values: &[f64]) {
        self.people += 1;
        if self.is_number() {
            self.sum.add(values[0]);
            self.squares.add(values[0] * values[0]);
        } else {
            self.levels[level_of(values)] += 1;
        }
    }

    fn merge(&mut self, other: &HiddenTally) {
        self.people += other.people;
        self.sum.merge(other.sum);
        self.squares.merge(other.squares);
        add(&mut self.levels, &other.levels);
        for when in [BEFORE, AFTER] {
            self.believed[when].merge(other.believed[when]);
            self.measured[when].merge(other.measured[when]);
        }
    }
}

/// The level of a choice: one of two in a single column, or one for each indicator.
fn level_of(values: &[f64]) -> usize {
    match values.len() {
        1 => Encoding::Ordinal.level_of(2, values),
        n_levels => Encoding::Onehot.level_of(n_levels, values),
    }
}
