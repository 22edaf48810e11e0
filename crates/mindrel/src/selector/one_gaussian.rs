//! F-score: the question after which the label is expected to be least uncertain [TF23, Eqs (2)-(4)].
//!
//! ```text
//! F(q) = −E_{x_q} [ H( f(x_q, X_rest) ) ]
//! ```
//!
//! Under a Gaussian belief and a binary linear model no integral is needed. With `v_q = Var(score) − Var(score | x_q)`,
//! the score given `x_q` is the same signal through a less noisy channel as `v_q` grows, so the expected entropy falls
//! strictly in `v_q` and
//!
//! ```text
//! argmax_q F(q) = argmax_q v_q,     v_q = cᵀ Σ_qq⁺ c,   c = Cov(x_q, score | known)
//! ```
//!
//! which depends on no value: the order is the same for everyone. Departs from [TF23, Eq. (4)], which draws samples;
//! the draws remain as `f-score-mc`. With several classes, `x_q` is integrated by Gauss-Hermite quadrature, a category
//! over its levels.

use std::ops::Range;

use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

use super::decisive_linear::Rivals;
use super::imagined::answers_or_missing;
use super::view::{LinearBelief, LinearView, NegligibleBelow, normal_between, normal_between_or_missing};
use crate::belief::{BeliefPaths, GaussianPosterior, Known, QuestionEffect};
use crate::core_test::probable::ScoreDistribution;
use crate::math::quadrature::{Abscissa, hermite_table};
use crate::rules::Budget;
use crate::schema::Domain;

/// Nodes of the quadrature over a candidate's value. Eight nodes integrate polynomials up to degree 15 exactly; the
/// entropies here are smooth in the value.
static NODES: [Abscissa; 8] = hermite_table();

/// One Gaussian, under which what questions would tell is the same for everyone of whom the same ones are known.
pub(crate) struct OneGaussian<'a> {
    pub posterior: &'a GaussianPosterior,
    pub paths: &'a BeliefPaths,
    /// What is common to everyone of whom the same questions are known.
    pub known: &'a Known,
}

type GaussianView<'a> = LinearView<'a, OneGaussian<'a>>;

impl LinearBelief for OneGaussian<'_> {
    fn mean(&self) -> &[f64] {
        self.posterior.mean()
    }

    fn between(&self, column: usize, lower: f64, upper: f64, least: NegligibleBelow) -> f64 {
        normal_between(self.posterior.mean()[column], self.posterior.variance()[column], lower, upper, Some(least))
    }

    fn between_or_missing(&self, columns: Range<usize>, lower: f64, upper: f64) -> (f64, f64) {
        let variance = self.posterior.variance()[columns.start];
        normal_between_or_missing(&self.posterior.mean()[columns], variance, lower, upper)
    }

    /// At δ > 0:
    ///
    /// ```text
    /// Σ_k P(rival k is ahead) · (Var(margin_k) − Var(margin_k | x_q)) / Var(margin_k)
    /// ```
    fn most_explaining(view: &LinearView<'_, Self>) -> usize {
        let per_cost = &view.questions().per_cost;
        if view.n_scores() == 1 {
            return best_by_explained_variance(view);
        }
        let rivals = Rivals::new(view, view.likely(), &scores(view));
        view.best(|question| rivals.explained(view.belief.effect(question)) * per_cost[question])
    }

    /// By closed form for two classes, by quadrature for more.
    fn least_entropy(view: &LinearView<'_, Self>, budget: &mut Budget) -> usize {
        if view.n_scores() == 1 {
            return best_by_explained_variance(view);
        }
        best_by_entropy(view, budget, |question, scratch, budget| {
            entropy_by_quadrature(view, question, scratch, budget)
        })
    }

    /// By the published Monte Carlo estimate.
    fn least_entropy_by_draws(
        view: &LinearView<'_, Self>,
        draws: usize,
        budget: &mut Budget,
        random: &mut Pcg64Mcg,
    ) -> usize {
        best_by_entropy(view, budget, |question, scratch, budget| {
            entropy_by_draws(view, question, draws, random, scratch, budget)
        })
    }
}

impl OneGaussian<'_> {
    /// What revealing a question would do to the scores.
    fn effect(&self, question: usize) -> &QuestionEffect {
        self.paths.effects(self.known)[question].as_ref().expect("an open question has an effect")
    }
}

/// The distribution of the scores now.
fn scores<'a>(view: &'a GaussianView<'_>) -> ScoreDistribution<'a> {
    ScoreDistribution { expected: view.expected, covariance: view.belief.posterior.score_covariance() }
}

