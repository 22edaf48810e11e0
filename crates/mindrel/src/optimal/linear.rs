//! The smallest core set of a linear model.
//!
//! ```text
//! min |R|   such that for every rival k:   Σ_{q ∈ R} gain_{q,k} ≥ deficit_k
//! gain_{q,k} = contribution_q − min contribution_q,     deficit_k = −(smallest margin with nothing revealed)
//! ```
//!
//! Revealing a question moves every smallest margin by its own gain, whatever else is revealed. With one rival the largest
//! gains first are optimal, O(|S| log |S|) instead of 2^|S|; with several it is a small covering problem, solved by branch and
//! bound.

use super::cover::Cover;
use crate::Label;
use crate::core_test::exact::exact_sign;
use crate::model::{LinearModel, Model};
use crate::plan::Plan;

pub(super) fn smallest_core_set(plan: &Plan, model: &LinearModel, person: &[f64]) -> Vec<usize> {
    let label = model.label(person);
    let rounding = model.rounding_bound(largest(person));
    let cover = Cover::new(&gains(plan, person, label), &deficits(plan, model, person, label), rounding);
    let all: Vec<usize> = (0..plan.sensitive().len()).collect();
    cover.smallest(|chosen| proves(plan, model, person, label, chosen)).unwrap_or(all)
}

/// The exact test, without rounding where it matters.
pub(super) fn proves(plan: &Plan, model: &LinearModel, person: &[f64], label: Label, revealed: &[usize]) -> bool {
    let prepared = plan.prepared();
    let margins = &prepared.linear().margins;
    let gains = gains(plan, person, label);
    let mut worst: Vec<f64> = vec![f64::NEG_INFINITY; margins.pairs().len()];
    for (rival, (place, deficit)) in margins.of_winner(label).zip(deficits(plan, model, person, label)).enumerate() {
        worst[place] = revealed.iter().map(|&question| gains[rival][question]).sum::<f64>() - deficit;
    }
    let is_revealed = |question: &usize| revealed.contains(question);
    let settled = margins.settled(&worst, model.rounding_bound(largest(person)), |pair| {
        let known = revealed.iter().flat_map(|&question| prepared.asked[question].columns.clone());
        let columns = prepared.public_columns.iter().copied().chain(known);
        let open = (0..prepared.asked.len()).filter(|question| !is_revealed(question));
        exact_sign(model, pair, person, columns, open.map(|question| &prepared.asked[question]))
    });
    settled == Some(label)
}

/// The size of the largest value.
fn largest(person: &[f64]) -> f64 {
    person.iter().fold(0.0, |largest, value| largest.max(value.abs()))
}

/// Row of a rival: how much revealing each question moves the smallest margin.
fn gains(plan: &Plan, person: &[f64], label: Label) -> Vec<Vec<f64>> {
    let prepared = plan.prepared();
    let tables = prepared.linear();
    let margins = &tables.margins;
    let gain = |place: usize, question: usize| {
        let columns = prepared.columns(question);
        let own = &person[prepared.asked[question].columns.clone()];
        let contribution = margins.pairs()[place]
            .difference(tables.weights.len(), |score| crate::model::dot(&tables.weights[score][columns.clone()], own));
        contribution - margins.worst(place, question)
    };
    margins
        .of_winner(label)
        .map(|place| (0..prepared.asked.len()).map(|question| gain(place, question)).collect())
        .collect()
}

/// What each rival is ahead in the worst case, with nothing revealed.
fn deficits(plan: &Plan, model: &LinearModel, person: &[f64], label: Label) -> Vec<f64> {
    let prepared = plan.prepared();
    let tables = prepared.linear();
    let mut scores = vec![0.0; tables.n_scores() + 1];
    tables.known_scores(model, &prepared.public_columns, person, &mut scores);
    let mut worst = vec![0.0; tables.margins.pairs().len()];
    tables.margins.begin(&scores, &mut worst);
    worst[tables.margins.of_winner(label)].iter().map(|margin| -margin).collect()
}
