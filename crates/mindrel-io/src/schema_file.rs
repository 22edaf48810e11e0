//! The schema as a person writes it: a TOML file.
//!
//! ```toml
//! version = 1
//! encoding = "onehot"                 # or "ordinal": each category one number
//!
//! [label]
//! column = "label"
//! classes = ["bad", "good"]           # of two, the second is the one a score ≥ 0 stands for
//! prompt = "Will this loan be repaid?"
//!
//! [[question]]
//! column = "Seniority"
//! kind = "integer"                    # number, integer, boolean or category
//! lower = 0
//! upper = 48
//! sensitive = true                    # false: known beforehand
//! prompt = "How many years in your present job?"
//! help = "Full years; 0 if you have no job."
//! cost = 1.0                          # asking weighs gain per cost
//! ```

use std::path::Path;

use mindrel::Schema;
use mindrel::schema::{Encoding, Kind, KindName, Question, Target, Visibility};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

const VERSION: u64 = 1;

const HEADER: &str = "\
# What mindrel may ask. Edit freely; `mindrel fit TABLE --schema THIS_FILE -o PLAN` uses it.
#
# sensitive = false   the answer is known beforehand (public)
# prompt, help        the words a person sees
# lower, upper        bounds of a number; a decision is proved for every value within them
# levels              the levels of a category; \"\" stands for a missing answer
# missing             what stands in for a missing number
# cost                asking weighs gain per cost

";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemaFile {
    version: u64,
    #[serde(default)]
    encoding: Encoding,
    label: LabelTable,
    #[serde(rename = "question")]
    questions: Vec<QuestionTable>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelTable {
    column: String,
    classes: Vec<String>,
    #[serde(default)]
    prompt: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionTable {
    column: String,
    kind: KindName,
    sensitive: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lower: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upper: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding: Option<Encoding>,
    #[serde(default)]
    prompt: String,
    #[serde(default)]
    help: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost: Option<Number>,
}

/// A number as people write it in TOML, with or without a decimal point.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    fn value(self) -> f64 {
        match self {
            Number::Whole(value) => value as f64,
            Number::Real(value) => value,
        }
    }

    fn new(value: f64) -> Self {
        if value.fract() == 0.0 && value.abs() < 1e15 { Number::Whole(value as i64) } else { Number::Real(value) }
    }
}

/// Reads a schema file.
///
/// # Errors
/// When the file cannot be read, is not TOML of this form, or its questions do not fit together.
pub fn read(path: &Path) -> Result<Schema> {
    let failed = |cause| Error::Read { path: path.to_owned(), cause };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    parse(path, &text)
}

/// Reads a schema from its text; `path` is what messages call it.
///
/// # Errors
/// As [`read`].
pub fn parse(path: &Path, text: &str) -> Result<Schema> {
    let syntax = |problem: String| Error::SchemaSyntax { path: path.to_owned(), problem };
    let file: SchemaFile = toml::from_str(text).map_err(|error| syntax(error.to_string().trim_end().to_owned()))?;
    if file.version > VERSION {
        return Err(Error::Newer { path: path.to_owned(), what: "schema", found: file.version, known: VERSION });
    }
    let encoding = file.encoding;
    let questions = file
        .questions
        .into_iter()
        .map(|table| {
            let column = table.column.clone();
            table.into_question(encoding).map_err(|problem| syntax(format!("question `{column}`: {problem}.")))
        })
        .collect::<Result<Vec<Question>>>()?;
    let LabelTable { column: name, classes, prompt } = file.label;
    let prompt = if prompt.is_empty() { default_prompt(&name) } else { prompt };
    let target = Target { name, prompt, classes };
    Schema::new(target, questions).map_err(|cause| Error::Schema { path: path.to_owned(), cause })
}

/// The words for a decision where nobody has found better ones.
pub(crate) fn default_prompt(label: &str) -> String {
    format!("Which {label}?")
}

/// A schema as the text of a file, with a word on every key.
#[must_use]
pub fn to_text(schema: &Schema) -> String {
    let encodings = schema.questions().iter().filter_map(|question| match &question.kind {
        Kind::Category { encoding, .. } => Some(*encoding),
        _ => None,
    });
    let encoding = encodings.reduce(|first, _| first).unwrap_or_default();
    let target = schema.target();
    let file = SchemaFile {
        version: VERSION,
        encoding,
        label: LabelTable {
            column: target.name.clone(),
            classes: target.classes.clone(),
            prompt: target.prompt.clone(),
        },
        questions: schema.questions().iter().map(|question| QuestionTable::of(question, encoding)).collect(),
    };
    format!("{HEADER}{}", toml::to_string(&file).expect("a schema is plain data"))
}

impl QuestionTable {
    fn of(question: &Question, default_encoding: Encoding) -> Self {
        let (kind, bounds, missing, levels, encoding) = match &question.kind {
            Kind::Number { lower, upper, missing } => (KindName::Number, Some((*lower, *upper)), *missing, None, None),
            Kind::Integer { lower, upper, missing } => {
                (KindName::Integer, Some((*lower, *upper)), *missing, None, None)
            }
            Kind::Boolean => (KindName::Boolean, None, None, None, None),
            Kind::Category { levels, encoding } => {
                let own = (*encoding != default_encoding).then_some(*encoding);
                (KindName::Category, None, None, Some(levels.clone()), own)
            }
        };
        QuestionTable {
            column: question.name.clone(),
            kind,
            sensitive: question.visibility == Visibility::Sensitive,
            lower: bounds.map(|(lower, _)| Number::new(lower)),
            upper: bounds.map(|(_, upper)| Number::new(upper)),
            missing: missing.map(Number::new),
            levels,
            encoding,
            prompt: question.prompt.clone(),
            help: question.help.clone(),
            cost: (question.cost != 1.0).then(|| Number::new(question.cost)),
        }
    }

    fn into_question(self, default_encoding: Encoding) -> std::result::Result<Question, &'static str> {
        let numeric = matches!(self.kind, KindName::Number | KindName::Integer);
        if !numeric && (self.lower.is_some() || self.upper.is_some() || self.missing.is_some()) {
            return Err("only numbers and integers have `lower`, `upper` and `missing`");
        }
        if self.kind != KindName::Category && (self.levels.is_some() || self.encoding.is_some()) {
            return Err("only categories have `levels` and `encoding`");
        }
        let bound =
            |bound: Option<Number>| bound.map(Number::value).ok_or("numbers and integers need `lower` and `upper`");
        let missing = self.missing.map(Number::value);
        let kind = match self.kind {
            KindName::Number => Kind::Number { lower: bound(self.lower)?, upper: bound(self.upper)?, missing },
            KindName::Integer => Kind::Integer { lower: bound(self.lower)?, upper: bound(self.upper)?, missing },
            KindName::Boolean => Kind::Boolean,
            KindName::Category => Kind::Category {
                levels: self.levels.ok_or("categories need `levels`")?,
                encoding: self.encoding.unwrap_or(default_encoding),
            },
        };
        let visibility = if self.sensitive { Visibility::Sensitive } else { Visibility::Public };
        let mut question = Question::new(self.column, visibility, kind);
        if !self.prompt.is_empty() {
            question.prompt = self.prompt;
        }
        question.help = self.help;
        question.cost = self.cost.map_or(1.0, Number::value);
        Ok(question)
    }
}
