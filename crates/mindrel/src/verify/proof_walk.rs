//! The walk through a proof, part by part.

use super::part::{DomainPart, OpenQuestions};
use super::{Refutation, Statement};
use crate::Label;
use crate::proof::{Beaten, Proof};

/// A part that is still to come, and the rivals that are not beaten in it so far.
pub(super) struct Pending {
    pub part: DomainPart,
    pub rivals: Vec<Label>,
}

/// What a family checks in each part. Parts are counted from one.
pub(super) trait PartChecker {
    /// The rivals that are left in a part once those said to be beaten are.
    fn strike(&self, here: &Pending, beaten: &[Beaten], part: usize) -> Result<Vec<Label>, Refutation>;

    /// Whether a part that is not cut any further has the label.
    fn check_end(&self, here: &Pending, part: usize) -> Result<(), Refutation>;
}

/// Walks through a proof: every part must follow from the cuts, and have every rival beaten in it, above it or below
/// it. The smallest margin stated, if there is one.
///
/// The first half of a cut comes next, with all that comes of it; the second waits on a stack, never deeper than the
/// number of parts still listed.
pub(super) fn walk(
    checker: &dyn PartChecker,
    statement: &Statement<'_>,
    open: &OpenQuestions<'_>,
    proof: &Proof,
) -> Result<Option<f64>, Refutation> {
    let mut pending = vec![Pending { part: open.whole(), rivals: statement.rivals().collect() }];
    for (place, stated) in proof.parts.iter().enumerate() {
        let mut here = pending.pop().ok_or(Refutation::OtherParts)?;
        let is_bound = |beaten: &Beaten| beaten.margin >= 0.0 && beaten.margin.is_finite();
        if !stated.beaten.iter().all(is_bound) {
            return Err(Refutation::BadBound { part: place + 1 });
        }
        if stated.narrowed {
            match open.narrowed(&here.part) {
                Some(narrowed) => here.part = narrowed,
                None if stated.cut.is_none() && stated.beaten.is_empty() => continue,
                None => return Err(Refutation::BadCut { part: place + 1 }),
            }
        }
        if !stated.beaten.is_empty() {
            here.rivals = checker.strike(&here, &stated.beaten, place + 1)?;
        }
        let Some(cut) = &stated.cut else {
            checker.check_end(&here, place + 1)?;
            continue;
        };
        let halves = here.part.halves(open, cut);
        let (first, second) = halves.ok_or(Refutation::BadCut { part: place + 1 })?;
        pending.push(Pending { part: second, rivals: here.rivals.clone() });
        pending.push(Pending { part: first, rivals: here.rivals });
        if pending.len() > proof.parts.len() - (place + 1) {
            return Err(Refutation::OtherParts);
        }
    }
    if !pending.is_empty() {
        return Err(Refutation::OtherParts);
    }
    Ok(proof.parts.iter().flat_map(|part| &part.beaten).map(|beaten| beaten.margin).reduce(f64::min))
}
