//! Points tried with a model that can only be run, with its scores.

use super::certified::runner::BlackBoxRunner;
use crate::Label;
use crate::model::label_of_scores;

/// Larger margins tell nothing more, and their squares could not be added up.
const MOST_MARGIN: f64 = 1e100;

/// Points of the open columns of one person. Those that were added are run together. It has no `Debug`: points hold
/// answers.
#[derive(Default)]
pub(crate) struct Tried {
    width: usize,
    n_scores: usize,
    /// Point after point.
    points: Vec<f64>,
    /// Of those that were run.
    scores: Vec<f64>,
    labels: Vec<Label>,
    /// Of those that were added, whether each is a possible person.
    possible: Vec<bool>,
}

impl Tried {
    /// Forgets all points, and takes on the person of a runner.
    pub fn begin(&mut self, runner: &BlackBoxRunner) {
        (self.width, self.n_scores) = (runner.width(), runner.n_scores());
        self.points.clear();
        self.scores.clear();
        self.labels.clear();
        self.possible.clear();
    }

    /// Adds a point, and returns its place.
    pub fn push(&mut self, point: &[f64]) -> usize {
        debug_assert_eq!(point.len(), self.width, "a point is filled up to the width");
        self.points.extend_from_slice(point);
        self.len() - 1
    }

    /// How many points were added.
    pub fn len(&self) -> usize {
        self.points.len() / self.width
    }

    /// Runs all points that were added since this was last called.
    pub fn run(&mut self, runner: &mut BlackBoxRunner) {
        let n_run = self.labels.len();
        let first = self.scores.len();
        runner.scores_at(&self.points[n_run * self.width..], &mut self.scores);
        self.labels.extend(self.scores[first..].chunks_exact(self.n_scores).map(label_of_scores));
        for place in n_run..self.labels.len() {
            self.possible.push(runner.open_columns().is_possible(self.point(place)));
        }
    }

    /// A point that was added.
    pub fn point(&self, place: usize) -> &[f64] {
        &self.points[place * self.width..(place + 1) * self.width]
    }

    /// The labels of the points that were run.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Whether a possible person among the points that were run has another label.
    pub fn contradicts(&self, label: Label) -> bool {
        self.labels.iter().zip(&self.possible).any(|(other, possible)| *possible && *other != label)
    }

    /// By how much a label wins at a point, within what can be added up; the most where that is not a number.
    pub fn margin(&self, place: usize, label: Label) -> f64 {
        let scores = &self.scores[place * self.n_scores..(place + 1) * self.n_scores];
        let margin = match *scores {
            [score] => {
                if label == Label::POSITIVE {
                    score
                } else {
                    -score
                }
            }
            _ => {
                let rivals = scores.iter().enumerate().filter(|(class, _)| *class != label.index());
                scores[label.index()] - rivals.map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max)
            }
        };
        if margin.is_nan() { MOST_MARGIN } else { margin.clamp(-MOST_MARGIN, MOST_MARGIN) }
    }
}
