//! Errors in the words of the person who fills in the form.

use askama::Template;
use axum::response::{IntoResponse, Response};
use mindrel::Schema;
use mindrel::schema::AnswerError;

use super::pages::render;
use crate::explanation;
use crate::problem::Problem;
use crate::token::TokenError;

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorTemplate {
    title: &'static str,
    detail: &'static str,
}

/// A problem as a page.
pub(super) struct ErrorPage(Problem);

impl<E: Into<Problem>> From<E> for ErrorPage {
    fn from(error: E) -> Self {
        ErrorPage(error.into())
    }
}

impl IntoResponse for ErrorPage {
    fn into_response(self) -> Response {
        let (title, detail) = words(&self.0);
        (self.0.kind().0, render(&ErrorTemplate { title, detail })).into_response()
    }
}

/// A title and what to do, without technical terms.
fn words(problem: &Problem) -> (&'static str, &'static str) {
    match problem {
        Problem::Token(TokenError::Expired) => {
            ("This page has expired", "It was open for too long. Your answers were not stored, so please start again.")
        }
        Problem::Token(TokenError::Foreign) | Problem::PlanGone => (
            "This page can no longer be used",
            "The service was restarted or changed. Your answers were not stored, so please start again.",
        ),
        Problem::UnknownPlan | Problem::NotFound => ("Page not found", "There is nothing at this address."),
        Problem::NoDecision => ("Not decided yet", "There is no decision yet. Please go back and continue."),
        Problem::Busy => (
            "Please try again",
            "The service is busy. Please go back and send your answer again in a moment; nothing was stored.",
        ),
        Problem::Ledger => (
            "Please try again",
            "The decision could not be recorded and is therefore not shown. Please go back and try again in a moment.",
        ),
        _ => ("Something went wrong", "Please go back and try again. Your answers were not stored."),
    }
}

/// What is wrong with an answer to a question of a schema.
pub(super) fn answer_error(schema: &Schema, error: &AnswerError) -> String {
    match error {
        AnswerError::NotANumber { choices, .. } => {
            format!("This is not a number. Please enter a number from {choices}.")
        }
        AnswerError::TooLarge { choices, .. } => {
            format!("This number is too large. Please enter a number from {choices}.")
        }
        AnswerError::Outside { choices, .. } => {
            format!("This number is outside the possible range. Please enter a number from {choices}.")
        }
        AnswerError::AgainstRule { others, .. } => {
            let prompt = |name: &String| schema.find(name).map(|id| schema.question(id).prompt.as_str());
            let prompts: Vec<&str> = others.iter().filter_map(prompt).collect();
            match prompts[..] {
                [] => "This answer is not possible. Please correct it.".to_owned(),
                [one] => format!(
                    "This does not go with the answer to “{one}”. Please correct this answer, or change that one."
                ),
                _ => format!(
                    "This does not go with the answers to {}. Please correct this answer, or change one of those.",
                    explanation::quoted_list(prompts)
                ),
            }
        }
        AnswerError::NotWhole { choices, .. } => {
            format!("This is not a whole number. Please enter a whole number from {choices}.")
        }
        AnswerError::NotBoolean { .. } => "Please answer yes or no.".to_owned(),
        AnswerError::UnknownLevel { .. } => "Please choose one of the answers.".to_owned(),
        AnswerError::Missing { .. } | AnswerError::PublicMissing { .. } => "Please answer this question.".to_owned(),
        AnswerError::NotAsked { .. } | AnswerError::NotPublic { .. } | AnswerError::UnknownQuestion { .. } => {
            "Your answer was to another question. Please answer this one.".to_owned()
        }
    }
}
