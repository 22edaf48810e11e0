//! The document that describes the API.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

use super::{plans, sessions};

/// Decisions that ask for as little as possible.
#[derive(OpenApi)]
#[openapi(
    info(title = "mindrel", description = "Decide about a person while asking for as little as possible. A session's state travels with the client as a sealed token; the service keeps no answers."),
    paths(plans::list, plans::one, sessions::start, sessions::answer, sessions::decline, sessions::back, sessions::resume),
    tags((name = "plans", description = "What can be decided"), (name = "sessions", description = "One question at a time"))
)]
struct Document;

/// The OpenAPI document.
///
/// # Panics
/// Never: it is plain data.
#[must_use]
pub fn openapi() -> String {
    let mut document = Document::openapi();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    document.components.get_or_insert_default().add_security_scheme("key", bearer);
    document.to_pretty_json().expect("it is plain data")
}

pub(super) async fn document() -> impl IntoResponse {
    static DOCUMENT: LazyLock<String> = LazyLock::new(openapi);
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}
