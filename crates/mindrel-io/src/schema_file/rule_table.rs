//! A rule between questions in a schema file.

use std::collections::BTreeMap;
use std::fmt;

use mindrel::schema::{AnswerSet, Implication, NumberSet};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::entries::Number;

/// A `[[rule]]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleTable {
    when: BTreeMap<String, SetEntry>,
    then: BTreeMap<String, SetEntry>,
}

/// Some of the answers to a question.
#[derive(Serialize)]
#[serde(untagged)]
enum SetEntry {
    Boolean(bool),
    Levels(Vec<String>),
    Numbers(NumbersEntry),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NumbersEntry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    above: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    below: Option<Number>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
}

/// The text of a rule in a schema file, each side on one line.
///
/// ```text
/// [[rule]]
/// when = { Age = { below = 18 } }
/// then = { Marital = ["single"] }
/// ```
#[must_use]
pub fn rule_text(implication: &Implication) -> String {
    let RuleTable { when, then } = RuleTable::of(implication);
    format!("[[rule]]\nwhen = {}\nthen = {}\n", in_line(&when), in_line(&then))
}

fn in_line(sets: &BTreeMap<String, SetEntry>) -> String {
    let mut text = String::new();
    sets.serialize(toml::ser::ValueSerializer::new(&mut text)).expect("sets of answers are plain data");
    text
}

impl RuleTable {
    fn of(implication: &Implication) -> Self {
        let entries = |sets: &BTreeMap<String, AnswerSet>| {
            sets.iter().map(|(question, set)| (question.clone(), SetEntry::of(set))).collect()
        };
        RuleTable { when: entries(&implication.when), then: entries(&implication.then) }
    }

    /// The rule, not yet compared with any schema.
    pub fn into_implication(self) -> Implication {
        let sets = |entries: BTreeMap<String, SetEntry>| {
            entries.into_iter().map(|(question, entry)| (question, entry.into_set())).collect()
        };
        Implication { when: sets(self.when), then: sets(self.then) }
    }
}

impl SetEntry {
    fn of(set: &AnswerSet) -> Self {
        match set {
            AnswerSet::Boolean(value) => SetEntry::Boolean(*value),
            AnswerSet::Levels(levels) => SetEntry::Levels(levels.clone()),
            AnswerSet::Numbers(numbers) => SetEntry::Numbers(NumbersEntry {
                from: numbers.from.map(Number::new),
                above: numbers.above.map(Number::new),
                to: numbers.to.map(Number::new),
                below: numbers.below.map(Number::new),
                missing: numbers.missing,
            }),
        }
    }

    fn into_set(self) -> AnswerSet {
        match self {
            SetEntry::Boolean(value) => AnswerSet::Boolean(value),
            SetEntry::Levels(levels) => AnswerSet::Levels(levels),
            SetEntry::Numbers(entry) => AnswerSet::Numbers(NumberSet {
                from: entry.from.map(Number::value),
                above: entry.above.map(Number::value),
                to: entry.to.map(Number::value),
                below: entry.below.map(Number::value),
                missing: entry.missing,
            }),
        }
    }
}

/// By hand, because an error should name the key at fault, which those of untagged alternatives do not.
impl<'de> Deserialize<'de> for SetEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SetVisitor)
    }
}

struct SetVisitor;

