//! The form: pages without scripts and cookies that ask one question at a time.

mod error_page;
mod fields;
mod pages;
mod session_page;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use mindrel::schema::{AnswerError, NOT_KNOWN, StatedAnswer};

use crate::problem::Problem;
use crate::served_plans::ServedPlan;
use crate::service::{Action, Service, SessionState};
use error_page::ErrorPage;
use fields::FormFields;
use session_page::SessionPage;

type PageResult = Result<Response, ErrorPage>;

/// The routes of the form.
pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/", get(index))
        .route("/style.css", get(style))
        .route("/plans/{plan}", get(begin).post(start))
        .route("/session/answer", post(answer))
        .route("/session/back", post(back))
        .route("/session/certificate", post(certificate))
}

async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../../templates/style.css"))
}

/// The list of plans, or the only plan.
async fn index(State(service): State<Arc<Service>>) -> Response {
    let plans: Vec<&Arc<ServedPlan>> = service.plans.iter().collect();
    match plans.as_slice() {
        [only] => Redirect::to(&format!("/plans/{}", only.name)).into_response(),
        several => pages::index(several).into_response(),
    }
}

/// The page with the public questions.
async fn begin(State(service): State<Arc<Service>>, Path(plan): Path<String>) -> PageResult {
    let plan = service.plans.find(&plan).ok_or(Problem::UnknownPlan)?;
    Ok(pages::begin(plan, None).into_response())
}

async fn start(State(service): State<Arc<Service>>, Path(plan): Path<String>, fields: FormFields) -> PageResult {
    let plan = service.plans.find(&plan).ok_or(Problem::UnknownPlan)?;
    let public: Vec<(String, String)> = fields.with_prefix("public.");
    let stated = public.iter().map(|(name, text)| (name.clone(), StatedAnswer::Text(text.clone())));
    match service.start(plan, stated, None, page).await {
        Ok(page) => Ok(page.into_response()),
        // The person sees again what they typed.
        Err(Problem::Answer(error)) => {
            let page = pages::begin(plan, Some((&public, &error)));
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
        Err(problem) => Err(problem.into()),
    }
}

async fn answer(State(service): State<Arc<Service>>, fields: FormFields) -> PageResult {
    let token = fields.require("token")?;
    let question = fields.require("question")?;
    let answer = |text: &str| Action::Answer { question, answer: StatedAnswer::Text(text.to_owned()) };
    match (fields.get("decline"), fields.get("missing"), fields.get("answer")) {
        (Some(_), _, _) => advance(&service, token, Action::Decline { question }).await,
        (None, Some(_), _) => advance(&service, token, answer(NOT_KNOWN)).await,
        (None, None, Some(text)) => advance(&service, token, answer(text)).await,
        // Nothing was chosen, which is not the level of answers that are not known.
        (None, None, None) => ask_again(&service, token, AnswerError::Missing { question: question.to_owned() }).await,
    }
}

async fn back(State(service): State<Arc<Service>>, fields: FormFields) -> PageResult {
    let question = fields.require("question")?;
    advance(&service, fields.require("token")?, Action::Back { question }).await
}

/// The certificate as a file to download.
async fn certificate(State(service): State<Arc<Service>>, fields: FormFields) -> PageResult {
    let json = |state: &SessionState| {
        let certificate = state.session.certificate()?;
        Some(serde_json::to_string_pretty(&certificate).expect("a certificate is plain data"))
    };
    let text = service.advance(fields.require("token")?, Action::Resume, json).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"certificate.json\""),
    ];
    Ok((headers, text.ok_or(Problem::NoDecision)?).into_response())
}

/// Advances a session and shows its next page. If an answer does not fit, its question is asked again.
async fn advance(service: &Arc<Service>, token: &str, action: Action<'_>) -> PageResult {
    match service.advance(token, action, page).await {
        Ok(page) => Ok(page.into_response()),
        Err(Problem::Answer(error)) => ask_again(service, token, error).await,
        Err(problem) => Err(problem.into()),
    }
}

async fn ask_again(service: &Arc<Service>, token: &str, error: AnswerError) -> PageResult {
    let again = move |state: &SessionState| SessionPage { state, error: Some(&error) }.render();
    let page = service.advance(token, Action::Resume, again).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

fn page(state: &SessionState) -> Html<String> {
    SessionPage { state, error: None }.render()
}
