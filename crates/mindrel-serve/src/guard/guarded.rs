//! The guard around the router: outside it, as each layer on a route boxes and copies every request.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::future::RouteFuture;
use axum::{BoxError, Router};
use tokio::time::Sleep;
use tower::Service;

use super::Guard;
use super::watch::Visit;
use crate::problem::Problem;

/// The service behind its guard: every request goes through it, whether there is a route for it or not.
#[derive(Clone)]
pub struct Guarded {
    guard: Arc<Guard>,
    router: Router,
}

/// A request on its way through. An `async` block would do, but has room for each of its parts twice.
pub struct Passing {
    guard: Arc<Guard>,
    visit: Visit,
    served: Result<RouteFuture<Infallible>, Problem>,
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

impl Guarded {
    pub(crate) fn new(guard: Guard, router: Router) -> Self {
        Guarded { guard: Arc::new(guard), router }
    }
}

impl<B> Service<Request<B>> for Guarded
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Passing;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.router, context)
    }

    fn call(&mut self, request: Request<B>) -> Passing {
        let request = request.map(Body::new);
        let visit = self.guard.visit(&request);
        let served = match self.guard.admit(&request) {
            Ok(()) => Ok(self.router.call(request)),
            Err(problem) => Err(problem),
        };
        Passing { guard: Arc::clone(&self.guard), visit, served, patience: Patience::Untried }
    }
}

impl Future for Passing {
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Passing { guard, visit, served, patience } = self.get_mut();
        let mut response = match served {
            Err(problem) => std::mem::replace(problem, Problem::Internal).into_response(),
            Ok(served) => match Pin::new(served).poll(context) {
                Poll::Ready(Ok(response)) => response,
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
