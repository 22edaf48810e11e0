//! The OpenAPI document.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

use super::{plans, sessions};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "mindrel",
        description = "Decide about a person while asking for as little as possible. The state of a session travels \
                       with the client as an encrypted token; the service stores no answers."
    ),
    paths(
        plans::list,
        plans::one,
        sessions::start,
        sessions::answer,
        sessions::decline,
        sessions::back,
        sessions::resume
    ),
    tags(
        (name = "plans", description = "The decisions on offer"),
        (name = "sessions", description = "One question at a time")
    )
)]
struct ApiDocument;

/// The OpenAPI document.
///
/// # Panics
/// Never: the document is plain data.
#[must_use]
pub fn openapi() -> String {
    let mut document = ApiDocument::openapi();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    document.components.get_or_insert_default().add_security_scheme("key", bearer);
    document.to_pretty_json().expect("the document is plain data")
}

pub(super) async fn document() -> impl IntoResponse {
    static DOCUMENT: LazyLock<String> = LazyLock::new(openapi);
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}
