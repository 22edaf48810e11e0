//! The processor time of a thread.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The processor time that this thread has used, which other programs on a busy machine do not lengthen; where Linux
/// does not tell, the time since this was first called.
///
/// Linux brings it up to date every few milliseconds.
#[must_use]
pub fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = used.and_then(|used| used.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
