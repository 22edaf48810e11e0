//! The smallest core set: what an oracle that sees every answer would reveal [TF23, App. D, "Optimal"].
//!
//! ```text
//! min |R|   such that for every rival k:   Σ_{q ∈ R} gain_{q,k} ≥ deficit_k
//! gain_{q,k} = contribution_q − min contribution_q,     deficit_k = −(smallest margin with nothing revealed)
//! ```
//!
//! Revealing a question moves every smallest margin by its own gain, whatever else is revealed. With one rival the largest
//! gains first are optimal, O(|S| log |S|) instead of 2^|S|; with several it is a small covering problem, solved by branch and
//! bound. Nobody can ask in this way, since it takes the answers to choose; it is the bound that leakage is measured against.

mod cover;

use crate::Label;
use crate::core_test::exact::exact_sign;
use crate::model::Model;
use crate::plan::Plan;

use cover::Cover;

/// The places (in [`Plan::sensitive`]) of a smallest set of questions that proves the model's own label for an encoded person.
///
/// Exact: no smaller set is a pure core feature set. All questions together always are one.
#[must_use]
pub fn smallest_core_set(plan: &Plan, person: &[f64]) -> Vec<usize> {
    let label = plan.model().label(person);
    let cover = Cover::new(&gains(plan, person, label), &deficits(plan, person, label));
    let all: Vec<usize> = (0..plan.sensitive().len()).collect();
    cover.smallest(|chosen| proves(plan, person, label, chosen)).unwrap_or(all)
}

/// Whether revealing some sensitive questions proves a label: the exact test, without rounding where it matters.
#[must_use]
pub fn proves(plan: &Plan, person: &[f64], label: Label, revealed: &[usize]) -> bool {
    let prepared = plan.prepared();
    if revealed.len() == prepared.sensitive.len() {
        return plan.model().label(person) == label;
    }
    let margins = &prepared.margins;
    let gains = gains(plan, person, label);
    let mut worst: Vec<f64> = vec![f64::NEG_INFINITY; margins.pairs().len()];
    for (rival, (place, deficit)) in margins.of_winner(label).zip(deficits(plan, person, label)).enumerate() {
        worst[place] = revealed.iter().map(|&question| gains[rival][question]).sum::<f64>() - deficit;
    }
    let largest = person.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let is_revealed = |question: &usize| revealed.contains(question);
    let settled = margins.settled(&worst, plan.model().rounding_bound(largest), |pair| {
        let known = revealed.iter().flat_map(|&question| prepared.asked[question].columns.clone());
        let columns = prepared.public_columns.iter().copied().chain(known);
        let open = (0..prepared.asked.len()).filter(|question| !is_revealed(question));
        exact_sign(plan.model(), pair, person, columns, open.map(|question| &prepared.asked[question]))
    });
    settled == Some(label)
}

/// Row of a rival: how much revealing each question moves the smallest margin.
fn gains(plan: &Plan, person: &[f64], label: Label) -> Vec<Vec<f64>> {
    let prepared = plan.prepared();
    let margins = &prepared.margins;
    let gain = |place: usize, question: usize| {
        let columns = prepared.columns(question);
        let own = &person[prepared.asked[question].columns.clone()];
        let contribution = margins.pairs()[place].difference(prepared.weights.len(), |score| {
            crate::model::dot(&prepared.weights[score][columns.clone()], own)
        });
        contribution - margins.worst(place, question)
    };
    margins
        .of_winner(label)
        .map(|place| (0..prepared.asked.len()).map(|question| gain(place, question)).collect())
        .collect()
}

/// What each rival is ahead in the worst case, with nothing revealed.
fn deficits(plan: &Plan, person: &[f64], label: Label) -> Vec<f64> {
    let prepared = plan.prepared();
    let mut scores = vec![0.0; prepared.weights.len() + 1];
    prepared.public_scores(plan.model(), person, &mut scores);
    let mut worst = vec![0.0; prepared.margins.pairs().len()];
    prepared.margins.begin(&scores, &mut worst);
    worst[prepared.margins.of_winner(label)].iter().map(|margin| -margin).collect()
}
