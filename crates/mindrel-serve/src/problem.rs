//! Errors as problem details [RFC 9457], with a stable code and without any answer.

use axum::Json;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mindrel::schema::AnswerError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::LONGEST_BODY;
use crate::ledger::LedgerError;
use crate::token::TokenError;
use crate::transcript::ResumeError;

/// Why a request was not served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum Problem {
    /// The body is not JSON, or not the JSON of this request. Only the place is given: a parser's message could quote a
    /// value.
    #[error("the body is not the JSON that this request takes (line {line}, column {column}); see /openapi.json")]
    Body {
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
    },
    /// Fields of the form are missing.
    #[error("the form is incomplete; go back and send it again")]
    Form,
    /// The body has the wrong content type.
    #[error("the body must be sent as {expected}")]
    MediaType { expected: &'static str },
    /// The body is too long.
    #[error("the body is longer than {most} bytes")]
    TooLong {
        /// The longest body, in bytes.
        most: usize,
    },
    /// There is no such plan.
    #[error("there is no plan with this name; GET /v1/plans lists the plans")]
    UnknownPlan,
    /// There is no such page.
    #[error("there is nothing at this address")]
    NotFound,
    /// The address does not support the method.
    #[error("this address does not support this method")]
    Method,
    /// The plan of a token is no longer served.
    #[error("the plan of this session is no longer served; start a new session")]
    PlanGone,
    /// The answer does not fit the question.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The plan does not allow this δ.
    #[error("this plan allows a delta from 0 to {most}")]
    Delta { most: String },
    /// A calibrated plan sets δ itself.
    #[error("this plan is calibrated and sets delta itself; leave delta out")]
    Calibrated,
    /// The question has not been asked.
    #[error("`{question}` has not been asked in this session")]
    NotAskedYet { question: String },
    /// The session has no decision yet.
    #[error("this session has no decision yet")]
    NoDecision,
    /// The token is refused.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The API needs a key.
    #[error("a valid key is required; send it as Authorization: Bearer KEY")]
    Unauthorized,
    /// Too many requests.
    #[error("too many requests; wait a moment and try again")]
    TooManyRequests {
        /// How long to wait, in seconds.
        seconds: u64,
    },
    /// The request took too long to arrive or to be served.
    #[error("the request took too long")]
    Timeout,
    /// More steps wait for a worker than will be served soon.
    #[error("the service is busy; wait a moment and try again")]
    Busy,
    /// The ledger cannot be written, so no decision is given.
    #[error("the decision could not be recorded and is therefore not given; try again")]
    Ledger,
    /// An error in the service.
    #[error("the service has failed; nothing was stored")]
    Internal,
}

/// Problem details in a reply.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemDetails {
    /// `urn:mindrel:problem:` and the code.
    #[serde(rename = "type")]
    kind: String,
    /// A short name of the problem.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong and what to do about it. It never contains an answer.
    detail: String,
    /// Identifies the kind of problem, and does not change between versions.
    code: &'static str,
}

impl Problem {
    /// The status, the stable code and a title.
    #[must_use]
    pub fn kind(&self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Problem::Body { .. } => (StatusCode::BAD_REQUEST, "bad-body", "Bad body"),
            Problem::Form => (StatusCode::BAD_REQUEST, "bad-form", "Incomplete form"),
            Problem::MediaType { .. } => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", "Unsupported content type"),
            Problem::TooLong { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "too-long", "Body too long"),
            Problem::UnknownPlan => (StatusCode::NOT_FOUND, "unknown-plan", "Unknown plan"),
            Problem::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            Problem::Method => (StatusCode::METHOD_NOT_ALLOWED, "method", "Method not allowed"),
            Problem::PlanGone => (StatusCode::GONE, "plan-gone", "Plan no longer served"),
            Problem::Answer(error) => (StatusCode::UNPROCESSABLE_ENTITY, answer_code(error), "Answer refused"),
            Problem::Delta { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "delta", "Delta not allowed"),
            Problem::Calibrated => (StatusCode::UNPROCESSABLE_ENTITY, "calibrated", "Delta not allowed"),
            Problem::NotAskedYet { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "not-asked-yet", "Not asked yet"),
            Problem::NoDecision => (StatusCode::CONFLICT, "no-decision", "No decision yet"),
            Problem::Token(TokenError::Foreign) => (StatusCode::FORBIDDEN, "token-foreign", "Token refused"),
            Problem::Token(TokenError::Expired) => (StatusCode::GONE, "token-expired", "Token expired"),
            Problem::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "Key required"),
            Problem::TooManyRequests { .. } => {
                (StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests")
            }
            Problem::Timeout => (StatusCode::REQUEST_TIMEOUT, "timeout", "Too slow"),
            Problem::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy", "Busy"),
            Problem::Ledger => (StatusCode::SERVICE_UNAVAILABLE, "ledger-unavailable", "Ledger unavailable"),
            Problem::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal error"),
        }
    }

    /// The problem details.
    #[must_use]
    pub fn details(&self) -> ProblemDetails {
        let (status, code, title) = self.kind();
        let kind = format!("urn:mindrel:problem:{code}");
        ProblemDetails { kind, title, status: status.as_u16(), detail: self.to_string(), code }
    }
}

/// The stable code of an answer's error.
fn answer_code(error: &AnswerError) -> &'static str {
    match error {
        AnswerError::UnknownQuestion { .. } => "unknown-question",
        AnswerError::NotANumber { .. } => "not-a-number",
        AnswerError::TooLarge { .. } => "too-large",
        AnswerError::Outside { .. } => "outside",
        AnswerError::AgainstRule { .. } => "against-rule",
        AnswerError::NotWhole { .. } => "not-whole",
        AnswerError::NotBoolean { .. } => "not-yes-or-no",
        AnswerError::UnknownLevel { .. } => "unknown-level",
        AnswerError::Missing { .. } => "missing",
        AnswerError::NotAsked { .. } => "not-asked-now",
        AnswerError::PublicMissing { .. } => "public-missing",
        AnswerError::NotPublic { .. } => "not-public",
    }
}

impl From<ResumeError> for Problem {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Answer(error) => Problem::Answer(error),
            ResumeError::Rules => Problem::Internal,
        }
    }
}

impl From<LedgerError> for Problem {
    fn from(_: LedgerError) -> Self {
        Problem::Ledger
    }
}

impl From<BytesRejection> for Problem {
    fn from(error: BytesRejection) -> Self {
        match error {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                Problem::TooLong { most: LONGEST_BODY }
            }
            // The client went away before it had sent the whole body.
            _ => Problem::Timeout,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, ..) = self.kind();
        let mut response = (status, Json(self.details())).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        match self {
            Problem::TooManyRequests { seconds } => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            Problem::Busy | Problem::Ledger => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(1));
            }
            Problem::Unauthorized => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
