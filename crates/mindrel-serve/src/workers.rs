//! Steps that take longer than a moment: so many at a time, and so many waiting.

use std::cell::RefCell;
use std::num::NonZero;
use std::sync::{Arc, Weak};
use std::thread::available_parallelism;
use std::time::Duration;

use mindrel::core_test::TimeLimit;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::problem::Problem;

/// Computes heavy steps on threads where they block no other request.
///
/// The work of a client that goes away is dropped, whether it waits or runs.
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
    /// Computes something on another thread. A step under the limit [`while_awaited`] ends early if this is dropped.
    pub async fn compute<T: Send + 'static>(
        &self,
        task: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let held = self.clone();
        let awaited = Arc::new(());
        let weak = Arc::downgrade(&awaited);
        let task = move || {
            let _held = held;
            AWAITED.replace(weak);
            task()
        };
        let result = spawn_blocking(task).await.map_err(|_| Problem::Internal)?;
        drop(awaited);
        result
    }
}

thread_local! {
    /// Lives as long as somebody waits for what this thread computes.
    static AWAITED: RefCell<Weak<()>> = const { RefCell::new(Weak::new()) };
}

/// Lets a step take as long as its budget allows while a client waits for it, and no longer once the client has gone
/// away. Nobody sees the result of a step that was cut short.
pub(crate) fn while_awaited() -> TimeLimit {
    TimeLimit { clock: zero_while_awaited, each: Duration::from_secs(1) }
}

fn zero_while_awaited() -> Duration {
    let is_awaited = AWAITED.with_borrow(|awaited| awaited.strong_count() > 0);
    if is_awaited { Duration::ZERO } else { Duration::MAX }
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

    /// A step that had begun for a client who hung up took the worker until its budget ended it.
    #[tokio::test]
    async fn a_step_ends_when_its_client_goes_away() {
        let workers = Workers::new(NonZero::<usize>::MIN, 1);
        let turn = workers.turn().await.expect("a worker is free");
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let step = move || {
            let limit = while_awaited();
            let has_time = || (limit.clock)() < limit.each;
            begun.send(has_time()).expect("the test waits");
            while has_time() {
                std::thread::yield_now();
            }
            Ok(())
        };
        let mut client = Box::pin(async move { turn.compute(step).await });
        assert!(poll(client.as_mut()).is_pending());
        assert!(has_begun.await.expect("it begins"), "there is time while the client waits");
        drop(client);
        workers.turn().await.expect("the worker is free again");
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
