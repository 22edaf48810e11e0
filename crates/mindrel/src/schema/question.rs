//! One question: its words, its kind, its domain and how its answer becomes columns.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Answer, Domain, MissingNumber, NOT_KNOWN, OTHER, OutsidePolicy, SchemaError, Wording};

/// A question, by its place in the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuestionId(usize);

impl QuestionId {
    /// The question at a place in the schema.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        QuestionId(index)
    }

    /// The place in the schema.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Whether a question's answer is known beforehand [TF23, §2: x_P and x_S].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Known before anything is asked.
    Public,
    /// Asked only when it is needed.
    Sensitive,
}

/// How a category becomes columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// One indicator column, 0 or 1, for each level; still one question.
    #[default]
    Onehot,
    /// One column: the level's place in the list, scaled to [−1, 1], as the paper's feature counts imply.
    Ordinal,
}

impl Encoding {
    /// The level of an encoded answer: the one with the largest indicator, or the nearest.
    ///
    /// # Panics
    /// When there are no levels, or fewer columns than their encoding has.
    #[must_use]
    pub fn level_of(self, n_levels: usize, answer: &[f64]) -> usize {
        match self {
            Encoding::Onehot => {
                let larger = |best: usize, level: usize| if answer[level] > answer[best] { level } else { best };
                (1..n_levels).fold(0, larger)
            }
            Encoding::Ordinal => {
                let last = (n_levels - 1) as f64;
                ((answer[0] + 1.0) / 2.0 * last).round().clamp(0.0, last) as usize
            }
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Encoding::Onehot => "onehot",
            Encoding::Ordinal => "ordinal",
        })
    }
}

/// What kind of answer a question takes, and what it can be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Kind {
    /// Any number between two bounds.
    Number {
        /// Smallest value.
        lower: f64,
        /// Largest value.
        upper: f64,
        /// What becomes of a missing value; `None` if there is none.
        missing: Option<MissingNumber>,
    },
    /// A whole number between two bounds.
    Integer {
        /// Smallest value.
        lower: f64,
        /// Largest value.
        upper: f64,
        /// What becomes of a missing value; `None` if there is none.
        missing: Option<MissingNumber>,
    },
    /// No or yes.
    Boolean,
    /// Exactly one of several levels. The level `""` stands for a missing answer, where there is one.
    Category {
        /// The levels, in order.
        levels: Vec<String>,
        /// How they become columns.
        encoding: Encoding,
    },
}

impl Kind {
    /// What a missing number is where a value replaces it: that value, if it is one of the possible answers, and
    /// otherwise an answer of its own. Returns `None` for kinds without numbers.
    #[must_use]
    pub fn missing_as(&self, value: f64) -> Option<MissingNumber> {
        let is_answer = match self {
            Kind::Number { lower, upper, .. } => (*lower..=*upper).contains(&value),
            Kind::Integer { lower, upper, .. } => (*lower..=*upper).contains(&value) && value.fract() == 0.0,
            Kind::Boolean | Kind::Category { .. } => return None,
        };
        Some(if is_answer { MissingNumber::StandIn(value) } else { MissingNumber::Answer })
    }

    /// Adds a level for all texts that are not listed, and returns its place. Returns `None` for kinds without levels,
    /// and where levels are evenly spaced, which a level out of order would change.
    pub fn add_other(&mut self) -> Option<usize> {
        let Kind::Category { levels, encoding: Encoding::Onehot } = self else { return None };
        let name =
            [OTHER, "any other", "none of these"].into_iter().find(|name| !levels.iter().any(|level| level == name));
        levels.push(name?.to_owned());
        Some(levels.len() - 1)
    }
}

/// A question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The name of its table column; unique in the schema.
    pub name: String,
    /// The table columns that its answer consists of, if there are several; its levels are their combinations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<String>,
    /// The question in words, such as "How many years in your present job?".
    pub prompt: String,
    /// More words for those who ask why or how; may be empty.
    pub help: String,
    /// Known beforehand, or asked.
    pub visibility: Visibility,
    /// What it costs to ask; selectors weigh gain per cost.
    pub cost: f64,
    /// The place of the level that stands for all that are not listed, in a table's cells. A person chooses among the
    /// levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<usize>,
    /// What a session does about an answer outside the domain; an audit decides anyway.
    #[serde(default, skip_serializing_if = "is_default")]
    pub outside: OutsidePolicy,
    /// What people are shown for levels whose names only the table uses.
    #[serde(default, skip_serializing_if = "is_default")]
    pub words: Wording,
    /// What the answer can be.
    #[serde(flatten)]
    pub kind: Kind,
}

