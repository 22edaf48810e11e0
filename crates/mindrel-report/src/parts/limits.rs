//! What this audit cannot tell, and how it is made again.

use crate::reading::Reading;
use crate::section::{ReportBlock, ReportSection};
use crate::words::percent;

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let (run, about) = (reading.chosen(), reading.about);
    let mut limits = vec![people(reading)];
    if run.outside_domain > 0.0 {
        limits.push(format!(
            "{} of the people have an answer outside what the schema declares. They were decided all the same, but no guarantee speaks of them; in a session they would be asked again. \
             Among the others, {} of decisions differ from those with all data.",
            percent(run.outside_domain),
            percent(run.flips_inside_domain)
        ));
    }
    if run.undecided_budget > 0.0 {
        limits.push(format!(
            "For {} of the people a test ended before it was sure, and one more question was asked than may have been needed. With a larger budget they may be \
             asked less.",
            percent(run.undecided_budget)
        ));
    }
    limits.push(
        "Nobody declines in an audit. In practice somebody who declines a needed question ends undecided, for a person to look at.".to_owned(),
    );
    limits.push("The answers in the table are taken as true, and missing ones as the schema says.".to_owned());
    limits.push(
        "The number of questions is not the whole of privacy: questions differ in how much they matter, and an answer not asked for may follow from those that were."
            .to_owned(),
    );
    if run.giveaway.is_none() {
        limits.push("Not looked at: how well the answers not asked for can be inferred.".to_owned());
    }
    if reading.outcome.burden.is_none() {
        limits.push("Not looked at: whether some groups of people are asked more than others.".to_owned());
    }
    if reading.outcome.accuracy_all.is_none() {
        limits.push("Not looked at: whether decisions are right. The table has no labels.".to_owned());
    }
    if about.digest.is_none() {
        limits.push("The table could be read only once, so this report cannot say which one it was.".to_owned());
    }
    ReportSection::new("limits", "What this audit cannot tell").list(limits)
}

/// How the people audited stand to those the plan was fitted on.
fn people(reading: &Reading<'_>) -> String {
    let future = "It tells about people to come as far as they are like these.";
    let who = if reading.about.held_out {
        "The people audited come from the same table as those the plan was fitted on, and the plan was not fitted on them."
    } else if reading.on_training_people() {
        "The plan was fitted on people of this very table. Figures are likely to flatter it."
    } else if reading.plan.training().is_none() || reading.about.digest.is_none() {
        "Whether the plan was fitted on these people is not known here."
    } else {
        "The table is another one than the plan was fitted on. Whether some people are in both is not known here."
    };
    format!("{who} {future}")
}

/// How the report is made again.
pub(super) fn repeat(reading: &Reading<'_>) -> ReportSection {
    ReportSection::new("repeat", "How to reproduce this report")
        .text("With the same plan and the same table this command gives the same figures, on any machine and any number of cores.")
        .with(ReportBlock::Command(reading.about.command.clone()))
        .text("The plan is known by its fingerprint and the table by its checksum, both above. The audit can also write all figures as JSON.")
}
