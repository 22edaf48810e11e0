//! Steps that take longer than a moment: so many at a time, and so many waiting.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::problem::Problem;

/// Computes heavy steps on threads where they block no other request.
///
/// The work of a client that goes away is dropped while it waits. Once it runs, its plan's budget ends it.
pub struct Workers {
    running: Arc<Semaphore>,
    /// Running or waiting.
    admitted: Arc<Semaphore>,
}

/// The right to compute one step. The worker is free again when this and all computations under it have ended.
#[derive(Clone)]
pub(crate) struct Turn {
    _permits: Arc<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
}

impl Workers {
    /// This many steps at a time, and as many others waiting.
    #[must_use]
    pub fn new(running: NonZero<usize>, waiting: usize) -> Self {
        let most = (running.get() + waiting).min(Semaphore::MAX_PERMITS);
        Workers {
            running: Arc::new(Semaphore::new(running.get().min(Semaphore::MAX_PERMITS))),
            admitted: Arc::new(Semaphore::new(most)),
        }
    }

    /// Waits for a worker, unless too many wait already.
    pub(crate) async fn turn(&self) -> Result<Turn, Problem> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| Problem::Busy)?;
        let running = Arc::clone(&self.running).acquire_owned().await.map_err(|_| Problem::Internal)?;
        Ok(Turn { _permits: Arc::new((admitted, running)) })
    }
}

impl Default for Workers {
    /// One for each core, and a queue that empties within seconds.
    fn default() -> Self {
        Workers::new(available_parallelism().unwrap_or(NonZero::<usize>::MIN), 64)
    }
}

impl Turn {
    /// Computes something, to its end even if nobody waits for it any more.
    pub async fn compute<T: Send + 'static>(
        &self,
        task: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let held = self.clone();
        let task = move || {
            let _held = held;
            task()
        };
        spawn_blocking(task).await.map_err(|_| Problem::Internal)?
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// Looks once whether a turn is given.
    fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn past_the_queue_clients_are_refused_and_whoever_goes_away_makes_room() {
        let workers = Workers::new(NonZero::<usize>::MIN, 1);
        let Poll::Ready(Ok(first)) = poll(pin!(workers.turn())) else { panic!("a worker is free") };
        let mut second = Box::pin(workers.turn());
        assert!(poll(second.as_mut()).is_pending());
        assert!(matches!(poll(pin!(workers.turn())), Poll::Ready(Err(Problem::Busy))));
        drop(second);
        let mut third = Box::pin(workers.turn());
        assert!(poll(third.as_mut()).is_pending());
        drop(first);
        assert!(matches!(poll(third.as_mut()), Poll::Ready(Ok(_))));
    }
}
