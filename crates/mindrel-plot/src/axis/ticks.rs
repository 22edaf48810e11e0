//! Which values of an axis are marked: few, round, and evenly spread.

/// The number of ticks that reads best.
const BEST: f64 = 5.0;

/// A distance between ticks: 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy)]
pub(super) struct TickStep {
    digit: f64,
    exponent: i32,
}

impl TickStep {
    fn size(self) -> f64 {
        self.times(1.0)
    }

    /// A multiple of the step, rounded once: 3 × 0.1 is 0.3.
    fn times(self, count: f64) -> f64 {
        let power = 10f64.powi(self.exponent.abs());
        if self.exponent < 0 { count * self.digit / power } else { count * self.digit * power }
    }

    /// The multiples that lie within a range, as the first and the last factor.
    fn inside(self, lower: f64, upper: f64) -> (f64, f64) {
        ((lower / self.size() - NEAR).ceil(), (upper / self.size() + NEAR).floor())
    }

    /// The multiples that enclose a range.
    fn around(self, lower: f64, upper: f64) -> (f64, f64) {
        ((lower / self.size() + NEAR).floor(), (upper / self.size() - NEAR).ceil())
    }
}

/// A multiple of a step is taken for one although rounding has moved it by so much of a step.
const NEAR: f64 = 1e-6;

/// Steps about the size of a range, the small first; no fractions where whole things are counted.
fn steps(lower: f64, upper: f64, whole: bool) -> impl Iterator<Item = TickStep> {
    let size = (upper - lower).log10().floor() as i32;
    (size - 2..=size + 1)
        .flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| TickStep { digit, exponent }))
        .filter(move |step| !whole || step.exponent >= 0)
}

/// The step whose ticks, from a first to a last factor of it, are nearest to five and leave least of the axis idle.
fn best(lower: f64, upper: f64, whole: bool, reach: impl Fn(TickStep) -> (f64, f64)) -> Option<(TickStep, f64, f64)> {
    let price = |(step, first, last): &(TickStep, f64, f64)| {
        let count = last - first + 1.0;
        let idle = ((last - first) * step.size() / (upper - lower) - 1.0).max(0.0);
        let outside = if (3.0..=8.0).contains(&count) { 0.0 } else { 1000.0 };
        (count - BEST).abs() + 8.0 * idle + outside
    };
    let all = steps(lower, upper, whole).map(|step| {
        let (first, last) = reach(step);
        (step, first, last)
    });
    all.min_by(|one, other| price(one).total_cmp(&price(other)))
}

/// The round values within a range.
pub(super) fn linear(lower: f64, upper: f64, whole: bool) -> Vec<f64> {
    let Some((step, first, last)) = best(lower, upper, whole, |step| step.inside(lower, upper)) else {
        return vec![];
    };
    let count = ((last - first) as i64 + 1).clamp(0, 20);
    (0..count).map(|place| step.times(first + place as f64).clamp(lower, upper)).collect()
}

/// A range that begins and ends with a tick and encloses another, with its ticks.
pub(super) fn rounded(lower: f64, upper: f64, whole: bool) -> Vec<f64> {
    let upper = if whole { upper.max(lower + 2.0) } else { upper };
    let Some((step, first, last)) = best(lower, upper, whole, |step| step.around(lower, upper)) else {
        return vec![lower, upper];
    };
    let count = ((last - first) as i64 + 1).clamp(2, 20);
    (0..count).map(|place| step.times(first + place as f64)).collect()
}

/// The values 1, 2 and 5 times a power of ten within a range, or the powers of ten alone, or every k-th of them, so
/// that at most eight are left; on less than a decade, where these are too few, round values.
pub(super) fn logarithmic(lower: f64, upper: f64) -> Vec<f64> {
    let fine = multiples(lower, upper, &[1.0, 2.0, 5.0]);
    let decades = multiples(lower, upper, &[1.0]);
    if fine.len() < 3 {
        linear(lower, upper, false)
    } else if fine.len() <= 8 {
        fine
    } else {
        let stride = decades.len().div_ceil(8);
        decades.into_iter().step_by(stride).collect()
    }
}

/// The round values that enclose a range of positive values closely, with some room below what is not round itself.
pub(super) fn rounded_logarithmic(lower: f64, upper: f64) -> (f64, f64) {
    let digits = [1.0, 2.0, 5.0];
    let is_round = !multiples(lower * (1.0 - NEAR), lower * (1.0 + NEAR), &digits).is_empty();
    let floor = if is_round { lower * (1.0 + NEAR) } else { lower / 1.15 };
    let below = multiples(lower / 20.0, floor, &digits);
    let above = multiples(upper * (1.0 - NEAR), upper * 10.0, &digits);
    (below.last().copied().unwrap_or(lower).min(lower), above.first().copied().unwrap_or(upper).max(upper))
}

fn multiples(lower: f64, upper: f64, digits: &[f64]) -> Vec<f64> {
    let (first, last) = (lower.log10().floor() as i32, upper.log10().ceil() as i32);
    let all = (first..=last).flat_map(|exponent| digits.iter().map(move |&digit| TickStep { digit, exponent }.size()));
    all.filter(|value| (lower * (1.0 - 1e-12)..=upper * (1.0 + 1e-12)).contains(value))
        .map(|value| value.clamp(lower, upper))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(linear(0.0, 1.0, false), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(rounded(0.713, 0.862, false), [0.7, 0.75, 0.8, 0.85, 0.9]);
        assert_eq!(rounded(0.0, 1371.0, true), [0.0, 500.0, 1000.0, 1500.0]);
        assert_eq!(rounded(0.0, 12_000.0, true), [0.0, 2e3, 4e3, 6e3, 8e3, 1e4, 1.2e4]);
        assert_eq!(linear(0.0, 3.0, true), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn logarithmic_ticks_are_one_two_five_or_decades() {
        assert_eq!(logarithmic(0.01, 0.2), [0.01, 0.02, 0.05, 0.1, 0.2]);
        assert_eq!(logarithmic(1e-6, 1.0), [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0]);
        assert_eq!(logarithmic(3.0, 4.0), [3.0, 3.2, 3.4, 3.6, 3.8, 4.0]);
        assert_eq!(rounded_logarithmic(0.013, 0.41), (0.01, 0.5));
        assert_eq!(rounded_logarithmic(0.01, 1.0), (0.01, 1.0));
    }
}
