//! Black boxes: labels and probabilities by running them; nothing about one can be proved.

use super::belief::Estimated;
use super::{FamilyCheck, Refutation, Statement};
use crate::certificate::Certificate;
use crate::model::{BlackBox, Model};
use crate::rules::Rules;

/// A statement about something that can only be run.
pub(super) struct Opaque<'a> {
    pub statement: &'a Statement<'a>,
    pub model: &'a BlackBox,
}

impl FamilyCheck for Opaque<'_> {
    fn gives_label(&self) -> bool {
        self.model.label(self.statement.person) == self.statement.label
    }

    fn check_proof(&self, _: &Certificate) -> Result<(), Refutation> {
        Err(Refutation::NoProof)
    }

    fn probability(&self, _: &Rules) -> Estimated {
        self.statement.share_of_draws()
    }
}
