//! What every reply carries, and what is counted of every request.

use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::response::Response;

use super::Guard;

type Headers<const N: usize> = [(HeaderName, HeaderValue); N];

/// Nothing kept, nothing taken for what it does not say it is, nothing run, nothing framed.
static ON_EVERYTHING: Headers<2> = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
];

/// What is no page is never to become one.
static ON_DATA: Headers<1> =
    [(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"))];

/// On pages, nothing from elsewhere either, and nobody is told.
static ON_PAGES: Headers<6> = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        ),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
    ),
];

/// What is counted of a request: its route, never its address as it was sent.
pub(super) struct Visit {
    started: Instant,
    route: &'static str,
    method: Method,
}

impl Guard {
    pub(super) fn visit(&self, request: &Request) -> Visit {
        let route = self.routes.at(request.uri().path()).map_or("other", |found| *found.value);
        Visit { started: Instant::now(), route, method: request.method().clone() }
    }

    /// Puts the security headers on a reply, and counts the request.
    pub(super) fn see_off(&self, visit: &Visit, response: &mut Response) {
        let on_this: &[(HeaderName, HeaderValue)] = if is_page(response) { &ON_PAGES } else { &ON_DATA };
        let headers = response.headers_mut();
        headers.reserve(ON_EVERYTHING.len() + on_this.len());
        for (name, value) in ON_EVERYTHING.iter().chain(on_this) {
            headers.insert(name, value.clone());
        }
        let (status, time) = (response.status().as_u16(), visit.started.elapsed());
        if self.service.metrics.served(visit.route, status, time) {
            self.tidy();
        }
        if self.options.access_log {
            let (method, route) = (&visit.method, visit.route);
            tracing::info!(%method, route, status, microseconds = time.as_micros() as u64, "request");
        }
    }

    /// Sums up and forgets what has piled up.
    fn tidy(&self) {
        self.service.metrics.tidy();
        if let Some(rates) = &self.rates {
            rates.tidy();
        }
    }
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}
