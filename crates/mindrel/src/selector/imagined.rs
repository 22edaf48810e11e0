//! The answers a question is imagined to have, before it is asked.

use std::ops::Range;

use rand_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::belief::{PerhapsMissing, Posterior, Predictive, level_probability};
use crate::math::quadrature::{Abscissa, hermite_table};
use crate::questionnaire::Questionnaire;
use crate::rules::Budget;
use crate::schema::{Domain, MISSING};

/// Nodes of the quadrature over a number of which one Gaussian is believed.
static NODES: [Abscissa; 8] = hermite_table();

/// How many of a copula's points stand for the answers to a number.
const SPREAD: usize = 24;

/// The answers a question is imagined to have, with their weights: the levels of a category; of a number, the nodes of
/// a quadrature or some of the points.
pub(crate) fn imagined_answers(questions: &Questionnaire, posterior: &Posterior, place: usize) -> Vec<(f64, Vec<f64>)> {
    let columns = questions.columns_of(place);
    let mean = &posterior.mean()[columns.clone()];
    let domain = questions.asked[place].domain;
    match domain {
        Domain::OneOf { levels } => (0..levels)
            .map(|level| {
                let indicators = (0..levels).map(|column| f64::from(u8::from(column == level))).collect();
                (level_probability(domain, mean, level), indicators)
            })
            .filter(|(probability, _)| *probability > 0.0)
            .collect(),
        Domain::Interval | Domain::Grid { .. } | Domain::OrMissing { .. } => match posterior.points() {
            None if mean.len() == 2 => answers_or_missing(mean, posterior.variance()[columns.start]),
            None => {
                let deviation = posterior.variance()[columns.start].sqrt();
                NODES.iter().map(|node| (node.weight, vec![mean[0] + deviation * node.at])).collect()
            }
            Some(points) => {
                let points: Vec<&[f64]> = points.collect();
                let nth = |index: usize| (2 * index + 1) * points.len() / (2 * SPREAD);
                (0..SPREAD).map(|index| (1.0 / SPREAD as f64, points[nth(index)][columns.clone()].to_vec())).collect()
            }
        },
    }
}

/// The answers to a number that may be missing, from the moments of its columns: that it is missing, and the nodes of a
/// quadrature.
pub(crate) fn answers_or_missing(mean: &[f64], variance: f64) -> Vec<(f64, Vec<f64>)> {
    let PerhapsMissing { missing, mean, variance } = PerhapsMissing::new(mean, variance);
    let number = |node: &Abscissa| ((1.0 - missing) * node.weight, vec![mean + variance.sqrt() * node.at; 2]);
    let numbers = NODES.iter().map(number).chain([(missing, MISSING.to_vec())]);
    numbers.filter(|(probability, _)| *probability > 0.0).collect()
}

/// The mean of a function of the answer, over random answers to one question [TF23, Eq. (4)]; over fewer of them if the
/// budget ends.
pub(crate) fn mean_over_draws<R: Rng>(
    posterior: &Posterior,
    columns: Range<usize>,
    n_draws: usize,
    budget: &mut Budget,
    random: &mut R,
    mut value: impl FnMut(&[f64], &mut Budget) -> f64,
) -> f64 {
    let mut belief = Predictive::default();
    belief.set(posterior, columns);
    let mut answer = Vec::new();
    let (mut total, mut n_drawn) = (0.0, 0.0);
    for _ in 0..n_draws {
        let normals: Vec<f64> = (0..belief.n_columns()).map(|_| StandardNormal.sample(random)).collect();
        belief.draw(belief.random_share(random), &normals, &mut answer);
        total += value(&answer, budget);
        n_drawn += 1.0;
        if budget.is_used_up() {
            break;
        }
    }
    total / n_drawn
}
