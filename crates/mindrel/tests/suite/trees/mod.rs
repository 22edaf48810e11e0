//! Tree ensembles and black boxes: scores, proofs, smallest sets, certificates, questions.

mod black_box;
mod certificates;
mod draws;
mod model;
mod proofs;

use crate::common::*;
use mindrel::Label;
use mindrel::core_test::{Budget, Guarantee};
use mindrel::model::{Arithmetic, Combine, Model, Node, Tree, TreeEnsemble, TreeEnsembleParts};
use mindrel::optimal::{Oracle, proves};
use mindrel::optimal::{Verdict, certify};
use mindrel::plan::{Plan, PlanError, PlanParts, Rules};
use mindrel::proof::prove;
use mindrel::selector::Selector;
use mindrel::session::{Next, Stage, Walk};
use proptest::prelude::*;

/// Work enough for every proof here.
const GENEROUS: u64 = 100_000_000_000;

/// Cells that are enumerated at most.
const MOST_CELLS: usize = 4096;

/// The places of the sensitive questions in a set of bits.
fn places(plan: &Plan, set: usize) -> Vec<usize> {
    (0..plan.sensitive().len()).filter(|place| set >> place & 1 == 1).collect()
}

/// A set of places, grown until few enough cells are left.
fn few_enough(plan: &Plan, set: usize) -> Vec<usize> {
    let mut revealed = places(plan, set);
    while n_cells(plan, &known_when_revealed(plan, &revealed)) > MOST_CELLS {
        let next = (0..plan.sensitive().len()).find(|place| !revealed.contains(place));
        revealed.push(next.expect("what is revealed completely has one value"));
    }
    revealed
}
