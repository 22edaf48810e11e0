//! F-score: the question after which the label is expected to be least uncertain [TF23, Eqs (2)-(4)].
//!
//! ```text
//! F(q) = −E_{x_q} [ H( f(x_q, X_rest) ) ]
//! ```
//!
//! Under a Gaussian belief and a binary linear model no integral is needed. With `v_q = Var(score) − Var(score | x_q)`, the
//! score given `x_q` is the same signal through a less noisy channel as `v_q` grows, so the expected entropy falls strictly
//! in `v_q` and
//!
//! ```text
//! argmax_q F(q) = argmax_q v_q,     v_q = cᵀ Σ_qq⁺ c,   c = Cov(x_q, score | known)
//! ```
//!
//! which depends on no value: the order is the same for everyone. Departs from [TF23, Eq. (4)], which draws samples; the
//! draws remain as `f-score-mc`. With several classes, `x_q` is integrated by Gauss-Hermite quadrature, a category over its levels.

use rand_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::view::GaussianView;
use super::{Reason, gain_per_cost};
use crate::belief::QuestionEffect;
use crate::core_test::probable::ScoreDistribution;
use crate::math::quadrature::{Abscissa, hermite_table};
use crate::schema::Domain;

/// Nodes of the quadrature over a candidate's value. Eight nodes integrate polynomials up to degree 15 exactly; the
/// entropies here are smooth in the value.
static NODES: [Abscissa; 8] = hermite_table();

/// By closed form for two classes, by quadrature for more.
pub(super) fn choose(gaussian: &GaussianView<'_>) -> (usize, Reason) {
    let view = gaussian.view;
    let question = if view.n_scores() == 1 {
        view.best(|question| gaussian.explained_variance(question) * view.prepared.per_cost[question])
    } else {
        best_by_entropy(gaussian, |question, scratch| entropy_by_quadrature(gaussian, question, scratch))
    };
    (question, Reason::Tells)
}

/// By the published Monte Carlo estimate with `draws` draws for each candidate.
pub(super) fn choose_by_draws<R: Rng>(gaussian: &GaussianView<'_>, draws: usize, random: &mut R) -> (usize, Reason) {
    let entropy = |question, scratch: &mut Scratch| entropy_by_draws(gaussian, question, draws, random, scratch);
    (best_by_entropy(gaussian, entropy), Reason::Tells)
}

/// Room for the probabilities of the labels and for moved scores.
struct Scratch {
    probabilities: Vec<f64>,
    moved: Vec<f64>,
}

/// The question that lowers the entropy most for its cost.
fn best_by_entropy(gaussian: &GaussianView<'_>, mut entropy: impl FnMut(usize, &mut Scratch) -> f64) -> usize {
    let view = gaussian.view;
    let n_classes = view.margins().n_classes();
    let mut scratch = Scratch { probabilities: vec![0.0; n_classes], moved: view.expected.to_vec() };
    let now = gaussian.scores().entropy(view.margins().by_label(), &mut scratch.probabilities);
    let gains: Vec<(usize, f64)> = view
        .open()
        .map(|question| {
            (question, gain_per_cost(now - entropy(question, &mut scratch), view.prepared.per_cost[question]))
        })
        .collect();
    let mut best = gains[0];
    for &(question, gain) in &gains[1..] {
        if gain > best.1 {
            best = (question, gain);
        }
    }
    best.0
}

/// The entropy of the label once the scores have moved by the gains of some surprises.
fn entropy_after(
    gaussian: &GaussianView<'_>,
    effect: &QuestionEffect,
    surprises: impl Iterator<Item = (usize, f64)>,
    scratch: &mut Scratch,
) -> f64 {
    scratch.moved.copy_from_slice(gaussian.view.expected);
    for (column, surprise) in surprises {
        for (score, gain) in scratch.moved.iter_mut().zip(effect.gain(column)) {
            *score += gain * surprise;
        }
    }
    let after = ScoreDistribution { expected: &scratch.moved, covariance: effect.covariance_after() };
    after.entropy(gaussian.view.margins().by_label(), &mut scratch.probabilities)
}

fn entropy_by_quadrature(gaussian: &GaussianView<'_>, question: usize, scratch: &mut Scratch) -> f64 {
    let (view, effect) = (gaussian.view, gaussian.effect(question));
    let columns = view.prepared.columns(question);
    if let Domain::OneOf { levels } = view.prepared.asked[question].domain {
        let mean = &gaussian.posterior.mean()[columns];
        return (0..levels)
            .map(|level| (level, view.level_probability(question, level)))
            .filter(|(_, probability)| *probability > 0.0)
            .map(|(level, probability)| {
                let indicator = |column: usize| f64::from(u8::from(column == level));
                let surprises = mean.iter().enumerate().map(|(column, mean)| (column, indicator(column) - mean));
                probability * entropy_after(gaussian, effect, surprises, scratch)
            })
            .sum();
    }
    let deviation = gaussian.posterior.variance()[columns.start].sqrt();
    NODES
        .iter()
        .map(|node| node.weight * entropy_after(gaussian, effect, std::iter::once((0, deviation * node.at)), scratch))
        .sum()
}

/// Draws of the question's value, as published; those of a question with several columns are drawn from their joint normal.
fn entropy_by_draws<R: Rng>(
    gaussian: &GaussianView<'_>,
    question: usize,
    draws: usize,
    random: &mut R,
    scratch: &mut Scratch,
) -> f64 {
    let effect = gaussian.effect(question);
    let columns = gaussian.view.prepared.columns(question);
    let factor = gaussian.known.square_root(columns.clone());
    let size = columns.len();
    let mut surprises = vec![0.0; size];
    let mut total = 0.0;
    for _ in 0..draws {
        surprises.fill(0.0);
        for source in 0..size {
            let drawn: f64 = StandardNormal.sample(random);
            for target in source..size {
                surprises[target] += factor[target * size + source] * drawn;
            }
        }
        total += entropy_after(gaussian, effect, surprises.iter().copied().enumerate(), scratch);
    }
    total / draws as f64
}
