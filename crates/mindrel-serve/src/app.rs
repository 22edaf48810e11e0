//! The whole service: the API, the form, and what stands around them.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use crate::guard::{Guard, GuardOptions, Guarded, WATCHED};
use crate::problem::Problem;
use crate::service::Service;
use crate::{api, form};

/// No request needs a longer body.
pub const LONGEST_BODY: usize = 64 * 1024;

/// Where something is reached, and what is done there.
pub(crate) type Route = (&'static str, MethodRouter<Arc<Service>>);

/// The service as something that takes requests.
///
/// # Example
/// See `tests/api.rs`: it takes them without a socket.
///
/// # Panics
/// Never: no two routes are the same.
pub fn app(service: Arc<Service>, options: GuardOptions) -> Guarded {
    let [health, readiness, counts] = WATCHED;
    let mut routes = vec![(health, get(async || "ok\n")), (readiness, get(ready)), (counts, get(metrics))];
    routes.extend(api::routes());
    if options.form {
        routes.extend(form::routes());
    }
    let (mut router, mut names) = (Router::new(), matchit::Router::new());
    for (path, methods) in routes {
        router = router.route(path, methods);
        names.insert(path, path).expect("no two routes are the same");
    }
    let router = router.fallback(async || Problem::NotFound).method_not_allowed_fallback(async || Problem::Method);
    Guarded::new(Guard::new(Arc::clone(&service), options, names), router.with_state(service))
}

/// Whether decisions can be made: plans are there from the start, so it is the ledger that counts.
async fn ready(State(service): State<Arc<Service>>) -> Result<&'static str, Problem> {
    service.ledger.check().await?;
    Ok("ready\n")
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], service.metrics.render()).into_response()
}
