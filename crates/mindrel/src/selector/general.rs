//! Linear models under beliefs other than one Gaussian: the same criteria, where what a question would tell depends on the answers before.

use std::cell::RefCell;

use rand_core::Rng;

use super::decisive::Rivals;
use super::imagined::{draw_at_random, imagined_answers};
use super::{Believed, Reason, View, gain_per_cost};
use crate::belief::{Posterior, Predictive, QuestionEffect};
use crate::core_test::probable::ScoreDistribution;
use crate::core_test::score_belief::ScoreBelief;

/// At δ > 0: the question that explains most of what still puts the likely label at risk, by first and second moments.
///
/// ```text
/// Σ_k P(rival k is ahead) · cᵀ Σ_qq⁺ c / Var(margin_k),     c = Cov(x_q, margin_k)
/// ```
///
/// The explained variance is that of the best linear guess of the margin.
pub(super) fn choose_likely(view: &View<'_>) -> usize {
    let General { posterior, scores, .. } = General::of(view);
    let (expected, covariance) = scores.moments();
    let (likely, _) = scores.likeliest(view.margins().by_label());
    let rivals = Rivals::new(view, likely, &ScoreDistribution { expected: &expected, covariance: &covariance });
    let cross = cross_covariances(view, posterior, scores, &expected);
    let prior = &view.prepared.prior;
    let n_columns = posterior.mean().len();
    let within = |left: usize, right: usize| {
        if left == right { posterior.variance()[left] } else { posterior.covariance(prior, left, right) }
    };
    view.best(|question| {
        let columns = view.prepared.columns(question);
        let known_below = &prior.known_below()[columns.clone()];
        let cross = |score: usize, column: usize| cross[score * n_columns + column];
        let effect = QuestionEffect::of(columns, known_below, &covariance, within, cross);
        rivals.explained(&effect) * view.prepared.per_cost[question]
    })
}

/// Row of a score: its covariance with every sensitive column.
fn cross_covariances(view: &View<'_>, posterior: &Posterior, scores: &ScoreBelief, expected: &[f64]) -> Vec<f64> {
    let mean = posterior.mean();
    let mut cross = vec![0.0; view.n_scores() * mean.len()];
    for (score, row) in cross.chunks_exact_mut(mean.len()).enumerate() {
        let Some(points) = posterior.points() else {
            posterior.add_score_covariances(&view.prepared.prior, score, row);
            continue;
        };
        let weight = 1.0 / points.len() as f64;
        for (point, own) in points.zip(scores.points()) {
            let away = weight * (own[score] - expected[score]);
            row.iter_mut().zip(point.iter().zip(mean)).for_each(|(sum, (own, all))| *sum += away * (own - all));
        }
    }
    cross
}

/// F-score: least expected entropy over imagined answers [TF23, Eqs (2)-(3)].
pub(super) fn choose_by_entropy(view: &View<'_>) -> (usize, Reason) {
    let posterior = General::of(view).posterior;
    let foresight = RefCell::new(Foresight::new(view));
    let entropy = |question: usize| {
        let answers = imagined_answers(view.prepared, posterior, question);
        let after =
            |(weight, answer): &(f64, Vec<f64>)| weight * foresight.borrow_mut().entropy_after(view, question, answer);
        answers.iter().map(after).sum()
    };
    (least_entropy(view, entropy), Reason::Tells)
}

/// F-score by random answers, as published [TF23, Eq. (4)].
pub(super) fn choose_by_draws<R: Rng>(view: &View<'_>, draws: usize, random: &mut R) -> (usize, Reason) {
    let posterior = General::of(view).posterior;
    let mut foresight = Foresight::new(view);
    let mut belief = Predictive::default();
    let mut answer = Vec::new();
    let entropy = |question: usize| {
        belief.set(&view.prepared.prior, posterior, view.prepared.columns(question));
        let mut total = 0.0;
        for _ in 0..draws {
            draw_at_random(&belief, random, &mut answer);
            total += foresight.entropy_after(view, question, &answer);
        }
        total / draws as f64
    };
    (least_entropy(view, entropy), Reason::Tells)
}

/// The question that lowers the entropy most for its cost.
fn least_entropy(view: &View<'_>, mut entropy: impl FnMut(usize) -> f64) -> usize {
    let now = General::of(view).scores.entropy(view.margins().by_label());
    view.best(|question| gain_per_cost(now - entropy(question), view.prepared.per_cost[question]))
}

/// What a view under such a belief holds.
struct General<'a> {
    posterior: &'a Posterior,
    scores: &'a ScoreBelief,
    known: &'a [f64],
    public_scores: &'a [f64],
}

impl<'a> General<'a> {
    fn of(view: &View<'a>) -> Self {
        match view.belief {
            Believed::General { posterior, scores, known, public_scores } => {
                General { posterior, scores, known, public_scores }
            }
            Believed::Gaussian { .. } => unreachable!("a Gaussian belief has its own closed forms"),
        }
    }
}

/// Room for looking one answer ahead. It has no `Debug`: it holds answers.
struct Foresight {
    posterior: Posterior,
    scores: ScoreBelief,
    person: Vec<f64>,
}

impl Foresight {
    fn new(view: &View<'_>) -> Self {
        let General { posterior, known, .. } = General::of(view);
        Foresight { posterior: posterior.clone(), scores: ScoreBelief::default(), person: known.to_vec() }
    }

    /// The entropy of the label once a question has an answer, in nats.
    fn entropy_after(&mut self, view: &View<'_>, question: usize, answer: &[f64]) -> f64 {
        let General { posterior, public_scores, .. } = General::of(view);
        let prepared = view.prepared;
        self.posterior.clone_from(posterior);
        self.person[prepared.asked[question].columns.clone()].copy_from_slice(answer);
        self.posterior.reveal(&prepared.prior, prepared.columns(question), &self.person, true);
        view.tables.believed_scores(&self.posterior, public_scores, &mut self.scores);
        self.scores.entropy(view.margins().by_label())
    }
}
