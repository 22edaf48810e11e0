//! The lines between which a rectified unit lies.

use crate::verify::interval::Interval;

/// Two lines with `below · z ≤ max(z, 0) ≤ slope · z + intercept` wherever the sum `z` of a unit can be.
///
/// ```text
/// l ≥ 0        z ≤ max(z, 0) ≤ z
/// u ≤ 0        0 ≤ max(z, 0) ≤ 0
/// l < 0 < u    0 or z ≤ max(z, 0) ≤ u (z − l) / (u − l)
/// ```
///
/// `max(z, 0)` is convex: a line that is no lower at `l` and at `u` is no lower in between. So any slope will do once
/// the intercept is large enough for both ends, and only the intercept is rounded, upwards. All numbers are at least
/// zero.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    below: f64,
    slope: f64,
    intercept: f64,
}

/// A unit's bounds count as the same in size where they differ by no more than this share. Whoever made the proof moved
/// bounds outwards by up to some 1e-7 of their width, to be safe from rounding.
const TIE: f64 = 1e-6;

impl Lines {
    /// For a unit whose sum lies within bounds; if it can be on and off, `on` says which of the two lower lines.
    pub fn new(sum: Interval, on: bool) -> Self {
        let Interval { low, high } = sum;
        if low >= 0.0 {
            return Lines { below: 1.0, slope: 1.0, intercept: 0.0 };
        }
        if high <= 0.0 {
            return Lines { below: 0.0, slope: 0.0, intercept: 0.0 };
        }
        let slope = high / (high - low);
        let at_low = Interval::point(low) * -slope;
        let at_high = Interval::point(high) + Interval::point(high) * -slope;
        Lines { below: f64::from(u8::from(on)), slope, intercept: at_low.high.max(at_high.high) }
    }

    /// With the lower line that lies nearer to the unit on the whole: `z` where `u > −l`, else 0; where they are tied,
    /// as told.
    pub fn usual(sum: Interval, ties: &mut Ties) -> Self {
        let difference = sum.high + sum.low;
        let tied = sum.is_unsure() && difference.abs() <= TIE * (sum.high - sum.low);
        Lines::new(sum, if tied { ties.next() } else { difference > 0.0 })
    }

    /// A coefficient on the unit as one on its sum, and what falls to the constant; not larger wherever the sum can be.
    ///
    /// ```text
    /// c max(z, 0) ≥ (c⁺ below + c⁻ slope) z + c⁻ intercept
    /// ```
    pub fn under(self, coefficient: Interval) -> (Interval, Interval) {
        let (positive, negative) = (coefficient.positive(), coefficient.negative());
        (positive * self.below + negative * self.slope, negative * self.intercept)
    }
}

/// Which lower lines units have that are as often on as off.
///
/// Either will do, but not for the margin that a proof states: there the rounding of whoever made it has chosen, so
/// that all choices may have to be tried.
pub(in crate::verify) struct Ties {
    /// One bit for each tied unit, in the order they are met.
    choices: u32,
    n_met: u32,
}

/// Of more tied units than these, the others are bounded by zero.
const MOST_TIES: u32 = 6;

impl Ties {
    /// The first choice: all by zero.
    pub fn new() -> Self {
        Ties { choices: 0, n_met: 0 }
    }

    /// Another choice for the units that were met; `None` if all were tried.
    pub fn another(&self) -> Option<Ties> {
        let choices = self.choices + 1;
        (choices < 1 << self.n_met.min(MOST_TIES)).then_some(Ties { choices, n_met: 0 })
    }

    fn next(&mut self) -> bool {
        let on = self.n_met < MOST_TIES && self.choices >> self.n_met & 1 == 1;
        self.n_met += 1;
        on
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::Ratio;
    use proptest::prelude::*;

    use super::*;

    fn exact(value: f64) -> Ratio<BigInt> {
        Ratio::from_float(value).expect("finite")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// In rational numbers, at both ends, at zero and at a point in between.
        #[test]
        fn a_unit_lies_between_its_lines(low in -8.0..4.0f64, width in 0.0..8.0f64, share in 0.0..=1.0f64, on: bool) {
            let high = low + width;
            let lines = Lines::new(Interval { low, high }, on);
            let between = (low + share * width).clamp(low, high);
            for sum in [low, high, between, 0.0f64.clamp(low, high)] {
                let (unit, sum) = (exact(sum.max(0.0)), exact(sum));
                prop_assert!(exact(lines.below) * sum.clone() <= unit);
                prop_assert!(unit <= exact(lines.slope) * sum + exact(lines.intercept));
            }
        }
    }

    #[test]
    fn every_choice_of_two_ties_is_tried_once() {
        let mut tried = Vec::new();
        let mut ties = Some(Ties::new());
        while let Some(mut choice) = ties {
            tried.push((choice.next(), choice.next()));
            ties = choice.another();
        }
        assert_eq!(tried, [(false, false), (true, false), (false, true), (true, true)]);
        assert!(Ties::new().another().is_none());
    }
}
