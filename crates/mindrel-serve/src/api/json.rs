//! JSON bodies, with errors that name the place of a mistake and never quote the body.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// A JSON body.
pub(super) struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !is_json(&request) {
            return Err(Problem::MediaType { expected: "application/json" });
        }
        let bytes = Bytes::from_request(request, state).await?;
        let problem = |error: serde_json::Error| Problem::Body { line: error.line(), column: error.column() };
        serde_json::from_slice(&bytes).map(JsonBody).map_err(problem)
    }
}

fn is_json(request: &Request) -> bool {
    let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}
