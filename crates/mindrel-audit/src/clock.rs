//! The clock that tests are timed by. The core reads none, so it is passed in.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The time since it was first asked for in this process: a [`Clock`](mindrel::core_test::Clock).
#[must_use]
pub fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
