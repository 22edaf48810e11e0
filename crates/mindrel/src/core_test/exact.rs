//! The exact test for linear models [TF23, §5.2, Prop. 6].
//!
//! ```text
//! margin_{c,k}(x) = score_c(x) − score_k(x) = known part + Σ_{q open} contribution_q
//! ```
//!
//! Label `c` is settled when for every rival `k` the smallest margin over the domain is not negative. Each open question
//! contributes its own minimum, so the smallest margin is exact, and revealing a question updates it in O(1).
//! Each pair of classes is bounded as one linear function: bounding every class's score on its own would be looser.

use std::cmp::Ordering;

use super::certified::bounds::Margin;
use super::certified::open::PaddedNetwork;
use crate::Label;
use crate::math::exact::ExactSum;
use crate::model::{LinearModel, Model, n_classes};
use crate::schema::Domain;

/// One label against one rival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    pub winner: Label,
    pub rival: Label,
    /// The score counted for the winner; one past the last score stands for zero.
    plus: usize,
    /// The score counted for the rival.
    minus: usize,
    /// Whether the winner wins when the margin is zero.
    wins_ties: bool,
}

impl Pair {
    /// By how much the winner's part of some scores (with a zero past the last) exceeds the rival's.
    pub fn margin(&self, scores: &[f64]) -> f64 {
        scores[self.plus] - scores[self.minus]
    }

    /// The margin as a combination of a network's last hidden layer.
    pub fn network_margin(&self, network: &PaddedNetwork) -> Margin {
        let side = |score: usize| (score < network.n_scores).then_some(score);
        Margin::new(network, side(self.plus), side(self.minus))
    }

    /// Whether the winner wins at this margin.
    pub fn wins(&self, margin: f64) -> bool {
        margin > 0.0 || (margin == 0.0 && self.wins_ties)
    }

    /// What a function gives for the winner's score less what it gives for the rival's; zero stands for a missing score.
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
}

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
        Pairs { n_rivals: classes - 1, pairs }
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
    pub fn places(&self, label: Label) -> std::ops::Range<usize> {
        label.index() * self.n_rivals..(label.index() + 1) * self.n_rivals
    }

    /// The pairs of one winner.
    pub fn of(&self, label: Label) -> &[Pair] {
        &self.pairs[self.places(label)]
    }
}

/// The smallest contribution of every question to every margin.
#[derive(Debug)]
pub(crate) struct Margins {
    n_questions: usize,
    pairs: Pairs,
    /// Row of a pair: the smallest contribution of each question.
    worst: Vec<f64>,
    /// Row of a pair: the largest contribution of each question less its smallest.
    width: Vec<f64>,
    /// The smallest margin of each pair with every question open and nothing known.
    start: Vec<f64>,
}

/// An open or revealed question as the exact arithmetic sees it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub domain: Domain,
    pub columns: std::ops::Range<usize>,
}

impl Margins {
    pub fn new(model: &LinearModel, questions: &[Asked]) -> Self {
        let pairs = Pairs::new(model.n_scores());
        let n_pairs = pairs.all().len();
        let mut worst = Vec::with_capacity(n_pairs * questions.len());
        let mut width = Vec::with_capacity(n_pairs * questions.len());
        for pair in pairs.all() {
            for question in questions {
                let values = (0..question.domain.n_vertices())
                    .map(|vertex| contribution_at(model, pair, question, vertex))
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
                worst.push(values.0);
                width.push(values.1 - values.0);
            }
        }
        let start = worst.chunks(questions.len().max(1)).map(|row| row.iter().sum()).collect::<Vec<f64>>();
        Margins {
            n_questions: questions.len(),
            start: if questions.is_empty() { vec![0.0; n_pairs] } else { start },
            pairs,
            worst,
            width,
        }
    }

    /// How many labels there are.
    pub fn n_classes(&self) -> usize {
        self.pairs.n_classes()
    }

    /// Who wins over whom.
    pub fn by_label(&self) -> &Pairs {
        &self.pairs
    }

    /// All pairs, those of one winner side by side.
    pub fn pairs(&self) -> &[Pair] {
        self.pairs.all()
    }

    /// The places of the pairs of one winner.
    pub fn of_winner(&self, label: Label) -> std::ops::Range<usize> {
        self.pairs.places(label)
    }

