//! What a comparison found, in a sentence.

use super::FEWEST_PEOPLE;
use super::report::{Comparison, Difference, DifferenceVerdict};

/// What groups are compared by.
#[derive(Debug, Clone, Copy)]
pub(super) enum Subject {
    /// Questions, of so many.
    Asked { of: usize },
    /// Decisions that differ from the full model's.
    Flips,
    /// Right decisions.
    Accuracy,
}

/// A group in words: `sex Female, race Black`.
pub(super) fn group_name(by: &[String], levels: &[String]) -> String {
    let parts: Vec<String> = by.iter().zip(levels).map(|(column, level)| format!("{column} {level}")).collect();
    parts.join(", ")
}

/// What was found, how large it is, and what is left open.
pub(super) fn sentence(
    difference: &Difference,
    subject: Subject,
    names: &[String],
    left_out: &[&str],
    tests: usize,
) -> String {
    let Some(comparison) = &difference.comparison else {
        return format!("Too few people to tell: fewer than two groups have at least {FEWEST_PEOPLE} people.");
    };
    let mut sentence = match difference.verdict {
        DifferenceVerdict::Found => found(comparison, subject, names, tests),
        _ => format!(
            "No difference found; differences up to {} cannot be excluded.",
            amount(comparison.not_excluded, subject)
        ),
    };
    if !left_out.is_empty() {
        sentence += &format!(" Too few people to tell, fewer than {FEWEST_PEOPLE}: {}.", left_out.join("; "));
    }
    sentence
}

fn found(comparison: &Comparison, subject: Subject, names: &[String], tests: usize) -> String {
    let Comparison { difference, p_holm, .. } = comparison;
    let (most, least) = (&names[comparison.most], &names[comparison.least]);
    let by = amount(difference.value, subject);
    let more = match subject {
        Subject::Asked { .. } => format!("{most}: asked {by} more than {least}"),
        Subject::Flips => format!("{most}: {by} more decisions differ from the full model's than for {least}"),
        Subject::Accuracy => format!("{most}: {by} more decisions are right than for {least}"),
    };
    let interval = match subject {
        Subject::Asked { .. } => format!("{:.2} to {:.2}", difference.lower, difference.upper),
        Subject::Flips | Subject::Accuracy => {
            format!("{:.1} to {:.1}", 100.0 * difference.lower, 100.0 * difference.upper)
        }
    };
    let p = if *p_holm < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p_holm:.3}") };
    let corrected = if tests == 1 { String::new() } else { format!(" corrected for {tests} tests") };
    format!("{more} (95 % interval {interval}; {p}{corrected}).")
}

/// A difference in the units of what is compared.
fn amount(difference: f64, subject: Subject) -> String {
    match subject {
        Subject::Asked { of } => format!("{difference:.2} questions of {of}"),
        Subject::Flips | Subject::Accuracy => format!("{:.1} percentage points", 100.0 * difference),
    }
}
