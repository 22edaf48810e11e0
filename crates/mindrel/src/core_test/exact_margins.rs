//! The exact test for linear models [TF23, §5.2, Prop. 6].
//!
//! ```text
//! margin_{c,k}(x) = score_c(x) − score_k(x) = known part + Σ_{q open} contribution_q
//! ```
//!
//! Label `c` is settled when for every rival `k` the smallest margin over the domain is not negative. Each open
//! question contributes its own minimum, so the smallest margin is exact, and revealing a question updates it in O(1).
//! Each pair of classes is bounded as one linear function: bounding every class's score on its own would be looser.

use std::cmp::Ordering;

use super::pairs::{Pair, Pairs};
use crate::Label;
use crate::math::exact_sum::ExactSum;
use crate::model::{LinearModel, Model};
use crate::region::Asked;

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

    /// Whether revealing a question can add anything to any margin.
    pub fn can_move(&self, question: usize) -> bool {
        (0..self.pairs().len()).any(|pair| self.width_row(pair)[question] > 0.0)
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
    /// A smallest margin within `slack` of zero is worked out again by `exact`, without rounding. So rounding never
    /// settles a label, and a margin of exactly zero is told from one just below.
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

/// The point, of some for the columns of a question, where it contributes least to a margin, by exact comparison.
pub(crate) fn least_point<'a>(
    model: &LinearModel,
    pair: &Pair,
    question: &Asked,
    points: &'a [Vec<f64>],
) -> Option<&'a [f64]> {
    let (mut least, others) = points.split_first().expect("a question has an answer");
    for point in others {
        let mut difference = ExactSum::new();
        add_point(&mut difference, model, pair, question, point, 1.0);
        add_point(&mut difference, model, pair, question, least, -1.0);
        if difference.sign()?.is_lt() {
            least = point;
        }
    }
    Some(least)
}

/// Whether a question contributes the same to a margin whatever its answer, by exact comparison.
pub(crate) fn is_flat(model: &LinearModel, pair: &Pair, question: &Asked) -> bool {
    let at = |vertex: usize| -> Vec<f64> {
        (0..question.columns.len()).map(|column| question.domain.vertex_value(vertex, column)).collect()
    };
    (1..question.domain.n_vertices()).all(|vertex| {
        let mut difference = ExactSum::new();
        add_point(&mut difference, model, pair, question, &at(vertex), 1.0);
        add_point(&mut difference, model, pair, question, &at(0), -1.0);
        difference.sign() == Some(Ordering::Equal)
    })
}

/// What a question contributes to a margin at a vertex of its domain.
pub(crate) fn contribution_at(model: &LinearModel, pair: &Pair, question: &Asked, vertex: usize) -> f64 {
    pair.difference(model.n_scores(), |score| {
        question.domain.at_vertex(vertex, &model.weights(score)[question.columns.clone()])
    })
}

/// Adds what a question contributes to a margin with its columns at a point, without rounding.
pub(crate) fn add_point(
    sum: &mut ExactSum,
    model: &LinearModel,
    pair: &Pair,
    question: &Asked,
    point: &[f64],
    factor: f64,
) {
    for (score, sign) in [(pair.plus, factor), (pair.minus, -factor)] {
        if score < model.n_scores() {
            let weights = &model.weights(score)[question.columns.clone()];
            for (weight, value) in weights.iter().zip(point) {
                sum.add_product(sign * weight, *value);
            }
        }
    }
}
