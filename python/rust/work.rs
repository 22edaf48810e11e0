//! Long work: on threads of its own, while the thread that asked for it answers Ctrl-C and tells how far it is.
//!
//! The threads live as long as one call. So a process that forks, as `multiprocessing` and servers do, has no threads
//! that its child would wait for in vain.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use mindrel::Plan;
use mindrel::core_test::TimeLimit;
use mindrel::model::ProvedBy;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

/// How often signals are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// More time than any step takes.
const AGE: Duration = Duration::from_secs(1 << 32);

/// How work is done; the attributes of Python's `_work.Work`.
#[derive(FromPyObject)]
pub struct Work {
    /// The number of threads; 0 for one on each core.
    threads: usize,
    /// How many seconds each step of a session may take.
    deadline: Option<f64>,
    /// Called now and then with what is done and what there is to do.
    tell: Option<Py<PyAny>>,
}

/// How far some work is, shared by its threads.
#[derive(Default)]
pub struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
    stopped: AtomicBool,
}

/// The end of work that was stopped.
struct Stopped;

thread_local! {
    /// The work that this thread does.
    static CURRENT: RefCell<Option<Arc<Progress>>> = const { RefCell::new(None) };
}

impl Work {
    /// Runs a task on threads of its own, without the interpreter's lock.
    ///
    /// # Errors
    /// `KeyboardInterrupt`, or whatever a signal's handler or `tell` raises, once the task has stopped.
    pub fn run<T: Send>(&self, py: Python<'_>, task: impl FnOnce(&Progress) -> T + Send) -> PyResult<T> {
        let progress = Arc::new(Progress::default());
        py.detach(|| {
            let threads = ThreadPoolBuilder::new().num_threads(self.threads).build_scoped(
                |thread| {
                    CURRENT.set(Some(Arc::clone(&progress)));
                    thread.run();
                },
                |pool| {
                    pool.in_place_scope(|scope| {
                        let (send, done) = channel();
                        let progress = &*progress;
                        scope.spawn(move |_| {
                            let result = catch_unwind(AssertUnwindSafe(|| task(progress)));
                            // The receiver waits for it.
                            drop(send.send(result));
                        });
                        self.attend(progress, &done)
                    })
                },
            );
            threads.map_err(|error| PyRuntimeError::new_err(format!("no threads can be started: {error}")))?
        })
    }

    /// The same on one thread.
    pub fn alone(self) -> Self {
        Work { threads: 1, ..self }
    }

    /// The limit of each step: without a deadline one that no step reaches, unless the work is stopped.
    pub fn limit(&self) -> TimeLimit {
        let each = self.deadline.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        TimeLimit { clock, each: each.unwrap_or(AGE) }
    }

    /// The same where it is worth a look at the clock: where a step takes microseconds, only with a deadline.
    pub fn limit_under(&self, plan: &Plan) -> Option<TimeLimit> {
        let is_slow = plan.model().proved_by() != ProvedBy::Sums;
        (is_slow || self.deadline.is_some()).then(|| self.limit())
    }

    /// Waits for the result, and stops the work if a signal's handler raises an exception.
    fn attend<T>(&self, progress: &Progress, done: &Receiver<Result<T, Box<dyn Any + Send>>>) -> PyResult<T> {
        let mut raised = None;
        loop {
            match done.recv_timeout(LOOK_EVERY) {
                Ok(result) => {
                    // A signal that came since the last look counts, too: what it interrupted was not done.
                    let raised = raised.or_else(|| Python::attach(|py| py.check_signals()).err());
                    return match (raised, result) {
                        (Some(error), _) => Err(error),
                        (None, Ok(result)) => Ok(result),
                        (None, Err(panic)) => resume_unwind(panic),
                    };
                }
                Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                    raised = Python::attach(|py| self.look(py, progress)).err();
                    progress.stopped.store(raised.is_some(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("the task sends its result"),
            }
        }
    }

    fn look(&self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        py.check_signals()?;
        let (done, total) = (progress.done.load(Ordering::Relaxed), progress.total.load(Ordering::Relaxed));
        match &self.tell {
            Some(tell) if total > 0 => tell.call1(py, (done, total)).map(drop),
            _ => Ok(()),
        }
    }
}

impl Progress {
    /// Says how much there is to do.
    pub fn expect(&self, total: usize) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// Says that more is done. If the work was stopped, it ends here: the stack is unwound, and nobody sees a result.
    pub fn advance(&self, by: usize) {
        self.done.fetch_add(by, Ordering::Relaxed);
        self.go_on();
    }

    /// Says how much is done.
    pub fn reach(&self, done: usize) {
        self.done.store(done, Ordering::Relaxed);
        self.go_on();
    }

    /// Ends here if the work was stopped.
    pub fn go_on(&self) {
        if self.stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stopped));
        }
    }
}

/// A limit that no step reaches, unless the work is stopped.
pub fn until_stopped() -> TimeLimit {
    TimeLimit { clock, each: AGE }
}

/// Whether the work of this thread was stopped.
pub fn is_stopped() -> bool {
    CURRENT.with_borrow(|work| work.as_ref().is_some_and(|work| work.stopped.load(Ordering::Relaxed)))
}

/// The time since it was first asked for in this process; the end of time once the work of this thread was stopped, so
/// that whatever has a limit ends.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    if is_stopped() { Duration::MAX } else { START.elapsed() }
}
