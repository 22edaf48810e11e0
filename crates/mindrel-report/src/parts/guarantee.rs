//! What is promised, and what the promise rests on.

use mindrel::core_test::{Guarantee, Test};
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
            "no possible answer to the other questions changes the decision",
            "the declared ranges and lists of answers; rounding never settles a decision",
        ),
        (
            share.probable,
            "probable",
            "the other answers change the decision with a probability of at most δ",
            "the accuracy of the belief",
        ),
        (
            share.sampled,
            Guarantee::Sampled.in_words(),
            "none of the other answers that were tried changed the decision; others may",
            "the search, the belief and chance; it is not a proof",
        ),
        (
            share.complete,
            "complete",
            "every question was answered; the decision is the classifier’s own",
            "nothing else",
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
    ReportSection::new("guarantee", "What is promised, and what it rests on")
        .text(promise)
        .text("It rests on this:")
        .list(rests_on)
        .table(table)
        .text(
            "The promise is always that the decision is the one the classifier would make with all answers. It does \
             not say that the classifier is right or fair, or that asking these questions is lawful.",
        )
}

/// What is promised, and what it rests on.
type Promised = (String, Vec<String>);

fn promise(reading: &Reading<'_>, run: &RunOutcome) -> Promised {
    if run.rule == Rule::All {
        return (
            "Everyone is asked everything, and the decision is the classifier’s own.".to_owned(),
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
            "Each person was asked until no counterexample was found: none of the remaining answers that were tried \
             changed the decision. This is not a proof: other answers may still change it."
                .to_owned(),
            vec![
                "The search for a counterexample, the plan’s belief, from which draws are taken, and chance."
                    .to_owned(),
                domains(run),
            ],
        );
    }
    proved_promise(reading, run)
}

fn calibrated_promise(calibrated: &PromisedFlips) -> Promised {
    let whom = calibrated.by.as_ref().map_or(String::new(), |by| format!(" in every group by {by}"));
    (
        format!(
            "Among people like those the plan was calibrated on, at most {} of decisions differ from those with all \
             answers{whom}, with {} confidence.",
            short_percent(calibrated.promised),
            short_percent(calibrated.confidence)
        ),
        vec![
            format!(
                "The {} people it was calibrated on were drawn in the same way as those it decides about. If the \
                 population changes, it must be calibrated again.",
                grouped(calibrated.calibrated_on)
            ),
            "Nobody declines to answer.".to_owned(),
            "It does not depend on the plan’s belief.".to_owned(),
        ],
    )
}

fn probable_promise(run: &RunOutcome) -> Promised {
    (
        format!(
            "Each person was asked until the decision was settled with a probability of at least {}. At most {} of \
             decisions are expected to differ from those with all answers. Some decisions are also proved.",
            short_percent(1.0 - run.delta),
            short_percent(run.delta)
        ),
        vec![
            "The plan’s belief: a statistical description of how answers are related, learnt from the rows it was \
             fitted on. The probability is only as accurate as that description. Below, it is compared with what was \
             observed."
                .to_owned(),
            "It is a probability, so it does not say which few decisions differ.".to_owned(),
            domains(run),
        ],
    )
}

fn proved_promise(reading: &Reading<'_>, run: &RunOutcome) -> Promised {
    let mut rests_on = vec![domains(run), "Arithmetic: rounding never settles a decision.".to_owned()];
    if reading.plan.model().proved_by() != ProvedBy::Sums {
        rests_on.push(format!(
            "The search for a proof about this model ({}) has a budget. Whenever it ran out, one more question was \
             asked, so every decision is proved. This concerned {} of people.",
            reading.plan.model().describe(),
            percent(run.undecided_budget)
        ));
    }
    let how = if run.rule.is_baseline() {
        "Each person was asked the fewest questions after which"
    } else {
        "Each person was asked until"
    };
    (
        format!(
            "No decision rests on a guess. {how} no possible answer to the remaining questions could change the \
             decision. Each decision is the one that all answers would have led to. This holds for each person, not \
             only on average."
        ),
        rests_on,
    )
}

fn domains(run: &RunOutcome) -> String {
    let outside = if run.outside_domain > 0.0 {
        format!(
            "{} of the people audited gave such an answer, so the promise does not cover them; a session would ask \
             them again.",
            percent(run.outside_domain)
        )
    } else {
        "Nobody audited gave such an answer.".to_owned()
    };
    format!("The ranges and lists of answers that the schema declares. Other answers are not covered. {outside}")
}
