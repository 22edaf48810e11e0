//! Sessions, step by step. Everything that was said travels in the token.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;

use super::answer::Answer;
use super::body::Json;
use crate::problem::{Problem, ProblemDetails};
use crate::reply::{Reply, written};
use crate::service::{Service, Standing, Turn};

/// What a session starts with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Start {
    /// A value for each public question, by its name.
    #[serde(default)]
    public: BTreeMap<String, Answer>,
    /// The failure probability to follow, if another than the plan's.
    delta: Option<f64>,
}

/// An answer to the question that is asked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerTurn<'a> {
    /// The token of the reply that asked.
    #[serde(borrow)]
    token: Cow<'a, str>,
    /// The question's name.
    #[serde(borrow)]
    question: Cow<'a, str>,
    /// What is answered.
    answer: Answer,
}

/// A question, named.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionTurn<'a> {
    /// The token of the last reply.
    #[serde(borrow)]
    token: Cow<'a, str>,
    /// The question's name.
    #[serde(borrow)]
    question: Cow<'a, str>,
}

/// A session, and nothing else.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeTurn<'a> {
    /// The token of the last reply.
    #[serde(borrow)]
    token: Cow<'a, str>,
}

type Outcome = Result<Told, Problem>;

/// A reply as it is sent.
pub(crate) struct Told(Vec<u8>);

impl Told {
    fn of(standing: &Standing) -> Self {
        Told(written(standing))
    }
}

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        let mut response = Response::new(self.0.into());
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

/// Starts a session.
#[utoipa::path(post, path = "/v1/plans/{plan}/sessions", tag = "sessions", request_body = Start,
    params(("plan" = String, Path, description = "The plan's name")),
    responses((status = 201, description = "The first question, or the decision", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn start(
    State(service): State<Arc<Service>>,
    Path(plan): Path<String>,
    body: Json,
) -> Result<(StatusCode, Told), Problem> {
    let start: Start = body.read()?;
    let offer = service.offers.find(&plan).ok_or(Problem::UnknownPlan)?;
    let public = start.public.into_iter().map(|(name, value)| (name, value.0));
    Ok((StatusCode::CREATED, service.start(offer, public, start.delta, Told::of).await?))
}

/// Answers the question that is asked.
#[utoipa::path(post, path = "/v1/sessions/answer", tag = "sessions", request_body = AnswerTurn,
    responses((status = 200, description = "The next question, or the decision", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn answer(State(service): State<Arc<Service>>, body: Json) -> Outcome {
    let AnswerTurn { token, question, answer } = body.read()?;
    service.go_on(&token, Turn::Answer { question: &question, answer: answer.0 }, Told::of).await
}

/// Declines the question that is asked: it is never asked again, and the decision is made without it, if it can be.
#[utoipa::path(post, path = "/v1/sessions/decline", tag = "sessions", request_body = QuestionTurn,
    responses((status = 200, description = "The next question, or the end", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn decline(State(service): State<Arc<Service>>, body: Json) -> Outcome {
    let QuestionTurn { token, question } = body.read()?;
    service.go_on(&token, Turn::Decline { question: &question }, Told::of).await
}

/// Takes back everything from a question on, which is then asked again.
#[utoipa::path(post, path = "/v1/sessions/back", tag = "sessions", request_body = QuestionTurn,
    responses((status = 200, description = "That question", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn back(State(service): State<Arc<Service>>, body: Json) -> Outcome {
    let QuestionTurn { token, question } = body.read()?;
    service.go_on(&token, Turn::Back { question: &question }, Told::of).await
}

/// Says where a session stands.
#[utoipa::path(post, path = "/v1/sessions/resume", tag = "sessions", request_body = ResumeTurn,
    responses((status = 200, description = "Where it stands", body = Reply),
        (status = "4XX", description = "Not taken", body = ProblemDetails, content_type = "application/problem+json"),
        (status = 503, description = "The decision could not be recorded", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn resume(State(service): State<Arc<Service>>, body: Json) -> Outcome {
    let ResumeTurn { token } = body.read()?;
    service.go_on(&token, Turn::Resume, Told::of).await
}
