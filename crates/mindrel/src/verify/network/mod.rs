//! Networks: a proof checked part by part in intervals, and probabilities by a gradient or by draws.

mod bound;
mod lines;
mod part_check;
mod probability;

pub(in crate::verify) use bound::{FoldedLayers, ScoreLine};
pub(in crate::verify) use lines::Ties;

use super::belief::Estimated;
use super::{FamilyCheck, Refutation, Statement};
use crate::certificate::Certificate;
use crate::model::{Model, Network};
use crate::rules::{Estimate, Rules};

/// A statement about a network of rectified units.
pub(super) struct Rectified<'a> {
    pub statement: &'a Statement<'a>,
    pub network: &'a Network,
}

impl FamilyCheck for Rectified<'_> {
    fn gives_label(&self) -> bool {
        self.network.label(self.statement.person) == self.statement.label
    }

    fn check_proof(&self, certificate: &Certificate) -> Result<(), Refutation> {
        let proof = certificate.proof.as_ref().ok_or(Refutation::NoProof)?;
        let smallest = self.smallest_margin_of(proof)?;
        if smallest == certificate.worst_margin { Ok(()) } else { Err(Refutation::OtherMargin) }
    }

    fn probability(&self, rules: &Rules) -> Estimated {
        match rules.estimate {
            Estimate::Taylor => self.taylor_probability(),
            Estimate::Qmc => self.statement.share_of_draws(),
        }
    }
}
