//! Decisive: the question most likely to end the questioning.
//!
//! One principle: *fix q at what it is expected to be and see how far the worst case moves.* First comes the probability,
//! under the belief, that the test passes once `q` is known. Where that is next to nothing for all, as it mostly is early on,
//! comes the expected progress towards the likely label `c`: for each rival `k` not yet beaten,
//!
//! ```text
//! deficit_k = −min over the domain of margin_{c,k},     gain_{q,k} = E[contribution_q] − min contribution_q
//! progress(q) = Σ_k min(1, gain_{q,k} / deficit_k)
//! ```
//!
//! At δ = 0 what must shrink is the *range* of the score, not its variance, which is why this asks for less than the paper's
//! f-score. At δ > 0 it is the variance of the margins, each weighed by the risk that its rival wins; for two classes that is
//! the f-score's own order. Questions may carry costs: gain per cost.

use super::f_score::explained_variance;
use super::{Reason, View};
use crate::Label;
use crate::core_test::probable::normal_at_least_zero;
use crate::math::normal;
use crate::schema::Domain;

/// A chance of settling the label below this is a long shot, and progress counts instead.
///
/// Measured on seven data sets (docs/decisions/0003-long-shots.md): counting every chance, however faint, asks for up to 4 %
/// more; thresholds from 0.05 to 0.4 do equally well.
const LONG_SHOT: f64 = 0.1;

pub(super) fn choose(view: &View<'_>) -> (usize, Reason) {
    if view.delta > 0.0 {
        return (choose_likely(view), Reason::Tells);
    }
    let likely = view.likely();
    let mut best: Option<(usize, f64, f64)> = None;
    for question in view.open() {
        let cost = view.prepared.costs[question];
        let probability = settling_probability(view, question);
        let settles = if probability < LONG_SHOT {
            0.0
        } else {
            probability / cost
        };
        if best.is_some_and(|(_, leading, _)| settles < leading) {
            continue;
        }
        let progress = progress(view, question, likely) / cost;
        if best.is_none_or(|(_, leading, furthest)| settles > leading || progress > furthest) {
            best = Some((question, settles, progress));
        }
    }
    let (question, settles, _) = best.expect("there is an open question");
    let probability = settles * view.prepared.costs[question];
    (
        question,
        if probability > 0.0 {
            Reason::MaySettle { probability }
        } else {
            Reason::Narrows
        },
    )
}

/// How far the worst case of the likely label moves towards being settled when the question takes its expected value.
fn progress(view: &View<'_>, question: usize, likely: Label) -> f64 {
    let margins = view.margins();
    let contribution = view.contribution(question);
    let places = margins.of_winner(likely);
    if places.len() == 1 {
        return margins.pairs()[places.start].margin(contribution) - margins.worst(places.start, question);
    }
    places
        .filter(|&place| view.worst[place] < 0.0)
        .map(|place| {
            let gain = margins.pairs()[place].margin(contribution) - margins.worst(place, question);
            (gain / -view.worst[place]).min(1.0)
        })
        .sum()
}

/// The probability that the label is settled once the question is known.
fn settling_probability(view: &View<'_>, question: usize) -> f64 {
    let margins = view.margins();
    (0..margins.n_classes())
        .map(Label::new)
        .filter(|&label| {
            margins
                .of_winner(label)
                .all(|place| view.worst[place] + margins.width(place, question) >= 0.0)
        })
        .map(|label| settling_probability_of(view, question, label))
        .sum()
}

/// The probability that this label is settled once the question is known.
fn settling_probability_of(view: &View<'_>, question: usize, label: Label) -> f64 {
    let domain = view.prepared.asked[question].domain;
    match domain {
        Domain::OneOf { .. } | Domain::Grid { points: 2 } => (0..domain.n_vertices())
            .filter(|&level| settles_at(view, question, label, level))
            .map(|level| view.level_probability(question, level))
            .sum(),
        Domain::Interval | Domain::Grid { .. } => interval_probability(view, question, label),
    }
}

/// Whether the label is settled when the question is at a vertex of its domain.
fn settles_at(view: &View<'_>, question: usize, label: Label, vertex: usize) -> bool {
    let margins = view.margins();
    let columns = view.prepared.columns(question);
    let domain = view.prepared.asked[question].domain;
    margins.of_winner(label).all(|place| {
        let gain = margins.pairs()[place].difference(&view.prepared.weights, |weights| {
            domain.at_vertex(vertex, &weights[columns.clone()])
        });
        view.worst[place] - margins.worst(place, question) + gain >= 0.0
    })
}

/// A question of one column settles the label on an interval of its values; the probability of that interval.
///
/// What the belief puts outside the domain counts as being at its ends.
fn interval_probability(view: &View<'_>, question: usize, label: Label) -> f64 {
    let margins = view.margins();
    let place_of_column = view.prepared.columns(question).start;
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    for place in margins.of_winner(label) {
        let rest = view.worst[place] - margins.worst(place, question);
        let slope =
            margins.pairs()[place].difference(&view.prepared.weights, |weights| weights[place_of_column]);
        let root = -rest / slope;
        if slope > 0.0 {
            lower = lower.max(if root <= -1.0 { f64::NEG_INFINITY } else { root });
        } else if slope < 0.0 {
            upper = upper.min(if root >= 1.0 { f64::INFINITY } else { root });
        }
    }
    let (mean, deviation) = (view.mean[place_of_column], view.known.deviation(place_of_column));
    if deviation > 0.0 {
        (normal::cdf((upper - mean) / deviation) - normal::cdf((lower - mean) / deviation)).max(0.0)
    } else {
        f64::from(u8::from(lower <= mean && mean <= upper))
    }
}

/// At δ > 0: the question that explains most of what still puts the likely label at risk.
///
/// ```text
/// Σ_k P(rival k is ahead) · (Var(margin_k) − Var(margin_k | x_q)) / Var(margin_k)
/// ```
fn choose_likely(view: &View<'_>) -> usize {
    let costs = &view.prepared.costs;
    if view.n_scores() == 1 {
        return view.best(|question| explained_variance(view, question) / costs[question]);
    }
    let margins = view.margins();
    let now = view.scores();
    let rivals: Vec<(usize, f64, f64)> = margins
        .of_winner(view.likely())
        .map(|place| {
            let pair = &margins.pairs()[place];
            let variance = pair.variance(now.covariance, view.n_scores());
            (
                place,
                variance,
                1.0 - normal_at_least_zero(pair.margin(now.expected), variance),
            )
        })
        .filter(|(_, variance, _)| *variance > 0.0)
        .collect();
    view.best(|question| {
        let after = view.effect(question).covariance_after();
        let explained = rivals.iter().map(|&(place, variance, risk)| {
            risk * (variance - margins.pairs()[place].variance(after, view.n_scores())) / variance
        });
        explained.sum::<f64>() / costs[question]
    })
}
