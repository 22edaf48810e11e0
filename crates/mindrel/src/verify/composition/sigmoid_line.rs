//! A line below the sigmoid over a range.
//!
//! ```text
//! slope · x + intercept ≤ σ(x) for every x from low to high,   intercept ≤ min (σ(x) − slope x)
//! ```
//!
//! Any slope will do; it is chosen as whoever made the proof chose it. Left of zero `σ(x) − slope x` bends upwards
//! and is no lower than its tangent anywhere; right of zero it bends downwards and is least at an end.

use crate::model::functions::sigmoid;
use crate::verify::interval::Interval;

/// `slope · x + intercept`, below.
pub(super) struct LineBelow {
    pub slope: f64,
    pub intercept: f64,
}

/// What a computed sigmoid can be off by, as a share of it.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

const HALVINGS: usize = 40;

pub(super) fn line_below_sigmoid(low: f64, high: f64) -> LineBelow {
    let slope = slope_below(low, high);
    if !slope.is_finite() || !low.is_finite() || !high.is_finite() {
        return LineBelow { slope: 0.0, intercept: 0.0 };
    }
    let gap = |x: f64| true_sigmoid(x) + -(Interval::point(x) * slope);
    let mut least = gap(low).low.min(gap(high).low);
    if low < 0.0 {
        let end = high.min(0.0);
        let share = (1.0 - (1.0 - 4.0 * slope).max(0.0).sqrt()) / 2.0;
        let touching = if share > 0.0 { (share / (1.0 - share)).ln().clamp(low, end) } else { low };
        let steepness = true_sigmoid(touching) * true_sigmoid(-touching) + -Interval::point(slope);
        let tangent = |x: f64| gap(touching) + steepness * (Interval::point(x) + -Interval::point(touching));
        least = least.min(tangent(low).low).min(tangent(end).low);
    }
    if high > 0.0 {
        least = least.min(gap(low.max(0.0)).low);
    }
    LineBelow { slope, intercept: least }
}

fn true_sigmoid(x: f64) -> Interval {
    let computed = sigmoid(x);
    Interval::point(computed).moved_outwards(ROUNDING * computed)
}

fn slope_below(low: f64, high: f64) -> f64 {
    let steepness = |x: f64| sigmoid(x) * sigmoid(-x);
    if high <= 0.0 {
        return steepness(f64::midpoint(low, high));
    }
    let is_left_of_touching = |x: f64| steepness(x) * (high - x) < sigmoid(high) - sigmoid(x);
    if low >= 0.0 || !is_left_of_touching(low) {
        return ((sigmoid(high) - sigmoid(low)) / (high - low)).min(0.25);
    }
    let (mut left, mut right) = (low, 0.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(left, right);
        if is_left_of_touching(middle) {
            left = middle;
        } else {
            right = middle;
        }
    }
    steepness(left)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_line_is_below_everywhere_and_near_somewhere(low in -40.0..40.0f64, width in 0.0..40.0f64) {
            let high = low + width;
            let line = line_below_sigmoid(low, high);
            let mut nearest = f64::INFINITY;
            for step in 0..=256 {
                let x = (low + width * f64::from(step) / 256.0).min(high);
                let above = true_sigmoid(x) + -(Interval::point(x) * line.slope + Interval::point(line.intercept));
                prop_assert!(above.high >= 0.0);
                nearest = nearest.min(above.low);
            }
            prop_assert!(nearest < 1e-3);
        }
    }
}
