//! Which rows are learned from and which only looked at, and in what order: all drawn from one seed.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

/// A random number below another, every one as likely as any other to within 2⁻⁶⁴ · n.
pub(crate) fn below(count: usize, random: &mut Pcg64Mcg) -> usize {
    ((u128::from(random.next_u64()) * count as u128) >> 64) as usize
}

/// Puts things in a random order.
pub(crate) fn shuffle<T>(things: &mut [T], random: &mut Pcg64Mcg) {
    for last in (1..things.len()).rev() {
        things.swap(last, below(last + 1, random));
    }
}

/// Which rows to learn from, and which to validate on.
pub(super) struct RowSplit {
    pub(super) training: Vec<usize>,
    pub(super) validation: Vec<usize>,
}

/// Draws a share of each class's rows, rounded down, to validate on; so every class keeps a row to be learned from.
pub(super) fn split(labels: &[usize], n_classes: usize, share: f64, random: &mut Pcg64Mcg) -> RowSplit {
    let mut parts = RowSplit { training: Vec::with_capacity(labels.len()), validation: Vec::new() };
    for class in 0..n_classes {
        let mut rows: Vec<usize> = (0..labels.len()).filter(|&row| labels[row] == class).collect();
        shuffle(&mut rows, random);
        let (validation, training) = rows.split_at((share * rows.len() as f64) as usize);
        parts.validation.extend(validation);
        parts.training.extend(training);
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_pcg::rand_core::SeedableRng;

    use super::*;

    /// Of 6,000 seeded draws of three things, each of the six orders takes a sixth: 1,000 with a deviation of 29, and
    /// six of those would be beaten by luck less than once in 10⁸.
    #[test]
    fn every_order_is_as_likely_as_any_other() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut things = [0, 1, 2];
            shuffle(&mut things, &mut random);
            *counts.entry(things).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (count - 1000).abs() < 174));
    }

    proptest! {
        #[test]
        fn every_row_is_in_one_part_and_every_class_is_learned_from(
            labels in prop::collection::vec(0..4_usize, 0..200), share in 0.0..1.0, seed: u64,
        ) {
            let parts = split(&labels, 4, share, &mut Pcg64Mcg::seed_from_u64(seed));
            let mut rows: Vec<usize> = parts.training.iter().chain(&parts.validation).copied().collect();
            rows.sort_unstable();
            prop_assert!(rows.into_iter().eq(0..labels.len()));
            for class in 0..4 {
                let count = |rows: &[usize]| rows.iter().filter(|&&row| labels[row] == class).count();
                let (kept, aside) = (count(&parts.training), count(&parts.validation));
                prop_assert_eq!(aside, (share * (kept + aside) as f64) as usize);
                prop_assert!(kept > 0 || aside == 0);
            }
        }
    }
}
