//! The service as a router: the API, the form, and what stands around them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::guard::{Guard, GuardOptions, admit, require_key, watch};
use crate::problem::Problem;
use crate::service::Service;
use crate::{api, form};

/// No request needs a longer body.
pub const LONGEST_BODY: usize = 64 * 1024;

/// The service as a router.
///
/// # Example
/// See `tests/api.rs`: the router takes requests without a socket.
pub fn app(service: Arc<Service>, options: GuardOptions) -> Router {
    let with_form = options.form;
    let guard = Arc::new(Guard::new(Arc::clone(&service), options));
    let mut routes = api::routes().route_layer(from_fn_with_state(Arc::clone(&guard), require_key));
    routes = routes.merge(api::document_route());
    if with_form {
        routes = routes.merge(form::routes());
    }
    let guarded = routes
        .fallback(async || Problem::NotFound)
        .method_not_allowed_fallback(async || Problem::Method)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(Arc::clone(&guard), admit));
    // Whoever watches over the service is let in however busy it is.
    let watched = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics));
    guarded.merge(watched).layer(from_fn_with_state(guard, watch)).with_state(service)
}

/// Whether decisions can be made: plans are there from the start, so it is the ledger that counts.
async fn ready(State(service): State<Arc<Service>>) -> Result<&'static str, Problem> {
    service.ledger.check().await?;
    Ok("ready\n")
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], service.metrics.render()).into_response()
}
