//! Rules between questions: what some answers imply about others.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Encoding, Kind, NOT_KNOWN, Question, Schema, parse_boolean};

/// A rule between questions: whoever meets every condition meets every consequence, too.
///
/// ```text
/// x_q ∈ A_q for every condition (q, A_q)   ⇒   x_q ∈ C_q for every consequence (q, C_q)
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implication {
    /// The conditions, by question.
    pub when: BTreeMap<String, AnswerSet>,
    /// The consequences, by question.
    pub then: BTreeMap<String, AnswerSet>,
}

/// Some of the answers to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a list of levels, yes or no as true or false, or a range of numbers")]
pub enum AnswerSet {
    /// No or yes.
    Boolean(bool),
    /// Some levels of a category.
    Levels(Vec<String>),
    /// Some numbers.
    Numbers(NumberSet),
}

/// The numbers between two bounds, and whether a missing number is among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberSet {
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from: Option<f64>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<f64>,
    /// Every number is larger than this.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub above: Option<f64>,
    /// Every number is smaller than this.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub below: Option<f64>,
    /// Whether a missing number belongs to the set. Without bounds, it is all that does.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub missing: bool,
}

/// Why a rule between questions cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum ImplicationProblem {
    /// Nothing is implied, or by nothing.
    #[error("it needs at least one condition in `when` and one in `then`")]
    Empty,
    /// A name that no question has.
    #[error("there is no question `{question}`; name one of the schema's")]
    UnknownQuestion { question: String },
    /// Levels of something that has none, or numbers of something that is none.
    #[error(
        "the answers to `{question}` are of another kind; name levels as [\"…\"], yes or no as true or false, \
         numbers as {{ from = …, to = … }}"
    )]
    OtherKind { question: String },
    /// A level that the question does not have.
    #[error("`{question}` has no level \"{level}\"; correct the name")]
    UnknownLevel { question: String, level: String },
    /// A set that no answer lies in.
    #[error("no answer to `{question}` lies in the set; widen it")]
    NoAnswer { question: String },
    /// A bound that is NaN or infinite.
    #[error("a bound of `{question}` is not a finite number; leave it out where there is none")]
    NotFinite { question: String },
    /// Levels of an ordered category with others between them.
    #[error(
        "the levels of `{question}` are encoded as one number and must follow each other here; name neighbouring \
         levels, or encode the question as onehot"
    )]
    Gap { question: String },
    /// A missing number where there is none.
    #[error("`{question}` is never missing; declare `missing = \"answer\"`, or leave `missing` out")]
    NeverMissing { question: String },
    /// Rules that nobody can meet.
    #[error("together with the rules before it, it leaves no possible answer to `{question}`; correct one of them")]
    Contradiction { question: String },
    /// A level that nobody can have.
    #[error("it makes the level \"{level}\" of `{question}` impossible; correct the rule, or remove the level")]
    ImpossibleLevel { question: String, level: String },
}

impl Implication {
    /// The questions it speaks of, conditions first.
    pub fn questions(&self) -> impl Iterator<Item = &str> {
        self.when.keys().chain(self.then.keys()).map(String::as_str)
    }

    /// Whether a person who answers so breaks it: every condition holds, and some consequence does not.
    pub(crate) fn check(&self, schema: &Schema) -> Result<(), ImplicationProblem> {
        if self.when.is_empty() || self.then.is_empty() {
            return Err(ImplicationProblem::Empty);
        }
        for (name, set) in self.when.iter().chain(&self.then) {
            let unknown = || ImplicationProblem::UnknownQuestion { question: name.clone() };
            set.check(schema.question(schema.find(name).ok_or_else(unknown)?))?;
        }
        Ok(())
    }
}

/// In words: `if poutcome is "unknown", then pdays is -1`.
impl fmt::Display for Implication {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |sets: &BTreeMap<String, AnswerSet>| {
            let each = sets.iter().map(|(name, set)| format!("{name} {set}"));
            each.collect::<Vec<String>>().join(" and ")
        };
        write!(formatter, "if {}, then {}", list(&self.when), list(&self.then))
    }
}

/// In words: `is "owner" or "renter"`, `is no`, `is 18 or more`.
impl fmt::Display for AnswerSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerSet::Boolean(value) => write!(formatter, "is {}", if *value { "yes" } else { "no" }),
            AnswerSet::Levels(levels) => {
                let shown =
                    |level: &String| if level.is_empty() { NOT_KNOWN.to_owned() } else { format!("\"{level}\"") };
                let quoted: Vec<String> = levels.iter().map(shown).collect();
                write!(formatter, "is {}", quoted.join(" or "))
            }
            AnswerSet::Numbers(numbers) => write!(formatter, "is {numbers}"),
        }
    }
}

