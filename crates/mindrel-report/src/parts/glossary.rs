//! The glossary.

use crate::reading::Reading;
use crate::section::ReportSection;

/// Words with their meanings.
const WORDS: [(&str, &str); 17] = [
    ("accuracy", "the share of decisions that are correct according to the labels of the table"),
    ("all", "everyone is asked everything, as classifiers are usually used; other decisions are compared with these"),
    ("belief", "a statistical description of how answers are related, which says how likely each unknown answer is"),
    (
        "calibrated",
        "stopping at a threshold that was tested on other people, so that few decisions differ whatever the belief",
    ),
    ("complete", "a decision made with every question answered"),
    ("δ (delta)", "the chance that a decision may differ from the one with all data; 0 requires a proof"),
    ("flips", "decisions that differ from those the classifier makes with all data"),
    ("interval", "the range in which the true figure lies with 95 % confidence, given how many people were counted"),
    ("leakage", "the share of the sensitive questions that a person is asked"),
    (
        "no counterexample found",
        "a decision that none of the answers tried for the open questions changed; others may, so this is not a proof",
    ),
    (
        "optimal",
        "for each person, the fewest questions that prove the decision; finding them takes all answers, so this is a \
         bound and not a rule",
    ),
    ("plan", "the questions, the classifier, the belief and the rules, in one file that its fingerprint identifies"),
    ("probable", "a decision settled with a probability of at least 1 − δ under the belief"),
    ("proved", "a decision that no possible answer to an unasked question can change"),
    ("public", "known before anything is asked"),
    ("regret", "how many more questions than the optimum a person was asked"),
    ("sensitive", "asked only if needed"),
];

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let samples = reading.outcome.runs.iter().any(|run| run.sampled > 0.0);
    let calibrated = reading.outcome.runs.iter().any(|run| run.calibrated.is_some());
    let needed = |word: &str| match word {
        "no counterexample found" => samples,
        "calibrated" => calibrated,
        _ => true,
    };
    ReportSection::new("glossary", "Glossary").facts(WORDS.into_iter().filter(|(word, _)| needed(word)))
}