impl Question {
    /// A question that costs 1, with its name as its words.
    #[must_use]
    pub fn new(name: impl Into<String>, visibility: Visibility, kind: Kind) -> Self {
        let name = name.into();
        let (outside, words) = (OutsidePolicy::default(), Wording::default());
        let (prompt, help, other, together) = (name.clone(), String::new(), None, Vec::new());
        Question { name, together, prompt, help, visibility, cost: 1.0, other, outside, words, kind }
    }

    /// A sensitive number between two bounds.
    #[must_use]
    pub fn number(name: impl Into<String>, lower: f64, upper: f64) -> Self {
        Question::new(name, Visibility::Sensitive, Kind::Number { lower, upper, missing: None })
    }

    /// A sensitive category with one-hot columns.
    #[must_use]
    pub fn category<L: Into<String>>(name: impl Into<String>, levels: impl IntoIterator<Item = L>) -> Self {
        let levels = levels.into_iter().map(Into::into).collect();
        Question::new(name, Visibility::Sensitive, Kind::Category { levels, encoding: Encoding::Onehot })
    }

    /// A sensitive question that is answered no or yes.
    #[must_use]
    pub fn boolean(name: impl Into<String>) -> Self {
        Question::new(name, Visibility::Sensitive, Kind::Boolean)
    }

