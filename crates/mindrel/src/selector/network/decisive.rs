//! Decisive for networks: imagine the answers, see which few of them would settle the decision, ask for the one needed most often.
//!
//! ```text
//! score(q) = Σ_d [q ∈ R_d] / |R_d|,     R_d the smallest core set of the open questions if the answers were d,   d ~ belief
//! ```
//!
//! The first imagined person is the expected one, the others are evenly spread draws. Each `R_d` is found by counterexamples that all
//! of them share, with the certified test under a small budget. Departs from the linear rule, which looks one question
//! ahead: a network's worst case moves in jumps, and one question at a time seldom shows which pairs and triples would do
//! (docs/decisions/0006-decisive-for-networks.md has the figures).

use super::foresight::Foresight;
use super::{NetworkView, Reason};
use crate::core_test::Budget;
use crate::core_test::certified::smallest::Effort;
use crate::core_test::pairs::Pair;
use crate::core_test::prediction::OpenBelief;
use crate::core_test::probable::normal_at_least_zero;
use crate::math::hitting::MOST_ITEMS;
use crate::selector::best_of;

/// People imagined at each step; more of them hardly change anything (docs/decisions/0006-decisive-for-networks.md).
const IMAGINED: usize = 8;

/// The first so many are looked at closely; for the others, the counterexamples found for these and a walk along gradients suffice.
const CLOSELY: usize = 2;

/// Branches a test of those may look at.
const BRANCHES: u64 = 400;

pub(super) fn choose(view: &mut NetworkView<'_>) -> (usize, Reason) {
    if view.rules.delta > 0.0 {
        return (choose_likely(view), Reason::Tells);
    }
    let per_cost = &view.prepared.per_cost;
    if view.certifier.open.questions.len() > MOST_ITEMS {
        return (best_of(view.askable, |place| view.prepared.importance[place] * per_cost[place]), Reason::Weighs);
    }
    let mut belief = OpenBelief::default();
    belief.set(view.prepared, &view.certifier.open, view.posterior);
    let mut scores = vec![0.0; view.askable.len()];
    let mut largest: f64 = 0.0;
    let dearest = per_cost.iter().copied().fold(0.0, f64::max);
    let mut point = view.expected.to_vec();
    for index in 0..IMAGINED {
        if index > 0 {
            belief.draw(view.tables.spread.point(index), &mut point);
            view.certifier.open.bring_in(&mut point);
        }
        let branches = if index < CLOSELY { BRANCHES } else { 0 };
        let effort = Effort { budget: Budget::nodes(branches), guess: true };
        let may_be_asked = |place: usize| view.askable[place];
        let found = view.sets.find(view.certifier, view.tables, view.model, &point, may_be_asked, effort);
        // What was declined can keep every set from being core.
        let Some(smallest) = found else { continue };
        let share = 1.0 / f64::from(smallest.questions.count_ones().max(1));
        for (index, question) in view.certifier.open.questions.iter().enumerate() {
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

/// At δ > 0: the question that explains most of what still puts the likely label at risk, by Taylor's expansion.
///
/// ```text
/// Σ_k P(rival k is ahead) · (Var(margin_k) − Var(margin_k | x_q)) / Var(margin_k)
/// ```
fn choose_likely(view: &mut NetworkView<'_>) -> usize {
    let pairs = view.tables.pairs.of(view.likely);
    let n_scores = view.tables.network.n_scores;
    let mut foresight = Foresight::new(view);
    let now = foresight.taylor(view, view.posterior);
    let rivals: Vec<(&Pair, f64, f64)> = pairs
        .iter()
        .map(|pair| {
            let variance = pair.variance(&now.covariance, n_scores);
            (pair, variance, 1.0 - normal_at_least_zero(pair.margin(&now.expected), variance))
        })
        .filter(|(_, variance, _)| *variance > 0.0)
        .collect();
    best_of(view.askable, |place| {
        // What is left of the covariance does not depend on the answer, only on its being known.
        let expected = view.posterior.mean()[view.prepared.columns(place)].to_vec();
        let after = foresight.covariance_after(view, place, &expected);
        let explained =
            rivals.iter().map(|&(pair, variance, risk)| risk * (variance - pair.variance(&after, n_scores)) / variance);
        explained.sum::<f64>() * view.prepared.per_cost[place]
    })
}
