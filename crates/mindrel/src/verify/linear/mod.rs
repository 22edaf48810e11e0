//! Linear models: a sum in rational numbers, and a normal distribution.

mod probability;
mod smallest_margin;

use super::belief::Estimated;
use super::{FamilyCheck, Refutation, Statement};
use crate::certificate::Certificate;
use crate::model::LinearModel;
use crate::rules::Rules;

/// A statement about a linear model.
pub(super) struct Linear<'a> {
    pub statement: &'a Statement<'a>,
    pub model: &'a LinearModel,
}

impl FamilyCheck for Linear<'_> {
    fn gives_label(&self) -> bool {
        self.rival_that_can_win().is_none()
    }

    fn check_proof(&self, certificate: &Certificate) -> Result<(), Refutation> {
        let (Some(stated), None) = (certificate.worst_margin, &certificate.proof) else {
            return Err(Refutation::Numbers);
        };
        match self.rival_that_can_win() {
            None if self.has_smallest_margin(stated) => Ok(()),
            None => Err(Refutation::OtherMargin),
            Some(rival) => Err(Refutation::NotProved { rival: self.statement.plan.schema().class(rival).to_owned() }),
        }
    }

    fn probability(&self, _: &Rules) -> Estimated {
        self.label_probability()
    }

    fn can_be_sampled(&self) -> bool {
        false
    }
}
