//! How much work a step of a session may take.

use std::time::Duration;

/// A clock that is passed in: the time since some fixed moment. The core reads no clock of its own.
pub type Clock = fn() -> Duration;

/// The work that a test, or a whole step of a session, may still do. When it is used up, a set counts as not core:
/// never a guess.
///
/// Work is counted in elementary operations, such as a node of a tree looked at or some weights multiplied at once, so
/// that the same answers lead to the same questions on every machine. A million of them take about a millisecond.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    left: u64,
    deadline: Option<Deadline>,
    /// Work until the next look at the clock.
    until_look: u64,
    is_late: bool,
}

/// A moment on a clock.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    /// The clock.
    pub clock: Clock,
    /// The moment.
    pub at: Duration,
}

/// How long each step of a session may take, by a clock.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimit {
    /// The clock.
    pub clock: Clock,
    /// The time of one step, its test and the choice of the next question.
    pub each: Duration,
}

impl TimeLimit {
    /// When a step that begins now must end.
    pub(crate) fn deadline(self) -> Deadline {
        Deadline { clock: self.clock, at: (self.clock)().saturating_add(self.each) }
    }
}

/// The work between two looks at the clock.
const LOOK_EVERY: u64 = 50_000;

impl Budget {
    /// So many elementary operations, however long they take. Any test with a budget left looks at the whole domain
    /// once.
    #[must_use]
    pub fn of(work: u64) -> Self {
        Budget { left: work, deadline: None, until_look: 0, is_late: false }
    }

    /// The same, and no longer than until a moment.
    #[must_use]
    pub fn until(self, deadline: Deadline) -> Self {
        Budget { deadline: Some(deadline), until_look: 0, ..self }
    }

    /// Takes note of work that was done.
    pub(crate) fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        self.until_look = self.until_look.saturating_sub(work);
    }

    /// Whether nothing is left, of work or of time.
    pub(crate) fn is_used_up(&mut self) -> bool {
        if let Some(deadline) = self.deadline.filter(|_| self.until_look == 0) {
            self.is_late |= (deadline.clock)() >= deadline.at;
            self.until_look = LOOK_EVERY;
        }
        self.left == 0 || self.is_late
    }

    /// Whether the moment has passed, by the clock as it is now.
    pub(crate) fn is_past_deadline(&mut self) -> bool {
        self.is_late |= self.deadline.is_some_and(|deadline| (deadline.clock)() >= deadline.at);
        self.is_late
    }

    /// Whether the moment was seen to have passed.
    pub(crate) fn is_late(&self) -> bool {
        self.is_late
    }

    /// How much work is left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Does something with no more than a part of what is left.
    pub(crate) fn within<T>(&mut self, most: u64, act: impl FnOnce(&mut Budget) -> T) -> T {
        let before = self.left;
        self.left = before.min(most);
        let given = self.left;
        let result = act(self);
        self.left = before - (given - self.left);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_within_a_part_is_missing_from_the_whole() {
        let mut budget = Budget::of(100);
        let is_used_up = budget.within(30, |part| {
            part.spend(50);
            part.is_used_up()
        });
        assert!(is_used_up && !budget.is_used_up());
        assert_eq!(budget.left(), 70);
        budget.spend(70);
        assert!(budget.is_used_up());
    }

    #[test]
    fn the_clock_is_looked_at_now_and_then() {
        let late = Deadline { clock: || Duration::from_secs(2), at: Duration::from_secs(1) };
        let mut budget = Budget::of(u64::MAX).until(late);
        assert!(!budget.is_late() && budget.is_used_up() && budget.is_late());
        let early = Deadline { clock: || Duration::from_secs(0), at: Duration::from_secs(1) };
        let mut budget = Budget::of(u64::MAX).until(early);
        budget.spend(2 * LOOK_EVERY);
        assert!(!budget.is_used_up());
    }
}
