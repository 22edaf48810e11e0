//! Rules that were found in a table, as the end of a schema file and as a sentence.

use mindrel::schema::Implication;
use mindrel_io::schema_file::rule_text;
use mindrel_io::table::{FoundRule, FoundRules};

use crate::terminal::words::grouped;

/// A condition of more characters than this is not repeated in the comment above its rule.
const LONGEST_CONDITION: usize = 60;

/// The rules as text to append to a schema file, each with its counts: to be followed, or commented out.
pub fn as_text(found: &FoundRules, is_followed: bool) -> String {
    if found.rules.is_empty() {
        return String::new();
    }
    let do_what = if is_followed { "remove those that not everybody" } else { "uncomment those that everybody" };
    let mut text = format!(
        "\n# Rules between questions, the most useful first. They hold in every row of the table, but what is seen in \
         data is not\n# yet a law: {do_what} must follow.\n"
    );
    for rule in &found.rules {
        text += &format!("\n# {}\n", counts(rule).replace(char::is_control, " "));
        for line in rule_text(&rule.implication).lines() {
            text += &format!("{}{line}\n", if is_followed { "" } else { "#" });
        }
    }
    let limits = limits(found);
    if limits.is_empty() { text } else { format!("{text}\n# {limits}\n") }
}

/// `Holds in all 36,954 rows where pdays is -1; 8,257 others have another previous.`
fn counts(rule: &FoundRule) -> String {
    let FoundRule { implication: Implication { when, .. }, n_meeting, n_lacking } = rule;
    let conditions: Vec<String> = when.iter().map(|(question, set)| format!("{question} {set}")).collect();
    let condition = conditions.join(" and ");
    let where_ = if condition.len() > LONGEST_CONDITION {
        "that meet the condition".to_owned()
    } else {
        format!("where {condition}")
    };
    let count = |count: u64| grouped(usize::try_from(count).unwrap_or(usize::MAX));
    let others: Vec<String> =
        n_lacking.iter().map(|(question, n_rows)| format!("{} have another {question}", count(*n_rows))).collect();
    format!("Holds in all {} rows {where_}; of the others, {}.", count(*n_meeting), others.join(", "))
}

/// What was found, for the terminal.
pub fn in_words(found: &FoundRules, is_followed: bool) -> String {
    let (what, them, are) = match found.rules.len() {
        0 => return limits(found),
        1 => ("1 rule between questions that holds".to_owned(), "it", "It is"),
        n_rules => (format!("{n_rules} rules between questions that hold"), "them", "They are"),
    };
    let advice = if is_followed {
        format!("{are} followed: check that everybody must follow {them}.")
    } else {
        format!("{are} proposed in comments at the end of the schema.")
    };
    format!("Found {what} in every row. {advice} {}", limits(found)).trim_end().to_owned()
}

/// What is not there.
fn limits(found: &FoundRules) -> String {
    let mut sentences = Vec::new();
    match found.n_more {
        0 => {}
        1 => sentences.push("1 less useful rule is left out.".to_owned()),
        n_more => sentences.push(format!("{} less useful rules are left out.", grouped(n_more))),
    }
    if found.n_unseen > 0 {
        sentences.push(format!(
            "Rules about the last {} questions were not looked for, because there are so many.",
            grouped(found.n_unseen)
        ));
    }
    sentences.join(" ")
}
