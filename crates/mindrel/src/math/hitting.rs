//! Small and cheap sets that meet every one of some sets.

/// The most items a set may have.
pub const MOST_ITEMS: usize = 128;

/// A set of items that meets every one of some sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HittingSet {
    /// Its items, as the bits of a number.
    pub items: u128,
    /// Whether no smaller or cheaper set, whichever was looked for, meets them all; false if the search was given up.
    pub is_optimal: bool,
    /// How many steps the search took.
    pub steps: u64,
}

/// A smallest set of items that has an item of every set, each written as the bits of a number; `None` if one of them
/// is empty. It is known to have at least `at_least` items.
///
/// The search is that of [`cheapest_hitting_set`] with a cost of one for each item.
///
/// # Example
/// ```
/// use mindrel::math::hitting::hitting_set;
///
/// let smallest = |sets: &[u128]| hitting_set(sets, 0, 1000).map(|found| found.items);
/// assert_eq!(smallest(&[0b011, 0b110, 0b010]), Some(0b010));
/// assert_eq!(smallest(&[0b001, 0b110]).map(u128::count_ones), Some(2));
/// assert_eq!(smallest(&[0b001, 0]), None);
/// ```
#[must_use]
pub fn hitting_set(sets: &[u128], at_least: u32, most_steps: u64) -> Option<HittingSet> {
    search(sets, |_| 1.0, f64::from(at_least), most_steps)
}

/// A cheapest set of items that has an item of every set; `None` if one of them is empty. Costs are positive, by item.
///
/// Branch and bound: the smallest set not yet met is taken and each of its items tried; a branch is given up when it
/// costs, with the cheapest item of each of some disjoint sets that are not met, as much as the best so far. After
/// `most_steps` of them the best so far is taken.
///
/// # Example
/// ```
/// use mindrel::math::hitting::cheapest_hitting_set;
///
/// let cheapest = |costs: &[f64]| cheapest_hitting_set(&[0b011, 0b110], costs, 1000).map(|found| found.items);
/// assert_eq!(cheapest(&[1.0, 5.0, 1.0]), Some(0b101));
/// assert_eq!(cheapest(&[1.0, 1.5, 1.0]), Some(0b010));
/// ```
///
/// # Panics
/// When an item of a set has no cost.
#[must_use]
pub fn cheapest_hitting_set(sets: &[u128], costs: &[f64], most_steps: u64) -> Option<HittingSet> {
    search(sets, |item| costs[item as usize], 0.0, most_steps)
}

fn search(sets: &[u128], cost_of: impl Fn(u32) -> f64, at_least: f64, most_steps: u64) -> Option<HittingSet> {
    if sets.contains(&0) {
        return None;
    }
    let first = greedy(sets);
    let cost = items(first).map(&cost_of).sum();
    let mut search = HittingSearch { sets, cost_of, at_least, steps_left: most_steps, best: (first, cost) };
    let is_optimal = search.with(0, 0.0);
    Some(HittingSet { items: search.best.0, is_optimal, steps: most_steps - search.steps_left })
}

struct HittingSearch<'a, F> {
    sets: &'a [u128],
    cost_of: F,
    /// Nothing that meets all sets costs less.
    at_least: f64,
    steps_left: u64,
    best: (u128, f64),
}

impl<F: Fn(u32) -> f64> HittingSearch<'_, F> {
    /// Looks through the sets with some items chosen; false if it was given up.
    fn with(&mut self, chosen: u128, cost: f64) -> bool {
        let mut further = 0.0;
        let smallest = smallest_unmet(self.sets, chosen, |set| {
            further += items(set).map(&self.cost_of).fold(f64::INFINITY, f64::min);
        });
        if cost + further >= self.best.1 || self.best.1 <= self.at_least {
            return true;
        }
        let Some(open) = smallest else {
            self.best = (chosen, cost);
            return true;
        };
        if self.steps_left == 0 {
            return false;
        }
        self.steps_left -= 1;
        items(open).all(|item| self.with(chosen | 1 << item, cost + (self.cost_of)(item)))
    }
}

