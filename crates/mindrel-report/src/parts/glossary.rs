//! The words a reader may not know.

use crate::reading::Reading;
use crate::section::ReportSection;

/// Words with their meaning.
const WORDS: [(&str, &str); 17] = [
    ("accuracy", "the share of decisions that are right, going by the labels of the table"),
    (
        "all",
        "everybody is asked everything, as classifiers are commonly used; the other decisions are compared with these",
    ),
    (
        "belief",
        "a statistical description of how answers go together, which says how likely the answers not yet given are",
    ),
    (
        "calibrated",
        "stopping as soon as people set aside for it bear out that few decisions differ, whatever the belief",
    ),
    ("complete", "a decision made with every question answered"),
    ("δ (delta)", "the chance that is allowed for a decision to differ from the one with all data; 0 asks for a proof"),
    ("flips", "decisions that differ from those the classifier makes with all data"),
    ("interval", "where the true figure lies with 95 % confidence, going by the number of people counted"),
    ("leakage", "the share of the sensitive questions that a person is asked"),
    (
        "optimal",
        "for each person the fewest questions that prove the decision; to find them takes all answers, so it is a bound and no rule",
    ),
    ("plan", "the questions, the classifier, the belief and the rules, in one file known by its fingerprint"),
    ("probable", "a decision settled with a probability of at least 1 − δ under the belief"),
    ("proved", "a decision that no possible answer to a question not asked can change"),
    ("public", "known before anything is asked"),
    ("regret", "how many questions more than the optimum a person was asked"),
    ("sampled", "a decision that none of many random draws changed; it is no proof"),
    ("sensitive", "asked only when it is needed"),
];

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let samples = reading.outcome.runs.iter().any(|run| run.sampled > 0.0);
    let calibrated = reading.outcome.runs.iter().any(|run| run.calibrated.is_some());
    let needed = |word: &str| match word {
        "sampled" => samples,
        "calibrated" => calibrated,
        _ => true,
    };
    ReportSection::new("glossary", "Glossary").facts(WORDS.into_iter().filter(|(word, _)| needed(word)))
}
