//! Sessions, step by step. Everything that was said travels in the token.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use mindrel::certificate::StatedAnswer;
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::Body;
use crate::problem::{Problem, ProblemDetails};
use crate::reply::Reply;
use crate::service::{Service, Turn};

/// An answer: a number, true or false, or a text.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AnswerValue {
    Boolean(bool),
    Number(f64),
    Text(String),
}

/// What a session starts with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Start {
    /// A value for each public question, by its name.
    #[serde(default)]
    public: BTreeMap<String, AnswerValue>,
    /// The failure probability to follow, if another than the plan's.
    delta: Option<f64>,
}

/// An answer to the question that is asked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerTurn {
    /// The token of the reply that asked.
    token: String,
    /// The question's name.
    question: String,
    /// What is answered.
    answer: AnswerValue,
}

/// A question, named.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionTurn {
    /// The token of the last reply.
    token: String,
    /// The question's name.
    question: String,
}

/// A session, and nothing else.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeTurn {
    /// The token of the last reply.
    token: String,
}

type Outcome = Result<Json<Reply>, Problem>;

/// Starts a session.
#[utoipa::path(post, path = "/v1/plans/{plan}/sessions", tag = "sessions", request_body = Start,
    params(("plan" = String, Path, description = "The plan's name")),
    responses((status = 201, description = "The first question, or the decision", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn start(
    State(service): State<Arc<Service>>,
    Path(plan): Path<String>,
    Body(start): Body<Start>,
) -> Result<(StatusCode, Json<Reply>), Problem> {
    let offer = service.offers.find(&plan).ok_or(Problem::UnknownPlan)?;
    let public = start.public.into_iter().map(|(name, value)| (name, value.into()));
    Ok((StatusCode::CREATED, Json(service.start(offer, public, start.delta).await?)))
}

/// Answers the question that is asked.
#[utoipa::path(post, path = "/v1/sessions/answer", tag = "sessions", request_body = AnswerTurn,
    responses((status = 200, description = "The next question, or the decision", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn answer(State(service): State<Arc<Service>>, Body(turn): Body<AnswerTurn>) -> Outcome {
    let AnswerTurn { token, question, answer } = turn;
    Ok(Json(service.go_on(&token, Turn::Answer { question, answer: answer.into() }).await?))
}

/// Declines the question that is asked: it is never asked again, and the decision is made without it, if it can be.
#[utoipa::path(post, path = "/v1/sessions/decline", tag = "sessions", request_body = QuestionTurn,
    responses((status = 200, description = "The next question, or the end", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn decline(State(service): State<Arc<Service>>, Body(turn): Body<QuestionTurn>) -> Outcome {
    let QuestionTurn { token, question } = turn;
    Ok(Json(service.go_on(&token, Turn::Decline { question }).await?))
}

/// Takes back everything from a question on, which is then asked again.
#[utoipa::path(post, path = "/v1/sessions/back", tag = "sessions", request_body = QuestionTurn,
    responses((status = 200, description = "That question", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn back(State(service): State<Arc<Service>>, Body(turn): Body<QuestionTurn>) -> Outcome {
    let QuestionTurn { token, question } = turn;
    Ok(Json(service.go_on(&token, Turn::Back { question }).await?))
}

/// Says where a session stands.
#[utoipa::path(post, path = "/v1/sessions/resume", tag = "sessions", request_body = ResumeTurn,
    responses((status = 200, description = "Where it stands", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn resume(State(service): State<Arc<Service>>, Body(turn): Body<ResumeTurn>) -> Outcome {
    Ok(Json(service.go_on(&turn.token, Turn::Resume).await?))
}

impl From<AnswerValue> for StatedAnswer {
    fn from(value: AnswerValue) -> Self {
        match value {
            AnswerValue::Boolean(value) => StatedAnswer::Boolean(value),
            AnswerValue::Number(value) => StatedAnswer::Number(value),
            AnswerValue::Text(text) => StatedAnswer::Text(text),
        }
    }
}
