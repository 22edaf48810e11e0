//! The guard as one layer around every route.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

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
    S::Response: IntoResponse + Send,
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
                Ok(served) => match within(guard.options.timeout, served).await {
                    Some(Ok(response)) => response.into_response(),
                    None => Problem::Timeout.into_response(),
                },
            };
            guard.see_off(&visit, &mut response);
            Ok(response)
        })
    }
}

/// What comes of some work, if it does within a time.
///
/// The timer is set when the work has nothing to show at the second look. At the first, a request with a body never has: the connection hands over
/// what it has read only after it was asked for. Setting a timer for that would cost every such request.
async fn within<T>(time: Duration, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut is_first = true;
    let early = poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending if is_first => {
            is_first = false;
            context.waker().wake_by_ref();
            Poll::Pending
        }
        Poll::Pending => Poll::Ready(None),
    });
    match early.await {
        Some(done) => Some(done),
        None => tokio::time::timeout(time, work).await.ok(),
    }
}
