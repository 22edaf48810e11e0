//! The schema as a person writes it: a TOML file, described in `docs/schema.md`.

mod entries;
mod question_table;
mod rule_table;

use std::path::Path;

use mindrel::schema::{Encoding, Kind, MISSING_MARKERS, Question, SchemaError, Target};
use mindrel::{Schema, check_implications};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::input::read_text;
use crate::{Error, Result};
use entries::NameEntry;
use question_table::QuestionTable;
use rule_table::RuleTable;
pub use rule_table::rule_text;

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
#
# [[rule]]            what some answers imply about others; what is implied is not asked
# when = { Age = { below = 18 } }
# then = { Marital = [\"single\"] }
#                     levels as a list, yes or no as true or false, numbers as { from = 1, to = 5 }, with `above` and
#                     `below` for bounds that are left out themselves, and missing = true for a missing number

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
    #[serde(rename = "rule", default, skip_serializing)]
    rules: Vec<Spanned<RuleTable>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelTable {
    column: String,
    classes: Vec<NameEntry>,
    #[serde(default)]
    prompt: String,
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
    let schema = match file.missing {
        Some(markers) => schema.with_missing_markers(markers),
        None => schema,
    };
    with_rules(schema, path, text, file.rules)
}

/// The same schema with the rules of its file. What is wrong with a rule is an error that names its line.
fn with_rules(schema: Schema, path: &Path, text: &str, rules: Vec<Spanned<RuleTable>>) -> Result<Schema> {
    let starts: Vec<usize> = rules.iter().map(|rule| rule.span().start).collect();
    let implications = rules.into_iter().map(|rule| rule.into_inner().into_implication()).collect();
    let checked = schema.with_implications(implications);
    checked.and_then(|schema| check_implications(&schema).map(|()| schema)).map_err(|cause| match cause {
        SchemaError::Implication { number, .. } => {
            let line = 1 + text[..starts[number - 1]].matches('\n').count();
            Error::SchemaRule { path: path.to_owned(), line, cause }
        }
        cause => Error::Schema { path: path.to_owned(), cause },
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
        rules: Vec::new(),
    };
    let mut text = HEADER.to_owned();
    for note in notes {
        // A column's name may hold a line end.
        text += &format!("# {}\n", note.replace(char::is_control, " "));
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    text += &toml::to_string(&file).expect("a schema is plain data");
    for implication in schema.implications() {
        text += &format!("\n{}", rule_text(implication));
    }
    text
}