/// The smallest set that no chosen item meets; calls `disjoint` with some such sets that have no item in common.
fn smallest_unmet(sets: &[u128], chosen: u128, mut disjoint: impl FnMut(u128)) -> Option<u128> {
    let mut smallest: Option<u128> = None;
    let mut used = 0;
    for &set in sets.iter().filter(|&&set| set & chosen == 0) {
        if smallest.is_none_or(|other| set.count_ones() < other.count_ones()) {
            smallest = Some(set);
        }
        if set & used == 0 {
            used |= set;
            disjoint(set);
        }
    }
    smallest
}

/// The items of a set.
fn items(mut set: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let item = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (item < MOST_ITEMS as u32).then_some(item)
    })
}

/// The item that meets most sets not yet met, again and again; then without those whose sets are met by others too.
fn greedy(sets: &[u128]) -> u128 {
    let mut chosen = 0;
    let mut order = Vec::new();
    loop {
        let mut counts = [0_u32; MOST_ITEMS];
        for set in sets.iter().filter(|set| *set & chosen == 0) {
            items(*set).for_each(|item| counts[item as usize] += 1);
        }
        let most = counts.iter().copied().max().filter(|count| *count > 0);
        let Some(item) = most.and_then(|most| counts.iter().position(|count| *count == most)) else { break };
        chosen |= 1 << item;
        order.push(item);
    }
    for item in order {
        let others = chosen & !(1 << item);
        if sets.iter().all(|set| set & others != 0) {
            chosen = others;
        }
    }
    chosen
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
            let found = hitting_set(&sets, 0, u64::MAX).unwrap();
            prop_assert!(meets(found.items) && found.is_optimal);
            let smallest = (0u128..256).filter(|&chosen| meets(chosen)).map(u128::count_ones).min();
            prop_assert_eq!(Some(found.items.count_ones()), smallest);
            for most_steps in 0..4 {
                let given_up = hitting_set(&sets, 0, most_steps).unwrap();
                prop_assert!(meets(given_up.items));
                prop_assert!(!given_up.is_optimal || given_up.items.count_ones() == found.items.count_ones());
            }
        }
    }

    proptest! {
        /// Against every subset of eight items. Costs are whole, so that sums are exact.
        #[test]
        fn no_cheaper_set_meets_all_sets(
            sets in prop::collection::vec(1u128..256, 0..12),
            costs in prop::collection::vec(1u8..20, 8),
        ) {
            let costs: Vec<f64> = costs.into_iter().map(f64::from).collect();
            let cost = |chosen: u128| items(chosen).map(|item| costs[item as usize]).sum::<f64>();
            let meets = |chosen: u128| sets.iter().all(|set| set & chosen != 0);
            let found = cheapest_hitting_set(&sets, &costs, u64::MAX).unwrap();
            prop_assert!(meets(found.items) && found.is_optimal);
            let least = (0u128..256).filter(|&chosen| meets(chosen)).map(cost).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(cost(found.items), least);
            for most_steps in 0..4 {
                let given_up = cheapest_hitting_set(&sets, &costs, most_steps).unwrap();
                prop_assert!(meets(given_up.items));
                prop_assert!(!given_up.is_optimal || cost(given_up.items) == least);
            }
        }
    }

    /// A thousand random sets of three of forty items: an exact search would not end.
    #[test]
    fn a_search_that_is_given_up_still_meets_every_set() {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            1_u128 << ((state >> 33) % 40)
        };
        let sets: Vec<u128> = (0..1000).map(|_| draw() | draw() | draw()).collect();
        let found = hitting_set(&sets, 0, 1000).expect("no set is empty");
        assert!(!found.is_optimal && sets.iter().all(|set| set & found.items != 0));
    }

    #[test]
    fn all_items_can_be_needed() {
        let sets: Vec<u128> = (0..MOST_ITEMS).map(|item| 1 << item).collect();
        let found = hitting_set(&sets, 0, u64::MAX).expect("no set is empty");
        assert!(found.items == u128::MAX && found.is_optimal);
    }
}
