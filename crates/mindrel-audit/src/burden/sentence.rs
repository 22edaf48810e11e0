//! The result of a comparison as a sentence.

use super::FEWEST_PEOPLE;
use super::differences::{Comparison, DifferenceVerdict, GroupDifference};

/// The beginning of the note on groups that are not compared, which is the same in all sentences of a grouping.
pub const TOO_FEW: &str = " Too few people to tell, fewer than ";

/// What is compared between groups.
#[derive(Debug, Clone, Copy)]
pub(super) enum Subject {
    /// The number of questions asked, out of all sensitive ones.
    Asked { of: usize },
    /// Decisions that differ from the full model's.
    Flips,
    /// Correct decisions.
    Accuracy,
}

/// A group in words: `sex Female, race Black`.
pub(super) fn group_name(by: &[String], levels: &[String]) -> String {
    let parts: Vec<String> = by.iter().zip(levels).map(|(column, level)| format!("{column} {level}")).collect();
    parts.join(", ")
}

/// What was found, how large it is, and which groups were left out.
pub(super) fn sentence(difference: &GroupDifference, subject: Subject, names: &[String], left_out: &[&str]) -> String {
    let Some(comparison) = &difference.comparison else {
        return format!("Too few people to tell: fewer than two groups have at least {FEWEST_PEOPLE} people.");
    };
    let mut sentence = match difference.verdict {
        DifferenceVerdict::Found => found(comparison, subject, names),
        _ => none_found(comparison.not_excluded, subject),
    };
    if !left_out.is_empty() {
        sentence += &format!("{TOO_FEW}{FEWEST_PEOPLE}: {}.", left_out.join("; "));
    }
    sentence
}

fn found(comparison: &Comparison, subject: Subject, names: &[String]) -> String {
    let Comparison { difference, p_holm, .. } = comparison;
    let (more, less) = (&names[comparison.more], &names[comparison.less]);
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let decisions = |what: &str| {
        let points = percent(difference.value);
        format!("For {more}, {points} percentage points more decisions {what} than for {less}")
    };
    let what = match subject {
        Subject::Asked { of } => format!("{more} is asked {:.2} more questions than {less}, of {of}", difference.value),
        Subject::Flips => decisions("differ from the full model's"),
        Subject::Accuracy => decisions("are correct"),
    };
    let end = |end: f64| if matches!(subject, Subject::Asked { .. }) { format!("{end:.2}") } else { percent(end) };
    let p = if *p_holm < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p_holm:.3}") };
    format!("{what} (95 % interval {} to {}; {p}).", end(difference.lower), end(difference.upper))
}

/// Rounds up, because every difference that cannot be excluded must be included.
fn none_found(not_excluded: f64, subject: Subject) -> String {
    let up = |value: f64, digits: f64| (value * digits).ceil() / digits;
    let amount = match subject {
        Subject::Asked { of } => format!("{:.2} of {of} questions", up(not_excluded, 100.0)),
        Subject::Flips | Subject::Accuracy => format!("{:.1} percentage points", up(100.0 * not_excluded, 10.0)),
    };
    format!("No difference found; differences up to {amount} cannot be excluded.")
}
