//! The pages before a session, and the fields that all pages share.

use std::sync::Arc;

use askama::Template;
use axum::response::Html;
use mindrel::schema::{AnswerError, Kind, Question, Visibility};

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
    /// The values to choose from, each with its label. If empty, a number is typed.
    pub choices: Vec<(String, String)>,
    pub as_list: bool,
    /// What was entered before.
    pub value: &'a str,
    /// What was wrong with it.
    pub error: Option<String>,
}

impl<'a> FormField<'a> {
    pub fn new(field: String, question: &'a Question, value: &'a str, error: Option<&AnswerError>) -> Self {
        let named = |name: &String| (name.clone(), name.clone());
        let choices: Vec<(String, String)> = match &question.kind {
            Kind::Boolean => vec![("yes".to_owned(), "Yes".to_owned()), ("no".to_owned(), "No".to_owned())],
            Kind::Category { levels, .. } => levels.iter().filter(|level| !level.is_empty()).map(named).collect(),
            Kind::Number { .. } | Kind::Integer { .. } => Vec::new(),
        };
        let hint = match &question.kind {
            Kind::Number { lower, upper, .. } => format!("A number, usually from {lower} to {upper}."),
            Kind::Integer { lower, upper, .. } => format!("A whole number, usually from {lower} to {upper}."),
            _ => String::new(),
        };
        FormField {
            field,
            name: &question.name,
            prompt: &question.prompt,
            help: &question.help,
            hint,
            is_whole: matches!(question.kind, Kind::Integer { .. }),
            as_list: choices.len() > MOST_BUTTONS,
            choices,
            value,
            error: error.map(answer_error),
        }
    }
}

pub(super) fn index(plans: &[&Arc<ServedPlan>]) -> Html<String> {
    render(&IndexPage { title: "What would you like a decision on?", plans })
}

/// The page with the public questions. If `typed` was refused, every field that does not fit says so.
pub(super) fn begin(served: &ServedPlan, typed: Option<&[(String, String)]>) -> Html<String> {
    let schema = served.plan.schema();
    let field = |id| {
        let question = schema.question(id);
        let sent = typed.map(|typed| typed.iter().find(|(name, _)| *name == question.name));
        let value = sent.flatten().map_or("", |(_, value)| value.as_str());
        let error = sent.and_then(|_| question.parse(value).err());
        FormField::new(format!("public.{}", question.name), question, value, error.as_ref())
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
