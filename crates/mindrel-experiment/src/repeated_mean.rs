//! Means over repetitions, with intervals by Student's t.

use serde::Serialize;

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// A mean over repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RepeatedMean {
    /// The mean.
    pub mean: f64,
    /// Where the mean of infinitely many repetitions lies with 95 % confidence, if repetitions scatter like a normal distribution;
    /// nothing from a single repetition.
    pub interval: Option<(f64, f64)>,
}

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
            return RepeatedMean { mean, interval: None };
        }
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = quantile(values.len() - 1, 0.5 * (1.0 + CONFIDENCE)) * (squares / (n - 1.0) / n).sqrt();
        RepeatedMean { mean, interval: Some((mean - half, mean + half)) }
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

/// The quantile above one half of Student's t, by halving.
fn quantile(degrees: usize, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e4);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if upper_tail(degrees, middle) > 1.0 - probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// P(T > t) for t ≥ 0, by the finite sums for whole degrees of freedom [AS64, 26.7.3-4].
///
/// ```text
/// θ = atan(t / √ν)
/// P(|T| < t) = 2/π (θ + sin θ (cos θ + 2/3 cos³ θ + … + 2·4⋯(ν−3) / (1·3⋯(ν−2)) cos^(ν−2) θ)),  ν odd (2θ/π for ν = 1)
///            = sin θ (1 + 1/2 cos² θ + … + 1·3⋯(ν−3) / (2·4⋯(ν−2)) cos^(ν−2) θ),                 ν even
/// ```
fn upper_tail(degrees: usize, t: f64) -> f64 {
    let theta = (t / (degrees as f64).sqrt()).atan();
    let (sine, cosine) = theta.sin_cos();
    let odd = degrees % 2 == 1;
    let (mut term, mut sum) = if odd { (cosine, 0.0) } else { (1.0, 0.0) };
    let mut power = if odd { 1 } else { 0 };
    while power + 2 <= degrees {
        sum += term;
        power += 2;
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
    }
    let within = if odd { (theta + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum };
    0.5 * (1.0 - within)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four-digit values of the usual tables.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let known =
            [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (19, 2.093), (99, 1.984)];
        for (degrees, expected) in known {
            let found = quantile(degrees, 0.975);
            assert!((found - expected).abs() < 5e-4, "{degrees}: {found}");
        }
    }

    #[test]
    fn one_repetition_has_no_interval_and_equal_ones_have_no_width() {
        assert_eq!(RepeatedMean::of(&[0.25]), RepeatedMean { mean: 0.25, interval: None });
        assert_eq!(RepeatedMean::of(&[0.25, 0.25]).interval, Some((0.25, 0.25)));
    }

    /// By hand: 1, 2, 3 have mean 2 and s = 1, so the half width is 4.303 / √3.
    #[test]
    fn an_interval_is_that_of_the_formula() {
        let (lower, upper) = RepeatedMean::of(&[1.0, 2.0, 3.0]).interval.expect("there are three");
        assert!((upper - lower - 2.0 * 4.302_653 / 3f64.sqrt()).abs() < 1e-5);
    }
}
