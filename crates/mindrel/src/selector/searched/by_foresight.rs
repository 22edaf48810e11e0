//! F-score for networks: the question after which the label is expected to be least uncertain [TF23, Eqs (2)-(4), Alg.
//! 2].
//!
//! ```text
//! F(q) = −E_{x_q} [ H( f(x_q, X_rest) ) ]
//! ```
//!
//! The expectation is over Gauss-Hermite nodes of `x_q` or the levels of a category, instead of the published T draws,
//! which
//! `f-score-mc` takes. The distribution of the label given `x_q` is Taylor's or that of draws, as the rules say.

use rand_pcg::Pcg64Mcg;

use super::foresight::SearchForesight;
use super::{Reason, SearchView};
use crate::rules::Budget;
use crate::selector::imagined::{imagined_answers, mean_over_draws};
use crate::selector::{gain_per_cost, open};

/// By quadrature over each candidate.
pub(super) fn choose(view: &mut SearchView<'_>, budget: &mut Budget) -> (usize, Reason) {
    best(view, budget, |view, place, foresight, _| {
        let answers = imagined_answers(view.questions(), view.posterior, place);
        answers.iter().map(|(weight, answer)| weight * foresight.entropy_after(view, place, answer)).sum()
    })
}

/// By the published Monte Carlo estimate [TF23, Eq. (4)].
pub(super) fn choose_by_draws(
    view: &mut SearchView<'_>,
    budget: &mut Budget,
    random: &mut Pcg64Mcg,
) -> (usize, Reason) {
    let n_draws = view.rules.draws;
    best(view, budget, |view, place, foresight, budget| {
        let (posterior, columns) = (view.posterior, view.questions().columns_of(place));
        let after = |answer: &[f64], _: &mut Budget| foresight.entropy_after(view, place, answer);
        mean_over_draws(posterior, columns, n_draws, budget, random, after)
    })
}

/// The question that lowers the entropy most for its cost, of those that are compared within the budget: the most
/// important come first.
fn best(
    view: &mut SearchView<'_>,
    budget: &mut Budget,
    mut entropy: impl FnMut(&mut SearchView<'_>, usize, &mut SearchForesight, &mut Budget) -> f64,
) -> (usize, Reason) {
    let mut foresight = SearchForesight::new(view);
    let now = foresight.entropy_now(view);
    let mut places: Vec<usize> = open(view.askable).collect();
    // Whatever they cost, so that random draws for a question do not change with its cost.
    let importance = &view.importance.of_model;
    places.sort_by(|one, other| importance[*other].total_cmp(&importance[*one]));
    let mut best = None;
    for place in places {
        let gain = gain_per_cost(now - entropy(view, place, &mut foresight, budget), view.questions().per_cost[place]);
        if best.is_none_or(|(_, most)| gain > most) {
            best = Some((place, gain));
        }
        budget.spend(foresight.take_work());
        if budget.is_used_up() {
            break;
        }
    }
    (best.expect("there is an open question").0, Reason::Tells)
}
