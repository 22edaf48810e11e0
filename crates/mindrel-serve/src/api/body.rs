//! Bodies as JSON, with errors that say where and never what.

use std::error::Error;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use http_body_util::LengthLimitError;
use serde::Deserialize;

use crate::app::LONGEST_BODY;
use crate::problem::Problem;

/// A body that says it is JSON, whole and not too long.
pub(crate) struct Json(Bytes);

impl Json {
    /// What it says.
    ///
    /// # Errors
    /// When it is not of the form that is asked for.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Problem> {
        serde_json::from_slice(&self.0).map_err(|error| Problem::Body { line: error.line(), column: error.column() })
    }
}

impl<S: Send + Sync> FromRequest<S> for Json {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        if !media_type_is(request.headers(), "application/json") {
            return Err(Problem::MediaType { expected: "application/json" });
        }
        Ok(Json(whole(request.into_body()).await?))
    }
}

/// The whole of a body, if it is not too long.
pub(crate) async fn whole(body: Body) -> Result<Bytes, Problem> {
    to_bytes(body, LONGEST_BODY).await.map_err(|error| {
        let too_long = error.source().is_some_and(<dyn Error>::is::<LengthLimitError>);
        // Otherwise the client went away in the middle of it.
        if too_long { Problem::TooLong { most: LONGEST_BODY } } else { Problem::Timeout }
    })
}

/// Whether a request says that its body is of a type.
pub(crate) fn media_type_is(headers: &HeaderMap, wanted: &str) -> bool {
    let stated = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    stated.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case(wanted)
}
