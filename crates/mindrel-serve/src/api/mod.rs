//! The JSON API.

mod answer;
mod body;
mod openapi;
mod plans;
mod sessions;

pub(crate) use body::{media_type_is, whole};

use axum::routing::{get, post};

use crate::app::Route;

/// What is reached under `/v1`, and the document that describes it.
pub(crate) fn routes() -> [Route; 8] {
    [
        ("/v1/plans", get(plans::list)),
        ("/v1/plans/{plan}", get(plans::one)),
        ("/v1/plans/{plan}/sessions", post(sessions::start)),
        ("/v1/sessions/answer", post(sessions::answer)),
        ("/v1/sessions/decline", post(sessions::decline)),
        ("/v1/sessions/back", post(sessions::back)),
        ("/v1/sessions/resume", post(sessions::resume)),
        ("/openapi.json", get(openapi::document)),
    ]
}

pub use openapi::openapi;
