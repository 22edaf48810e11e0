//! Bytes nobody can foresee.

use std::cell::RefCell;

/// So many are asked of the operating system at once: being asked costs more than the bytes do.
const AT_ONCE: usize = 1024;

/// Bytes not handed out yet; those that were are zero.
struct Stock {
    bytes: [u8; AT_ONCE],
    left: usize,
}

thread_local! {
    static STOCK: RefCell<Stock> = const { RefCell::new(Stock { bytes: [0; AT_ONCE], left: 0 }) };
}

/// Some of the operating system's random bytes, each handed out once.
///
/// # Panics
/// When the operating system has none.
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    const { assert!(N <= AT_ONCE, "more than are asked for at once") };
    STOCK.with_borrow_mut(|stock| {
        if stock.left < N {
            getrandom::fill(&mut stock.bytes).expect("the operating system has random numbers");
            stock.left = AT_ONCE;
        }
        stock.left -= N;
        let mut taken = [0; N];
        taken.swap_with_slice(&mut stock.bytes[stock.left..stock.left + N]);
        taken
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bytes_are_handed_out_twice() {
        let drawn: std::collections::HashSet<[u8; 24]> = (0..10_000).map(|_| random_bytes()).collect();
        assert_eq!(drawn.len(), 10_000);
    }

    #[test]
    fn every_bit_is_set_about_half_the_time() {
        let mut counts = [0; 24 * 8];
        for _ in 0..4000 {
            let bytes: [u8; 24] = random_bytes();
            counts.iter_mut().enumerate().for_each(|(bit, count)| *count += i32::from(bytes[bit / 8] >> (bit % 8) & 1));
        }
        // Seven standard deviations: by chance once in 10⁹ runs.
        assert!(counts.iter().all(|count| (count - 2000).abs() < 222));
    }
}
