//! What the tests of every family of classifiers speak of: one label against another.

use std::ops::Range;

use crate::Label;
use crate::math::spread::Spread;
use crate::model::n_classes;

/// One label against one rival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    pub winner: Label,
    pub rival: Label,
    /// The score counted for the winner; one past the last score stands for zero.
    pub plus: usize,
    /// The score counted for the rival.
    pub minus: usize,
    /// Whether the winner wins when the margin is zero.
    pub wins_ties: bool,
}

impl Pair {
    /// By how much the winner's part of some scores (with a zero past the last) exceeds the rival's.
    pub fn margin(&self, scores: &[f64]) -> f64 {
        scores[self.plus] - scores[self.minus]
    }

    /// The scores counted for the winner and for the rival; `None` stands for zero.
    pub fn sides(&self, n_scores: usize) -> (Option<usize>, Option<usize>) {
        let side = |score: usize| (score < n_scores).then_some(score);
        (side(self.plus), side(self.minus))
    }

    /// Whether the winner wins at this margin.
    pub fn wins(&self, margin: f64) -> bool {
        margin > 0.0 || (margin == 0.0 && self.wins_ties)
    }

    /// What a function gives for the winner's score less what it gives for the rival's; zero stands for a missing
    /// score.
    pub fn difference(&self, n_scores: usize, value: impl Fn(usize) -> f64) -> f64 {
        let side = |score: usize| if score < n_scores { value(score) } else { 0.0 };
        side(self.plus) - side(self.minus)
    }

    /// The variance of the margin, from the covariance of the scores.
    pub fn variance(&self, covariance: &[f64], n_scores: usize) -> f64 {
        let variance = self.covariance_with(*self, covariance, n_scores);
        // Rounding may leave a little less than nothing; a NaN must stay one.
        if variance < 0.0 { 0.0 } else { variance }
    }

    /// The covariance of two margins, from the covariance of the scores.
    pub fn covariance_with(&self, other: Pair, covariance: &[f64], n_scores: usize) -> f64 {
        let at = |row: usize, column: usize| {
            if row < n_scores && column < n_scores { covariance[row * n_scores + column] } else { 0.0 }
        };
        at(self.plus, other.plus) - at(self.plus, other.minus) - at(self.minus, other.plus)
            + at(self.minus, other.minus)
    }
}

/// Every label against every rival, the pairs of one winner side by side.
#[derive(Debug)]
pub(crate) struct Pairs {
    n_rivals: usize,
    pairs: Vec<Pair>,
    draws: Option<Spread>,
}

/// The number of classes from which on entropies come from draws of the scores.
const MANY_CLASSES: usize = 5;

/// Draws behind an entropy of that many classes. Questions are compared by the same draws, and nothing is promised.
const ENTROPY_POINTS: usize = 256;

impl Pairs {
    /// One score ≥ 0 is label 1; of several, the first of equals wins.
    pub fn new(n_scores: usize) -> Self {
        let classes = n_classes(n_scores);
        let score_of = |label: usize| match (n_scores, label) {
            (1, 0) => 1,
            (1, _) => 0,
            (_, label) => label,
        };
        let labels = (0..classes).flat_map(|winner| (0..classes).map(move |rival| (winner, rival)));
        let pair = |(winner, rival): (usize, usize)| Pair {
            winner: Label::new(winner),
            rival: Label::new(rival),
            plus: score_of(winner),
            minus: score_of(rival),
            wins_ties: if n_scores == 1 { winner == 1 } else { winner < rival },
        };
        let pairs = labels.filter(|(winner, rival)| winner != rival).map(pair).collect();
        let draws = (classes >= MANY_CLASSES).then(|| Spread::with(n_scores, ENTROPY_POINTS));
        Pairs { n_rivals: classes - 1, pairs, draws }
    }

    /// Draws of independent normal numbers, one for each score; only for many classes, whose probabilities together are
    /// dear to work out one by one.
    pub fn draws(&self) -> Option<&Spread> {
        self.draws.as_ref()
    }

    /// How many labels there are.
    pub fn n_classes(&self) -> usize {
        self.n_rivals + 1
    }

    /// All of them.
    pub fn all(&self) -> &[Pair] {
        &self.pairs
    }

    /// The places of the pairs of one winner.
    pub fn places(&self, label: Label) -> Range<usize> {
        label.index() * self.n_rivals..(label.index() + 1) * self.n_rivals
    }

    /// The pairs of one winner.
    pub fn of(&self, label: Label) -> &[Pair] {
        &self.pairs[self.places(label)]
    }
}
