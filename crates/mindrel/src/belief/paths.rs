//! Conditional covariances, shared by everyone of whom the same questions are known.
//!
//! Under a Gaussian belief the covariance of what is open, and the gain with which a revealed value moves the mean, depend
//! only on *which* questions are known, never on their values [TF23, Prop. 3]. So each set of known questions is worked out
//! once, and a session walks from set to set: O(open columns) for a revealed column, no matrix, no lock.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{GaussianBelief, QuestionEffect};
use crate::math::reveal::Symmetric;
use crate::model::dot;

/// How much memory the sets that are kept may take. Past it, a set is worked out again by each who needs it.
const MEMORY: usize = 64 << 20;

/// The sensitive columns in the order of their questions, and how the scores depend on them.
#[derive(Debug)]
pub(crate) struct SensitiveColumns {
    /// Columns of the encoded person, question after question.
    pub columns: Vec<usize>,
    /// Where each sensitive question's columns start in `columns`, and one entry past the last.
    pub starts: Vec<usize>,
    /// Row `c`: the weights of score `c` on the sensitive columns.
    pub weights: Vec<Vec<f64>>,
}

impl SensitiveColumns {
    /// The places of one sensitive question's columns.
    pub fn of(&self, question: usize) -> std::ops::Range<usize> {
        self.starts[question]..self.starts[question + 1]
    }

    /// How many sensitive questions.
    pub fn n_questions(&self) -> usize {
        self.starts.len() - 1
    }
}

/// All sets of known questions that were met so far.
#[derive(Debug)]
pub(crate) struct BeliefPaths {
    sensitive: SensitiveColumns,
    public_columns: Vec<usize>,
    /// Mean of the sensitive columns when every public column is at its mean.
    mean: Vec<f64>,
    public_mean: Vec<f64>,
    /// Row `j`: how the sensitive columns answer to the surprise in the `j`-th public column.
    public_gain: Vec<f64>,
    known_below: Vec<f64>,
    nodes: Vec<OnceLock<Known>>,
    index: Mutex<HashMap<Vec<u64>, usize>>,
}

/// What is common to everyone of whom a set of questions is known.
#[derive(Debug)]
pub(crate) struct Known {
    set: Vec<u64>,
    covariance: Symmetric,
    /// Standard deviation of each sensitive column.
    deviation: Vec<f64>,
    /// Covariance of the scores, row after row.
    score_covariance: Vec<f64>,
    steps: Vec<OnceLock<Step>>,
    effects: OnceLock<Vec<Option<QuestionEffect>>>,
}

/// From one set of known questions to the set with one more.
#[derive(Debug)]
struct Step {
    /// Row `j`: how the sensitive columns answer to the surprise in the question's `j`-th column.
    gain: Vec<f64>,
    next: usize,
}

/// Where a session stands: at a set that is kept, or at one of its own.
#[derive(Debug, Default)]
pub(crate) enum Position {
    /// Nothing but public questions is known.
    #[default]
    Start,
    /// A set that all sessions share.
    Shared(usize),
    /// A set that no memory was left for.
    Own(Box<Known>),
}

impl BeliefPaths {
    pub fn new(belief: &GaussianBelief, sensitive: SensitiveColumns, public_columns: Vec<usize>) -> Self {
        let mut covariance = belief.covariance().clone();
        let gains = covariance.reveal_all(&public_columns, belief.known_below());
        let pick = |values: &[f64], columns: &[usize]| {
            columns.iter().map(|&column| values[column]).collect::<Vec<f64>>()
        };
        let public_gain = gains
            .iter()
            .flat_map(|gain| pick(gain, &sensitive.columns))
            .collect();
        let known_below = pick(belief.known_below(), &sensitive.columns);
        let n_columns = sensitive.columns.len();
        let start = Known::new(
            vec![0; sensitive.n_questions().div_ceil(64)],
            covariance.select(&sensitive.columns),
            &sensitive,
        );
        // A set holds its covariance and one gain for each sensitive column; twice that covers what is filled in later.
        let bytes = 2 * 8 * (2 * n_columns * n_columns + 8) + 512;
        let sets = 1usize
            .checked_shl(sensitive.n_questions() as u32)
            .unwrap_or(usize::MAX);
        let nodes: Vec<OnceLock<Known>> = (0..(MEMORY / bytes).clamp(1, sets))
            .map(|_| OnceLock::new())
            .collect();
        let index = HashMap::from([(start.set.clone(), 0)]);
        nodes[0].set(start).expect("the first set is new");
        BeliefPaths {
            mean: pick(belief.mean(), &sensitive.columns),
            public_mean: pick(belief.mean(), &public_columns),
            public_gain,
            known_below,
            nodes,
            index: Mutex::new(index),
            sensitive,
            public_columns,
        }
    }

