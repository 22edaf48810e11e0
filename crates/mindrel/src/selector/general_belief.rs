//! Linear models under beliefs other than one Gaussian: the same criteria, where what a question would tell depends on
//! the answers before.

use std::ops::Range;

use rand_pcg::Pcg64Mcg;

use super::decisive_linear::Rivals;
use super::imagined::{imagined_answers, mean_over_draws};
use super::view::{LinearBelief, LinearView, NegligibleBelow, normal_between, normal_between_or_missing};
use super::{gain_per_cost, grouped_entropy};
use crate::belief::{Posterior, QuestionEffect};
use crate::core_test::probable::ScoreDistribution;
use crate::core_test::score_belief::ScoreBelief;
use crate::model::label_of_scores;
use crate::rules::Budget;
use crate::schema::is_missing;

/// Any belief: a normal distribution whose covariance depends on the answers, or points.
pub(crate) struct GeneralBelief<'a> {
    pub posterior: &'a Posterior,
    pub scores: &'a ScoreBelief,
    /// The encoded person; only known columns are filled in.
    pub known: &'a [f64],
    pub public_scores: &'a [f64],
}

type GeneralView<'a> = LinearView<'a, GeneralBelief<'a>>;

/// The probability that a column lies between two bounds: by moments, or the share of points.
pub(crate) fn posterior_between(posterior: &Posterior, column: usize, lower: f64, upper: f64) -> f64 {
    let Some(points) = posterior.points() else {
        return normal_between(posterior.mean()[column], posterior.variance()[column], lower, upper, None);
    };
    let n_points = points.len() as f64;
    points.filter(|point| lower <= point[column] && point[column] <= upper).count() as f64 / n_points
}

impl LinearBelief for GeneralBelief<'_> {
    fn mean(&self) -> &[f64] {
        self.posterior.mean()
    }

    fn between(&self, column: usize, lower: f64, upper: f64, _: NegligibleBelow) -> f64 {
        posterior_between(self.posterior, column, lower, upper)
    }

    fn between_or_missing(&self, columns: Range<usize>, lower: f64, upper: f64) -> (f64, f64) {
        let posterior = self.posterior;
        let Some(points) = posterior.points() else {
            let variance = posterior.variance()[columns.start];
            return normal_between_or_missing(&posterior.mean()[columns], variance, lower, upper);
        };
        let n_points = points.len() as f64;
        let (mut between, mut missing) = (0.0, 0.0);
        for point in points {
            let first = point[columns.start];
            if is_missing(&point[columns.clone()]) {
                missing += 1.0 / n_points;
            } else if lower <= first && first <= upper {
                between += 1.0 / n_points;
            }
        }
        (between, missing)
    }

    /// At δ > 0. By points: the least expected entropy, the points grouped by their answer. Of a normal distribution,
    /// by moments:
    ///
    /// ```text
    /// Σ_k P(rival k is ahead) · cᵀ Σ_qq⁺ c / Var(margin_k),     c = Cov(x_q, margin_k)
    /// ```
    ///
    /// The explained variance is that of the best linear guess of the margin.
    fn most_explaining(view: &LinearView<'_, Self>) -> usize {
        let GeneralBelief { posterior, scores, .. } = view.belief;
        if let Some(points) = posterior.points() {
            return least_entropy_of_points(view, &points.collect::<Vec<&[f64]>>());
        }
        let normal = scores.normal().expect("a posterior without points gives normal scores");
        let (likely, _) = scores.likeliest(view.margins().by_label());
        let rivals = Rivals::new(view, likely, &normal);
        let cross = cross_covariances(view);
        let n_columns = posterior.mean().len();
        let within = |left: usize, right: usize| {
            if left == right { posterior.variance()[left] } else { posterior.covariance(left, right) }
        };
        view.best(|question| {
            let columns = view.questions().columns_of(question);
            let known_below = &posterior.known_below()[columns.clone()];
            let cross = |score: usize, column: usize| cross[score * n_columns + column];
            let effect = QuestionEffect::of(columns, known_below, normal.covariance, within, cross);
            rivals.explained(&effect) * view.questions().per_cost[question]
        })
    }

    /// Over imagined answers.
    fn least_entropy(view: &LinearView<'_, Self>, budget: &mut Budget) -> usize {
        let mut foresight = LinearForesight::new(view);
        least_entropy(view, budget, |question, budget| {
            let answers = imagined_answers(view.questions(), view.belief.posterior, question);
            let after =
                |(weight, answer): &(f64, Vec<f64>)| weight * foresight.entropy_after(view, question, answer, budget);
            answers.iter().map(after).sum()
        })
    }

    /// Over random answers, as published; fewer where the budget ends.
    fn least_entropy_by_draws(
        view: &LinearView<'_, Self>,
        draws: usize,
        budget: &mut Budget,
        random: &mut Pcg64Mcg,
    ) -> usize {
        let mut foresight = LinearForesight::new(view);
        least_entropy(view, budget, |question, budget| {
            let columns = view.questions().columns_of(question);
            mean_over_draws(view.belief.posterior, columns, draws, budget, random, |answer, budget| {
                foresight.entropy_after(view, question, answer, budget)
            })
        })
    }
}

