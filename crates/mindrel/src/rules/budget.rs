//! How long a proof may be looked for.

use std::time::Duration;

/// A clock that is passed in: the time since some fixed moment. The core reads no clock of its own.
pub type Clock = fn() -> Duration;

/// How long one test may look for a proof. When it is used up, the set counts as not core: never a guess.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// How many branches may be looked at.
    pub nodes: u64,
    /// When to stop, by which clock.
    pub deadline: Option<Deadline>,
}

/// A moment on a clock.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    /// The clock.
    pub clock: Clock,
    /// The moment.
    pub at: Duration,
}

/// The number of branches between two looks at the clock.
const LOOK_EVERY: u64 = 16;

impl Budget {
    /// So many branches, however long they take.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Budget { nodes, deadline: None }
    }

    /// Whether nothing is left after a number of branches.
    pub(crate) fn is_used_up(&self, n_nodes: u64) -> bool {
        let late = |deadline: &Deadline| (deadline.clock)() >= deadline.at;
        n_nodes >= self.nodes || (n_nodes.is_multiple_of(LOOK_EVERY) && self.deadline.as_ref().is_some_and(late))
    }
}
