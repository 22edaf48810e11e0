//! Interval arithmetic, rounded outwards.

use std::ops::{Add, Mul, Neg};

/// A number that is not known, but lies from `low` to `high`. It has no `Debug`: bounds tell about answers.
///
/// ```text
/// x ∈ X, y ∈ Y   ⇒   x + y ∈ X + Y,   x · y ∈ X · Y,   −x ∈ −X,   max(x, 0) ∈ X.positive(),   min(x, 0) ∈ X.negative()
/// ```
///
/// # Numerics
/// A sum or a product of floating-point numbers is rounded to the nearest one, so that the exact result lies between
/// its two neighbours: both ends of every result are moved out by one. What overflows or is not a number can be
/// anything. Adding nothing and multiplying by nothing need no rounding.
#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(test, derive(Debug))]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const ZERO: Interval = Interval { low: 0.0, high: 0.0 };
    pub const ONE: Interval = Interval { low: 1.0, high: 1.0 };
    const ANYTHING: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// A number that is known.
    pub fn point(value: f64) -> Self {
        Interval { low: value, high: value }
    }

    /// The larger of the number and zero.
    pub fn positive(self) -> Self {
        Interval { low: self.low.max(0.0), high: self.high.max(0.0) }
    }

    /// The smaller of the number and zero.
    pub fn negative(self) -> Self {
        Interval { low: self.low.min(0.0), high: self.high.min(0.0) }
    }

    /// A number that lies in one of two intervals.
    pub fn or(self, other: Self) -> Self {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Divided by something that is above zero.
    pub fn over(self, divisor: Self) -> Self {
        let ends = [self.low / divisor.low, self.low / divisor.high, self.high / divisor.low, self.high / divisor.high];
        if divisor.low <= 0.0 || ends.iter().any(|end| end.is_nan()) {
            return Interval::ANYTHING;
        }
        let (low, high) = ends.iter().fold((ends[0], ends[0]), |(low, high), &end| (low.min(end), high.max(end)));
        Interval::outwards(low, high)
    }

    /// Anything no further away than a distance.
    pub fn moved_outwards(self, distance: f64) -> Self {
        Interval::outwards(self.low - distance, self.high + distance)
    }

    /// Whether it may be above zero and may be below.
    pub fn is_unsure(self) -> bool {
        self.low < 0.0 && self.high > 0.0
    }

    fn outwards(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() {
            return Interval::ANYTHING;
        }
        Interval { low: low.next_down(), high: high.next_up() }
    }
}

impl Neg for Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }
}

impl Add for Interval {
    type Output = Interval;

    fn add(self, other: Interval) -> Interval {
        if self == Interval::ZERO {
            return other;
        }
        if other == Interval::ZERO {
            return self;
        }
        Interval::outwards(self.low + other.low, self.high + other.high)
    }
}

impl Mul for Interval {
    type Output = Interval;

    fn mul(self, other: Interval) -> Interval {
        if self == Interval::ZERO || other == Interval::ZERO {
            return Interval::ZERO;
        }
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        if ends.iter().any(|end| end.is_nan()) {
            return Interval::ANYTHING;
        }
        let (low, high) = ends.iter().fold((ends[0], ends[0]), |(low, high), &end| (low.min(end), high.max(end)));
        Interval::outwards(low, high)
    }
}

impl Mul<f64> for Interval {
    type Output = Interval;

    fn mul(self, factor: f64) -> Interval {
        if factor == 0.0 || self == Interval::ZERO {
            return Interval::ZERO;
        }
        let (low, high) = (self.low * factor, self.high * factor);
        if factor < 0.0 { Interval::outwards(high, low) } else { Interval::outwards(low, high) }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::Ratio;
    use proptest::prelude::*;

    use super::*;

    type Rational = Ratio<BigInt>;

    /// Numbers of every size, small whole ones among them so that results are exact or cancel now and then.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            3 => -1e3..1e3f64,
            2 => (-4i32..=4).prop_map(f64::from),
            2 => {
                use prop::num::f64::*;
                POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
            },
        ]
    }

    /// An interval and an exact number in it.
    fn inside() -> impl Strategy<Value = (Interval, Rational)> {
        (number(), number(), 0u32..=8).prop_map(|(one, other, eighths)| {
            let (low, high) = (one.min(other), one.max(other));
            let share = Rational::new(eighths.into(), 8.into());
            let value = exact(low) * (exact(1.0) - share.clone()) + exact(high) * share;
            (Interval { low, high }, value)
        })
    }

    fn exact(value: f64) -> Rational {
        Ratio::from_float(value).expect("finite")
    }

    fn contains(interval: Interval, value: &Rational) -> bool {
        let from = |low: f64| low == f64::NEG_INFINITY || exact(low) <= *value;
        let to = |high: f64| high == f64::INFINITY || *value <= exact(high);
        from(interval.low) && to(interval.high)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn every_operation_contains_the_exact_result((left, x) in inside(), (right, y) in inside(), factor in number()) {
            prop_assert!(contains(left + right, &(x.clone() + y.clone())));
            prop_assert!(contains(left * right, &(x.clone() * y.clone())));
            prop_assert!(contains(left * factor, &(x.clone() * exact(factor))));
            prop_assert!(contains(-left, &-x.clone()));
            if right.low > 0.0 {
                prop_assert!(contains(left.over(right), &(x.clone() / y.clone())));
            }
            prop_assert!(contains(left.moved_outwards(factor.abs()), &(x.clone() + exact(factor))));
            prop_assert!(contains(left.positive(), &x.clone().max(exact(0.0))));
            prop_assert!(contains(left.negative(), &x.clone().min(exact(0.0))));
            prop_assert!(contains(left.or(right), &x) && contains(left.or(right), &y));
        }

        /// A long sum of products, as a unit has, is still contained, and the interval hardly wider than rounding makes
        /// it.
        #[test]
        fn a_sum_of_products_stays_narrow(terms in prop::collection::vec((-8.0..8.0f64, -1.0..1.0f64), 1..20)) {
            let product = |(weight, value): &(f64, f64)| Interval::point(*value) * *weight;
            let sum = terms.iter().map(product).fold(Interval::ZERO, |sum, term| sum + term);
            let truth = terms.iter().map(|(weight, value)| exact(*weight) * exact(*value)).fold(exact(0.0), |sum, term| sum + term);
            prop_assert!(contains(sum, &truth));
            prop_assert!(sum.high - sum.low < 1e-12);
        }
    }

    #[test]
    fn what_is_not_a_number_can_be_anything() {
        let endless = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        let sum = endless + Interval::point(f64::INFINITY);
        assert!(sum == endless);
        assert!(endless * Interval { low: 0.0, high: 1.0 } == endless);
        assert!(Interval::point(f64::NAN) * 2.0 == endless);
        assert!((Interval::point(f64::MAX) + Interval::point(f64::MAX)).low == f64::MAX);
    }
}