/// The question with the largest `v_q`, how much of the only score's variance it explains.
fn best_by_explained_variance(view: &GaussianView<'_>) -> usize {
    let explained = view.belief.paths.explained(view.belief.known);
    view.best(|question| explained[question] * view.questions().per_cost[question])
}

/// Buffers for the probabilities of the labels and for moved scores.
struct Scratch {
    probabilities: Vec<f64>,
    moved: Vec<f64>,
}

/// The question that lowers the entropy most for its cost.
fn best_by_entropy(
    view: &GaussianView<'_>,
    budget: &mut Budget,
    mut entropy: impl FnMut(usize, &mut Scratch, &mut Budget) -> f64,
) -> usize {
    let n_classes = view.margins().n_classes();
    let mut scratch = Scratch { probabilities: vec![0.0; n_classes], moved: view.expected.to_vec() };
    let now = scores(view).entropy(view.margins().by_label(), &mut scratch.probabilities);
    view.least_expected_entropy(now, budget, |question, budget| entropy(question, &mut scratch, budget))
}

/// The entropy of the label once the scores have moved by the gains of some surprises.
fn entropy_after(
    view: &GaussianView<'_>,
    effect: &QuestionEffect,
    surprises: impl Iterator<Item = (usize, f64)>,
    scratch: &mut Scratch,
    budget: &mut Budget,
) -> f64 {
    budget.spend(ScoreDistribution::entropy_work(view.margins().by_label()));
    scratch.moved.copy_from_slice(view.expected);
    for (column, surprise) in surprises {
        for (score, gain) in scratch.moved.iter_mut().zip(effect.gain(column)) {
            *score += gain * surprise;
        }
    }
    let after = ScoreDistribution { expected: &scratch.moved, covariance: effect.covariance_after() };
    after.entropy(view.margins().by_label(), &mut scratch.probabilities)
}

fn entropy_by_quadrature(view: &GaussianView<'_>, question: usize, scratch: &mut Scratch, budget: &mut Budget) -> f64 {
    let effect = view.belief.effect(question);
    let columns = view.questions().columns_of(question);
    if let Domain::OneOf { levels } = view.questions().asked[question].domain {
        let mean = &view.belief.posterior.mean()[columns];
        return (0..levels)
            .map(|level| (level, view.level_probability(question, level)))
            .filter(|(_, probability)| *probability > 0.0)
            .map(|(level, probability)| {
                let indicator = |column: usize| f64::from(u8::from(column == level));
                let surprises = mean.iter().enumerate().map(|(column, mean)| (column, indicator(column) - mean));
                probability * entropy_after(view, effect, surprises, scratch, budget)
            })
            .sum();
    }
    if let Domain::OrMissing { .. } = view.questions().asked[question].domain {
        let mean = &view.belief.posterior.mean()[columns.clone()];
        let answers = answers_or_missing(mean, view.belief.posterior.variance()[columns.start]);
        return answers
            .iter()
            .map(|(probability, answer)| {
                let surprises = answer.iter().zip(mean).map(|(value, mean)| value - mean).enumerate();
                probability * entropy_after(view, effect, surprises, scratch, budget)
            })
            .sum();
    }
    let deviation = view.belief.posterior.variance()[columns.start].sqrt();
    NODES
        .iter()
        .map(|node| {
            let surprise = std::iter::once((0, deviation * node.at));
            node.weight * entropy_after(view, effect, surprise, scratch, budget)
        })
        .sum()
}

/// Draws of the question's value, as published; those of a question with several columns are drawn from their joint
/// normal. Fewer where the budget ends.
fn entropy_by_draws(
    view: &GaussianView<'_>,
    question: usize,
    draws: usize,
    random: &mut Pcg64Mcg,
    scratch: &mut Scratch,
    budget: &mut Budget,
) -> f64 {
    let effect = view.belief.effect(question);
    let columns = view.questions().columns_of(question);
    let factor = view.belief.known.square_root(columns.clone());
    let size = columns.len();
    let mut surprises = vec![0.0; size];
    let (mut total, mut n_drawn) = (0.0, 0.0);
    for _ in 0..draws {
        surprises.fill(0.0);
        for source in 0..size {
            let drawn: f64 = StandardNormal.sample(random);
            for target in source..size {
                surprises[target] += factor[target * size + source] * drawn;
            }
        }
        total += entropy_after(view, effect, surprises.iter().copied().enumerate(), scratch, budget);
        n_drawn += 1.0;
        if budget.is_used_up() {
            break;
        }
    }
    total / n_drawn
}
