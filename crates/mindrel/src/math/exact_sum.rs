//! The exact sign of a sum of products of floating-point numbers.

use std::cmp::Ordering;

/// Products smaller than this could lose their rounding error to underflow, so that a sum holding one is not exact.
const SMALLEST_EXACT_PRODUCT: f64 = 1e-280;

/// A sum held without any rounding, as non-overlapping parts whose exact sum it is.
///
/// ```text
/// sum = part_1 + part_2 + … + part_m,   every addition and product split into value + rounding error
/// ```
///
/// [Shewchuk 1997]: adaptive precision floating-point arithmetic. It settles what ordinary sums leave within their own
/// rounding error: whether a score is exactly zero, or on which side of zero it lies.
///
/// # Example
/// ```
/// use std::cmp::Ordering;
/// use mindrel::math::exact_sum::ExactSum;
///
/// let mut sum = ExactSum::new();
/// sum.add(1e16);
/// sum.add_product(0.5, 2.0);
/// sum.add(-1e16);
/// assert_eq!(sum.sign(), Some(Ordering::Greater)); // 1e16 + 1.0 - 1e16 is 0.0 in plain arithmetic
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    parts: Vec<f64>,
    inexact: bool,
}

impl ExactSum {
    /// The empty sum, zero.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one number.
    pub fn add(&mut self, value: f64) {
        let mut carried = value;
        let mut kept = 0;
        for index in 0..self.parts.len() {
            let (sum, error) = two_sum(carried, self.parts[index]);
            if error != 0.0 {
                self.parts[kept] = error;
                kept += 1;
            }
            carried = sum;
        }
        self.parts.truncate(kept);
        // A zero on top would hide the sign of what is below it.
        if carried != 0.0 {
            self.parts.push(carried);
        }
        self.inexact |= !carried.is_finite();
    }

    /// Adds the product of two numbers.
    pub fn add_product(&mut self, left: f64, right: f64) {
        let product = left * right;
        self.inexact |= left != 0.0 && right != 0.0 && product.abs() < SMALLEST_EXACT_PRODUCT;
        self.add(left.mul_add(right, -product));
        self.add(product);
    }

    /// On which side of zero the sum lies. `None` if a term overflowed or underflowed.
    #[must_use]
    pub fn sign(&self) -> Option<Ordering> {
        if self.inexact {
            return None;
        }
        // The parts do not overlap and grow in size, so the last one decides.
        self.parts.last().unwrap_or(&0.0).partial_cmp(&0.0)
    }
}

/// A sum and its rounding error, whose exact sum is the exact `left + right` [Knuth, TAOCP 2, §4.2.2].
fn two_sum(left: f64, right: f64) -> (f64, f64) {
    let sum = left + right;
    let right_part = sum - left;
    let left_part = sum - right_part;
    (sum, (left - left_part) + (right - right_part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::Ratio;
    use proptest::prelude::*;

    fn ratio(value: f64) -> Ratio<BigInt> {
        Ratio::from_float(value).expect("finite")
    }

    proptest! {
        #[test]
        fn the_sign_is_the_sign_of_the_rational_sum(
            terms in prop::collection::vec((-4i32..=4, -4i32..=4, -60i32..60, -60i32..60), 0..12),
        ) {
            let mut sum = ExactSum::new();
            let mut reference = Ratio::from_integer(BigInt::from(0));
            for (left, right, left_scale, right_scale) in terms {
                let left = f64::from(left) * f64::from(left_scale).exp2() / 3.0;
                let right = f64::from(right) * f64::from(right_scale).exp2() / 7.0;
                sum.add_product(left, right);
                reference += ratio(left) * ratio(right);
            }
            prop_assert_eq!(sum.sign(), Some(reference.cmp(&Ratio::from_integer(BigInt::from(0)))));
        }
    }

    #[test]
    fn what_large_terms_leave_when_they_cancel_has_its_own_sign() {
        for (small, expected) in [(1e-30, Ordering::Greater), (-1e-30, Ordering::Less), (0.0, Ordering::Equal)] {
            let mut sum = ExactSum::new();
            for value in [1e16, small, 3.0, -1e16, -3.0] {
                sum.add(value);
            }
            assert_eq!(sum.sign(), Some(expected));
        }
    }

    #[test]
    fn a_product_that_underflows_makes_the_sign_unknown() {
        let mut sum = ExactSum::new();
        sum.add_product(1e-200, 1e-200);
        assert_eq!(sum.sign(), None);
    }

    #[test]
    fn an_overflow_makes_the_sign_unknown() {
        let mut sum = ExactSum::new();
        sum.add_product(1e200, 1e200);
        assert_eq!(sum.sign(), None);
    }
}
