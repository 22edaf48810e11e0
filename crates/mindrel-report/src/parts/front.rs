//! What a reader sees first: the finding in one sentence, what speaks against it, and the key figures.

use mindrel::core_test::Test;
use mindrel_audit::{IntervalEstimate, PromiseVerdict, binomial};

use crate::reading::Reading;
use crate::words::{grouped, percent, questions, short_percent};

/// A key figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Card {
    pub label: &'static str,
    pub value: String,
    pub note: String,
}

/// The finding in one sentence.
pub(crate) fn headline(reading: &Reading<'_>) -> String {
    let run = reading.chosen();
    let same = if run.flips == 0.0 {
        "all decisions are unchanged from full data".to_owned()
    } else {
        format!("{} of decisions are unchanged from full data", percent(1.0 - run.flips))
    };
    format!(
        "Decided from {:.1} of {} sensitive questions on average; {same}.",
        run.mean_asked, reading.outcome.questions
    )
}

/// What must be known before the figures are believed.
pub(crate) fn warnings(reading: &Reading<'_>) -> Vec<String> {
    let run = reading.chosen();
    let mut warnings = Vec::new();
    if reading.on_training_people() {
        warnings.push(
            "People the plan was fitted on are among those audited. Figures about them are likely to be better than about anybody else: audit people it \
             was not fitted on, such as those kept aside by fit --holdout (audit --held-out)."
                .to_owned(),
        );
    }
    if reading.on_calibration_people() {
        warnings.push(
            "The plan was calibrated on this table: its flips here are those the threshold was chosen by. Audit other people to see the promise kept."
                .to_owned(),
        );
    }
    let promised =
        run.calibration.as_ref().map(|calibration| (1.0 - calibration.promised, &calibration.everybody.verdict));
    let calibrated = run.calibrated.as_ref().map(|calibrated| (calibrated.promised, &calibrated.everybody.verdict));
    for (flips, verdict) in promised.into_iter().chain(calibrated) {
        if *verdict == PromiseVerdict::Broken {
            warnings.push(format!(
                "The promise is not kept: at most {} of decisions may differ from those with all data, and here {} do.",
                short_percent(flips),
                percent(run.flips)
            ));
        }
    }
    if run.test == Some(Test::Sampled) {
        warnings.push("Decisions rest on random samples, which prove nothing: see what is promised.".to_owned());
    }
    warnings
}

/// The key figures.
pub(crate) fn cards(reading: &Reading<'_>) -> Vec<Card> {
    let (outcome, run) = (reading.outcome, reading.chosen());
    let people = outcome.people;
    let mut cards = vec![
        Card {
            label: "questions asked, on average",
            value: format!("{} of {}", questions(run.mean_asked), outcome.questions),
            note: format!("{} of the sensitive questions", percent(run.leakage)),
        },
        Card {
            label: "decisions unchanged from full data",
            value: percent(1.0 - run.flips),
            note: format!("{} of {} differ", grouped(counted(run.flips, people)), grouped(people)),
        },
    ];
    if let (Some(accuracy), Some(all)) = (run.accuracy, outcome.accuracy_all) {
        let IntervalEstimate { lower, upper, .. } = interval(accuracy, people);
        cards.push(Card {
            label: "decisions that are right",
            value: percent(accuracy),
            note: format!(
                "{:.1} to {:.1} with 95 % confidence; {} with all data",
                100.0 * lower,
                100.0 * upper,
                percent(all)
            ),
        });
    }
    let nothing = run.histogram.first().copied().unwrap_or(0);
    cards.push(Card {
        label: "people asked nothing at all",
        value: percent(nothing as f64 / people as f64),
        note: format!("{} of {}", grouped(nothing), grouped(people)),
    });
    let never = run.asked.values().filter(|share| **share == 0.0).count();
    cards.push(Card {
        label: "questions nobody was asked",
        value: format!("{never} of {}", outcome.questions),
        note: String::new(),
    });
    if let Some(regret) = &run.regret {
        let more = regret.mean.value >= 0.0;
        cards.push(Card {
            label: if more { "questions more than a proof takes" } else { "questions fewer than a proof takes" },
            value: questions(regret.mean.value.abs()),
            note: "on average, against the fewest that prove each decision".to_owned(),
        });
    }
    cards
}

/// So many people a share is of.
pub(crate) fn counted(share: f64, people: u64) -> u64 {
    (share * people as f64).round() as u64
}

/// A share of people with its exact 95 % interval.
pub(crate) fn interval(share: f64, people: u64) -> IntervalEstimate {
    let (lower, upper) = binomial::interval(counted(share, people), people, 0.95);
    IntervalEstimate { value: share, lower, upper }
}
