//! Bodies as JSON, with errors that say where and never what.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use crate::app::LONGEST_BODY;
use crate::problem::Problem;

/// A JSON body.
pub(crate) struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !media_type_is(request.headers(), "application/json") {
            return Err(Problem::MediaType { expected: "application/json" });
        }
        let bytes = bytes(request, state).await?;
        let place = |error: serde_json::Error| Problem::Body { line: error.line(), column: error.column() };
        Ok(Body(serde_json::from_slice(&bytes).map_err(place)?))
    }
}

/// The whole body, if it is not too long.
pub(crate) async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<axum::body::Bytes, Problem> {
    axum::body::Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLong { most: LONGEST_BODY },
        // The client went away in the middle of it.
        _ => Problem::Timeout,
    })
}

/// Whether a request says that its body is of a type.
pub(crate) fn media_type_is(headers: &HeaderMap, wanted: &str) -> bool {
    let stated = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    stated.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case(wanted)
}