/// Row of a score: its covariance with every sensitive column.
fn cross_covariances(view: &GeneralView<'_>) -> Vec<f64> {
    let posterior = view.belief.posterior;
    let n_columns = posterior.mean().len();
    let mut cross = vec![0.0; view.n_scores() * n_columns];
    for (score, row) in cross.chunks_exact_mut(n_columns).enumerate() {
        posterior.add_score_covariances(score, row);
    }
    cross
}

/// The question that lowers the entropy of the points' labels most for its cost.
fn least_entropy_of_points(view: &GeneralView<'_>, points: &[&[f64]]) -> usize {
    let scores = view.belief.scores.points();
    let labels: Vec<usize> = scores.map(|scores| label_of_scores(&scores[..view.n_scores()]).index()).collect();
    let n_classes = view.margins().n_classes();
    let now = grouped_entropy::entropy_now(&labels, n_classes);
    view.best(|question| {
        let columns = view.questions().columns_of(question);
        let answers: Vec<&[f64]> = points.iter().map(|point| &point[columns.clone()]).collect();
        let domain = view.questions().asked[question].domain;
        let after = grouped_entropy::entropy_after(domain, &answers, &labels, n_classes);
        gain_per_cost(now - after, view.questions().per_cost[question])
    })
}

/// The question that lowers the entropy most for its cost.
fn least_entropy(view: &GeneralView<'_>, budget: &mut Budget, entropy: impl FnMut(usize, &mut Budget) -> f64) -> usize {
    let now = view.belief.scores.entropy(view.margins().by_label());
    view.least_expected_entropy(now, budget, entropy)
}

/// The work of looking one answer ahead, in elementary operations: the posterior, the scores it makes likely, their
/// entropy.
fn work(view: &GeneralView<'_>) -> u64 {
    let GeneralBelief { posterior, .. } = view.belief;
    let n_columns = posterior.mean().len();
    let rows = posterior.points().map_or(n_columns, |points| points.len());
    // A row is drawn anew, a few operations for each column, and weighed for each score.
    (rows * n_columns * (3 + view.n_scores())) as u64 + ScoreDistribution::entropy_work(view.margins().by_label())
}

/// Buffers for looking one answer ahead. It has no `Debug`: it holds answers.
struct LinearForesight {
    posterior: Posterior,
    scores: ScoreBelief,
    person: Vec<f64>,
}

impl LinearForesight {
    fn new(view: &GeneralView<'_>) -> Self {
        let GeneralBelief { posterior, known, .. } = view.belief;
        LinearForesight { posterior: posterior.clone(), scores: ScoreBelief::default(), person: known.to_vec() }
    }

    /// The entropy of the label once a question has an answer, in nats.
    fn entropy_after(&mut self, view: &GeneralView<'_>, question: usize, answer: &[f64], budget: &mut Budget) -> f64 {
        let GeneralBelief { posterior, public_scores, .. } = view.belief;
        let questions = view.questions();
        budget.spend(work(view));
        self.posterior.clone_from(posterior);
        self.person[questions.asked[question].columns.clone()].copy_from_slice(answer);
        self.posterior.reveal(questions.columns_of(question), &self.person, true);
        view.tables.believed_scores(&self.posterior, public_scores, &mut self.scores);
        self.scores.entropy(view.margins().by_label())
    }
}
