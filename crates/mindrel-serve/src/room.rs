//! Room for sessions, used again: one thread serves one session after the other, and each would ask for the same memory.

use std::cell::RefCell;
use std::sync::Arc;

use mindrel::Session;
use mindrel::session::Walk;

use crate::plans::Offer;

/// So many are kept on each thread.
const MOST_SPARE: usize = 16;

thread_local! {
    static SPARE: RefCell<Vec<Room>> = const { RefCell::new(Vec::new()) };
}

/// A plan and a walk under it that knows nobody.
///
/// The plan is among it because a handle of one thread's own need not be counted where other threads count theirs.
pub(crate) struct Room {
    pub offer: Arc<Offer>,
    pub walk: Walk,
}

impl Room {
    /// Room for a session under a plan and a δ, if some was left on this thread.
    pub fn find(offer: &Arc<Offer>, delta: f64) -> Option<Self> {
        let fits = |room: &Room| Arc::ptr_eq(&room.offer, offer) && room.walk.plan().rules().delta == delta;
        SPARE.with_borrow_mut(|spare| spare.iter().rposition(fits).map(|place| spare.swap_remove(place)))
    }

    /// Leaves the room of a session that was replied to. What the session knew is forgotten first.
    pub fn leave(offer: Arc<Offer>, session: Session) {
        if !offer.is_quick() || offer.is_calibrated() {
            return;
        }
        let walk = session.into_walk();
        SPARE.with_borrow_mut(|spare| {
            if spare.len() == MOST_SPARE {
                spare.remove(0);
            }
            spare.push(Room { offer, walk });
        });
    }
}
