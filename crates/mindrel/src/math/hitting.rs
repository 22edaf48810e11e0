//! The smallest set that meets every one of some sets.

/// The most items a set may have.
pub const MOST_ITEMS: usize = 128;

/// A smallest set of items that has an item of every set, each written as the bits of a number; nothing if one of them is empty.
///
/// Grows the size by one until a search of that depth succeeds. At each step the smallest set not yet met is taken and each of its
/// items tried; a step is given up when disjoint sets that are not met outnumber the items left.
///
/// # Example
/// ```
/// use mindrel::math::hitting::smallest_hitting_set;
///
/// assert_eq!(smallest_hitting_set(&[0b011, 0b110, 0b010]), Some(0b010));
/// assert_eq!(smallest_hitting_set(&[0b001, 0b110]).map(u128::count_ones), Some(2));
/// assert_eq!(smallest_hitting_set(&[0b001, 0]), None);
/// ```
#[must_use]
pub fn smallest_hitting_set(sets: &[u128]) -> Option<u128> {
    (0..=MOST_ITEMS as u32).find_map(|size| search(sets, size, 0)).filter(|_| sets.iter().all(|&set| set != 0))
}

fn search(sets: &[u128], size: u32, chosen: u128) -> Option<u128> {
    let mut smallest: Option<u128> = None;
    let (mut used, mut disjoint) = (0, 0);
    for &set in sets.iter().filter(|&&set| set & chosen == 0) {
        if smallest.is_none_or(|other| set.count_ones() < other.count_ones()) {
            smallest = Some(set);
        }
        if set & used == 0 {
            used |= set;
            disjoint += 1;
        }
    }
    let Some(mut left) = smallest else {
        return Some(chosen);
    };
    if disjoint > size {
        return None;
    }
    while left != 0 {
        let item = left & left.wrapping_neg();
        if let Some(found) = search(sets, size - 1, chosen | item) {
            return Some(found);
        }
        left ^= item;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against every subset of eight items.
        #[test]
        fn no_smaller_set_meets_all_sets(sets in prop::collection::vec(1u128..256, 0..12)) {
            let meets = |chosen: u128| sets.iter().all(|set| set & chosen != 0);
            let found = smallest_hitting_set(&sets).unwrap();
            prop_assert!(meets(found));
            let smallest = (0u128..256).filter(|&chosen| meets(chosen)).map(u128::count_ones).min();
            prop_assert_eq!(Some(found.count_ones()), smallest);
        }
    }

    #[test]
    fn all_items_can_be_needed() {
        let sets: Vec<u128> = (0..MOST_ITEMS).map(|item| 1 << item).collect();
        assert_eq!(smallest_hitting_set(&sets), Some(u128::MAX));
    }
}
