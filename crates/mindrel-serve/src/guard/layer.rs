//! The guard as one layer around every route.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use tower::{Layer, Service};

use super::Guard;
use super::watch::Visit;
use crate::problem::Problem;

/// Puts a guard in front of a service.
#[derive(Clone)]
pub(crate) struct GuardLayer(Arc<Guard>);

/// A service with a guard in front.
#[derive(Clone)]
pub(crate) struct Guarded<S> {
    guard: Arc<Guard>,
    inner: S,
}

impl GuardLayer {
    pub fn new(guard: Guard) -> Self {
        GuardLayer(Arc::new(guard))
    }
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { guard: Arc::clone(&self.0), inner }
    }
}

impl<S> Service<Request> for Guarded<S>
where
    S: Service<Request, Error = Infallible>,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let guard = Arc::clone(&self.guard);
        let visit = Visit::of(&request);
        let served = guard.admit(&request, visit.route()).map(|()| self.inner.call(request));
        Box::pin(async move {
            let mut response = match served {
                Err(problem) => problem.into_response(),
                Ok(served) => match tokio::time::timeout(guard.options.timeout, served).await {
                    Ok(Ok(response)) => response.into_response(),
                    Err(_) => Problem::Timeout.into_response(),
                },
            };
            guard.see_off(&visit, &mut response);
            Ok(response)
        })
    }
}
