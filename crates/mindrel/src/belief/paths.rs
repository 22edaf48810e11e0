//! What each question would tell, shared by all sessions in which the same questions are known.
//!
//! Under a Gaussian belief a question's effect on the scores depends only on *which* questions are known, never on
//! their values [TF23, Prop. 3]. So each set of known questions is computed once and kept. With two classes the
//! f-score's order is the same for everyone, and a whole audit walks one path.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::QuestionEffect;
use super::posterior::{GaussianPrior, score_covariance};
use crate::math::reveal::{KNOWN_SHARE, Symmetric, factorise};
use crate::math::vector::dot;

/// How much memory the kept sets may take. Beyond it, every session computes the sets it needs.
const MEMORY: usize = 64 << 20;

/// All sets of known questions that were met so far.
#[derive(Debug)]
pub(crate) struct BeliefPaths {
    /// The places of each sensitive question's columns.
    questions: Vec<Range<usize>>,
    /// Row of a score: its weights on the sensitive columns.
    weights: Vec<Vec<f64>>,
    known_below: Vec<f64>,
    nodes: Vec<OnceLock<Known>>,
    index: Mutex<HashMap<Vec<u64>, usize>>,
}

/// What all sessions with the same set of known questions share.
#[derive(Debug)]
pub(crate) struct Known {
    set: Vec<u64>,
    covariance: Symmetric,
    /// The set with one more question, where it is kept.
    next: Vec<OnceLock<usize>>,
    effects: OnceLock<Vec<Option<QuestionEffect>>>,
    explained: OnceLock<Vec<f64>>,
}

/// Where a session stands: at a set that is kept, or at one of its own.
#[derive(Debug)]
pub(crate) enum Position {
    /// A set that all sessions share.
    Shared(usize),
    /// A set that no memory was left for.
    Own(Box<Known>),
}

impl Position {
    /// Nothing but the public questions is known.
    pub const START: Position = Position::Shared(0);
}

impl BeliefPaths {
    pub fn new(prior: &GaussianPrior, questions: Vec<Range<usize>>, weights: Vec<Vec<f64>>) -> Self {
        let start = Known::new(vec![0; questions.len().div_ceil(64)], prior.covariance().clone(), questions.len());
        // A set holds its covariance and, once asked for, every question's effect on the scores.
        let (n_columns, n_scores) = (start.covariance.size(), weights.len());
        let effects = n_columns * n_scores + questions.len() * n_scores * n_scores;
        let bytes = 8 * (n_columns * n_columns + effects) + 128 * questions.len() + 512;
        let sets = 1usize.checked_shl(questions.len() as u32).unwrap_or(usize::MAX);
        let nodes: Vec<OnceLock<Known>> = (0..(MEMORY / bytes).clamp(1, sets)).map(|_| OnceLock::new()).collect();
        let index = Mutex::new(HashMap::from([(start.set.clone(), 0)]));
        nodes[0].set(start).expect("the first set is new");
        BeliefPaths { questions, weights, known_below: prior.known_below().to_vec(), nodes, index }
    }

    /// What is common to everyone at a position.
    pub fn known<'a>(&'a self, position: &'a Position) -> &'a Known {
        match position {
            Position::Shared(index) => self.shared(*index),
            Position::Own(known) => known,
        }
    }

    /// Moves on to the set with one more question.
    pub fn reveal(&self, position: &mut Position, question: usize) {
        let next = match position {
            Position::Shared(index) => {
                let known = self.shared(*index);
                match known.next[question].get().copied().or_else(|| self.keep(known, question)) {
                    Some(next) => Position::Shared(next),
                    None => Position::Own(Box::new(self.with(known, question))),
                }
            }
            Position::Own(known) => Position::Own(Box::new(self.with(known, question))),
        };
        *position = next;
    }

    /// What revealing each open question would do to the scores.
    pub fn effects<'a>(&self, known: &'a Known) -> &'a [Option<QuestionEffect>] {
        known.effects.get_or_init(|| {
            let scores = score_covariance(known.covariance.entries(), &self.weights);
            (0..self.questions.len())
                .map(|question| (!known.contains(question)).then(|| self.effect(known, &scores, question)))
                .collect()
        })
    }

    /// How much of the first score's variance each open question explains; zero for known ones.
    pub fn explained<'a>(&self, known: &'a Known) -> &'a [f64] {
        known.explained.get_or_init(|| {
            let before = score_covariance(known.covariance.entries(), &self.weights)[0];
            let explained = |effect: &Option<QuestionEffect>| {
                effect.as_ref().map_or(0.0, |effect| (before - effect.covariance_after()[0]).max(0.0))
            };
            self.effects(known).iter().map(explained).collect()
        })
    }

    fn effect(&self, known: &Known, scores: &[f64], question: usize) -> QuestionEffect {
        let columns = self.questions[question].clone();
        let known_below = &self.known_below[columns.clone()];
        let covariance = |row: usize, column: usize| known.covariance.at(row, column);
        let cross = |score: usize, column: usize| dot(known.covariance.row(column), &self.weights[score]);
        QuestionEffect::of(columns, known_below, scores, covariance, cross)
    }

    fn shared(&self, index: usize) -> &Known {
        self.nodes[index].get().expect("a shared position points to a set that is kept")
    }

    /// Works out the set with one more question and keeps it, unless no memory is left.
    fn keep(&self, known: &Known, question: usize) -> Option<usize> {
        let next = self.with(known, question);
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
        Some(*known.next[question].get_or_init(|| place))
    }

    /// The set with one more question, worked out from the start and in the order of the questions: whoever comes to a
    /// set first, and by whichever way, leaves the same bits there for all others.
    fn with(&self, known: &Known, question: usize) -> Known {
        let n_questions = self.questions.len();
        let is_last = (question..n_questions).all(|other| !known.contains(other));
        let start = if is_last { known } else { self.shared(0) };
        let mut covariance = start.covariance.clone();
        let questions = (0..n_questions).filter(|&other| other == question || known.contains(other));
        for question in questions.filter(|&other| !start.contains(other)) {
            for column in self.questions[question].clone() {
                covariance.reveal(column, self.known_below[column]);
            }
        }
        let mut set = known.set.clone();
        set[question / 64] |= 1 << (question % 64);
        Known::new(set, covariance, n_questions)
    }
}

impl Known {
    fn new(set: Vec<u64>, covariance: Symmetric, n_questions: usize) -> Self {
        Known {
            set,
            covariance,
            next: (0..n_questions).map(|_| OnceLock::new()).collect(),
            effects: OnceLock::new(),
            explained: OnceLock::new(),
        }
    }

    fn contains(&self, question: usize) -> bool {
        self.set[question / 64] >> (question % 64) & 1 == 1
    }

    /// A lower triangular `L`, row after row, with `L Lᵀ` the covariance of some sensitive columns.
    pub fn square_root(&self, places: Range<usize>) -> Vec<f64> {
        let (first, mut factor) = (places.start, Vec::new());
        let covariance = |row: usize, column: usize| self.covariance.at(first + row, first + column);
        factorise(places.len(), covariance, |column| KNOWN_SHARE * covariance(column, column), &mut factor);
        factor
    }
}
