//! Decisive for networks and trees: imagine the answers, see which few of them would settle the decision, ask for the
//! one needed most often.
//!
//! ```text
//! score(q) = Σ_d [q ∈ R_d] / |R_d|,     R_d the smallest core set of the open questions if the answers were d,   d ~ belief
//! ```
//!
//! The first imagined person is the expected one, the others are evenly spread draws. Each `R_d` is found by
//! counterexamples that all of them share, with the certified test under a small budget. Departs from the linear
//! rule, which looks one question ahead: a network's or an ensemble's worst case moves in jumps, and one question at
//! a time seldom shows which pairs and triples would do (docs/decisions/0006-decisive-for-networks.md has the
//! figures).

use std::ops::Range;

use super::{Reason, SearchView};
use crate::belief::{Predictive, QuestionEffect};
use crate::core_test::certified::smallest::Effort;
use crate::core_test::pairs::Pair;
use crate::core_test::prediction::{TaylorScores, believe, draw_inside};
use crate::core_test::probable::normal_at_least_zero;
use crate::math::hitting::MOST_ITEMS;
use crate::math::vector::dot;
use crate::model::{Model, Network};
use crate::rules::Budget;
use crate::selector::best_of;

/// People imagined at each step; more of them hardly change anything (docs/decisions/0006-decisive-for-networks.md).
const IMAGINED: usize = 8;

/// This many are looked at closely; for the others, the counterexamples found for these and a quick look suffice.
const CLOSELY: usize = 2;

/// Branches a test of those may look at.
const BRANCHES: u64 = 400;

/// Counterexamples that are met, and steps of the search for a set that meets them all, for each imagined person: few
/// enough that a step of a session ends in bounded work, however many questions are open.
const MOST_SETS: usize = 200;
const MOST_STEPS: u64 = 1000;

pub(super) fn choose(view: &mut SearchView<'_>) -> (usize, Reason) {
    let per_cost = &view.questions().per_cost;
    if view.prover.open().questions.len() > MOST_ITEMS {
        return (best_of(view.askable, |place| view.importance.of_model[place] * per_cost[place]), Reason::Weighs);
    }
    let mut belief = Predictive::default();
    believe(view.questions(), view.prover.open(), view.posterior, &mut belief);
    let mut scores = vec![0.0; view.askable.len()];
    let mut largest: f64 = 0.0;
    let dearest = per_cost.iter().copied().fold(0.0, f64::max);
    let spread = &view.tables.spread;
    let mut point = view.expected.to_vec();
    for index in 0..IMAGINED {
        if index > 0 {
            let (share, normals) = (spread.share(index), spread.point(index));
            draw_inside(&belief, view.prover.open(), share, normals, &mut point);
        }
        let branches = if index < CLOSELY { BRANCHES } else { 0 };
        let effort =
            Effort { budget: Budget::nodes(branches), guess: true, most_sets: MOST_SETS, most_steps: MOST_STEPS };
        let may_be_asked = |place: usize| view.askable[place];
        let found = view.sets.find(view.prover, &point, may_be_asked, effort);
        // What was declined can keep every set from being core.
        let Some(smallest) = found else { continue };
        let share = 1.0 / f64::from(smallest.questions.count_ones().max(1));
        for (index, question) in view.prover.open().questions.iter().enumerate() {
            if smallest.questions >> index & 1 == 1 {
                scores[question.place] += share * per_cost[question.place];
            }
        }
        largest = share.max(largest);
        if is_out_of_reach(&scores, largest * dearest * (IMAGINED - 1 - index) as f64) {
            break;
        }
    }
    (best_of(view.askable, |place| scores[place]), Reason::OftenNeeded)
}

/// Whether the leader is further ahead than anybody will still gain, going by what was gained so far.
fn is_out_of_reach(scores: &[f64], gain: f64) -> bool {
    let (mut first, mut second) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for &score in scores {
        (first, second) = if score > first { (score, first) } else { (first, second.max(score)) };
    }
    first > second + gain
}

/// At δ > 0: the question that explains most of what still puts the likely label at risk, by Taylor's expansion at
/// the expected person.
///
/// ```text
/// Σ_k P(rival k is ahead) · (Var(margin_k) − Var(margin_k | x_q)) / Var(margin_k)
/// ```
pub(super) fn choose_likely(view: &mut SearchView<'_>, network: &Network) -> usize {
    let open = view.prover.open();
    let mut belief = Predictive::default();
    believe(view.questions(), open, view.posterior, &mut belief);
    let mut taylor = TaylorScores::default();
    taylor.expand(network, open, &belief.mean(), &mut view.known.to_vec());
    let n_scores = network.n_scores();
    let joint = Joint::new(&belief, &taylor, n_scores);
    let mut expected = taylor.expanded_at().to_vec();
    expected.push(0.0);
    let rivals: Vec<(&Pair, f64, f64)> = view
        .tables
        .pairs
        .of(view.likely)
        .iter()
        .map(|pair| {
            let variance = pair.variance(&joint.scores, n_scores);
            (pair, variance, 1.0 - normal_at_least_zero(pair.margin(&expected), variance))
        })
        .filter(|(_, variance, _)| *variance > 0.0)
        .collect();
    let mut gains = vec![0.0; view.askable.len()];
    for question in &open.questions {
        let known_below = &view.posterior.known_below()[view.questions().columns_of(question.place)];
        let effect = joint.effect(question.columns.clone(), known_below);
        let left = |pair: &Pair| pair.variance(effect.covariance_after(), n_scores);
        let explained = rivals.iter().map(|&(pair, variance, risk)| risk * (variance - left(pair)) / variance);
        gains[question.place] = explained.sum::<f64>() * view.questions().per_cost[question.place];
    }
    best_of(view.askable, |place| gains[place])
}

/// The open columns and the scores together, as if the network were linear around the expected person.
struct Joint {
    n_columns: usize,
    /// Of the open columns, row after row.
    columns: Vec<f64>,
    /// Row of a score: its covariance with every open column.
    cross: Vec<f64>,
    /// Of the scores, row after row.
    scores: Vec<f64>,
}

impl Joint {
    fn new(belief: &Predictive, taylor: &TaylorScores, n_scores: usize) -> Self {
        let n_columns = belief.n_columns();
        let columns = belief.covariance();
        let product = |score: usize| {
            let gradient = taylor.gradient(score);
            columns.chunks_exact(n_columns).map(|row| dot(row, gradient)).collect::<Vec<f64>>()
        };
        let cross: Vec<f64> = (0..n_scores).flat_map(product).collect();
        let rows = cross.chunks_exact(n_columns);
        let scores = rows.flat_map(|row| (0..n_scores).map(|score| dot(row, taylor.gradient(score)))).collect();
        Joint { n_columns, columns, cross, scores }
    }

    /// What knowing some of the columns would do to the scores.
    fn effect(&self, known: Range<usize>, known_below: &[f64]) -> QuestionEffect {
        let covariance = |row: usize, column: usize| self.columns[row * self.n_columns + column];
        let cross = |score: usize, column: usize| self.cross[score * self.n_columns + column];
        QuestionEffect::of(known, known_below, &self.scores, covariance, cross)
    }
}
