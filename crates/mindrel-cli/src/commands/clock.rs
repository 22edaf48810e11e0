//! The clock that limits how long a test may take. The core reads none, so it is passed in.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The time since it was first asked for in this process: a [`Clock`](mindrel::core_test::Clock).
pub fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
