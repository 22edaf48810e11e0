//! Compositions: a proof checked part by part, each model in its own way, and probabilities by draws.

mod margin;
mod part_check;
mod quadratics;
mod scores;
mod sigmoid_line;
mod values;

use super::belief::Estimated;
use super::{FamilyCheck, Refutation, Statement};
use crate::certificate::Certificate;
use crate::model::{Composition, Model};
use crate::rules::Rules;

/// A statement about a composition.
pub(super) struct Composed<'a> {
    pub statement: &'a Statement<'a>,
    pub composition: &'a Composition,
}

impl FamilyCheck for Composed<'_> {
    fn gives_label(&self) -> bool {
        self.composition.label(self.statement.person) == self.statement.label
    }

    fn check_proof(&self, certificate: &Certificate) -> Result<(), Refutation> {
        let proof = certificate.proof.as_ref().ok_or(Refutation::NoProof)?;
        let smallest = self.smallest_margin_of(proof)?;
        if smallest == certificate.worst_margin { Ok(()) } else { Err(Refutation::OtherMargin) }
    }

    fn probability(&self, _: &Rules) -> Estimated {
        self.statement.share_of_draws()
    }
}
