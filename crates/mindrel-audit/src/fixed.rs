//! Sums that do not depend on the order of their terms.

/// How many units make one.
const UNITS: f64 = (1u64 << 40) as f64;

/// Larger terms are clamped to this: squares of numbers a billion times as wide as their domain, which are mistakes.
const LIMIT: f64 = (1u64 << 60) as f64;

/// A sum of numbers, each rounded to a multiple of 2⁻⁴⁰. Integers are added, so the order does not matter.
///
/// # Numerics
/// Rounding costs at most 2⁻⁴¹ per term. Terms are clamped to ±2⁶⁰, so that a hundred million of them do not
/// overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FixedSum(i128);

impl FixedSum {
    pub fn add(&mut self, term: f64) {
        debug_assert!(!term.is_nan(), "only numbers are added up");
        self.0 += (term.clamp(-LIMIT, LIMIT) * UNITS).round() as i128;
    }

    pub fn merge(&mut self, other: FixedSum) {
        self.0 += other.0;
    }

    pub fn value(self) -> f64 {
        self.0 as f64 / UNITS
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum(terms: &[f64]) -> FixedSum {
        let mut sum = FixedSum::default();
        terms.iter().for_each(|term| sum.add(*term));
        sum
    }

    proptest! {
        #[test]
        fn the_order_of_the_terms_does_not_matter(
            mut terms in prop::collection::vec(-1e3..1e3f64, 0..50),
            cut in 0usize..50,
        ) {
            let whole = sum(&terms);
            let cut = cut.min(terms.len());
            let mut parts = sum(&terms[cut..]);
            parts.merge(sum(&terms[..cut]));
            terms.reverse();
            prop_assert_eq!((whole, parts), (sum(&terms), whole));
            let rounding = terms.len() as f64 * 2f64.powi(-41) + 1e-9;
            prop_assert!((whole.value() - terms.iter().sum::<f64>()).abs() <= rounding);
        }
    }

    #[test]
    fn a_mistake_in_a_table_is_cut_off_and_overflows_nothing() {
        assert_eq!(sum(&[1e300, -1e300, 0.25]).value(), 0.25);
    }
}
