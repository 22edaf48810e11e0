//! Inferring questions from the columns of a table.

use std::collections::HashMap;

use mindrel::schema::{
    ColumnProblem, ColumnProfile, Encoding, Hints, Holes, Kind, KindName, MOST_LEVELS, MissingNumber, OutsidePolicy,
    Question, Visibility, Wording,
};
use mindrel_import::pipeline::{Category, RawInput};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::answer_columns::{AnswerColumns, Fill, LentColumn};
use crate::errors::value_error;

/// The user's options for a question, which override what its column shows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    kind: Option<KindName>,
    lower: Option<f64>,
    upper: Option<f64>,
    missing: Option<MissingNumber>,
    levels: Option<Vec<String>>,
    other: Option<String>,
    labels: Option<Wording>,
    encoding: Option<Encoding>,
    prompt: Option<String>,
    help: Option<String>,
    cost: Option<f64>,
    outside: Option<OutsidePolicy>,
}

/// Infers the question of each column, as JSON: from its cells, the model's `inputs` (JSON), and the options `given` by
/// the user (JSON, by name).
#[pyfunction]
pub fn infer(
    lent: Vec<LentColumn<'_>>,
    is_public: Vec<bool>,
    inputs: &str,
    given: HashMap<String, String>,
) -> PyResult<String> {
    let inputs: Vec<RawInput> = serde_json::from_str(inputs).map_err(value_error)?;
    let questions = lent.iter().zip(is_public).zip(&inputs).map(|((column, is_public), input)| {
        let name = column.name();
        let given = given.get(name).map_or(Ok(Given::default()), |text| parse_given(name, text))?;
        question(column, is_public, input, given)
    });
    serde_json::to_string(&questions.collect::<PyResult<Vec<Question>>>()?).map_err(value_error)
}

/// The answers to some questions (JSON) as numbers: a number itself, 0 and 1 for no and yes, the index of a level.
#[pyfunction]
pub fn answer_codes<'py>(
    py: Python<'py>,
    questions: &str,
    lent: Vec<LentColumn<'_>>,
) -> PyResult<Vec<Bound<'py, PyArray1<f64>>>> {
    let questions: Vec<Question> = serde_json::from_str(questions).map_err(value_error)?;
    let codes = AnswerColumns::new(&questions, &lent, None)?.codes()?;
    Ok(codes.into_iter().map(|column| column.into_pyarray(py)).collect())
}

fn parse_given(name: &str, text: &str) -> PyResult<Given> {
    serde_json::from_str(text).map_err(|error| {
        let problem = error.to_string();
        value_error(format!("question `{name}`: {}", problem.split(" at line").next().unwrap_or_default()))
    })
}

fn question(column: &LentColumn<'_>, is_public: bool, input: &RawInput, given: Given) -> PyResult<Question> {
    let name = column.name();
    let hints = hints(column, input, &given)?;
    let shown = profile(column, hints.kind);
    let is_declared = given.kind.is_some() || given.levels.is_some();
    if hints.kind == Some(KindName::Category) && !is_declared && shown.names_rows() {
        return Err(column_error(name, &ColumnProblem::NamesRows));
    }
    let is_number = matches!(column, LentColumn::Numbers(..)) && hints.kind != Some(KindName::Category);
    let constant = || if is_number { profile(column, None).constant(&hints) } else { None };
    let kind = shown.kind(&hints).or_else(|problem| constant().ok_or(problem));
    let mut kind = kind.map_err(|problem| column_error(name, &problem))?;
    if let (None, Some(Fill::Number(fill))) = (given.missing, column.fill()) {
        let replaced = kind.missing_as(*fill);
        if let Kind::Number { missing, .. } | Kind::Integer { missing, .. } = &mut kind {
            *missing = replaced;
        }
    }
    let other = match &given.other {
        Some(other) => Some(add_level(name, &mut kind, other)?),
        None if needs_other(column, &kind, input, &given) => kind.add_other(),
        None => None,
    };
    let visibility = if is_public { Visibility::Public } else { Visibility::Sensitive };
    let mut question = Question::new(name, visibility, kind);
    question.prompt = given.prompt.unwrap_or(question.prompt);
    question.help = given.help.unwrap_or(question.help);
    question.cost = given.cost.unwrap_or(question.cost);
    question.outside = given.outside.unwrap_or(question.outside);
    question.words = given.labels.unwrap_or_default();
    question.other = other;
    Ok(question)
}

