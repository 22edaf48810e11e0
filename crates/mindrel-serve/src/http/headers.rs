//! The security headers of replies.

use axum::http::{HeaderName, HeaderValue, Response, header};
use tower_http::set_header::response::SetMultipleResponseHeadersLayer;

/// On every reply: nothing is cached, guessed, executed or framed.
pub(super) fn data_headers<B>() -> SetMultipleResponseHeadersLayer<Response<B>> {
    const POLICY: &str = "default-src 'none'; frame-ancestors 'none'";
    // A page has a content security policy of its own.
    SetMultipleResponseHeadersLayer::if_not_present(vec![
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")).into(),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")).into(),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)).into(),
    ])
}

/// On pages also: nothing is loaded from other origins, and they learn nothing about the page.
pub(super) fn page_headers<B>() -> SetMultipleResponseHeadersLayer<Response<B>> {
    const POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; \
                          frame-ancestors 'none'; base-uri 'none'";
    let named = HeaderName::from_static;
    SetMultipleResponseHeadersLayer::overriding(vec![
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)).into(),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")).into(),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")).into(),
        (named("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")).into(),
        (named("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")).into(),
        (named("permissions-policy"), HeaderValue::from_static("camera=(), geolocation=(), microphone=()")).into(),
    ])
}
