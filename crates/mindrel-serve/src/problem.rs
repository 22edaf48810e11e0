//! What went wrong, as problem details [RFC 9457] with a stable code, and without a word of what anybody said.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mindrel::schema::AnswerError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::conversation::TakeUpError;
use crate::ledger::LedgerError;
use crate::token::TokenError;

/// Why a request was not served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The body is no JSON, or not of the form that is asked for. Only the place is told: a parser's words could repeat a value.
    #[error(
        "the body is not the JSON this request takes (line {line}, column {column}); compare it with /openapi.json"
    )]
    Body {
        /// Counted from one.
        line: usize,
        /// Counted from one.
        column: usize,
    },
    /// A form was sent that is none of ours.
    #[error("the form is incomplete; go back and send it again")]
    Form,
    /// The body's type is not the one that is taken.
    #[error("the body must be sent as {expected}")]
    MediaType {
        /// The type that is taken.
        expected: &'static str,
    },
    /// The body is too long.
    #[error("the body is longer than {most} bytes")]
    TooLong {
        /// How long it may be.
        most: usize,
    },
    /// There is no such plan.
    #[error("there is no plan of this name; GET /v1/plans lists them")]
    UnknownPlan,
    /// There is no such page.
    #[error("there is nothing at this address")]
    NotFound,
    /// The address takes another method.
    #[error("this address does not take this method")]
    Method,
    /// The plan a token belongs to is not served here any more.
    #[error("the plan of this session is not served here any more; start again")]
    PlanGone,
    /// An answer does not fit.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// A δ the plan does not allow.
    #[error("this plan allows a delta from 0 to {most}")]
    Delta {
        /// The largest that is allowed, as text.
        most: String,
    },
    /// A calibrated plan has its own δ.
    #[error("this plan is calibrated and follows its own delta; leave delta out")]
    Calibrated,
    /// The question was not asked.
    #[error("`{question}` has not been asked in this session")]
    NotAskedYet {
        /// Its name.
        question: String,
    },
    /// The session has no decision yet.
    #[error("nothing has been decided yet in this session")]
    NoDecision,
    /// The token is not taken.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The API needs a key.
    #[error("a valid key is needed: Authorization: Bearer KEY")]
    Unauthorized,
    /// Too many requests.
    #[error("too many requests; wait a moment")]
    TooManyRequests {
        /// Whole seconds to wait.
        seconds: u64,
    },
    /// The request took too long to arrive or to be served.
    #[error("the request took too long")]
    Timeout,
    /// The ledger cannot be written, so no decision is given.
    #[error("the decision could not be recorded, so it is not given; try again")]
    Ledger,
    /// A mistake of ours.
    #[error("something is wrong with the service; nothing was kept")]
    Internal,
}

/// Problem details as they are sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemDetails {
    /// `urn:mindrel:problem:` and the code.
    #[serde(rename = "type")]
    kind: String,
    /// The kind of problem in a few words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong and what to do about it. Never holds an answer.
    detail: String,
    /// The same for the same kind of problem, in every version.
    code: &'static str,
}

impl Problem {
    /// The status, the stable code and a title.
    #[must_use]
    pub fn kind(&self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Problem::Body { .. } => (StatusCode::BAD_REQUEST, "bad-body", "Bad body"),
            Problem::Form => (StatusCode::BAD_REQUEST, "bad-form", "Incomplete form"),
            Problem::MediaType { .. } => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", "Unsupported type"),
            Problem::TooLong { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "too-long", "Body too long"),
            Problem::UnknownPlan => (StatusCode::NOT_FOUND, "unknown-plan", "Unknown plan"),
            Problem::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            Problem::Method => (StatusCode::METHOD_NOT_ALLOWED, "method", "Method not allowed"),
            Problem::PlanGone => (StatusCode::GONE, "plan-gone", "Plan gone"),
            Problem::Answer(error) => (StatusCode::UNPROCESSABLE_ENTITY, answer_code(error), "Answer not taken"),
            Problem::Delta { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "delta", "Delta not allowed"),
            Problem::Calibrated => (StatusCode::UNPROCESSABLE_ENTITY, "calibrated", "Delta not allowed"),
            Problem::NotAskedYet { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "not-asked-yet", "Not asked yet"),
            Problem::NoDecision => (StatusCode::CONFLICT, "no-decision", "No decision yet"),
            Problem::Token(TokenError::Foreign) => (StatusCode::FORBIDDEN, "token-foreign", "Token refused"),
            Problem::Token(TokenError::Expired) => (StatusCode::GONE, "token-expired", "Token expired"),
            Problem::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "Key needed"),
            Problem::TooManyRequests { .. } => {
                (StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests")
            }
            Problem::Timeout => (StatusCode::REQUEST_TIMEOUT, "timeout", "Too slow"),
            Problem::Ledger => (StatusCode::SERVICE_UNAVAILABLE, "ledger-unavailable", "Ledger unavailable"),
            Problem::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal error"),
        }
    }

    /// As it is sent.
    #[must_use]
    pub fn details(&self) -> ProblemDetails {
        let (status, code, title) = self.kind();
        let kind = format!("urn:mindrel:problem:{code}");
        ProblemDetails { kind, title, status: status.as_u16(), detail: self.to_string(), code }
    }
}

/// The stable code of what is wrong with an answer.
fn answer_code(error: &AnswerError) -> &'static str {
    match error {
        AnswerError::UnknownQuestion { .. } => "unknown-question",
        AnswerError::NotANumber { .. } => "not-a-number",
        AnswerError::TooLarge { .. } => "too-large",
        AnswerError::NotWhole { .. } => "not-whole",
        AnswerError::NotBoolean { .. } => "not-yes-or-no",
        AnswerError::UnknownLevel { .. } => "unknown-level",
        AnswerError::Missing { .. } => "missing",
        AnswerError::NotAsked { .. } => "not-asked-now",
        AnswerError::PublicMissing { .. } => "public-missing",
        AnswerError::NotPublic { .. } => "not-public",
    }
}

impl From<TakeUpError> for Problem {
    fn from(error: TakeUpError) -> Self {
        match error {
            TakeUpError::Answer(error) => Problem::Answer(error),
            TakeUpError::Rules => Problem::Internal,
        }
    }
}

impl From<LedgerError> for Problem {
    fn from(_: LedgerError) -> Self {
        Problem::Ledger
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
            Problem::Ledger => {
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