    /// Writes the mean of the sensitive columns, given the public ones of an encoded person.
    pub fn start_mean(&self, person: &[f64], mean: &mut [f64]) {
        mean.copy_from_slice(&self.mean);
        let rows = self.public_gain.chunks_exact(self.mean.len().max(1));
        for ((&column, expected), gain) in self.public_columns.iter().zip(&self.public_mean).zip(rows) {
            add_scaled(mean, gain, person[column] - expected);
        }
    }

    /// What is common to everyone at a position.
    pub fn known<'a>(&'a self, position: &'a Position) -> &'a Known {
        match position {
            Position::Start => self.shared(0),
            Position::Shared(index) => self.shared(*index),
            Position::Own(known) => known,
        }
    }

    /// Moves on to the set with one more question, and the mean with it.
    ///
    /// The mean of the question's own columns becomes their values. With no `mean`, only the set moves.
    pub fn reveal(&self, position: &mut Position, question: usize, person: &[f64], mean: Option<&mut [f64]>) {
        let index = match position {
            Position::Start => 0,
            Position::Shared(index) => *index,
            Position::Own(known) => {
                let (gain, next) = self.step_from(known, question);
                self.move_mean(question, &gain, person, mean);
                **known = next;
                return;
            }
        };
        let known = self.shared(index);
        if let Some(step) = known.steps[question]
            .get()
            .or_else(|| self.keep_step(known, question))
        {
            self.move_mean(question, &step.gain, person, mean);
            *position = Position::Shared(step.next);
        } else {
            let (gain, next) = self.step_from(known, question);
            self.move_mean(question, &gain, person, mean);
            *position = Position::Own(Box::new(next));
        }
    }

