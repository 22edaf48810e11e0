//! The probability that a Gaussian vector is non-negative in every coordinate.
//!
//! Probabilities are of the kind *all margins of a class stay positive*, and the margins are often functions
//! of a few open columns: singular covariances are the rule here, and are treated as such rather than
//! jittered.

mod bivariate;
mod lattice;
mod trivariate;

pub use bivariate::bivariate_cdf;
pub use lattice::POINTS;
pub use trivariate::trivariate_cdf;

use super::normal::cdf;

/// A variance of no more than this part of the largest counts as zero: it is what rounding leaves of a zero.
const ZERO_VARIANCE: f64 = 1e-14;

/// A correlation this near to ±1 counts as ±1.
///
/// Probabilities change there with the root of 1 − |ρ|, so that a last bit of ρ that is not meant would be
/// worth 1e-8.
const COLLINEAR: f64 = 4.0 * f64::EPSILON;

/// A coordinate this many deviations above zero is certain to be: Φ(−8.5) < 1e-16.
const CERTAIN: f64 = 8.5;

/// More deviations below zero than this make no difference: Φ(−40) is zero in an `f64`.
const IMPOSSIBLE: f64 = -40.0;

/// The probability that a Gaussian vector is non-negative in every coordinate.
///
/// ```text
/// P(X_1 ≥ 0, …, X_n ≥ 0),   X ~ N(mean, covariance)
/// ```
///
/// The covariance is n × n, row by row, and may be singular. A coordinate without variance is deterministic:
/// it drops out if its mean is at least zero, and makes the probability zero otherwise. Of the rest, one is a
/// matter of Φ, two of [`bivariate_cdf`], three of [`trivariate_cdf`]; four and more have a closed form if
/// the covariance has rank one, and otherwise take a sum over a lattice, usually of [`POINTS`] points:
///
/// ```text
/// N = the least of 251, 1021, 4093, 16381, 65521, 262139 that is at least `points`, or else the last
/// ```
///
/// # Numerics
/// Absolute error: 1e-14 for one and two coordinates and for rank one; 1e-12 for three coordinates, 1e-9 at
/// worst if they are nearly singular. The median error of a sum over [`POINTS`] points is 2e-6 for four
/// coordinates, 2e-5 for six, 6e-5 for ten and 3e-4 for twenty to fifty; one in ten has ten times as much. For
/// rank two it is 2e-8, and 3e-5 at worst. It falls a little faster than 1/N; nothing else depends on `points`.
/// NaN if a mean is NaN or a covariance not finite.
///
/// # Panics
/// If there are not n × n covariances for n means.
pub fn orthant_probability(mean: &[f64], covariance: &[f64], points: usize) -> f64 {
    let n = mean.len();
    assert_eq!(covariance.len(), n * n, "n × n covariances for n means");
    if mean.iter().any(|x| x.is_nan()) || covariance.iter().any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let variance = |i: usize| covariance[i * n + i];
    let least = ZERO_VARIANCE * (0..n).map(variance).fold(0.0, f64::max);
    if (0..n).any(|i| variance(i) <= least && mean[i] < 0.0) {
        return 0.0;
    }
    let contested = || (0..n).filter(|&i| variance(i) > least).filter_map(|i| Contested::new(i, mean[i], variance(i)));
    let correlation = |a: Contested, b: Contested| {
        collinear_if_nearly(covariance[a.index * n + b.index] / (a.deviation * b.deviation))
    };

    let mut few = [Contested::default(); 3];
    let mut count = 0;
    for coordinate in contested() {
        if let Some(place) = few.get_mut(count) {
            *place = coordinate;
        }
        count += 1;
    }
    let [a, b, c] = few;
    match count {
        0 => 1.0,
        1 => cdf(a.height),
        2 => bivariate_cdf(a.height, b.height, correlation(a, b)),
        3 => trivariate_cdf(few.map(|x| x.height), [correlation(a, b), correlation(a, c), correlation(b, c)]),
        _ => {
            let many: Vec<Contested> = contested().collect();
            let heights: Vec<f64> = many.iter().map(|x| x.height).collect();
            let correlations: Vec<f64> =
                many.iter().flat_map(|&x| many.iter().map(move |&y| correlation(x, y))).collect();
            lattice::separated_probability(&heights, &correlations, points)
        }
    }
}

/// A coordinate that may be on either side of zero.
#[derive(Clone, Copy, Default)]
struct Contested {
    index: usize,
    deviation: f64,
    /// The mean in deviations.
    height: f64,
}

impl Contested {
    fn new(index: usize, mean: f64, variance: f64) -> Option<Self> {
        let deviation = variance.sqrt();
        let height = mean / deviation;
        (height < CERTAIN).then_some(Self { index, deviation, height: height.max(IMPOSSIBLE) })
    }
}

