//! Counting and logging requests.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::service::Service;

/// Where requests are counted, and whether they are logged.
#[derive(Clone)]
pub(super) struct Observer {
    pub service: Arc<Service>,
    pub access_log: bool,
}

/// Counts a request by its route and status, and logs it if wanted. The address as it was sent is neither counted nor
/// logged.
pub(super) async fn observe(
    State(observer): State<Observer>,
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let (started, method) = (Instant::now(), request.method().clone());
    let response = next.run(request).await;
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let (status, time) = (response.status().as_u16(), started.elapsed());
    observer.service.metrics.request_served(route, status, time);
    if observer.access_log {
        tracing::info!(%method, route, status, microseconds = time.as_micros() as u64, "request");
    }
    response
}