    /// What revealing each open question would do to the scores.
    pub fn effects<'a>(&self, known: &'a Known) -> &'a [Option<QuestionEffect>] {
        known.effects.get_or_init(|| {
            (0..self.sensitive.n_questions())
                .map(|question| (!known.contains(question)).then(|| self.effect(known, question)))
                .collect()
        })
    }

    fn effect(&self, known: &Known, question: usize) -> QuestionEffect {
        let columns = self.sensitive.of(question);
        let size = columns.len() + self.sensitive.weights.len();
        let mut joint = vec![0.0; size * size];
        for (row, column) in columns.clone().enumerate() {
            let covariances = known.covariance.row(column);
            joint[row * size..row * size + columns.len()].copy_from_slice(&covariances[columns.clone()]);
            for (score, weights) in self.sensitive.weights.iter().enumerate() {
                let value = dot(covariances, weights);
                joint[row * size + columns.len() + score] = value;
                joint[(columns.len() + score) * size + row] = value;
            }
        }
        for (score, row) in known
            .score_covariance
            .chunks_exact(self.sensitive.weights.len())
            .enumerate()
        {
            let start = (columns.len() + score) * size + columns.len();
            joint[start..start + row.len()].copy_from_slice(row);
        }
        QuestionEffect::new(
            Symmetric::new(size, joint),
            columns.len(),
            &self.known_below[columns.clone()],
        )
    }

    fn shared(&self, index: usize) -> &Known {
        self.nodes[index]
            .get()
            .expect("a shared position points to a set that is kept")
    }

    /// Works out the step and keeps it, unless no memory is left for its set.
    fn keep_step<'a>(&self, known: &'a Known, question: usize) -> Option<&'a Step> {
        let (gain, next) = self.step_from(known, question);
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let place = match index.get(&next.set) {
            Some(&place) => place,
            None if index.len() == self.nodes.len() => return None,
            None => {
                let place = index.len();
                index.insert(next.set.clone(), place);
                self.nodes[place].set(next).expect("a new place is empty");
                place
            }
        };
        Some(known.steps[question].get_or_init(|| Step { gain, next: place }))
    }

    fn step_from(&self, known: &Known, question: usize) -> (Vec<f64>, Known) {
        let mut covariance = known.covariance.clone();
        let columns: Vec<usize> = self.sensitive.of(question).collect();
        let gain = covariance.reveal_all(&columns, &self.known_below).concat();
        let mut set = known.set.clone();
        set[question / 64] |= 1 << (question % 64);
        (gain, Known::new(set, covariance, &self.sensitive))
    }

    fn move_mean(&self, question: usize, gain: &[f64], person: &[f64], mean: Option<&mut [f64]>) {
        let Some(mean) = mean else { return };
        let places = self.sensitive.of(question);
        let rows = gain.chunks_exact(self.mean.len());
        if places.len() == 1 {
            let value = person[self.sensitive.columns[places.start]];
            add_scaled(mean, gain, value - mean[places.start]);
            mean[places.start] = value;
            return;
        }
        let surprises: Vec<f64> = places
            .clone()
            .map(|place| person[self.sensitive.columns[place]] - mean[place])
            .collect();
        for (surprise, row) in surprises.iter().zip(rows) {
            add_scaled(mean, row, *surprise);
        }
        for place in places {
            mean[place] = person[self.sensitive.columns[place]];
        }
    }
}

impl Known {
    fn new(set: Vec<u64>, covariance: Symmetric, sensitive: &SensitiveColumns) -> Self {
        let size = covariance.size();
        let score_covariance = score_covariance(&covariance, &sensitive.weights);
        Known {
            set,
            deviation: (0..size)
                .map(|place| covariance.at(place, place).max(0.0).sqrt())
                .collect(),
            covariance,
            score_covariance,
            steps: (0..sensitive.n_questions()).map(|_| OnceLock::new()).collect(),
            effects: OnceLock::new(),
        }
    }

    fn contains(&self, question: usize) -> bool {
        self.set[question / 64] >> (question % 64) & 1 == 1
    }

    /// Standard deviation of one sensitive column.
    pub fn deviation(&self, place: usize) -> f64 {
        self.deviation[place]
    }

    /// A lower triangular `L`, row after row, with `L Lᵀ` the covariance of some sensitive columns.
    pub fn square_root(&self, places: std::ops::Range<usize>) -> Vec<f64> {
        let mut covariance = self.covariance.select(&places.collect::<Vec<usize>>());
        let size = covariance.size();
        let known_below = covariance.known_below();
        let mut factor = vec![0.0; size * size];
        for source in 0..size {
            let deviation = covariance.at(source, source).max(0.0).sqrt();
            if let Some(gain) = covariance.reveal(source, known_below[source]) {
                for target in source..size {
                    factor[target * size + source] = gain[target] * deviation;
                }
            }
        }
        factor
    }

    /// Covariance of the scores, row after row.
    pub fn score_covariance(&self) -> &[f64] {
        &self.score_covariance
    }
}

/// `W Σ Wᵀ`: the covariance of the scores [TF23, Eq. (6)].
fn score_covariance(covariance: &Symmetric, weights: &[Vec<f64>]) -> Vec<f64> {
    let size = covariance.size();
    let mut result = Vec::with_capacity(weights.len() * weights.len());
    for left in weights {
        let product: Vec<f64> = (0..size).map(|row| dot(covariance.row(row), left)).collect();
        result.extend(weights.iter().map(|right| dot(&product, right)));
    }
    result
}

fn add_scaled(target: &mut [f64], row: &[f64], factor: f64) {
    for (value, share) in target.iter_mut().zip(row) {
        *value += share * factor;
    }
}