    /// The smallest contribution of a question to a margin.
    pub fn worst(&self, pair: usize, question: usize) -> f64 {
        self.worst[pair * self.n_questions + question]
    }

    /// The smallest contribution of each question to a margin.
    pub fn worst_row(&self, pair: usize) -> &[f64] {
        &self.worst[pair * self.n_questions..(pair + 1) * self.n_questions]
    }

    /// How much revealing each question can add to a margin at most.
    pub fn width_row(&self, pair: usize) -> &[f64] {
        &self.width[pair * self.n_questions..(pair + 1) * self.n_questions]
    }

    /// Writes the smallest margins when nothing but `scores` (with a zero past the last) is known.
    pub fn begin(&self, scores: &[f64], margins: &mut [f64]) {
        for ((margin, pair), start) in margins.iter_mut().zip(self.pairs()).zip(&self.start) {
            *margin = pair.margin(scores) + start;
        }
    }

    /// Replaces a question's smallest contribution to the margins by its own.
    pub fn reveal(&self, question: usize, contributions: &[f64], margins: &mut [f64]) {
        for (index, (margin, pair)) in margins.iter_mut().zip(self.pairs.all()).enumerate() {
            *margin += pair.margin(contributions) - self.worst(index, question);
        }
    }

    /// The label that nothing open can change, if there is one [TF23, Def. 1, δ = 0].
    ///
    /// # Numerics
    /// A smallest margin within `slack` of zero is worked out again by `exact`, without rounding. So rounding never settles
    /// a label, and a margin of exactly zero is told from one just below.
    pub fn settled(&self, margins: &[f64], slack: f64, exact: impl Fn(&Pair) -> Option<Ordering>) -> Option<Label> {
        let wins = |place: usize| {
            let margin = margins[place];
            if margin.is_finite() && margin.abs() > slack {
                return margin > 0.0;
            }
            let pair = &self.pairs()[place];
            exact(pair).is_some_and(|sign| sign.is_gt() || (sign.is_eq() && pair.wins_ties))
        };
        (0..self.n_classes()).map(Label::new).find(|&label| self.of_winner(label).all(wins))
    }
}

/// The sign of a pair's smallest margin without rounding; nothing where numbers over- or underflow.
///
/// `person` holds the values of all known columns; `open` are the questions that are not known.
pub(crate) fn exact_sign<'a>(
    model: &LinearModel,
    pair: &Pair,
    person: &[f64],
    known_columns: impl Iterator<Item = usize>,
    open: impl Iterator<Item = &'a Asked>,
) -> Option<Ordering> {
    let mut sum = ExactSum::new();
    let sides = || [(pair.plus, 1.0), (pair.minus, -1.0)].into_iter().filter(|(score, _)| *score < model.n_scores());
    for (score, sign) in sides() {
        sum.add(sign * model.intercept(score));
    }
    for column in known_columns {
        for (score, sign) in sides() {
            sum.add_product(sign * model.weights(score)[column], person[column]);
        }
    }
    for question in open {
        let vertex = smallest_vertex(model, pair, question)?;
        add_vertex(&mut sum, model, pair, question, vertex, 1.0);
    }
    sum.sign()
}

/// The vertex of a question's domain where it contributes least to a margin, by exact comparison.
pub(crate) fn smallest_vertex(model: &LinearModel, pair: &Pair, question: &Asked) -> Option<usize> {
    let mut smallest = 0;
    for vertex in 1..question.domain.n_vertices() {
        let mut difference = ExactSum::new();
        add_vertex(&mut difference, model, pair, question, vertex, 1.0);
        add_vertex(&mut difference, model, pair, question, smallest, -1.0);
        if difference.sign()?.is_lt() {
            smallest = vertex;
        }
    }
    Some(smallest)
}

fn add_vertex(sum: &mut ExactSum, model: &LinearModel, pair: &Pair, question: &Asked, vertex: usize, factor: f64) {
    for (score, sign) in [(pair.plus, factor), (pair.minus, -factor)] {
        if score < model.n_scores() {
            let weights = &model.weights(score)[question.columns.clone()];
            sum.add(sign * question.domain.at_vertex(vertex, weights));
        }
    }
}

fn contribution_at(model: &LinearModel, pair: &Pair, question: &Asked, vertex: usize) -> f64 {
    pair.difference(model.n_scores(), |score| {
        question.domain.at_vertex(vertex, &model.weights(score)[question.columns.clone()])
    })
}
