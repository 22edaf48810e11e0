//! What is left of a normal number where negative ones become zero.

use crate::math::normal::{cdf, density};

/// Beyond this many deviations from zero a unit is always on, or always off: Φ(−40) is 0 to rounding.
const SURE: f64 = 40.0;

/// The mean and the variance of max(z, 0) for z ~ N(m, s²).
///
/// ```text
/// E = s (a Φ + φ),   Var = s² (Φ + a² Φ (1 − Φ) + a φ (1 − 2 Φ) − φ²),   Φ and φ at a = m / s
/// ```
///
/// # Numerics
/// The variance is not the difference of two squares, which would lose all digits if a is large. Absolute errors are a
/// few roundings of m and of s²; a negative result becomes zero.
pub(super) fn rectified_moments(mean: f64, deviation: f64) -> (f64, f64) {
    if deviation == 0.0 {
        return (mean.max(0.0), 0.0);
    }
    let a = mean / deviation;
    if a > SURE {
        return (mean, deviation * deviation);
    }
    if a < -SURE {
        return (0.0, 0.0);
    }
    let (on, height) = (cdf(a), density(a));
    let off = 1.0 - on;
    let share = on + a * a * on * off + a * height * (off - on) - height * height;
    ((deviation * (a * on + height)).max(0.0), (deviation * deviation * share).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings of numbers of size one.
    const ROUNDING: f64 = 1e-15;

    #[test]
    fn a_unit_that_is_certain_is_rectified_as_it_is() {
        assert_eq!(rectified_moments(2.0, 0.0), (2.0, 0.0));
        assert_eq!(rectified_moments(-2.0, 0.0), (0.0, 0.0));
        assert_eq!(rectified_moments(0.0, 0.0), (0.0, 0.0));
        assert_eq!(rectified_moments(1.0, 1e-320), (1.0, 0.0));
        assert_eq!(rectified_moments(-1e60, 1e-300), (0.0, 0.0));
    }

    /// Half a normal: E = 1/√(2π), E[r²] = ½. Far to the right, nothing is cut off.
    #[test]
    fn rectified_moments_take_known_values() {
        let (mean, variance) = rectified_moments(0.0, 1.0);
        assert!((mean - core::f64::consts::TAU.sqrt().recip()).abs() < ROUNDING);
        assert!((variance - (0.5 - core::f64::consts::TAU.recip())).abs() < ROUNDING);
        for (mean, deviation) in [(39.0, 1.0), (41.0, 1.0), (1e9, 1e8)] {
            let (found, variance) = rectified_moments(mean, deviation);
            assert!((found / mean - 1.0).abs() < ROUNDING);
            assert!((variance / (deviation * deviation) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn no_rectified_moment_is_negative() {
        for step in -4500..=4500 {
            let (mean, variance) = rectified_moments(f64::from(step) / 100.0, 1.0);
            assert!(mean >= 0.0 && (0.0..=1.0 + 1e-12).contains(&variance), "{step}");
        }
    }
}