/// A correlation within [−1, 1], and at an end if it is [`COLLINEAR`].
fn collinear_if_nearly(correlation: f64) -> f64 {
    if correlation.abs() > 1.0 - COLLINEAR { 1.0_f64.copysign(correlation) } else { correlation }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings of numbers of size one.
    const ROUNDING: f64 = 1e-14;

    fn probability_of(mean: &[f64], covariance: &[f64]) -> f64 {
        orthant_probability(mean, covariance, POINTS)
    }

    #[test]
    fn nothing_is_always_non_negative() {
        assert_eq!(probability_of(&[], &[]), 1.0);
    }

    #[test]
    fn one_coordinate_is_the_normal_distribution() {
        assert!((probability_of(&[1.0], &[4.0]) - cdf(0.5)).abs() < ROUNDING);
        assert_eq!(probability_of(&[0.0], &[4.0]), 0.5);
    }

    #[test]
    fn a_coordinate_without_variance_drops_out_or_decides() {
        assert_eq!(probability_of(&[0.0], &[0.0]), 1.0);
        assert_eq!(probability_of(&[-1e-9], &[0.0]), 0.0);
        assert_eq!(probability_of(&[0.5, 0.0], &[1.0, 0.0, 0.0, 0.0]), cdf(0.5));
        assert_eq!(probability_of(&[0.5, -0.1], &[1.0, 0.0, 0.0, 0.0]), 0.0);
        // What rounding leaves of a zero variance, on either side of it.
        assert_eq!(probability_of(&[0.5, 1.0], &[1.0, 0.0, 0.0, 1e-17]), cdf(0.5));
        assert_eq!(probability_of(&[0.5, -1.0], &[1.0, 0.0, 0.0, -1e-17]), 0.0);
    }

    #[test]
    fn a_certain_coordinate_drops_out() {
        let covariance = [1.0, 0.5, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5, 1.0];
        let probability = probability_of(&[0.3, 20.0, -0.2], &covariance);
        assert!((probability - bivariate_cdf(0.3, -0.2, 0.5)).abs() < ROUNDING);
    }

    #[test]
    fn scale_does_not_matter() {
        let covariance = [1.0, 0.5, 0.2, 0.5, 1.0, -0.3, 0.2, -0.3, 1.0];
        let mean = [0.3, 0.8, -0.2];
        let scales = [1e-2, 7.0, 1e3];
        let scaled: Vec<f64> = (0..9).map(|c| covariance[c] * scales[c / 3] * scales[c % 3]).collect();
        let means: Vec<f64> = (0..3).map(|i| mean[i] * scales[i]).collect();
        let (a, b) = (probability_of(&mean, &covariance), probability_of(&means, &scaled));
        assert!((a - b).abs() < ROUNDING, "{a} {b}");
    }

    /// Margins that are all multiples of one open column: 0.3 + z, 1.2 − 2z, …; the covariance is computed,
    /// so its correlations are ±1 only up to rounding.
    #[test]
    fn one_open_column_gives_an_interval_for_any_number_of_margins() {
        let slopes = [0.7, -1.3, 0.31, -0.9, 2.7];
        let mean = [0.3, 1.1, 0.9, 1.7, 5.0];
        for n in 1..=5 {
            let covariance: Vec<f64> = (0..n * n).map(|c| slopes[c / n] * slopes[c % n] * 0.37).collect();
            let deviation = 0.37_f64.sqrt();
            let bound = |i: usize| -mean[i] / (slopes[i] * deviation);
            let lower = (0..n).filter(|&i| slopes[i] > 0.0).map(bound).fold(f64::NEG_INFINITY, f64::max);
            let upper = (0..n).filter(|&i| slopes[i] < 0.0).map(bound).fold(f64::INFINITY, f64::min);
            let probability = probability_of(&mean[..n], &covariance);
            assert!((probability - (cdf(upper) - cdf(lower))).abs() < ROUNDING, "{n} margins");
        }
    }

    /// X, Y, X + Y and 2X + Y over X, Y ≥ 0: the last two follow from the first two.
    #[test]
    fn implied_margins_change_nothing() {
        let rows = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]];
        for n in 2..=4 {
            let covariance: Vec<f64> =
                (0..n * n).map(|c| rows[c / n][0] * rows[c % n][0] + rows[c / n][1] * rows[c % n][1]).collect();
            let mean: Vec<f64> = rows[..n].iter().map(|row| 0.3 * row[0] - 0.4 * row[1]).collect();
            let probability = probability_of(&mean, &covariance);
            assert!((probability - cdf(0.3) * cdf(-0.4)).abs() < ROUNDING, "{n} margins");
        }
    }

    #[test]
    fn impossible_margins_have_probability_zero() {
        assert_eq!(probability_of(&[-1e300, 1.0], &[1.0, 0.0, 0.0, 1.0]), 0.0);
        // z − 1 ≥ 0 and −z − 1 ≥ 0
        assert_eq!(probability_of(&[-1.0, -1.0], &[1.0, -1.0, -1.0, 1.0]), 0.0);
        let covariance: Vec<f64> = (0..25).map(|c| if c / 5 == c % 5 { 1.0 } else { 0.3 }).collect();
        assert_eq!(probability_of(&[1.0, 1.0, f64::NEG_INFINITY, 1.0, 1.0], &covariance), 0.0);
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        assert!(probability_of(&[f64::NAN, 1.0], &[1.0, 0.0, 0.0, 1.0]).is_nan());
        assert!(probability_of(&[1.0, 1.0], &[1.0, f64::NAN, f64::NAN, 1.0]).is_nan());
        assert!(probability_of(&[1.0], &[f64::INFINITY]).is_nan());
    }

    #[test]
    fn another_number_of_points_changes_four_coordinates_and_not_three() {
        let covariance = |n: usize| (0..n * n).map(|c| if c / n == c % n { 1.0 } else { 0.4 }).collect::<Vec<_>>();
        let with = |n: usize, points| orthant_probability(&vec![0.5; n], &covariance(n), points);
        assert_eq!(with(3, 251), with(3, 65_521));
        assert_ne!(with(4, 251), with(4, 65_521));
        assert!((with(4, 251) - with(4, 65_521)).abs() < 1e-3);
    }
}
