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

/// The probability that a Gaussian vector is non-negative in every coordinate.
///
/// ```text
/// P(X_1 ≥ 0, …, X_n ≥ 0),   X ~ N(mean, covariance)
/// ```
///
/// The covariance is n × n, row by row, and may be singular. A coordinate without variance is deterministic: it drops
/// out if its mean is at least zero and makes the probability zero otherwise.
///
/// # Numerics
/// One and two coordinates: absolute error ≤ 1e-14. Three: ≤ 1e-10. More: typically 1e-5, see [`POINTS`]. NaN if any
/// input is NaN.
pub fn orthant_probability(mean: &[f64], covariance: &[f64], n: usize) -> f64 {
    orthant_probability_with(mean, covariance, n, POINTS)
}

/// [`orthant_probability`] with a chosen number of lattice points for four and more coordinates.
pub fn orthant_probability_with(mean: &[f64], covariance: &[f64], n: usize, points: usize) -> f64 {
    assert!(
        mean.len() == n && covariance.len() == n * n,
        "n means and n × n covariances"
    );
    let variance = |i: usize| covariance[i * n + i];
    let largest = (0..n).map(variance).fold(0.0, f64::max);
    if mean.iter().chain(covariance).any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let mut random = Vec::with_capacity(n);
    for i in 0..n {
        if variance(i) > ZERO_VARIANCE * largest {
            random.push(i);
        } else if mean[i] < 0.0 {
            return 0.0;
        }
    }
    let deviation: Vec<f64> = random.iter().map(|&i| variance(i).sqrt()).collect();
    let h = |a: usize| mean[random[a]] / deviation[a];
    let correlation = |a: usize, b: usize| {
        (covariance[random[a] * n + random[b]] / (deviation[a] * deviation[b])).clamp(-1.0, 1.0)
    };
    match random.len() {
        0 => 1.0,
        1 => cdf(h(0)),
        2 => bivariate_cdf(h(0), h(1), correlation(0, 1)),
        3 => trivariate_cdf(
            [h(0), h(1), h(2)],
            [correlation(0, 1), correlation(0, 2), correlation(1, 2)],
        ),
        m => {
            let means: Vec<f64> = (0..m).map(h).collect();
            let correlations: Vec<f64> = (0..m * m).map(|c| correlation(c / m, c % m)).collect();
            lattice::lattice_probability(&means, &correlations, points)
        }
    }
}
