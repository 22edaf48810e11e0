//! Least expected entropy by one set of draws that serves every question [TF23, Eqs (2)-(4)].
//!
//! The draws are people as the belief has them, brought into the domain, with their labels; for each candidate the same
//! draws are grouped by their answer to it ([`grouped_entropy`]). Departs from [TF23, Eq. (4)], which draws anew for
//! every candidate and every answer imagined: a model of this kind may be dear to run.

use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

use super::{Reason, SearchView};
use crate::belief::Predictive;
use crate::core_test::labelled_draws::Draws;
use crate::core_test::prediction::believe;
use crate::core_test::search_tables::SearchTables;
use crate::region::open::OpenColumns;
use crate::rules::Budget;
use crate::selector::grouped_entropy::{self, GROUPS};
use crate::selector::{best_of, gain_per_cost};

/// By the evenly spread draws.
pub(super) fn choose(view: &mut SearchView<'_>) -> (usize, Reason) {
    let mut belief = Predictive::default();
    believe(view.questions(), view.prover.open(), view.posterior, &mut belief);
    let mut draws = Draws::default();
    draws.look_at(&view.tables.spread, view.prover, &belief, 0..view.tables.spread.len());
    best(view, &draws)
}

/// By random draws, as many for each group of a number as the rules say, or as the budget allows.
pub(super) fn choose_at_random(view: &mut SearchView<'_>, budget: &Budget, random: &mut Pcg64Mcg) -> (usize, Reason) {
    let mut belief = Predictive::default();
    believe(view.questions(), view.prover.open(), view.posterior, &mut belief);
    let mut draws = Draws::default();
    let n_open = view.prover.open().len() as u64;
    let each_draw = view.prover.label_work() + n_open * n_open;
    let most = usize::try_from(budget.left() / each_draw.max(1)).unwrap_or(usize::MAX);
    let n_draws = GROUPS.saturating_mul(view.rules.draws).min(most.max(GROUPS));
    let mut normals = vec![0.0; view.prover.open().len()];
    for _ in 0..n_draws {
        normals.iter_mut().for_each(|normal| *normal = StandardNormal.sample(random));
        draws.push(view.prover, &belief, belief.random_share(random), &normals);
    }
    draws.label_all(view.prover, n_draws);
    best(view, &draws)
}

/// The question whose groups leave the least entropy for its cost.
fn best(view: &SearchView<'_>, draws: &Draws) -> (usize, Reason) {
    let open = view.prover.open();
    let points: Vec<&[f64]> = draws.points.chunks_exact(open.width).collect();
    let labels: Vec<usize> = draws.labels.iter().map(|label| label.index()).collect();
    most_telling(view.tables, open, view.askable, &points, &ModelSaid::Labels(&labels))
}

/// What the model says of points.
pub(crate) enum ModelSaid<'a> {
    Labels(&'a [usize]),
    /// The margins of one of two labels.
    Margins(&'a [f64]),
}

/// The same by points and what the model says of them.
pub(crate) fn most_telling(
    tables: &SearchTables,
    open: &OpenColumns,
    askable: &[bool],
    points: &[&[f64]],
    said: &ModelSaid<'_>,
) -> (usize, Reason) {
    let n_classes = tables.pairs.n_classes();
    let now = match said {
        ModelSaid::Labels(labels) => grouped_entropy::entropy_now(labels, n_classes),
        ModelSaid::Margins(margins) => grouped_entropy::entropy_now_by_margins(margins),
    };
    let mut gains = vec![f64::NEG_INFINITY; askable.len()];
    for question in open.questions.iter().filter(|question| askable[question.place]) {
        let answers: Vec<&[f64]> = points.iter().map(|point| &point[question.columns.clone()]).collect();
        let after = match said {
            ModelSaid::Labels(labels) => grouped_entropy::entropy_after(question.domain, &answers, labels, n_classes),
            ModelSaid::Margins(margins) => {
                grouped_entropy::entropy_after_by_margins(question.domain, &answers, margins)
            }
        };
        gains[question.place] = gain_per_cost(now - after, tables.questions.per_cost[question.place]);
    }
    (best_of(askable, |place| gains[place]), Reason::Tells)
}