    /// The same question, public.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.visibility = Visibility::Public;
        self
    }

    /// The same question, which takes numbers outside its bounds as they are.
    #[must_use]
    pub fn accepting_outside(mut self) -> Self {
        self.outside = OutsidePolicy::Accept;
        self
    }

    /// The table columns that hold its answer.
    #[must_use]
    pub fn table_columns(&self) -> &[String] {
        if self.together.is_empty() { std::slice::from_ref(&self.name) } else { &self.together }
    }

    /// How many columns its answer takes.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.domain().n_columns()
    }

    /// Whether a missing number is an answer of its own.
    pub(crate) fn has_missing_point(&self) -> bool {
        let (Kind::Number { missing, .. } | Kind::Integer { missing, .. }) = &self.kind else { return false };
        *missing == Some(MissingNumber::Answer)
    }

    /// What its columns can be while it is open.
    #[must_use]
    pub fn domain(&self) -> Domain {
        let whole_numbers = |lower: f64, upper: f64| ((upper - lower) as usize).saturating_add(1);
        match &self.kind {
            Kind::Number { missing: Some(MissingNumber::Answer), .. } => Domain::OrMissing { points: None },
            Kind::Integer { lower, upper, missing: Some(MissingNumber::Answer) } => {
                Domain::OrMissing { points: Some(whole_numbers(*lower, *upper)) }
            }
            Kind::Number { .. } => Domain::Interval,
            // A stand-in for missing answers may lie between two whole numbers: then anything in between is possible.
            Kind::Integer { missing: Some(MissingNumber::StandIn(value)), .. } if value.fract() != 0.0 => {
                Domain::Interval
            }
            Kind::Integer { lower, upper, .. } => Domain::Grid { points: whole_numbers(*lower, *upper) },
            Kind::Boolean => Domain::Grid { points: 2 },
            Kind::Category { levels, encoding: Encoding::Ordinal } => Domain::Grid { points: levels.len() },
            Kind::Category { levels, encoding: Encoding::Onehot } => Domain::OneOf { levels: levels.len() },
        }
    }

    /// The answers of a question that has few of them, by name: the levels of a category, no and yes.
    #[must_use]
    pub fn levels(&self) -> Option<Vec<String>> {
        match &self.kind {
            Kind::Boolean => Some(vec!["no".to_owned(), "yes".to_owned()]),
            Kind::Category { levels, .. } => Some(levels.clone()),
            Kind::Number { .. } | Kind::Integer { .. } => None,
        }
    }

    /// The answer at a place among its [levels](Question::levels).
    pub(crate) fn level(&self, place: usize) -> Answer {
        if self.kind == Kind::Boolean { Answer::Boolean(place == 1) } else { Answer::Level(place) }
    }

    /// The place among its [levels](Question::levels) of the answer that is encoded in these columns.
    ///
    /// Returns `None` for a number, and for columns that encode no answer.
    #[must_use]
    pub fn level_of(&self, columns: &[f64]) -> Option<usize> {
        let answer = self.decode(columns);
        let level = match answer {
            Answer::Number(_) | Answer::Missing => return None,
            Answer::Boolean(value) => usize::from(value),
            Answer::Level(level) => level,
        };
        let mut encoded = vec![0.0; self.n_columns()];
        (self.encode(&answer, &mut encoded).is_ok() && encoded == columns).then_some(level)
    }

    /// What people are shown for a level of a category.
    ///
    /// # Panics
    /// When the question has no such level.
    #[must_use]
    pub fn level_words(&self, level: usize) -> &str {
        let Kind::Category { levels, .. } = &self.kind else { panic!("only categories have levels") };
        match self.words.of(&levels[level]) {
            "" => NOT_KNOWN,
            words => words,
        }
    }

    /// The answer that stands for one that is not known, where the table had such: the level `""`, a number's stand-in,
    /// or that it is missing.
    #[must_use]
    pub fn missing_answer(&self) -> Option<Answer> {
        match &self.kind {
            Kind::Number { missing, .. } | Kind::Integer { missing, .. } => missing.map(MissingNumber::answer),
            Kind::Boolean => None,
            Kind::Category { levels, .. } => levels.iter().position(String::is_empty).map(Answer::Level),
        }
    }

    /// The answers it takes, in a few words: `0 to 48`, `0 to 48, or not known`, `no / yes`, `owner / rent / …`.
    ///
    /// What is not known comes last.
    #[must_use]
    pub fn choices(&self) -> String {
        match &self.kind {
            Kind::Number { missing, .. } | Kind::Integer { missing, .. } => {
                self.range() + missing.map_or(String::new(), |_| format!(", or {NOT_KNOWN}")).as_str()
            }
            Kind::Boolean => "no / yes".to_owned(),
            Kind::Category { levels, .. } => {
                let (missing, named): (Vec<usize>, _) = (0..levels.len()).partition(|level| levels[*level].is_empty());
                let words: Vec<&str> = named.into_iter().chain(missing).map(|level| self.level_words(level)).collect();
                words.join(" / ")
            }
        }
    }

    /// The numbers it takes, `0 to 48`; empty for other kinds.
    #[must_use]
    pub fn range(&self) -> String {
        match &self.kind {
            Kind::Number { lower, upper, .. } | Kind::Integer { lower, upper, .. } => format!("{lower} to {upper}"),
            Kind::Boolean | Kind::Category { .. } => String::new(),
        }
    }

    pub(super) fn check(&self) -> Result<(), SchemaError> {
        let question = || self.name.clone();
        if !(self.cost.is_finite() && self.cost > 0.0) {
            return Err(SchemaError::Cost { question: question() });
        }
        match &self.kind {
            Kind::Number { lower, upper, missing } | Kind::Integer { lower, upper, missing } => {
                let width = upper - lower;
                let whole =
                    !matches!(self.kind, Kind::Integer { .. }) || (lower.fract() == 0.0 && upper.fract() == 0.0);
                // A width that overflows could not be scaled.
                if !(lower < upper && width.is_finite() && whole) {
                    return Err(SchemaError::Bounds { question: question() });
                }
                if let Some(MissingNumber::StandIn(value)) = missing
                    && !(*lower..=*upper).contains(value)
                {
                    return Err(SchemaError::Missing { question: question() });
                }
            }
            Kind::Boolean => {}
            Kind::Category { levels, .. } => {
                let distinct: std::collections::HashSet<&String> = levels.iter().collect();
                if distinct.len() < 2 || distinct.len() != levels.len() {
                    return Err(SchemaError::Levels { question: question() });
                }
            }
        }
        let levels = if let Kind::Category { levels, .. } = &self.kind { &levels[..] } else { &[] };
        if self.together.len() == 1 || (levels.is_empty() && !self.together.is_empty()) {
            return Err(SchemaError::Together { question: question() });
        }
        if self.other.is_some_and(|level| level >= levels.len()) {
            return Err(SchemaError::Other { question: question() });
        }
        if self.words.fits(levels) { Ok(()) } else { Err(SchemaError::Words { name: question() }) }
    }
}

/// Whether a field has the value that is not written down, so that plans without it keep their fingerprint.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
