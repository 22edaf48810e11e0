//! The router with all its routes and layers.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{BoxError, Router, error_handling::HandleErrorLayer};
use tower::ServiceBuilder;
use tower::timeout::TimeoutLayer;
use tower_http::catch_panic::CatchPanicLayer;

use super::api_keys::require_key;
use super::headers::{data_headers, page_headers};
use super::observe::{Observer, observe};
use super::rate_limit::{RateLimit, limit_rate};
use super::{ApiKeys, HttpOptions};
use crate::problem::Problem;
use crate::service::Service;
use crate::{api, form};

/// No request needs a longer body.
pub const LONGEST_BODY: usize = 64 * 1024;

/// The whole service without a socket.
///
/// # Example
/// `tests/suite/api.rs` calls it without a socket.
pub fn app(service: Arc<Service>, options: HttpOptions) -> Router {
    let observer = Observer { service: Arc::clone(&service), access_log: options.access_log };
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(observer, observe))
        .layer(data_headers())
        .layer(CatchPanicLayer::custom(|_| Problem::Internal.into_response()))
        .layer(HandleErrorLayer::new(async |_: BoxError| Problem::Timeout))
        .layer(TimeoutLayer::new(options.timeout))
        .layer(DefaultBodyLimit::max(LONGEST_BODY));
    // Monitoring is not subject to the rate limit.
    monitoring().merge(limited(options)).layer(layers).with_state(service)
}

/// Everything but monitoring, within each client's rate limit.
fn limited(options: HttpOptions) -> Router<Arc<Service>> {
    let mut router = Router::new().nest("/v1", with_key(api::routes(), options.keys)).merge(api::document_route());
    if options.form {
        router = router.merge(form::routes().layer(page_headers()));
    }
    let router = with_problems(router);
    match options.requests_per_second.and_then(|most| RateLimit::new(most, options.behind_proxy)) {
        Some(limit) => router.layer(from_fn_with_state(Arc::new(limit), limit_rate)),
        None => router,
    }
}

/// Asks for a key, if there are keys, whether or not the address exists.
fn with_key(routes: Router<Arc<Service>>, keys: Option<ApiKeys>) -> Router<Arc<Service>> {
    match keys {
        Some(keys) => with_problems(routes).layer(from_fn_with_state(Arc::new(keys), require_key)),
        None => routes,
    }
}

/// Answers requests for unknown addresses and wrong methods with problem details.
fn with_problems(router: Router<Arc<Service>>) -> Router<Arc<Service>> {
    router.fallback(async || Problem::NotFound).method_not_allowed_fallback(async || Problem::Method)
}

fn monitoring() -> Router<Arc<Service>> {
    let routes = Router::new().route("/healthz", get(async || "ok\n")).route("/readyz", get(ready));
    routes.route("/metrics", get(metrics)).method_not_allowed_fallback(async || Problem::Method)
}

/// Whether decisions can be made. Plans are loaded before the service starts, so this depends on the ledger alone.
async fn ready(State(service): State<Arc<Service>>) -> Result<&'static str, Problem> {
    service.ledger.check().await?;
    Ok("ready\n")
}

async fn metrics(State(service): State<Arc<Service>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], service.metrics.render())
}