/// Whether a level for all that are not listed is added: the model takes levels it never saw, or there would be one
/// level only. Not where the levels were given, nor for booleans.
fn needs_other(column: &LentColumn<'_>, kind: &Kind, input: &RawInput, given: &Given) -> bool {
    let Kind::Category { levels, .. } = kind else { return false };
    if given.levels.is_some() || matches!(column, LentColumn::Numbers(_, true, ..)) {
        return false;
    }
    levels.len() == 1 || input.levels.as_ref().is_some_and(|levels| levels.others)
}

/// The place of the level that stands for all that are not listed, which is one more if it is not among them.
fn add_level(name: &str, kind: &mut Kind, level: &str) -> PyResult<usize> {
    let Kind::Category { levels, .. } = kind else {
        return Err(value_error(format!(
            "question `{name}`: only a category has a level for all others; leave out `other`"
        )));
    };
    Ok(levels.iter().position(|known| known == level).unwrap_or_else(|| {
        levels.push(level.to_owned());
        levels.len() - 1
    }))
}

fn hints(column: &LentColumn<'_>, input: &RawInput, given: &Given) -> PyResult<Hints> {
    let has_bounds = given.lower.is_some() || given.upper.is_some() || given.missing.is_some();
    let known = input.levels.as_ref();
    let kind = match (given.kind, column) {
        (Some(kind), LentColumn::Levels(name, ..)) if kind != KindName::Category => {
            return Err(PyTypeError::new_err(format!(
                "column `{name}` holds texts, so question `{name}` must be a category; convert the column, or leave \
                 out `kind`"
            )));
        }
        (Some(kind), _) => Some(kind),
        (None, _) if given.levels.is_some() => Some(KindName::Category),
        (None, LentColumn::Levels(..)) => Some(KindName::Category),
        (None, LentColumn::Numbers(_, true, cells, _)) if !has_bounds => {
            // No and yes, or neither: a category of the model's, or whole numbers from 0 to 1, or none.
            let has_holes = cells.as_array().iter().any(|cell| cell.is_nan());
            Some(match (has_holes, known) {
                (false, _) => KindName::Boolean,
                (true, Some(_)) => KindName::Category,
                (true, None) => KindName::Integer,
            })
        }
        (None, LentColumn::Numbers(..)) if known.is_some() => Some(KindName::Category),
        (None, LentColumn::Numbers(..)) => None,
    };
    Ok(Hints {
        kind,
        lower: given.lower,
        upper: given.upper,
        missing: given.missing,
        holes: Holes::Answer,
        levels: given.levels.clone(),
        more_levels: known
            .map_or(Vec::new(), |levels| levels.known.iter().map(|level| level_name(column, level)).collect()),
        replaces_missing: column.fill().is_some(),
        encoding: given.encoding.unwrap_or_default(),
        ..Hints::default()
    })
}

/// The name of a level that the model knows.
fn level_name(column: &LentColumn<'_>, level: &Category) -> String {
    match level {
        Category::Number(number) if !number.is_nan() => column.level_name(*number),
        level => level.to_string(),
    }
}

fn profile(column: &LentColumn<'_>, kind: Option<KindName>) -> ColumnProfile {
    let is_category = kind == Some(KindName::Category);
    let mut profile = ColumnProfile::with_levels_up_to(if is_category { usize::MAX } else { MOST_LEVELS });
    match column {
        LentColumn::Numbers(_, true, cells, _) if is_category => {
            let text = |cell: f64| if cell.is_nan() { "" } else { ["no", "yes"][usize::from(cell != 0.0)] };
            cells.as_array().iter().zip(0..).for_each(|(cell, row)| profile.see(text(*cell), row));
        }
        LentColumn::Numbers(_, _, cells, _) => {
            cells.as_array().iter().zip(0..).for_each(|(cell, row)| profile.see_number(*cell, row));
        }
        LentColumn::Levels(_, levels, cells, _) => {
            for (cell, row) in cells.as_array().iter().zip(0..) {
                match usize::try_from(*cell).ok().and_then(|level| levels.get(level)) {
                    Some(level) => profile.see_level(level, row),
                    None => profile.see("", row),
                }
            }
        }
    }
    profile
}

fn column_error(name: &str, problem: &ColumnProblem) -> PyErr {
    let place = problem.row().map_or(String::new(), |row| format!("row {row}: "));
    let remedy = match problem {
        ColumnProblem::Constant => format!(" with questions={{'{name}': {{'lower': …, 'upper': …}}}}"),
        ColumnProblem::NamesRows => {
            format!("; use a model without it, or ask it anyway with questions={{'{name}': {{'kind': 'category'}}}}")
        }
        _ => String::new(),
    };
    value_error(format!("{place}column `{name}`: {problem}{remedy}"))
}
