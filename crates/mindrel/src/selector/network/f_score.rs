//! F-score for networks: the question after which the label is expected to be least uncertain [TF23, Eqs (2)-(4), Alg. 2].
//!
//! ```text
//! F(q) = −E_{x_q} [ H( f(x_q, X_rest) ) ]
//! ```
//!
//! The expectation is over Gauss-Hermite nodes of `x_q` or the levels of a category, instead of the published T draws, which
//! `f-score-mc` takes. The distribution of the label given `x_q` is Taylor's or that of draws, as the rules say.

use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

use super::foresight::Foresight;
use super::{NetworkView, Reason};
use crate::belief::level_probability;
use crate::core_test::prediction::OpenBelief;
use crate::math::quadrature::{Node, hermite_table};
use crate::schema::Domain;
use crate::selector::open;

/// Nodes of the quadrature over a candidate's value.
static NODES: [Node; 8] = hermite_table();

/// By quadrature over each candidate.
pub(super) fn choose(view: &mut NetworkView<'_>) -> (usize, Reason) {
    best(view, |view, place, foresight| {
        let answers = nodes(view, place);
        answers.iter().map(|(weight, answer)| weight * foresight.entropy_after(view, place, answer)).sum()
    })
}

/// By the published Monte Carlo estimate [TF23, Eq. (4)].
pub(super) fn choose_by_draws(view: &mut NetworkView<'_>, random: &mut Pcg64Mcg) -> (usize, Reason) {
    let n_draws = view.rules.draws;
    best(view, |view, place, foresight| {
        let mut belief = OpenBelief::default();
        let columns = view.prepared.columns(place);
        belief.set_places(view.prepared, columns.clone(), view.posterior);
        let mut answer = Vec::new();
        let mut total = 0.0;
        for _ in 0..n_draws {
            let normals: Vec<f64> = columns.clone().map(|_| StandardNormal.sample(random)).collect();
            belief.draw(&normals, &mut answer);
            total += foresight.entropy_after(view, place, &answer);
        }
        total / n_draws as f64
    })
}

/// The question that lowers the entropy most for its cost.
fn best(
    view: &mut NetworkView<'_>,
    mut entropy: impl FnMut(&mut NetworkView<'_>, usize, &mut Foresight) -> f64,
) -> (usize, Reason) {
    let mut foresight = Foresight::new(view);
    let now = foresight.entropy_now(view);
    let mut best: Option<(usize, f64)> = None;
    for place in open(view.askable) {
        let gain = (now - entropy(view, place, &mut foresight)) * view.prepared.per_cost[place];
        if best.is_none_or(|(_, most)| gain > most) {
            best = Some((place, gain));
        }
    }
    (best.expect("there is an open question").0, Reason::Tells)
}

/// The answers a question is imagined to have, with their weights.
fn nodes(view: &NetworkView<'_>, place: usize) -> Vec<(f64, Vec<f64>)> {
    let columns = view.prepared.columns(place);
    let mean = &view.posterior.mean()[columns.clone()];
    let domain = view.prepared.asked[place].domain;
    match domain {
        Domain::OneOf { levels } => (0..levels)
            .map(|level| {
                let indicators = (0..levels).map(|column| f64::from(u8::from(column == level))).collect();
                (level_probability(domain, mean, level), indicators)
            })
            .filter(|(probability, _)| *probability > 0.0)
            .collect(),
        Domain::Interval | Domain::Grid { .. } => {
            let deviation = view.posterior.variance()[columns.start].sqrt();
            NODES.iter().map(|node| (node.weight, vec![mean[0] + deviation * node.at])).collect()
        }
    }
}
