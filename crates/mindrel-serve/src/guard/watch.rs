//! What every reply carries, and what is counted of every request.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use super::Guard;

/// Requests between two rounds of tidying.
const TIDY_EVERY: u64 = 4096;

/// Nothing from elsewhere, nothing run, nothing framed, nothing kept, nobody told.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Counts a request by its route, never by its address as it was sent, and puts the security headers on the reply.
pub(crate) async fn watch(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let (status, time) = (response.status().as_u16(), started.elapsed());
    guard.service.metrics.served(route, status, time);
    guard.tidy_now_and_then();
    if guard.options.access_log {
        tracing::info!(%method, route, status, microseconds = time.as_micros() as u64, "request");
    }
    response
}

impl Guard {
    /// Sums up and forgets what has piled up, once in many requests: memory stays flat.
    fn tidy_now_and_then(&self) {
        if self.requests.fetch_add(1, Ordering::Relaxed) % TIDY_EVERY == TIDY_EVERY - 1 {
            self.service.metrics.tidy();
            if let Some(rates) = &self.rates {
                rates.tidy();
            }
        }
    }
}
