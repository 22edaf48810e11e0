//! Means over repetitions, with intervals by Student's t.

use mindrel_audit::{CONFIDENCE, t_quantile};
use serde::Serialize;

/// A mean over repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RepeatedMean {
    /// The mean.
    pub mean: f64,
    /// Where the mean of infinitely many repetitions lies with 95 % confidence, if repetitions scatter like a normal
    /// distribution; nothing from a single repetition.
    pub interval: Option<(f64, f64)>,
    /// How many repetitions.
    #[serde(skip)]
    pub repetitions: usize,
}

/// An interval from fewer repetitions is too uncertain itself to be drawn.
pub const FEWEST_DRAWN: usize = 5;

impl RepeatedMean {
    /// The mean of some repetitions, and its interval.
    ///
    /// ```text
    /// mean ± t · s / √n,   s² = Σ (x − mean)² / (n − 1),   t the 97.5 % quantile of Student's t with n − 1 degrees
    /// ```
    ///
    /// # Panics
    /// When there are no repetitions.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        assert!(!values.is_empty(), "a mean of something");
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        if values.len() == 1 {
            return RepeatedMean { mean, interval: None, repetitions: 1 };
        }
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = t_quantile(0.5 * (1.0 - CONFIDENCE), n - 1.0) * (squares / (n - 1.0) / n).sqrt();
        RepeatedMean { mean, interval: Some((mean - half, mean + half)), repetitions: values.len() }
    }

    /// The same for shares, whose mean cannot leave [0, 1].
    ///
    /// # Panics
    /// When there are no repetitions.
    #[must_use]
    pub fn of_shares(values: &[f64]) -> Self {
        let estimate = RepeatedMean::of(values);
        let interval = estimate.interval.map(|(low, high)| (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)));
        RepeatedMean { interval, ..estimate }
    }

    /// The interval, if there are enough repetitions to draw it.
    #[must_use]
    pub fn drawn_interval(&self) -> Option<(f64, f64)> {
        self.interval.filter(|_| self.repetitions >= FEWEST_DRAWN)
    }

    /// Whether the interval lies below a value.
    #[must_use]
    pub fn is_below(&self, value: f64) -> bool {
        self.interval.is_some_and(|(_, upper)| upper < value)
    }

    /// Whether the interval lies above a value.
    #[must_use]
    pub fn is_above(&self, value: f64) -> bool {
        self.interval.is_some_and(|(lower, _)| lower > value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repetition_has_no_interval_and_equal_ones_have_no_width() {
        assert_eq!(RepeatedMean::of(&[0.25]), RepeatedMean { mean: 0.25, interval: None, repetitions: 1 });
        assert_eq!(RepeatedMean::of(&[0.25, 0.25]).interval, Some((0.25, 0.25)));
    }

    #[test]
    fn no_band_is_drawn_around_fewer_than_five_repetitions() {
        assert_eq!(RepeatedMean::of(&[0.1, 0.2, 0.3, 0.4]).drawn_interval(), None);
        let five = RepeatedMean::of(&[0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!((five.drawn_interval(), five.interval.is_some()), (five.interval, true));
    }

    /// By hand: 1, 2, 3 have mean 2 and s = 1, so the half width is 4.303 / √3.
    #[test]
    fn an_interval_is_that_of_the_formula() {
        let (lower, upper) = RepeatedMean::of(&[1.0, 2.0, 3.0]).interval.expect("there are three");
        assert!((upper - lower - 2.0 * 4.302_653 / 3f64.sqrt()).abs() < 1e-5);
    }
}
