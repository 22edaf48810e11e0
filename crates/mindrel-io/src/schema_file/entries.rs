//! Single entries of a schema file: names, numbers and what becomes of missing ones.

use mindrel::schema::{MissingNumber, Wording};
use serde::{Deserialize, Serialize};

/// A level or a class: its name in the table, alone or with words for people.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a text, or { value = …, label = … }")]
pub(super) enum NameEntry {
    Plain(String),
    Worded(WordedName),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordedName {
    value: String,
    label: String,
}

impl NameEntry {
    /// A list of names with the words of those that have any.
    pub fn list(names: &[String], words: &Wording) -> Vec<Self> {
        let entry = |name: &String| match words.get(name) {
            Some(label) => NameEntry::Worded(WordedName { value: name.clone(), label: label.to_owned() }),
            None => NameEntry::Plain(name.clone()),
        };
        names.iter().map(entry).collect()
    }

    /// The names of a list, and the words of those that have any.
    pub fn split(entries: Vec<NameEntry>) -> (Vec<String>, Wording) {
        let pairs: Vec<(String, Option<String>)> = entries
            .into_iter()
            .map(|entry| match entry {
                NameEntry::Plain(name) => (name, None),
                NameEntry::Worded(WordedName { value, label }) => (value, Some(label)),
            })
            .collect();
        let words = pairs.iter().filter_map(|(name, label)| Some((name.clone(), label.clone()?))).collect();
        (pairs.into_iter().map(|(name, _)| name).collect(), words)
    }
}

/// What becomes of a missing number: the number that replaces it, or `"answer"`.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or \"answer\"")]
pub(super) enum MissingEntry {
    StandIn(Number),
    Word(MissingKeyword),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MissingKeyword {
    Answer,
}

impl MissingEntry {
    pub fn new(missing: MissingNumber) -> Self {
        match missing {
            MissingNumber::StandIn(value) => MissingEntry::StandIn(Number::new(value)),
            MissingNumber::Answer => MissingEntry::Word(MissingKeyword::Answer),
        }
    }

    pub fn value(self) -> MissingNumber {
        match self {
            MissingEntry::StandIn(number) => MissingNumber::StandIn(number.value()),
            MissingEntry::Word(MissingKeyword::Answer) => MissingNumber::Answer,
        }
    }
}

/// A number as people write it in TOML, with or without a decimal point.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    pub fn value(self) -> f64 {
        match self {
            Number::Whole(value) => value as f64,
            Number::Real(value) => value,
        }
    }

    pub fn new(value: f64) -> Self {
        if value.fract() == 0.0 && value.abs() < 1e15 { Number::Whole(value as i64) } else { Number::Real(value) }
    }
}
