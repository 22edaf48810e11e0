//! What is promised, and on what grounds.

use mindrel::core_test::Test;
use mindrel::model::ProvedBy;
use mindrel_audit::{PromisedFlips, Rule, RunOutcome};

use crate::reading::Reading;
use crate::section::{ReportCell, ReportSection, ReportTable};
use crate::words::{grouped, percent, short_percent};

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let run = reading.chosen();
    let (promise, rests_on) = promise(reading, run);
    let share = &run.guarantees;
    let mut table =
        ReportTable::new("What the decisions rest on", ["decisions", "how", "what it says", "what it rests on"]);
    let rows = [
        (
            share.proved,
            "proved",
            "no possible answer to a question not asked changes the decision",
            "the declared ranges and lists of answers; arithmetic that never rounds in favour of stopping",
        ),
        (
            share.probable,
            "probable",
            "the answers not asked for change the decision with a probability of at most δ",
            "the belief, as true as it is",
        ),
        (
            share.sampled,
            "sampled",
            "none of many random draws of the answers not asked for changed the decision",
            "the belief, and luck; it is no proof",
        ),
        (
            share.complete,
            "complete",
            "every question was answered; the decision is the classifier’s own",
            "nothing further",
        ),
    ];
    for (share, how, says, rests_on) in rows.into_iter().filter(|(share, ..)| *share > 0.0) {
        table.row(
            false,
            [
                ReportCell::number(percent(share)),
                ReportCell::words(how),
                ReportCell::words(says),
                ReportCell::words(rests_on),
            ],
        );
    }
    ReportSection::new("guarantee", "What is promised, and on what grounds")
        .text(promise)
        .text("It rests on this:")
        .list(rests_on)
        .table(table)
        .text(
            "In every case the promise is that the decision is the one the classifier would make with all answers. It does not say that the classifier is \
             right, or fair, or that the questions are lawful to ask.",
        )
}

/// What is promised, and on what grounds.
type Promised = (String, Vec<String>);

fn promise(reading: &Reading<'_>, run: &RunOutcome) -> Promised {
    if run.rule == Rule::All {
        return (
            "Everybody is asked everything, and the decision is the classifier’s own.".to_owned(),
            vec!["The answers.".to_owned()],
        );
    }
    if let Some(calibrated) = &run.calibrated {
        return calibrated_promise(calibrated);
    }
    if run.delta > 0.0 {
        return probable_promise(run);
    }
    if run.test == Some(Test::Sampled) {
        return (
            "Each person was asked until none of many random draws of the remaining answers changed the decision. That is a search that found nothing, \
             and no proof."
                .to_owned(),
            vec!["The plan’s belief, which the draws are taken from, and luck.".to_owned(), domains(run)],
        );
    }
    proved_promise(reading, run)
}

fn calibrated_promise(calibrated: &PromisedFlips) -> Promised {
    let whom = calibrated.by.as_ref().map_or(String::new(), |by| format!(" in every group by {by}"));
    (
        format!(
            "With {} confidence, at most {} of the decisions about people like those it was calibrated on differ from the decisions with all \
             answers{whom}.",
            short_percent(calibrated.confidence),
            short_percent(calibrated.promised)
        ),
        vec![
            format!(
                "The {} people it was calibrated on are like those it decides about, drawn in the same way. If the people change, it must be \
                 calibrated again.",
                grouped(calibrated.calibrated_on)
            ),
            "Nobody declines to answer.".to_owned(),
            "It does not rest on the plan’s belief being true.".to_owned(),
        ],
    )
}

fn probable_promise(run: &RunOutcome) -> Promised {
    (
        format!(
            "Each person was asked until the decision was settled with a probability of at least {}: at most {} of decisions are expected to differ from \
             the decision with all answers. Where the decision could be proved earlier, it was.",
            short_percent(1.0 - run.delta),
            short_percent(run.delta)
        ),
        vec![
            "The plan’s belief: a statistical description of how answers go together, learnt from the rows it was fitted on. The probability is as true as \
             that description. Below, it is compared with what happened."
                .to_owned(),
            "It is a probability: it does not say which decisions are the few that differ.".to_owned(),
            domains(run),
        ],
    )
}

fn proved_promise(reading: &Reading<'_>, run: &RunOutcome) -> Promised {
    let mut rests_on = vec![domains(run), "Arithmetic: rounding never settles a decision.".to_owned()];
    if reading.plan.model().proved_by() != ProvedBy::Sums {
        rests_on.push(format!(
            "Proofs about such a model ({}) are looked for within a budget. Where it ran out, one more question was asked, so nobody is decided without a proof \
             ({} of people).",
            reading.plan.model().describe(),
            percent(run.undecided_budget)
        ));
    }
    let how = if run.rule.is_baseline() { "The fewest questions were taken" } else { "Each person was asked" };
    (
        format!(
            "No decision rests on a guess. {how} until no possible answer to the remaining questions could change the decision; each decision is the one that \
             all answers would have led to. It holds for each person, not only on average."
        ),
        rests_on,
    )
}

fn domains(run: &RunOutcome) -> String {
    let outside = if run.outside_domain > 0.0 {
        format!(
            "{} of the people audited have one, so the promise does not speak of them; a session would ask them again.",
            percent(run.outside_domain)
        )
    } else {
        "Nobody audited has one.".to_owned()
    };
    format!(
        "The ranges and lists of answers that the schema declares. An answer outside them is not covered. {outside}"
    )
}
