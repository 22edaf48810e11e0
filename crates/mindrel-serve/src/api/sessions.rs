//! Sessions, step by step. The state of a session travels in its token.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mindrel::schema::StatedAnswer;
use serde::Deserialize;
use utoipa::{IntoResponses, ToSchema};

use super::json::JsonBody;
use crate::problem::{Problem, ProblemDetails};
use crate::reply::SessionReply;
use crate::service::{Action, Service, SessionState};

/// Starts a session.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartBody {
    /// A value for each public question, by its name.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, AnswerValue>)]
    public: BTreeMap<String, StatedAnswer>,
    /// The failure probability, if it is to differ from the plan's.
    delta: Option<f64>,
}

/// Answers the question being asked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerBody {
    /// The token of the reply that asked the question.
    token: String,
    /// The question's name.
    question: String,
    /// The answer.
    #[schema(value_type = AnswerValue)]
    answer: StatedAnswer,
}

/// Names a question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionBody {
    /// The token of the last reply.
    token: String,
    /// The question's name.
    question: String,
}

/// Names a session.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeBody {
    /// The token of the last reply.
    token: String,
}

/// An answer: a number, true or false, or a text.
#[derive(ToSchema)]
#[schema(as = Answer)]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes `StatedAnswer` in the document")]
pub(crate) enum AnswerValue {
    Boolean(bool),
    Number(f64),
    Text(String),
}

/// How a step of a session can fail.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it describes `Problem` in the document")]
enum Refusal {
    /// Refused.
    #[response(status = "4XX", content_type = "application/problem+json")]
    Refused(ProblemDetails),
    /// The decision could not be recorded.
    #[response(status = 503, content_type = "application/problem+json")]
    NotRecorded(ProblemDetails),
}

/// Starts a session.
#[utoipa::path(post, path = "/v1/plans/{plan}/sessions", tag = "sessions", request_body = StartBody,
    params(("plan" = String, Path, description = "The plan's name")),
    responses((status = 201, description = "The first question, or the decision", body = SessionReply), Refusal))]
pub(super) async fn start(
    State(service): State<Arc<Service>>,
    Path(plan): Path<String>,
    JsonBody(body): JsonBody<StartBody>,
) -> Result<(StatusCode, Response), Problem> {
    let plan = service.plans.find(&plan).ok_or(Problem::UnknownPlan)?;
    Ok((StatusCode::CREATED, service.start(plan, body.public, body.delta, reply).await?))
}

/// Answers the question being asked.
#[utoipa::path(post, path = "/v1/sessions/answer", tag = "sessions", request_body = AnswerBody,
    responses((status = 200, description = "The next question, or the decision", body = SessionReply), Refusal))]
pub(super) async fn answer(
    State(service): State<Arc<Service>>,
    JsonBody(body): JsonBody<AnswerBody>,
) -> Result<Response, Problem> {
    let action = Action::Answer { question: &body.question, answer: body.answer };
    service.advance(&body.token, action, reply).await
}

/// Declines the question being asked. It is not asked again, and the decision is made without it if possible.
#[utoipa::path(post, path = "/v1/sessions/decline", tag = "sessions", request_body = QuestionBody,
    responses((status = 200, description = "The next question, or the end", body = SessionReply), Refusal))]
pub(super) async fn decline(
    State(service): State<Arc<Service>>,
    JsonBody(body): JsonBody<QuestionBody>,
) -> Result<Response, Problem> {
    service.advance(&body.token, Action::Decline { question: &body.question }, reply).await
}

/// Takes back the answer to a question and everything after it, and asks the question again.
#[utoipa::path(post, path = "/v1/sessions/back", tag = "sessions", request_body = QuestionBody,
    responses((status = 200, description = "That question", body = SessionReply), Refusal))]
pub(super) async fn back(
    State(service): State<Arc<Service>>,
    JsonBody(body): JsonBody<QuestionBody>,
) -> Result<Response, Problem> {
    service.advance(&body.token, Action::Back { question: &body.question }, reply).await
}

/// Returns the current state of a session.
#[utoipa::path(post, path = "/v1/sessions/resume", tag = "sessions", request_body = ResumeBody,
    responses((status = 200, description = "The current state", body = SessionReply), Refusal))]
pub(super) async fn resume(
    State(service): State<Arc<Service>>,
    JsonBody(body): JsonBody<ResumeBody>,
) -> Result<Response, Problem> {
    service.advance(&body.token, Action::Resume, reply).await
}

fn reply(state: &SessionState) -> Response {
    Json(SessionReply::new(state)).into_response()
}
