//! Decisive for networks and trees: imagine the answers, see which few of them would settle the decision, ask for the
//! one needed most often.
//!
//! ```text
//! score(q) = Σ_d [q ∈ R_d] / |R_d|,     R_d a small core set of the open questions if the answers were d,   d ~ belief
//! ```
//!
//! The first imagined person is the expected one, the others are evenly spread draws. While few questions are open,
//! `R_d` is a smallest core set, found by counterexamples that all imagined people share. That takes exponentially
//! many of them in the worst case, so with many open questions, or a large forest, all are taken and one after the
//! other is left out where nothing speaks for it: as many quick looks as there are questions. Departs from the linear
//! rule, which looks one question ahead: a network's or an ensemble's worst case moves in jumps, and one question at a
//! time seldom shows which pairs and triples would do (docs/decisions/0006-decisive-for-networks.md has the figures).

use super::{Reason, SearchView, weight};
use crate::belief::Predictive;
use crate::core_test::certified::possible::mend;
use crate::core_test::certified::smallest::Effort;
use crate::core_test::prediction::{believe, draw_inside};
use crate::math::hitting::MOST_ITEMS;
use crate::rules::Budget;
use crate::selector::best_of;

/// People imagined at each step; more of them hardly change anything (docs/decisions/0006-decisive-for-networks.md).
const IMAGINED: usize = 8;

/// With more open questions core sets are shrunk instead of found exactly.
const MOST_EXACT: usize = 12;

/// This many are looked at closely; for the others, the counterexamples found for these and a quick look suffice.
const CLOSELY: usize = 2;

/// The work of a test of those.
const EACH_TEST: u64 = 1_000_000;

/// Tests that cannot look at so many parts tell little: core sets are then shrunk as well.
const LEAST_LOOKS: u64 = 200;

/// Counterexamples that are met, and steps of the search for a set that meets them all, for each imagined person.
const MOST_SETS: usize = 200;
const MOST_STEPS: u64 = 1000;

pub(super) fn choose(view: &mut SearchView<'_>, budget: &mut Budget) -> (usize, Reason) {
    let per_cost = &view.questions().per_cost;
    if view.prover.open().questions.len() > MOST_ITEMS {
        return weighed(view);
    }
    let mut belief = Predictive::default();
    believe(view.questions(), view.prover.open(), view.posterior, &mut belief);
    let least_first = least_important_first(view);
    let mut scores = vec![0.0; view.askable.len()];
    let mut largest: f64 = 0.0;
    let dearest = per_cost.iter().copied().fold(0.0, f64::max);
    let spread = &view.tables.spread;
    let mut point = view.expected.to_vec();
    for index in 0..IMAGINED {
        if budget.is_used_up() {
            break;
        }
        if index > 0 {
            let (share, normals) = (spread.share(index), spread.point(index));
            draw_inside(&belief, view.prover.open(), share, normals, &mut point);
        }
        let open = view.prover.open();
        mend(open, &open.whole, &mut point);
        let each_test = if index < CLOSELY { EACH_TEST } else { 0 };
        let part = budget.left() / (IMAGINED - index) as u64;
        let found = budget.within(part, |budget| small_core_set(view, &point, &least_first, each_test, budget));
        // What was declined can keep every set from being core.
        let Some(smallest) = found else { continue };
        let share = 1.0 / f64::from(smallest.count_ones().max(1));
        for (index, question) in view.prover.open().questions.iter().enumerate() {
            if smallest >> index & 1 == 1 {
                scores[question.place] += share * per_cost[question.place];
            }
        }
        largest = share.max(largest);
        if is_out_of_reach(&scores, largest * dearest * (IMAGINED - 1 - index) as f64) {
            break;
        }
    }
    if largest == 0.0 {
        return weighed(view);
    }
    (best_of(view.askable, |place| scores[place]), Reason::OftenNeeded)
}

/// Few questions that would settle the decision if the answers were an imagined person's; `None` if none would.
fn small_core_set(
    view: &mut SearchView<'_>,
    point: &[f64],
    least_first: &[usize],
    each_test: u64,
    budget: &mut Budget,
) -> Option<u128> {
    let may_be_asked = |place: usize| view.askable[place];
    let can_test = LEAST_LOOKS * view.prover.look_work() <= EACH_TEST;
    if least_first.len() > MOST_EXACT || !can_test {
        return view.sets.shrink(view.prover, point, may_be_asked, least_first, budget);
    }
    let effort = Effort { each_test, guess: true, most_sets: MOST_SETS, most_steps: MOST_STEPS };
    view.sets.find(view.prover, point, may_be_asked, effort, budget).map(|found| found.questions)
}

/// The open questions, by their place among them, in the order in which a core set can best do without them.
fn least_important_first(view: &SearchView<'_>) -> Vec<usize> {
    let open = &view.prover.open().questions;
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by(|one, other| weight(view, open[*one].place).total_cmp(&weight(view, open[*other].place)));
    order
}

/// The question that the model weighs most: the choice where nothing better is found in time.
fn weighed(view: &SearchView<'_>) -> (usize, Reason) {
    (best_of(view.askable, |place| weight(view, place)), Reason::Weighs)
}

/// Whether the leader is further ahead than anybody will still gain, going by what was gained so far.
fn is_out_of_reach(scores: &[f64], gain: f64) -> bool {
    let (mut first, mut second) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for &score in scores {
        (first, second) = if score > first { (score, first) } else { (first, second.max(score)) };
    }
    first > second + gain
}
