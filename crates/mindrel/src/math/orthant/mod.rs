//! The probability that a Gaussian vector is non-negative in every coordinate.

mod bivariate;
mod lattice;
mod trivariate;

pub use bivariate::bivariate_cdf;
pub use lattice::POINTS;
pub use trivariate::trivariate_cdf;

use super::normal::cdf;

/// A variance below this share of the largest counts as zero: it is what rounding leaves of a zero.
const ZERO_VARIANCE: f64 = 1e-14;

/// A correlation this near to ±1 counts as ±1.
const COLLINEAR: f64 = 4.0 * f64::EPSILON;

/// A coordinate this many deviations above zero is certain: Φ(−8.5) < 1e-16.
const CERTAIN: f64 = 8.5;
/// A coordinate this many deviations below zero might as well be farther: Φ(−40) is zero in an `f64`.
const IMPOSSIBLE: f64 = 40.0;

/// The probability that a Gaussian vector is non-negative in every coordinate.
///
/// ```text
/// P(X_1 ≥ 0, …, X_n ≥ 0),   X ~ N(mean, covariance)
/// ```
///
/// The covariance is n × n, row by row, and may be singular. A coordinate without variance is deterministic: it drops
/// out if its mean is at least zero and makes the probability zero otherwise. One coordinate is Φ, two are
/// [`bivariate_cdf`], three [`trivariate_cdf`]; more are exact for a covariance of rank one or two, and otherwise a sum
/// over [`POINTS`] points of a lattice.
///
/// # Numerics
/// Absolute error, for coordinates left after the deterministic and the certain: ≤ 1e-14 for one and two or rank one
/// and two, ≤ 1e-9 for three, typically 1e-5 for more. Correlations are clamped to [−1, 1]. NaN gives NaN.
pub fn orthant_probability(mean: &[f64], covariance: &[f64], n: usize) -> f64 {
    orthant_probability_with(mean, covariance, n, POINTS)
}

/// [`orthant_probability`] with another number of lattice points, for checking the usual one.
///
/// # Numerics
/// The error of the lattice sum falls roughly as one over the number of points.
pub fn orthant_probability_with(mean: &[f64], covariance: &[f64], n: usize, points: usize) -> f64 {
    assert!(mean.len() == n && covariance.len() == n * n, "n means and n × n covariances");
    if mean.iter().any(|x| x.is_nan()) || covariance.iter().any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let variance = |i: usize| covariance[i * n + i];
    let largest = (0..n).map(variance).fold(0.0, f64::max);
    let random = |i: usize| variance(i) > ZERO_VARIANCE * largest;
    if (0..n).any(|i| !random(i) && mean[i] < 0.0) {
        return 0.0;
    }
    let height = |i: usize| (mean[i] / variance(i).sqrt()).max(-IMPOSSIBLE);
    let contested = |i: &usize| random(*i) && height(*i) < CERTAIN;
    let correlation = |i: usize, j: usize| snapped(covariance[i * n + j] / (variance(i).sqrt() * variance(j).sqrt()));

    let mut few = [0; 3];
    let mut count = 0;
    for i in (0..n).filter(contested) {
        if count < 3 {
            few[count] = i;
        }
        count += 1;
    }
    let [i, j, k] = few;
    match count {
        0 => 1.0,
        1 => cdf(height(i)),
        2 => bivariate_cdf(height(i), height(j), correlation(i, j)),
        3 => trivariate_cdf(few.map(height), [correlation(i, j), correlation(i, k), correlation(j, k)]),
        _ => {
            let many: Vec<usize> = (0..n).filter(contested).collect();
            let heights: Vec<f64> = many.iter().map(|&i| height(i)).collect();
            let correlations: Vec<f64> =
                many.iter().flat_map(|&i| many.iter().map(move |&j| correlation(i, j))).collect();
            lattice::separated_probability(&heights, &correlations, points)
        }
    }
}

/// A correlation within [−1, 1]; what rounding has moved off ±1 is put back there.
///
/// A probability depends on the root of 1 − |ρ| there, so a few last bits of ρ would be worth 1e-8.
fn snapped(correlation: f64) -> f64 {
    if correlation.abs() > 1.0 - COLLINEAR { 1.0_f64.copysign(correlation) } else { correlation }
}