impl<'de> Visitor<'de> for SetVisitor {
    type Value = SetEntry;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("levels as [\"…\"], yes or no as true or false, or numbers as { from = …, to = … }")
    }

    fn visit_bool<E>(self, value: bool) -> Result<SetEntry, E> {
        Ok(SetEntry::Boolean(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut levels: A) -> Result<SetEntry, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = levels.next_element()? {
            names.push(name);
        }
        Ok(SetEntry::Levels(names))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SetEntry, A::Error> {
        NumbersEntry::deserialize(MapAccessDeserializer::new(map)).map(SetEntry::Numbers)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::schema_file::{parse, to_text};

    const QUESTIONS: &str = r#"
version = 1
[label]
column = "outcome"
classes = ["bad", "good"]
[[question]]
column = "age"
kind = "integer"
sensitive = true
lower = 0
upper = 100
missing = "answer"
[[question]]
column = "marital status"
kind = "category"
sensitive = true
levels = ["single", "married", ""]
[[question]]
column = "grade"
kind = "category"
sensitive = true
encoding = "ordinal"
levels = ["low", "middle", "high"]
[[question]]
column = "loan"
kind = "boolean"
sensitive = true
"#;

    fn with_rules(rules: &str) -> String {
        format!("{QUESTIONS}\n{rules}\n")
    }

    #[test]
    fn rules_are_read_and_written_back() {
        let rules = r#"
[[rule]]
when = { age = { below = 18 } }
then = { loan = false, "marital status" = ["single"] }

[[rule]]
when = { grade = ["middle", "high"], loan = true }
then = { age = { from = 21, to = 67.5, missing = true } }

[[rule]]
when = { "marital status" = [""] }
then = { age = { missing = true } }
"#;
        let schema = parse(Path::new("some.toml"), &with_rules(rules)).unwrap();
        assert_eq!(schema.implications().len(), 3);
        let text = to_text(&schema, &[]);
        assert!(text.ends_with(rules), "{text}");
        assert_eq!(parse(Path::new("some.toml"), &text).unwrap(), schema);
    }

    #[test]
    fn a_rule_spread_over_tables_is_read_as_well() {
        let rules = "[[rule]]\n[rule.when]\nloan = true\n[rule.then.age]\nfrom = 18";
        let schema = parse(Path::new("some.toml"), &with_rules(rules)).unwrap();
        assert_eq!(schema.implications()[0].to_string(), "if loan is yes, then age is 18 or more");
    }

    /// The rule at fault is the second, which begins on the last line but two.
    #[test]
    fn what_is_wrong_with_a_rule_is_said_with_its_line() {
        let first = "[[rule]]\nwhen = { loan = true }\nthen = { age = { from = 18 } }\n";
        let line = with_rules(first).lines().count();
        for (rule, said) in [
            ("when = { lone = true }\nthen = { loan = true }", "there is no question `lone`"),
            ("when = { grade = [\"lo\"] }\nthen = { loan = true }", "`grade` has no level \"lo\"; correct the name"),
            ("when = { grade = true }\nthen = { loan = true }", "the answers to `grade` are of another kind"),
            ("when = { grade = [] }\nthen = { loan = true }", "no answer to `grade` lies in the set"),
            ("when = { age = { above = 100 } }\nthen = { loan = true }", "no answer to `age` lies in the set"),
            ("when = { age = { to = nan } }\nthen = { loan = true }", "a bound of `age` is not a finite number"),
            ("when = { grade = [\"low\", \"high\"] }\nthen = { loan = true }", "must follow each other"),
            ("when = {}\nthen = { loan = true }", "at least one condition"),
        ] {
            let error = parse(Path::new("some.toml"), &with_rules(&format!("{first}[[rule]]\n{rule}"))).unwrap_err();
            let message = error.to_string();
            assert!(message.starts_with(&format!("some.toml:{line}: rule 2: ")), "{message}");
            assert!(message.contains(said), "{message}");
        }
    }

    #[test]
    fn a_key_that_no_rule_has_is_named_with_its_line() {
        let line = with_rules("").lines().count() + 1;
        for (rule, said) in [
            ("when = { age = { under = 18 } }\nthen = { loan = true }", "unknown field `under`"),
            ("when = { age = 18 }\nthen = { loan = true }", "numbers as { from = …, to = … }"),
            ("if = { loan = true }\nthen = { loan = true }", "unknown field `if`"),
        ] {
            let error = parse(Path::new("some.toml"), &with_rules(&format!("[[rule]]\n{rule}"))).unwrap_err();
            let message = error.to_string();
            assert!(message.contains(said) && message.contains(&format!("line {line}")), "{message}");
        }
    }
}
