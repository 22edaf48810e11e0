//! Bodies as JSON, with errors that say where and never what.

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
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

/// The whole of a body, if it is not too long. Most come in one piece, which is not copied.
pub(crate) async fn whole(mut body: Body) -> Result<Bytes, Problem> {
    let (mut first, mut parts) = (Bytes::new(), Vec::new());
    // The end of a body that was announced with its length is known without waiting for it.
    while !body.is_end_stream() {
        let Some(frame) = body.frame().await else { break };
        // Otherwise the client went away in the middle of it.
        let Ok(part) = frame.map_err(|_| Problem::Timeout)?.into_data() else { continue };
        if first.len().max(parts.len()) + part.len() > LONGEST_BODY {
            return Err(Problem::TooLong { most: LONGEST_BODY });
        }
        if first.is_empty() {
            first = part;
            continue;
        }
        if parts.is_empty() {
            parts.extend_from_slice(&first);
        }
        parts.extend_from_slice(&part);
    }
    Ok(if parts.is_empty() { first } else { parts.into() })
}

/// Whether a request says that its body is of a type.
pub(crate) fn media_type_is(headers: &HeaderMap, wanted: &str) -> bool {
    let Some(stated) = headers.get(header::CONTENT_TYPE) else { return false };
    let says = |stated: &str| stated.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(wanted));
    // Most say just that.
    stated == wanted || stated.to_str().is_ok_and(says)
}
