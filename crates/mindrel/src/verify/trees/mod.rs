//! Tree ensembles: a proof checked part by part, by the leaves each tree can reach, and probabilities by draws.

mod joined_trees;
mod leaf_check;
mod leaves_in_part;
mod prices;
mod reached_leaves;
mod units;

pub(in crate::verify) use leaf_check::largest_sum;
pub(in crate::verify) use reached_leaves::ReachedLeaves;

use super::belief::Estimated;
use super::{FamilyCheck, Refutation, Statement};
use crate::certificate::Certificate;
use crate::model::{Model, TreeEnsemble};
use crate::rules::Rules;

/// A statement about an ensemble of trees.
pub(super) struct Trees<'a> {
    pub statement: &'a Statement<'a>,
    pub ensemble: &'a TreeEnsemble,
}

impl FamilyCheck for Trees<'_> {
    fn gives_label(&self) -> bool {
        self.ensemble.label(self.statement.person) == self.statement.label
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
