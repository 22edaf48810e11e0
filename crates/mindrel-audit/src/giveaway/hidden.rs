//! Counting how well hidden answers can be guessed.

use mindrel::inference::Inference;
use mindrel::{Person, Plan};

use crate::decisions::{CohortSlice, RunDecisions};
use crate::fixed::FixedSum;

/// The sums of one run, for each sensitive question.
#[derive(Debug, Clone)]
pub(crate) struct GiveawayTally {
    pub questions: Vec<HiddenTally>,
}

/// Over the people of whom a question was not asked.
#[derive(Debug, Clone)]
pub(crate) enum HiddenTally {
    Number(NumberTally),
    Choice(ChoiceTally),
}

/// Of a number: variances under the belief, squared errors of what is expected, and the values themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct NumberTally {
    pub people: u64,
    pub variance: [FixedSum; 2],
    pub error: [FixedSum; 2],
    pub sum: FixedSum,
    pub squares: FixedSum,
}

/// Of a choice: the probability of the best guess, how often it is right, and how many there are of each level.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChoiceTally {
    pub people: u64,
    pub probability: [FixedSum; 2],
    pub right: [u64; 2],
    pub levels: Vec<u64>,
}

/// Before any question, and after those that were asked.
const BEFORE: usize = 0;
const AFTER: usize = 1;

impl GiveawayTally {
    pub fn new(plan: &Plan) -> Self {
        let inference = Inference::new(plan);
        let question = |place| match inference.n_levels(place) {
            None => HiddenTally::Number(NumberTally::default()),
            Some(levels) => HiddenTally::Choice(ChoiceTally { levels: vec![0; levels], ..ChoiceTally::default() }),
        };
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
            self.look(plan, &inference, &person, &hidden, AFTER);
        }
    }

    fn look(&mut self, plan: &Plan, inference: &Inference, person: &Person<'_>, hidden: &[bool], when: usize) {
        for (place, question) in self.questions.iter_mut().enumerate().filter(|(place, _)| hidden[*place]) {
            let values = &person.columns[plan.schema().columns(plan.sensitive()[place])];
            match question {
                HiddenTally::Number(tally) => {
                    tally.look(values[0], inference.mean(place)[0], inference.variance(place)[0], when);
                }
                HiddenTally::Choice(tally) => {
                    let guess = inference.best_guess(place).expect("a choice has a best guess");
                    tally.look(level_of(values), guess, when);
                }
            }
        }
    }

    pub fn merge(&mut self, other: &GiveawayTally) {
        for (question, other) in self.questions.iter_mut().zip(&other.questions) {
            match (question, other) {
                (HiddenTally::Number(tally), HiddenTally::Number(other)) => tally.merge(other),
                (HiddenTally::Choice(tally), HiddenTally::Choice(other)) => tally.merge(other),
                _ => unreachable!("a question stays of its kind"),
            }
        }
    }
}

impl NumberTally {
    fn look(&mut self, value: f64, mean: f64, variance: f64, when: usize) {
        self.variance[when].add(variance);
        self.error[when].add((value - mean) * (value - mean));
        if when == BEFORE {
            self.people += 1;
            self.sum.add(value);
            self.squares.add(value * value);
        }
    }

    fn merge(&mut self, other: &NumberTally) {
        self.people += other.people;
        self.sum.merge(other.sum);
        self.squares.merge(other.squares);
        for when in [BEFORE, AFTER] {
            self.variance[when].merge(other.variance[when]);
            self.error[when].merge(other.error[when]);
        }
    }
}

impl ChoiceTally {
    fn look(&mut self, level: usize, (guess, probability): (usize, f64), when: usize) {
        self.probability[when].add(probability);
        self.right[when] += u64::from(guess == level);
        if when == BEFORE {
            self.people += 1;
            self.levels[level] += 1;
        }
    }

    fn merge(&mut self, other: &ChoiceTally) {
        self.people += other.people;
        for when in [BEFORE, AFTER] {
            self.probability[when].merge(other.probability[when]);
            self.right[when] += other.right[when];
        }
        self.levels.iter_mut().zip(&other.levels).for_each(|(count, other)| *count += other);
    }
}

/// The level behind the columns of a choice: the indicator that is set, or on which side of zero a single column lies.
fn level_of(values: &[f64]) -> usize {
    match values {
        [value] => usize::from(*value > 0.0),
        indicators => indicators.iter().position(|&value| value == 1.0).unwrap_or(0),
    }
}
