//! The service as a router: the API, the form, and what stands around them.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::guard::{Guard, GuardLayer, GuardOptions, WATCHED};
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
    let [health, readiness, counts] = WATCHED;
    let mut routes =
        api::routes().route(health, get(async || "ok\n")).route(readiness, get(ready)).route(counts, get(metrics));
    if options.form {
        routes = routes.merge(form::routes());
    }
    routes
        .fallback(async || Problem::NotFound)
        .method_not_allowed_fallback(async || Problem::Method)
        .layer(GuardLayer::new(Guard::new(Arc::clone(&service), options)))
        .with_state(service)
}

/// Whether decisions can be made: plans are there from the start, so it is the ledger that counts.
async fn ready(State(service): State<Arc<Service>>) -> Result<&'static str, Problem> {
    service.ledger.check().await?;
    Ok("ready\n")
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], service.metrics.render()).into_response()
}
