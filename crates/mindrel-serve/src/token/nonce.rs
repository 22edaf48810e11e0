//! Numbers used once.

use std::cell::RefCell;

use super::random::random_bytes;

/// The part of a nonce that a key of the cipher is derived with.
pub(super) const RUN_BYTES: usize = 16;
pub(super) const NONCE_BYTES: usize = RUN_BYTES + 8;

/// So many nonces begin alike.
const IN_A_RUN: u64 = 1024;

/// Nonces that begin alike.
struct Run {
    begins: [u8; RUN_BYTES],
    used: u64,
}

thread_local! {
    static RUN: RefCell<Run> = const { RefCell::new(Run { begins: [0; RUN_BYTES], used: IN_A_RUN }) };
}

/// A nonce nobody has had and nobody will: 16 random bytes for each run on each thread, and within it a count.
///
/// Two runs begin alike as seldom as 128 random bits are the same. What is derived from the beginning is the same for a whole run, and
/// need not be derived for each token.
pub(super) fn nonce() -> [u8; NONCE_BYTES] {
    RUN.with_borrow_mut(|run| {
        if run.used == IN_A_RUN {
            *run = Run { begins: random_bytes(), used: 0 };
        }
        let mut nonce = [0; NONCE_BYTES];
        nonce[..RUN_BYTES].copy_from_slice(&run.begins);
        nonce[RUN_BYTES..].copy_from_slice(&run.used.to_le_bytes());
        run.used += 1;
        nonce
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_nonce_comes_twice_on_any_thread_and_runs_begin_at_random() {
        let draw = || (0..3 * IN_A_RUN).map(|_| nonce()).collect::<Vec<_>>();
        let drawn: Vec<[u8; NONCE_BYTES]> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(draw)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), drawn.len());
        let runs: HashSet<&[u8]> = drawn.iter().map(|nonce| &nonce[..RUN_BYTES]).collect();
        assert_eq!(runs.len(), 4 * 3);
    }
}
