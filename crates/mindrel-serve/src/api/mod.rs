//! The JSON API.

mod json;
mod openapi;
mod plans;
mod sessions;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::service::Service;

/// The routes under `/v1`.
pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/plans", get(plans::list))
        .route("/plans/{plan}", get(plans::one))
        .route("/plans/{plan}/sessions", post(sessions::start))
        .route("/sessions/answer", post(sessions::answer))
        .route("/sessions/decline", post(sessions::decline))
        .route("/sessions/back", post(sessions::back))
        .route("/sessions/resume", post(sessions::resume))
}

/// The description of the API.
pub(crate) fn document_route() -> Router<Arc<Service>> {
    Router::new().route("/openapi.json", get(openapi::document))
}

pub use openapi::openapi;
pub(crate) use sessions::AnswerValue;
