//! How numbers, names and results are written.

use mindrel::{Schema, Selector};
use mindrel_audit::{GroupFlips, IntervalEstimate, PromiseVerdict, PromisedFlips, Rule};
use mindrel_plot::Colour;

use crate::section::Mood;

/// A space that does not break.
const SPACE: char = '\u{a0}';

/// A share as a percentage with one decimal, never rounded up to 100 % or down to 0 %.
pub(crate) fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).round() / 10.0;
    if share < 1.0 && tenths >= 100.0 {
        format!("more than 99.9{SPACE}%")
    } else if share > 0.0 && tenths == 0.0 {
        format!("less than 0.1{SPACE}%")
    } else {
        format!("{}{SPACE}%", signed(&format!("{tenths:.1}")))
    }
}

/// A sentence whose percentages are not broken off their numbers.
pub(crate) fn unbroken(sentence: &str) -> String {
    sentence.replace(" %", &format!("{SPACE}%"))
}

/// A share as the user gave it, without trailing digits: 1 %, 0.25 %.
pub(crate) fn short_percent(share: f64) -> String {
    format!("{}{SPACE}%", (share * 1e6).round() / 1e4)
}

/// A failure probability: `δ = 0.05`, without a line break.
pub(crate) fn delta(delta: f64) -> String {
    format!("δ{SPACE}={SPACE}{delta}")
}

/// A number of questions with two decimals, and a real minus sign.
pub(crate) fn questions(number: f64) -> String {
    signed(&format!("{number:.2}"))
}

fn signed(text: &str) -> String {
    // A number that rounds to zero has no sign.
    let is_zero = text.chars().all(|character| matches!(character, '-' | '0' | '.'));
    if is_zero { text.replacen('-', "", 1) } else { text.replacen('-', "−", 1) }
}

/// A whole number with thousands separators: 100,000.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b',')).into_owned()
}

/// A share and its interval: `79.1 % (76.9 to 81.2)`.
pub(crate) fn share_within(share: &IntervalEstimate) -> String {
    let end = |share: f64| format!("{:.1}", 100.0 * share);
    format!("{} ({} to {})", percent(share.value), end(share.lower), end(share.upper))
}

/// A number of questions and its interval.
pub(crate) fn questions_within(number: &IntervalEstimate) -> String {
    format!("{} ({} to {})", questions(number.value), questions(number.lower), questions(number.upper))
}

/// Names as a list: `age, income and debt`.
pub(crate) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [name] => name.as_ref().to_owned(),
        [names @ .., last] => {
            let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", names.join(", "), last.as_ref())
        }
    }
}

/// The name of a group of a calibration.
pub(crate) fn group_name(schema: &Schema, calibrated: &PromisedFlips, group: &GroupFlips) -> String {
    match (&calibrated.by, &group.level) {
        (Some(_), None) => format!("{} small groups", group.merged),
        (Some(by), Some(level)) if level.is_empty() => format!("{by} missing"),
        (Some(by), Some(level)) => {
            let words = schema.find(by).map_or(level.as_str(), |id| schema.question(id).words.of(level));
            format!("{by} {words}")
        }
        (None, _) => "everyone".to_owned(),
    }
}

/// A note on the groups that are left out, if there are any.
pub(crate) fn untold_groups(count: usize, smallest: u64) -> Option<String> {
    let groups = match count {
        0 => return None,
        1 => "One group has".to_owned(),
        count => format!("{count} groups together have"),
    };
    Some(format!(
        "{groups} fewer than {smallest} people. Figures about so few could identify them, so they are not shown."
    ))
}

/// Whether a promise is kept.
pub(crate) fn verdict(verdict: PromiseVerdict) -> (Mood, &'static str) {
    match verdict {
        PromiseVerdict::Kept => (Mood::Good, "kept"),
        PromiseVerdict::Broken => (Mood::Bad, "not kept"),
        PromiseVerdict::Unclear => (Mood::Unclear, "too close to tell"),
    }
}

/// What a rule does, for a reader.
pub(crate) fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::Asking(Selector::Decisive) => "asks the question most likely to settle the decision",
        Rule::Asking(Selector::FScore) => {
            "asks the question that makes the decision most certain; the rule of the paper behind mindrel"
        }
        Rule::Asking(Selector::FScoreMc) => "the paper’s rule, computed by random draws as published",
        Rule::Asking(Selector::Importance) => "asks the question with the largest weight in the classifier",
        Rule::Asking(Selector::ImportanceLogistic) => {
            "asks the question with the largest weight in a logistic regression"
        }
        Rule::Asking(Selector::Random) => "asks in random order",
        Rule::All => "asks everyone everything, as classifiers are usually used",
        Rule::Optimal => "the fewest questions that prove the decision, found with all answers known",
    }
}

/// The colour of a rule in every figure.
pub(crate) fn colour(rule: Rule) -> Colour {
    match rule {
        Rule::Asking(Selector::Decisive) => Colour::DECISIVE,
        Rule::Asking(Selector::FScore) => Colour::F_SCORE,
        Rule::Asking(Selector::FScoreMc) => Colour::F_SCORE.shaded(0.5),
        Rule::Asking(Selector::Importance) => Colour::IMPORTANCE,
        Rule::Asking(Selector::ImportanceLogistic) => Colour::IMPORTANCE.shaded(0.5),
        Rule::Asking(Selector::Random) => Colour::RANDOM,
        Rule::All => Colour::ALL_FEATURES,
        Rule::Optimal => Colour::OPTIMAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_neither_to_all_nor_to_none() {
        let texts = [0.0, 0.0001, 0.2994, 0.99999, 1.0, -0.012].map(|share| percent(share).replace(SPACE, " "));
        assert_eq!(texts, ["0.0 %", "less than 0.1 %", "29.9 %", "more than 99.9 %", "100.0 %", "−1.2 %"]);
        assert_eq!([-0.001, -1.5].map(questions), ["0.00", "−1.50"]);
    }

    #[test]
    fn a_percentage_stays_on_one_line() {
        assert_eq!(unbroken("a 95 % interval; 5 % of people"), "a 95\u{a0}% interval; 5\u{a0}% of people");
    }

    #[test]
    fn names_and_numbers_read_as_they_are_spoken() {
        assert_eq!(listed(&["age"]), "age");
        assert_eq!(listed(&["age", "income", "debt"]), "age, income and debt");
        assert_eq!([7, 1371, 1_000_000].map(grouped), ["7", "1,371", "1,000,000"]);
    }
}
