//! Least expected entropy for trees and black boxes: one set of draws serves every question [TF23, Eqs (2)-(4)].
//!
//! ```text
//! F(q) = −Σ_g (n_g / N) Ĥ_g,     Ĥ_g = H(labels in g) + (m_g − 1) / (2 n_g),     g the groups of the N draws by x_q
//! ```
//!
//! The draws are people as the belief has them, brought into the domain, with their labels. For each candidate the same draws are put into groups: by
//! level of a category, by value of a number that takes few, by rank of any other. Within a group the labels are distributed as they would be once
//! the answer is known to be that group's. `m_g` is how many labels the group has; the term corrects the entropy of few draws, which
//! is too small on average (Miller and Madow). Departs from [TF23, Eq. (4)], which draws anew for every candidate and every answer imagined: a
//! model of this kind may be dear to run.

use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

use super::{Reason, SearchView};
use crate::belief::Predictive;
use crate::core_test::labelled_draws::Draws;
use crate::core_test::prediction::believe;
use crate::math::normal::entropy;
use crate::schema::Domain;
use crate::selector::{best_of, gain_per_cost};

/// Groups of a number that takes many values.
const GROUPS: usize = 16;

/// By the evenly spread draws.
pub(super) fn choose(view: &mut SearchView<'_>) -> (usize, Reason) {
    let mut belief = Predictive::default();
    believe(view.questions(), view.prover.open(), view.posterior, &mut belief);
    let mut draws = Draws::default();
    draws.look_at(&view.tables.spread, view.prover, &belief, 0..view.tables.spread.len());
    best(view, &draws)
}

/// By random draws, as many for each group of a number as the rules say.
pub(super) fn choose_at_random(view: &mut SearchView<'_>, random: &mut Pcg64Mcg) -> (usize, Reason) {
    let mut belief = Predictive::default();
    believe(view.questions(), view.prover.open(), view.posterior, &mut belief);
    let mut draws = Draws::default();
    let n_draws = GROUPS * view.rules.draws;
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
    let labels: Vec<usize> = draws.labels.iter().map(|label| label.index()).collect();
    let n_classes = view.tables.pairs.n_classes();
    let now = mean_entropy(&vec![0; labels.len()], &labels, 1, n_classes);
    let mut gains = vec![f64::NEG_INFINITY; view.askable.len()];
    for question in open.questions.iter().filter(|question| view.askable[question.place]) {
        let answers: Vec<&[f64]> =
            draws.points.chunks_exact(open.width).map(|point| &point[question.columns.clone()]).collect();
        let (groups, n_groups) = groups(question.domain, &answers);
        let after = mean_entropy(&groups, &labels, n_groups, n_classes);
        gains[question.place] = gain_per_cost(now - after, view.questions().per_cost[question.place]);
    }
    (best_of(view.askable, |place| gains[place]), Reason::Tells)
}

/// The group of each answer, and how many groups there are.
fn groups(domain: Domain, answers: &[&[f64]]) -> (Vec<usize>, usize) {
    if let Domain::OneOf { levels } = domain {
        let level = |answer: &&[f64]| answer.iter().position(|indicator| *indicator == 1.0).unwrap_or(0);
        return (answers.iter().map(level).collect(), levels);
    }
    let mut order: Vec<usize> = (0..answers.len()).collect();
    order.sort_by(|&left, &right| answers[left][0].total_cmp(&answers[right][0]));
    let n_values = 1 + order.windows(2).filter(|pair| answers[pair[0]][0] != answers[pair[1]][0]).count();
    let mut groups = vec![0; answers.len()];
    let mut group = 0;
    for (rank, &place) in order.iter().enumerate() {
        let is_new = rank > 0 && answers[order[rank - 1]][0] != answers[place][0];
        // Equal answers stay together: nothing told them apart.
        let wanted = if n_values <= GROUPS { group + 1 } else { rank * GROUPS / answers.len() };
        if is_new && wanted > group {
            group = if n_values <= GROUPS { group + 1 } else { wanted };
        }
        groups[place] = group;
    }
    (groups, GROUPS)
}

/// The entropy of labels within groups, corrected for few draws, on average over all.
fn mean_entropy(groups: &[usize], labels: &[usize], n_groups: usize, n_classes: usize) -> f64 {
    let mut counts = vec![0u32; n_groups * n_classes];
    groups.iter().zip(labels).for_each(|(group, label)| counts[group * n_classes + label] += 1);
    let total: f64 = counts
        .chunks_exact(n_classes)
        .filter(|counts| counts.iter().any(|count| *count > 0))
        .map(|counts| {
            let size = f64::from(counts.iter().sum::<u32>());
            let shares: Vec<f64> = counts.iter().map(|&count| f64::from(count) / size).collect();
            let n_labels = counts.iter().filter(|count| **count > 0).count();
            size * entropy(&shares) + (n_labels - 1) as f64 / 2.0
        })
        .sum();
    total / labels.len().max(1) as f64
}
