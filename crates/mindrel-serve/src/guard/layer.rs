//! The guard as one layer around every route.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use tokio::time::Sleep;
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

/// A request on its way through. An `async` block would do, but has room for each of its parts twice.
pub(crate) struct Passing<F> {
    guard: Arc<Guard>,
    visit: Visit,
    served: Result<F, Problem>,
    patience: Patience,
}

/// How long a request is waited for.
///
/// The timer is set when the work has nothing to show at the second look. At the first, a request with a body never has: the connection hands over
/// what it has read only after it was asked for. Setting a timer for that would cost every such request.
enum Patience {
    Untried,
    Tried,
    /// In a box, as few requests have one.
    Until(Pin<Box<Sleep>>),
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
    S::Future: Unpin,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Passing<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let visit = Visit::of(&request);
        let served = match self.guard.admit(&request, visit.route()) {
            Ok(()) => Ok(self.inner.call(request)),
            Err(problem) => Err(problem),
        };
        Passing { guard: Arc::clone(&self.guard), visit, served, patience: Patience::Untried }
    }
}

impl<F, R> Future for Passing<F>
where
    F: Future<Output = Result<R, Infallible>> + Unpin,
    R: IntoResponse,
{
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Passing { guard, visit, served, patience } = self.get_mut();
        let mut response = match served {
            Err(problem) => std::mem::replace(problem, Problem::Internal).into_response(),
            Ok(served) => match Pin::new(served).poll(context) {
                Poll::Ready(Ok(response)) => response.into_response(),
                Poll::Pending => {
                    ready!(patience.poll(guard, context));
                    Problem::Timeout.into_response()
                }
            },
        };
        guard.see_off(visit, &mut response);
        Poll::Ready(Ok(response))
    }
}

impl Patience {
    /// Ready when there is none left.
    fn poll(&mut self, guard: &Guard, context: &mut Context<'_>) -> Poll<()> {
        match self {
            Patience::Untried => {
                *self = Patience::Tried;
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Patience::Tried => {
                *self = Patience::Until(Box::pin(tokio::time::sleep(guard.options.timeout)));
                self.poll(guard, context)
            }
            Patience::Until(sleep) => sleep.as_mut().poll(context),
        }
    }
}
