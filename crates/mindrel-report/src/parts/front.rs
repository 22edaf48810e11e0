//! The top of the report: the main result, the warnings, and the key figures.

use mindrel::Schema;
use mindrel::core_test::Test;
use mindrel_audit::{FlipRate, IntervalEstimate, PromiseVerdict, RunOutcome, binomial};

use crate::reading::Reading;
use crate::words::{group_name, grouped, listed, percent, questions, short_percent};

/// A key figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Card {
    pub label: &'static str,
    pub value: String,
    pub note: String,
}

/// The main result in a sentence or two.
pub(crate) fn headline(reading: &Reading<'_>) -> String {
    let run = reading.chosen();
    let same = if run.flips == 0.0 {
        "all decisions are unchanged from full data".to_owned()
    } else {
        format!("{} of decisions are unchanged from full data", percent(1.0 - run.flips))
    };
    let decided = format!(
        "Decided from {:.1} of {} sensitive questions on average; {same}.",
        run.mean_asked, reading.outcome.questions
    );
    let but = kept_only_on_average(reading.plan.schema(), run);
    std::iter::once(decided).chain(but).collect::<Vec<String>>().join(" ")
}

/// The largest share of flips that a run promises, and whether the promise is kept.
fn promised_flips(run: &RunOutcome) -> Option<(f64, PromiseVerdict)> {
    let by_belief = run.calibration.as_ref().map(|it| (1.0 - it.promised, it.everybody.verdict));
    by_belief.or_else(|| run.calibrated.as_ref().map(|it| (it.promised, it.everybody.verdict)))
}

/// The classes and groups for which a promise is broken although it is not broken on average.
fn kept_only_on_average(schema: &Schema, run: &RunOutcome) -> Option<String> {
    let (promised, verdict) = promised_flips(run)?;
    let on_average = match verdict {
        PromiseVerdict::Kept => "This is kept on average, but",
        PromiseVerdict::Unclear => "On average it is too close to tell whether this is kept, but",
        PromiseVerdict::Broken => return None,
    };
    let differ = |flips: &FlipRate| flips.observed.map_or(String::new(), percent);
    let is_broken = |flips: &FlipRate| flips.verdict == PromiseVerdict::Broken;
    let classes = run.promised_by_class.iter().filter(|class| is_broken(&class.flips));
    let words = |class: &str| schema.target().words.of(class).to_owned();
    let classes = classes
        .map(|it| format!("{} differ among people decided “{}” from full data", differ(&it.flips), words(&it.class)));
    let groups = run.calibrated.iter().flat_map(|calibrated| {
        let broken = calibrated.groups.iter().filter(|group| is_broken(&group.flips));
        broken.map(|group| format!("{} differ for {}", differ(&group.flips), group_name(schema, calibrated, group)))
    });
    let broken: Vec<String> = classes.chain(groups).collect();
    let told =
        format!("At most {} of decisions may differ. {on_average} {}.", short_percent(promised), listed(&broken));
    (!broken.is_empty()).then_some(told)
}

/// What to know before relying on the figures.
pub(crate) fn warnings(reading: &Reading<'_>) -> Vec<String> {
    let run = reading.chosen();
    let mut warnings = Vec::new();
    if reading.on_training_people() {
        warnings.push(
            "People the plan was fitted on are among those audited. Figures about them are likely to be better than \
             about others. Audit other people, such as rows that are held out when the plan is fitted."
                .to_owned(),
        );
    }
    if reading.on_calibration_people() {
        warnings.push(
            "The plan was calibrated on this table, so its threshold was chosen to suit these people. Audit other \
             people to see whether the promise is kept."
                .to_owned(),
        );
    }
    if let Some((flips, PromiseVerdict::Broken)) = promised_flips(run) {
        warnings.push(format!(
            "The promise is not kept: at most {} of decisions may differ from those with all data, but {} do.",
            short_percent(flips),
            percent(run.flips)
        ));
    }
    if run.test == Some(Test::Sampled) {
        warnings.push(
            "Decisions rest on no counterexample having been found, which proves nothing. See what is promised."
                .to_owned(),
        );
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
    if let (Some(cost), Some(all)) = (run.mean_cost, outcome.cost_all) {
        let optimal = reading.optimal().and_then(|optimal| optimal.least_cost);
        cards.push(Card {
            label: "cost of the questions asked, on average",
            value: format!("{} of {}", questions(cost), questions(all)),
            note: optimal.map_or_else(
                || format!("{} of the cost of all questions", percent(cost / all)),
                |optimal| {
                    format!("{} of the cost of all; a proof needs at least {}", percent(cost / all), questions(optimal))
                },
            ),
        });
    }
    if let (Some(accuracy), Some(all)) = (run.accuracy, outcome.accuracy_all) {
        let IntervalEstimate { lower, upper, .. } = interval(accuracy, people);
        cards.push(Card {
            label: "correct decisions",
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
        label: "people who were asked nothing",
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
            label: if more { "questions more than a proof needs" } else { "questions fewer than a proof needs" },
            value: questions(regret.mean.value.abs()),
            note: "on average, compared with the fewest that prove each decision".to_owned(),
        });
    }
    cards
}

/// The number of people that a share stands for.
pub(crate) fn counted(share: f64, people: u64) -> u64 {
    (share * people as f64).round() as u64
}

/// A share of people with its exact 95 % interval.
pub(crate) fn interval(share: f64, people: u64) -> IntervalEstimate {
    let (lower, upper) = binomial::interval(counted(share, people), people, 0.95);
    IntervalEstimate { value: share, lower, upper }
}
