//! The schema as a person writes it: a TOML file, described in `docs/schema.md`.

use std::path::Path;

use mindrel::Schema;
use mindrel::schema::{
    Encoding, Kind, KindName, MISSING_MARKERS, MissingNumber, OutsidePolicy, Question, Target, Visibility, Wording,
};
use serde::{Deserialize, Serialize};

use crate::input::read_text;
use crate::{Error, Result};

const VERSION: u64 = 1;

const HEADER: &str = "\
# What mindrel may ask. Edit freely; `mindrel fit TABLE --schema THIS_FILE -o PLAN` uses it.
#
# sensitive = false   the answer is known beforehand (public)
# prompt, help        the words a person sees
# lower, upper        bounds of a number; a decision is proved for every value within them
# levels              the levels of a category; \"\" stands for a missing answer
#                     { value = \"A11\", label = \"less than 0\" } gives a level words for people; classes too
# columns             several columns instead of one, answered together
# other               the level for all texts that are not listed
# missing             the number that replaces a missing cell, or \"answer\": missing is an answer of its own
# cost                the cost of asking; rules compare the gain per cost
# outside             \"accept\" takes a number outside lower and upper; otherwise the person is asked again

";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SchemaFile {
    version: u64,
    #[serde(default)]
    encoding: Encoding,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<Vec<String>>,
    label: LabelTable,
    #[serde(rename = "question")]
    questions: Vec<QuestionTable>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelTable {
    column: String,
    classes: Vec<NameEntry>,
    #[serde(default)]
    prompt: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionTable {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    kind: KindName,
    sensitive: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lower: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upper: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<MissingEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<NameEntry>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding: Option<Encoding>,
    #[serde(default)]
    prompt: String,
    #[serde(default)]
    help: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outside: Option<OutsidePolicy>,
}

/// A level or a class: its name in the table, alone or with words for people.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a text, or { value = …, label = … }")]
enum NameEntry {
    Plain(String),
    Worded(WordedName),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordedName {
    value: String,
    label: String,
}

impl NameEntry {
    fn list(names: &[String], words: &Wording) -> Vec<Self> {
        let entry = |name: &String| match words.get(name) {
            Some(label) => NameEntry::Worded(WordedName { value: name.clone(), label: label.to_owned() }),
            None => NameEntry::Plain(name.clone()),
        };
        names.iter().map(entry).collect()
    }

    /// The names of a list, and the words of those that have any.
    fn split(entries: Vec<NameEntry>) -> (Vec<String>, Wording) {
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
enum MissingEntry {
    StandIn(Number),
    Word(MissingKeyword),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MissingKeyword {
    Answer,
}

impl MissingEntry {
    fn new(missing: MissingNumber) -> Self {
        match missing {
            MissingNumber::StandIn(value) => MissingEntry::StandIn(Number::new(value)),
            MissingNumber::Answer => MissingEntry::Word(MissingKeyword::Answer),
        }
    }

    fn value(self) -> MissingNumber {
        match self {
            MissingEntry::StandIn(number) => MissingNumber::StandIn(number.value()),
            MissingEntry::Word(MissingKeyword::Answer) => MissingNumber::Answer,
        }
    }
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
    parse(path, &read_text(path)?)
}

/// Reads a schema from its text; `path` is what messages call it.
///
/// # Errors
/// As [`read`].
pub fn parse(path: &Path, text: &str) -> Result<Schema> {
    // What is no schema may hold people's cells, which an error must not quote.
    if !text.contains("[label]") {
        return Err(Error::OtherFile { path: path.to_owned(), what: "schema" });
    }
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
            let name = table.name();
            table.into_question(encoding).map_err(|problem| syntax(format!("question `{name}`: {problem}.")))
        })
        .collect::<Result<Vec<Question>>>()?;
    let LabelTable { column: name, classes, prompt } = file.label;
    let prompt = if prompt.is_empty() { default_prompt(&name) } else { prompt };
    let (classes, words) = NameEntry::split(classes);
    let target = Target { words, ..Target::new(name, prompt, classes) };
    let schema = Schema::new(target, questions).map_err(|cause| Error::Schema { path: path.to_owned(), cause })?;
    Ok(match file.missing {
        Some(markers) => schema.with_missing_markers(markers),
        None => schema,
    })
}

/// What a question over several columns is called where nobody has found a better name.
pub(crate) fn name_of_several(columns: &[String]) -> String {
    columns.join(" and ")
}

/// The words for a decision where nobody has found better ones.
pub(crate) fn default_prompt(label: &str) -> String {
    format!("Which {label}?")
}

/// A schema as the text of a file, with a word on every key, and these notes as comments.
#[must_use]
pub fn to_text(schema: &Schema, notes: &[String]) -> String {
    let encodings = schema.questions().iter().filter_map(|question| match &question.kind {
        Kind::Category { encoding, .. } => Some(*encoding),
        _ => None,
    });
    let encoding = encodings.reduce(|first, _| first).unwrap_or_default();
    let target = schema.target();
    let file = SchemaFile {
        version: VERSION,
        encoding,
        missing: (schema.missing_markers() != MISSING_MARKERS).then(|| schema.missing_markers().to_vec()),
        label: LabelTable {
            column: target.name.clone(),
            classes: NameEntry::list(&target.classes, &target.words),
            prompt: target.prompt.clone(),
        },
        questions: schema.questions().iter().map(|question| QuestionTable::of(question, encoding)).collect(),
    };
    let mut text = HEADER.to_owned();
    for note in notes {
        // A column's name may hold a line end.
        text += &format!("# {}\n", note.replace(char::is_control, " "));
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    text + &toml::to_string(&file).expect("a schema is plain data")
}

impl QuestionTable {
    /// The name of the question: that of its column, or one of its own where there are several.
    fn name(&self) -> String {
        let own = self.name.as_ref().or(self.column.as_ref());
        own.cloned().unwrap_or_else(|| name_of_several(&self.columns))
    }

    fn of(question: &Question, default_encoding: Encoding) -> Self {
        let (kind, bounds, missing, levels, encoding) = match &question.kind {
            Kind::Number { lower, upper, missing } => (KindName::Number, Some((*lower, *upper)), *missing, None, None),
            Kind::Integer { lower, upper, missing } => {
                (KindName::Integer, Some((*lower, *upper)), *missing, None, None)
            }
            Kind::Boolean => (KindName::Boolean, None, None, None, None),
            Kind::Category { levels, encoding } => {
                let own = (*encoding != default_encoding).then_some(*encoding);
                (KindName::Category, None, None, Some(NameEntry::list(levels, &question.words)), own)
            }
        };
        let has_own_name = !question.together.is_empty() && question.name != name_of_several(&question.together);
        QuestionTable {
            column: question.together.is_empty().then(|| question.name.clone()),
            name: has_own_name.then(|| question.name.clone()),
            columns: question.together.clone(),
            kind,
            sensitive: question.visibility == Visibility::Sensitive,
            lower: bounds.map(|(lower, _)| Number::new(lower)),
            upper: bounds.map(|(_, upper)| Number::new(upper)),
            missing: missing.map(MissingEntry::new),
            other: question.other.and_then(|place| question.levels()?.get(place).cloned()),
            levels,
            encoding,
            prompt: question.prompt.clone(),
            help: question.help.clone(),
            cost: (question.cost != 1.0).then(|| Number::new(question.cost)),
            outside: (question.outside != OutsidePolicy::default()).then_some(question.outside),
        }
    }

    fn into_question(self, default_encoding: Encoding) -> std::result::Result<Question, &'static str> {
        let name = self.name();
        match (&self.column, &self.name) {
            (Some(_), None) if self.columns.is_empty() => {}
            (None, _) if !self.columns.is_empty() => {}
            _ => return Err("give it either a `column`, or several `columns` and possibly a `name`"),
        }
        let numeric = matches!(self.kind, KindName::Number | KindName::Integer);
        let of_numbers = self.lower.is_some() || self.upper.is_some() || self.missing.is_some();
        if !numeric && (of_numbers || self.outside.is_some()) {
            return Err("only numbers and integers have `lower`, `upper`, `missing` and `outside`");
        }
        let of_levels = self.levels.is_some() || self.encoding.is_some() || self.other.is_some();
        if self.kind != KindName::Category && of_levels {
            return Err("only categories have `levels`, `other` and `encoding`");
        }
        let bound =
            |bound: Option<Number>| bound.map(Number::value).ok_or("numbers and integers need `lower` and `upper`");
        let missing = self.missing.map(MissingEntry::value);
        let (levels, words) = self.levels.map(NameEntry::split).unzip();
        let kind = match self.kind {
            KindName::Number => Kind::Number { lower: bound(self.lower)?, upper: bound(self.upper)?, missing },
            KindName::Integer => Kind::Integer { lower: bound(self.lower)?, upper: bound(self.upper)?, missing },
            KindName::Boolean => Kind::Boolean,
            KindName::Category => Kind::Category {
                levels: levels.ok_or("categories need `levels`")?,
                encoding: self.encoding.unwrap_or(default_encoding),
            },
        };
        let visibility = if self.sensitive { Visibility::Sensitive } else { Visibility::Public };
        let mut question = Question::new(name, visibility, kind);
        question.together = self.columns;
        if !self.prompt.is_empty() {
            question.prompt = self.prompt;
        }
        if let (Some(other), Kind::Category { levels, .. }) = (&self.other, &question.kind) {
            let place = levels.iter().position(|level| level == other);
            question.other = Some(place.ok_or("`other` must be one of its `levels`")?);
        }
        question.help = self.help;
        question.cost = self.cost.map_or(1.0, Number::value);
        question.outside = self.outside.unwrap_or_default();
        question.words = words.unwrap_or_default();
        Ok(question)
    }
}