impl fmt::Display for NumberSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower =
            self.from.map(|from| format!("{from} or more")).or(self.above.map(|above| format!("above {above}")));
        let upper = self.to.map(|to| format!("{to} or less")).or(self.below.map(|below| format!("below {below}")));
        let numbers = match (self.from, self.to, lower, upper) {
            (Some(from), Some(to), ..) if from == to => Some(from.to_string()),
            (Some(from), Some(to), ..) => Some(format!("{from} to {to}")),
            (.., Some(lower), Some(upper)) => Some(format!("{lower} and {upper}")),
            (.., lower, upper) => lower.or(upper),
        };
        match (numbers, self.missing) {
            (Some(numbers), false) => formatter.write_str(&numbers),
            (Some(numbers), true) => write!(formatter, "{numbers}, or missing"),
            (None, _) => formatter.write_str("missing"),
        }
    }
}

impl NumberSet {
    /// The numbers from one to another.
    #[must_use]
    pub fn between(from: f64, to: f64) -> Self {
        NumberSet { from: Some(from), to: Some(to), ..NumberSet::default() }
    }

    /// Whether any number belongs to it.
    #[must_use]
    pub fn has_numbers(&self) -> bool {
        self.from.is_some() || self.to.is_some() || self.above.is_some() || self.below.is_some()
    }

    /// Whether a number belongs to it.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.has_numbers()
            && self.from.is_none_or(|from| from <= value)
            && self.to.is_none_or(|to| value <= to)
            && self.above.is_none_or(|above| above < value)
            && self.below.is_none_or(|below| value < below)
    }
}

impl AnswerSet {
    fn check(&self, question: &Question) -> Result<(), ImplicationProblem> {
        let name = || question.name.clone();
        match (self, &question.kind) {
            (AnswerSet::Boolean(_), Kind::Boolean) => Ok(()),
            (AnswerSet::Levels(chosen), Kind::Boolean) => {
                let unknown = chosen.iter().find(|level| parse_boolean(level).is_none());
                match (unknown, chosen.is_empty()) {
                    (Some(level), _) => {
                        Err(ImplicationProblem::UnknownLevel { question: name(), level: level.clone() })
                    }
                    (None, true) => Err(ImplicationProblem::NoAnswer { question: name() }),
                    (None, false) => Ok(()),
                }
            }
            (AnswerSet::Levels(chosen), Kind::Category { levels, encoding }) => {
                if let Some(level) = chosen.iter().find(|level| !levels.contains(level)) {
                    return Err(ImplicationProblem::UnknownLevel { question: name(), level: level.clone() });
                }
                let places: Vec<usize> = (0..levels.len()).filter(|&place| chosen.contains(&levels[place])).collect();
                match (places.first(), places.last()) {
                    (Some(first), Some(last)) if *encoding == Encoding::Ordinal && last - first >= places.len() => {
                        Err(ImplicationProblem::Gap { question: name() })
                    }
                    (Some(_), _) => Ok(()),
                    (None, _) => Err(ImplicationProblem::NoAnswer { question: name() }),
                }
            }
            (AnswerSet::Numbers(set), Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. }) => {
                let is_whole = matches!(question.kind, Kind::Integer { .. });
                if set.bounds().any(|bound| !bound.is_finite()) {
                    return Err(ImplicationProblem::NotFinite { question: name() });
                }
                if set.missing && !question.has_missing_point() {
                    return Err(ImplicationProblem::NeverMissing { question: name() });
                }
                let meets = set.meets(*lower, *upper, is_whole);
                if meets || set.missing { Ok(()) } else { Err(ImplicationProblem::NoAnswer { question: name() }) }
            }
            _ => Err(ImplicationProblem::OtherKind { question: name() }),
        }
    }
}

impl NumberSet {
    fn bounds(&self) -> impl Iterator<Item = f64> {
        [self.from, self.to, self.above, self.below].into_iter().flatten()
    }

    /// Whether some number between two bounds belongs to it.
    fn meets(&self, lower: f64, upper: f64, is_whole: bool) -> bool {
        let (mut low, mut high) = (self.from.unwrap_or(lower).max(lower), self.to.unwrap_or(upper).min(upper));
        if is_whole {
            (low, high) = (low.ceil(), high.floor());
            low = self.above.map_or(low, |above| low.max(above.floor() + 1.0));
            high = self.below.map_or(high, |below| high.min(below.ceil() - 1.0));
        } else {
            low = self.above.map_or(low, |above| low.max(above.next_up()));
            high = self.below.map_or(high, |below| high.min(below.next_down()));
        }
        self.has_numbers() && low <= high
    }
}
