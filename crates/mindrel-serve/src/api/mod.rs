//! The JSON API.

mod answer;
mod body;
mod openapi;
mod plans;
mod sessions;

pub(crate) use body::{media_type_is, whole};

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::service::Service;

/// What is reached under `/v1`, and the document that describes it.
pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/v1/plans", get(plans::list))
        .route("/v1/plans/{plan}", get(plans::one))
        .route("/v1/plans/{plan}/sessions", post(sessions::start))
        .route("/v1/sessions/answer", post(sessions::answer))
        .route("/v1/sessions/decline", post(sessions::decline))
        .route("/v1/sessions/back", post(sessions::back))
        .route("/v1/sessions/resume", post(sessions::resume))
        .route("/openapi.json", get(openapi::document))
}

pub use openapi::openapi;
