//! The pages before a session, and the fields that all pages share.

use std::sync::Arc;

use askama::Template;
use axum::response::Html;
use mindrel::schema::{AnswerError, Kind, NOT_KNOWN, OutsidePolicy, Question, StatedAnswer, Visibility};

use super::error_page::answer_error;
use crate::served_plans::ServedPlan;

/// Up to this many levels are shown as buttons, more as a list.
const MOST_BUTTONS: usize = 8;

#[derive(Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    title: &'a str,
    plans: &'a [&'a Arc<ServedPlan>],
}

#[derive(Template)]
#[template(path = "begin.html")]
struct BeginPage<'a> {
    title: &'a str,
    plan: &'a str,
    n_sensitive: usize,
    fields: Vec<FormField<'a>>,
}

/// A question with its field.
pub(super) struct FormField<'a> {
    /// The name of the field in the form.
    pub field: String,
    /// The name of the question.
    pub name: &'a str,
    pub prompt: &'a str,
    pub help: &'a str,
    /// Which numbers are expected.
    pub hint: String,
    pub is_whole: bool,
    /// Whether a number may be said to be not known.
    pub may_be_missing: bool,
    /// The values to choose from, each with its label. If empty, a number is typed.
    pub choices: Vec<(String, String)>,
    pub as_list: bool,
    /// What was entered before.
    pub value: &'a str,
    /// What was wrong with it.
    pub error: Option<String>,
}

impl<'a> FormField<'a> {
    pub fn new(field: String, question: &'a Question, value: &'a str, error: Option<String>) -> Self {
        let choices: Vec<(String, String)> = match &question.kind {
            Kind::Boolean => vec![("yes".to_owned(), "Yes".to_owned()), ("no".to_owned(), "No".to_owned())],
            Kind::Category { levels, .. } => level_choices(question, levels),
            Kind::Number { .. } | Kind::Integer { .. } => Vec::new(),
        };
        let usually = if question.outside == OutsidePolicy::Accept { ", usually" } else { "" };
        let hint = match &question.kind {
            Kind::Number { .. } => format!("A number{usually} from {}.", question.range()),
            Kind::Integer { .. } => format!("A whole number{usually} from {}.", question.range()),
            _ => String::new(),
        };
        FormField {
            field,
            name: &question.name,
            prompt: &question.prompt,
            help: &question.help,
            hint,
            is_whole: matches!(question.kind, Kind::Integer { .. }),
            may_be_missing: choices.is_empty() && question.missing_answer().is_some(),
            as_list: choices.len() > MOST_BUTTONS,
            choices,
            value,
            error,
        }
    }
}

/// The levels of a category with their words; what is not known comes last, by a name that no empty field has.
fn level_choices(question: &Question, levels: &[String]) -> Vec<(String, String)> {
    let choice = |level: usize| match levels[level].as_str() {
        "" => (NOT_KNOWN.to_owned(), question.level_words(level).to_owned()),
        name => (name.to_owned(), question.level_words(level).to_owned()),
    };
    let (missing, named): (Vec<usize>, _) = (0..levels.len()).partition(|level| levels[*level].is_empty());
    named.into_iter().chain(missing).map(choice).collect()
}

pub(super) fn index(plans: &[&Arc<ServedPlan>]) -> Html<String> {
    render(&IndexPage { title: "What would you like a decision on?", plans })
}

/// The page with the public questions. If what was typed was refused with an error, every field that does not fit says
/// so.
pub(super) fn begin(served: &ServedPlan, refused: Option<(&[(String, String)], &AnswerError)>) -> Html<String> {
    let schema = served.plan.schema();
    let field = |id| {
        let question = schema.question(id);
        let sent = refused.map(|(typed, _)| typed.iter().find(|(name, _)| *name == question.name));
        let value = sent.flatten().map_or("", |(_, value)| value.as_str());
        let stated = || question.accept(&StatedAnswer::Text(value.to_owned()));
        let unfit = || stated().and_then(|answer| question.admit(&answer)).err();
        let against_others = || match refused {
            Some((_, error @ AnswerError::AgainstRule { question: name, .. })) if *name == question.name => {
                Some(error.clone())
            }
            _ => None,
        };
        let error = sent.and_then(|_| unfit().or_else(against_others));
        let error = error.map(|error| answer_error(schema, &error));
        FormField::new(format!("public.{}", question.name), question, value, error)
    };
    render(&BeginPage {
        title: &schema.target().prompt,
        plan: &served.name,
        n_sensitive: served.plan.sensitive().len(),
        fields: schema.ids_with(Visibility::Public).map(field).collect(),
    })
}

pub(super) fn render(page: &impl Template) -> Html<String> {
    Html(page.render().expect("a page is plain text"))
}
