//! Work that is done at once where it is quick, and elsewhere where it may take long.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::task::{JoinHandle, spawn_blocking};

use crate::problem::Problem;

/// What is done already, or is being done on a thread for such work.
///
/// An `async fn` would do, but for its size: it has room for the work itself, which every step would move about.
pub(crate) enum Work<T> {
    Done(Option<Result<T, Problem>>),
    Elsewhere(JoinHandle<Result<T, Problem>>),
}

impl<T: Send + 'static> Work<T> {
    /// Was done here.
    pub fn done(result: Result<T, Problem>) -> Self {
        Work::Done(Some(result))
    }

    /// Is done where it may take long.
    pub fn elsewhere(task: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Self {
        Work::Elsewhere(spawn_blocking(task))
    }
}

/// Nothing in it is ever pinned.
impl<T> Unpin for Work<T> {}

impl<T> Future for Work<T> {
    type Output = Result<T, Problem>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Work::Done(result) => Poll::Ready(result.take().unwrap_or(Err(Problem::Internal))),
            Work::Elsewhere(task) => Pin::new(task).poll(context).map(|done| done.map_err(|_| Problem::Internal)?),
        }
    }
}
