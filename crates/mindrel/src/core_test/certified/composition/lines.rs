//! Lines below and above the functions that values are made by, over a range.
//!
//! ```text
//! slope · x + intercept ≤ f(x)   for every x from low to high
//! ```
//!
//! Any slope will do: the intercept is the least that `f(x) − slope · x` comes to, at the ends of the range and where
//! the slope of `f` is that of the line.

use crate::model::functions::{sigmoid, table};

/// `slope · x + intercept`.
#[derive(Clone, Copy)]
pub(super) struct SafeLine {
    pub slope: f64,
    pub intercept: f64,
}

/// How often a tangent is sought between two points, each time in half of what is left.
const HALVINGS: usize = 40;

impl SafeLine {
    fn constant(intercept: f64) -> Self {
        SafeLine { slope: 0.0, intercept }
    }

    /// Below the sigmoid.
    pub fn below_sigmoid(low: f64, high: f64) -> Self {
        let slope = sigmoid_slope(low, high);
        if !slope.is_finite() || !low.is_finite() || !high.is_finite() {
            return SafeLine::constant(0.0);
        }
        let gap = |x: f64| sigmoid(x) - slope * x;
        // σ(1 − σ) = slope, on the left, where the sigmoid begins to rise faster than the line.
        let square = (1.0 - 4.0 * slope).max(0.0).sqrt();
        let smaller = (1.0 - square) / 2.0;
        let touching = if smaller > 0.0 { (smaller / (1.0 - smaller)).ln() } else { low };
        let at_touching = gap(touching.clamp(low, high));
        SafeLine { slope, intercept: gap(low).min(gap(high)).min(at_touching) }
    }

    /// Above the sigmoid: `σ(x) = 1 − σ(−x)`.
    pub fn above_sigmoid(low: f64, high: f64) -> Self {
        let SafeLine { slope, intercept } = SafeLine::below_sigmoid(-high, -low);
        SafeLine { slope, intercept: 1.0 - intercept }
    }

    /// Below a table.
    pub fn below_table(at: &[f64], heights: &[f64], low: f64, high: f64) -> Self {
        SafeLine::beside_table(at, heights, low, high, f64::min)
    }

    /// Above a table.
    pub fn above_table(at: &[f64], heights: &[f64], low: f64, high: f64) -> Self {
        SafeLine::beside_table(at, heights, low, high, f64::max)
    }

    fn beside_table(at: &[f64], heights: &[f64], low: f64, high: f64, extreme: fn(f64, f64) -> f64) -> Self {
        let (first, last) = (table(at, heights, low), table(at, heights, high));
        let slope = (last - first) / (high - low);
        if !slope.is_finite() {
            return SafeLine::constant(extreme(first, last));
        }
        let inside = at.iter().zip(heights).filter(|(corner, _)| low < **corner && **corner < high);
        let gaps = inside.map(|(corner, height)| height - slope * corner);
        SafeLine { slope, intercept: gaps.fold(extreme(first - slope * low, last - slope * high), extreme) }
    }
}

/// The slope of a good line below the sigmoid: where it bends upwards throughout, its own in the middle; where it
/// bends downwards, the chord; else that of the line through its upper end that touches it on the left.
fn sigmoid_slope(low: f64, high: f64) -> f64 {
    let slope_at = |x: f64| sigmoid(x) * sigmoid(-x);
    let chord = (sigmoid(high) - sigmoid(low)) / (high - low);
    if high <= 0.0 {
        return slope_at(f64::midpoint(low, high));
    }
    let misses = |x: f64| slope_at(x) * (high - x) < sigmoid(high) - sigmoid(x);
    if low >= 0.0 || !misses(low) {
        return chord.min(0.25);
    }
    let (mut left, mut right) = (low, 0.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(left, right);
        if misses(middle) {
            left = middle;
        } else {
            right = middle;
        }
    }
    slope_at(left)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn lines_stay_on_their_side_of_the_sigmoid(low in -30.0..30.0f64, width in 0.0..30.0f64) {
            let high = low + width;
            let (below, above) = (SafeLine::below_sigmoid(low, high), SafeLine::above_sigmoid(low, high));
            for step in 0..=64 {
                let x = (low + width * f64::from(step) / 64.0).min(high);
                prop_assert!(below.slope * x + below.intercept <= sigmoid(x) + 1e-12);
                prop_assert!(sigmoid(x) <= above.slope * x + above.intercept + 1e-12);
            }
        }

        #[test]
        fn lines_stay_on_their_side_of_a_table(
            corners in prop::collection::btree_set(-20i32..20, 1..8),
            rises in prop::collection::vec(0.0..1.0f64, 8),
            low in -12.0..12.0f64,
            width in 0.0..12.0f64,
        ) {
            let at: Vec<f64> = corners.into_iter().map(|corner| f64::from(corner) / 2.0).collect();
            let mut height = 0.0;
            let heights: Vec<f64> = at.iter().zip(rises).map(|(_, rise)| { height += rise; height }).collect();
            let high = low + width;
            let (below, above) = (SafeLine::below_table(&at, &heights, low, high), SafeLine::above_table(&at, &heights, low, high));
            for step in 0..=64 {
                let x = (low + width * f64::from(step) / 64.0).min(high);
                let y = table(&at, &heights, x);
                prop_assert!(below.slope * x + below.intercept <= y + 1e-9 && y <= above.slope * x + above.intercept + 1e-9);
            }
        }
    }

    /// Where the sigmoid is wide open, a constant would be worth nothing in the middle.
    #[test]
    fn a_line_below_the_sigmoid_touches_it_at_its_upper_end() {
        let line = SafeLine::below_sigmoid(-6.0, 3.0);
        assert!((line.slope * 3.0 + line.intercept - sigmoid(3.0)).abs() < 1e-9);
        assert!(line.slope > 0.05);
    }
}
