//! The thread that runs a graph.
//!
//! The runtime has a pool of its own for the whole process. A forked child inherits it without its threads and would
//! wait for them in vain. So each thread that runs graphs has a pool of one, which a child does not take over; people
//! are shared out among threads by those who call.

use std::cell::RefCell;
use std::process;
use std::sync::{Arc, OnceLock};

use rten::{Model, ModelOptions, RunOptions, ThreadPool};

/// A pool, and the process that its thread belongs to.
struct OwnPool {
    process: u32,
    pool: Arc<ThreadPool>,
}

thread_local! {
    static OWN_POOL: RefCell<Option<OwnPool>> = const { RefCell::new(None) };
}

/// Options to run a graph with.
pub fn run_options() -> RunOptions {
    let pool = OWN_POOL.with_borrow_mut(|own| {
        if let Some(inherited) = own.take_if(|own| own.process != process::id()) {
            // Its thread is not in this process, so nothing may wait for it to end.
            std::mem::forget(inherited);
        }
        let make = || OwnPool { process: process::id(), pool: Arc::new(ThreadPool::with_num_threads(1)) };
        Arc::clone(&own.get_or_insert_with(make).pool)
    });
    RunOptions::default().with_thread_pool(Some(pool))
}

/// Loads a graph. A forked child does not simplify it, because the runtime would use the pool of the process for that.
///
/// # Errors
/// When the runtime does not take it.
pub fn load(bytes: &[u8]) -> Result<Model, String> {
    static FIRST_PROCESS: OnceLock<u32> = OnceLock::new();
    let is_first = *FIRST_PROCESS.get_or_init(process::id) == process::id();
    let mut options = ModelOptions::with_all_ops();
    options.enable_optimization(is_first);
    options.load(bytes.to_vec()).map_err(|error| error.to_string())
}
