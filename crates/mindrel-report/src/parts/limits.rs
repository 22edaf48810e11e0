//! What this audit cannot show, and how to reproduce it.

use crate::reading::Reading;
use crate::section::{ReportBlock, ReportSection};
use crate::words::percent;

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let (run, about) = (reading.chosen(), reading.about);
    let mut limits = vec![people(reading)];
    if run.outside_domain > 0.0 {
        limits.push(format!(
            "{} of the people have an answer outside what the schema declares, or break one of its rules. They were decided too, but no guarantee \
             covers them; a session would ask them again. Among the others, {} of decisions differ from those with all \
             data.",
            percent(run.outside_domain),
            percent(run.flips_inside_domain)
        ));
    }
    for broken in reading.outcome.rules.iter().filter(|rule| rule.people > 0) {
        limits.push(format!(
            "{} of them {} a rule that the schema declares: {}. Either the rule or the table is wrong.",
            broken.people,
            if broken.people == 1 { "breaks" } else { "break" },
            broken.rule
        ));
    }
    if run.undecided_budget > 0.0 {
        limits.push(format!(
            "For {} of the people a test ran out of budget, so they may have been asked more than necessary. A larger \
             budget may help.",
            percent(run.undecided_budget)
        ));
    }
    limits.push(
        "Nobody declines in an audit. In practice, the session of a person who declines a necessary question ends \
         undecided, for a human to look at."
            .to_owned(),
    );
    limits.push(
        "The answers in the table are assumed to be true. The schema says what replaces missing ones.".to_owned(),
    );
    limits.push(
        "The number of questions is not the whole of privacy: questions differ in how much they matter, and an unasked \
         answer may follow from those that were given."
            .to_owned(),
    );
    if run.giveaway.is_none() {
        limits.push("Not examined: how well unasked answers can be inferred.".to_owned());
    }
    if reading.outcome.burden.is_none() {
        limits.push("Not examined: whether some groups of people are asked more than others.".to_owned());
    }
    if reading.outcome.accuracy_all.is_none() {
        limits.push("Not examined: whether decisions are correct. The table has no labels.".to_owned());
    }
    if about.digest.is_none() {
        limits.push("The table could be read only once, so this report cannot say which one it was.".to_owned());
    }
    ReportSection::new("limits", "What this audit cannot show").list(limits)
}

/// How the people audited are related to those the plan was fitted on.
fn people(reading: &Reading<'_>) -> String {
    let future = "The figures apply to future people only as far as they are like these.";
    let who = if reading.about.held_out {
        "The people audited come from the same table as those the plan was fitted on, but the plan was not fitted on \
         them."
    } else if reading.on_training_people() {
        "The plan was fitted on people of this table, so the figures are likely to be too good."
    } else if reading.plan.training().is_none() || reading.about.digest.is_none() {
        "Whether the plan was fitted on these people is not known here."
    } else {
        "The plan was fitted on a different table. Whether some people are in both is not known here."
    };
    format!("{who} {future}")
}

/// How to reproduce the report, if a command made it.
pub(super) fn repeat(reading: &Reading<'_>) -> Option<ReportSection> {
    if reading.about.command.is_empty() {
        return None;
    }
    let section = ReportSection::new("repeat", "How to reproduce this report")
        .text("With the same plan and table, this command gives the same figures on any machine.")
        .with(ReportBlock::Command(reading.about.command.clone()))
        .text(
            "The fingerprint of the plan and the checksum of the table are given above. The audit can also write all \
             figures as JSON.",
        );
    Some(section)
}
