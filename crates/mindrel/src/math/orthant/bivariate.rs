//! The distribution function of two correlated standard normal variables.

use core::f64::consts::TAU;

use crate::math::normal::{branchless_exp, cdf};
use crate::math::quadrature::{Abscissa, legendre_table};

/// From this |ρ| on, the integral starts at perfect correlation rather than at independence.
const NEARLY_COLLINEAR: f64 = 0.95;

/// Limits are cut to ±40: Φ(−40) is below the smallest `f64`, and squares of what is left cannot overflow.
pub(super) const FARTHEST_LIMIT: f64 = 40.0;

/// The probability that two standard normal variables with correlation ρ are at most h and k.
///
/// ```text
/// Φ₂(h, k; ρ) = P(X ≤ h, Y ≤ k)
///             = Φ(h) Φ(k) + 1/2π ∫_0^ρ exp(−(h² + k² − 2hkr) / 2(1 − r²)) / √(1 − r²) dr
/// ```
///
/// The method is that of Drezner and Wesolowsky (1990) as refined by A. Genz, *Numerical computation of
/// rectangular bivariate and trivariate normal and t probabilities*, Statistics and Computing 14 (2004)
/// 251–260. Departs from it: r = 2t/(1 + t²) replaces r = sin θ (needs fewer nodes and no sines), and one
/// more term is taken in closed form near |ρ| = 1. ρ is clamped to [−1, 1]; h and k may be infinite; NaN
/// gives NaN.
///
/// # Numerics
/// Absolute error ≤ 1e-15 for every ρ, including ±1 and its neighbours.
pub fn bivariate_cdf(h: f64, k: f64, rho: f64) -> f64 {
    let h = h.clamp(-FARTHEST_LIMIT, FARTHEST_LIMIT);
    let k = k.clamp(-FARTHEST_LIMIT, FARTHEST_LIMIT);
    let rho = rho.clamp(-1.0, 1.0);
    let probability = if rho >= NEARLY_COLLINEAR {
        cdf(lesser(h, k)) - from_collinearity(h, k, rho)
    } else if rho <= -NEARLY_COLLINEAR {
        (cdf(h) - cdf(-k)).clamp(0.0, 1.0) + from_collinearity(h, -k, -rho)
    } else {
        cdf(h) * cdf(k) + from_independence(h, k, rho)
    };
    probability.clamp(0.0, 1.0)
}

/// The smaller of two numbers, or NaN if either is; `f64::min` would pass over the NaN.
fn lesser(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// The integral from independence to ρ.
///
/// ```text
/// 1/2π ∫_0^T exp(−(1 + t²) ((h² + k²)(1 + t²) − 4hkt) / 2(1 − t²)²) 2/(1 + t²) dt,   T = ρ/(1 + √(1 − ρ²))
/// ```
///
/// The number of nodes for each range of |ρ| is the least that keeps the error below 1e-15.
fn from_independence(h: f64, k: f64, rho: f64) -> f64 {
    const LEGENDRE_6: [Abscissa; 6] = legendre_table();
    const LEGENDRE_10: [Abscissa; 10] = legendre_table();
    const LEGENDRE_14: [Abscissa; 14] = legendre_table();
    const LEGENDRE_20: [Abscissa; 20] = legendre_table();

    let end = rho / (1.0 + (1.0 - rho * rho).sqrt());
    let squares = h * h + k * k;
    let product = 4.0 * h * k;
    let sum = match rho.abs() {
        size if size < 0.3 => independence_sum(&LEGENDRE_6, squares, product, end),
        size if size < 0.6 => independence_sum(&LEGENDRE_10, squares, product, end),
        size if size < 0.85 => independence_sum(&LEGENDRE_14, squares, product, end),
        _ => independence_sum(&LEGENDRE_20, squares, product, end),
    };
    sum * end / TAU
}

#[inline(always)]
fn independence_sum<const N: usize>(rule: &[Abscissa; N], squares: f64, product: f64, end: f64) -> f64 {
    let mut terms = [0.0; N];
    for i in 0..N {
        let t = 0.5 * end * (1.0 + rule[i].at);
        let (plus, minus) = (1.0 + t * t, 1.0 - t * t);
        let exponent = -0.5 * plus * (squares * plus - product * t) / (minus * minus);
        terms[i] = rule[i].weight / plus * branchless_exp(exponent);
    }
    terms.iter().sum()
}

/// The integral from ρ to perfect correlation, for ρ near one.
///
/// ```text
/// 1/2π ∫_0^a exp(−(h − k)²/2x²) g(x) dx,   g(x) = exp(−hk/(1 + r))/r,   r = √(1 − x²),   a = √(1 − ρ²)
/// ```
///
/// The first four terms of g in powers of x² are integrated in closed form, and the rest, which vanishes as
/// x⁸ where the first factor is steep, by quadrature.
fn from_collinearity(h: f64, k: f64, rho: f64) -> f64 {
    /// The integrand is at most exp(−40), times 1/r, once its exponent is.
    const NEGLIGIBLE_EXPONENT: f64 = 40.0;
    const LEGENDRE_8: [Abscissa; 8] = legendre_table();
    const LEGENDRE_12: [Abscissa; 12] = legendre_table();

    let (product, gap) = (h * k, (h - k).abs());
    let square = (1.0 - rho) * (1.0 + rho);
    // r is at least ρ, so 1/(1 + r) is between 0.5 and 0.52. A NaN goes on, to come out as one.
    let tilt = if product < 0.0 { 0.52 * product } else { 0.5 * product };
    if 0.5 * gap * gap >= (NEGLIGIBLE_EXPONENT - tilt) * square {
        return 0.0;
    }
    let reach = square.sqrt();
    let series = series(product);
    let rest = if rho < 0.99 {
        collinearity_sum(&LEGENDRE_12, product, gap, reach, &series)
    } else {
        collinearity_sum(&LEGENDRE_8, product, gap, reach, &series)
    };
    let closed: f64 = series.iter().zip(moments(gap, reach)).map(|(c, m)| c * m).sum();
    (branchless_exp(-0.5 * product) * closed + 0.5 * reach * rest) / TAU
}

#[inline(always)]
fn collinearity_sum<const N: usize>(
    rule: &[Abscissa; N],
    product: f64,
    gap: f64,
    reach: f64,
    series: &[f64; 4],
) -> f64 {
    let mut terms = [0.0; N];
    for i in 0..N {
        let x = 0.5 * reach * (1.0 + rule[i].at);
        let square = x * x;
        let r = (1.0 - square).sqrt();
        let taken = series[0] + square * (series[1] + square * (series[2] + square * series[3]));
        let whole = branchless_exp(product * (0.5 - 1.0 / (1.0 + r))) / r;
        terms[i] = rule[i].weight * branchless_exp(-0.5 * (gap * gap / square + product)) * (whole - taken);
    }
    terms.iter().sum()
}

/// The coefficients of 1, x², x⁴, x⁶ in exp(½c − c/(1 + r))/r, r = √(1 − x²).
fn series(c: f64) -> [f64; 4] {
    let quartic = (4.0 - c) * (12.0 - c) / 128.0;
    let sextic = (960.0 + c * (-360.0 + c * (36.0 - c))) / 3072.0;
    [1.0, (4.0 - c) / 8.0, quartic, sextic]
}

/// The integrals of x^{2m} exp(−b²/2x²) over [0, a] for m = 0, 1, 2, 3, each from the one before it by parts.
fn moments(b: f64, a: f64) -> [f64; 4] {
    let (a2, b2) = (a * a, b * b);
    let edge = a * branchless_exp(-0.5 * b2 / a2);
    let zeroth = edge - b * TAU.sqrt() * cdf(-b / a);
    let second = (edge * a2 - b2 * zeroth) / 3.0;
    let fourth = (edge * a2 * a2 - b2 * second) / 5.0;
    let sixth = (edge * a2 * a2 * a2 - b2 * fourth) / 7.0;
    [zeroth, second, fourth, sixth]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the documentation promises.
    const PROMISED: f64 = 1e-15;

    const LIMITS: [f64; 9] = [-6.0, -2.1, -1.0, -0.3, 0.0, 0.30001, 0.9, 2.0, 5.0];
    const CORRELATIONS: [f64; 19] = [
        -1.0, -0.9999999, -0.99, -0.95, -0.94, -0.85, -0.6, -0.3, -0.1, 0.0, 0.2, 0.4, 0.7, 0.9, 0.949, 0.951, 0.995,
        0.999999, 1.0,
    ];

    fn on_the_grid(mut check: impl FnMut(f64, f64, f64)) {
        for h in LIMITS {
            for k in LIMITS {
                CORRELATIONS.iter().for_each(|&rho| check(h, k, rho));
            }
        }
    }

    /// mpmath, 30 digits, by integrating over the correlation.
    #[test]
    fn reference_values_are_met() {
        let references = [
            (0.5, -0.3, 0.2, 0.290_764_288_136_553_7),
            (1.0, 2.0, -0.55, 0.818_671_585_401_999_7),
            (-1.2, -0.4, 0.8, 0.105_978_560_643_039_65),
            (0.3, 0.4, 0.93, 0.578_406_432_219_398_9),
            (-2.5, -2.4, 0.94, 0.004_408_316_743_048_777),
            (0.7, 0.71, 0.97, 0.729_122_001_457_956_6),
            (1.5, 1.5, 0.999, 0.930_882_284_854_364),
            (-0.2, -0.2001, 0.999_999_99, 0.420_693_379_936_251_3),
            (0.1, -0.1002, -0.999_999_9, 0.000_038_092_035_774_571_84),
            (2.0, -2.1, -0.96, 0.003_355_657_899_440_386),
            (-1.0, -1.0, -0.3, 0.010_317_044_874_034_6),
            (3.0, -4.0, 0.9, 0.000_031_671_241_833_119_92),
        ];
        for (h, k, rho, expected) in references {
            let found = bivariate_cdf(h, k, rho);
            assert!((found - expected).abs() < PROMISED, "{h} {k} {rho}: {found} for {expected}");
        }
    }

    #[test]
    fn the_quadrant_is_a_quarter_plus_the_angle() {
        for i in -1000..=1000 {
            let rho = f64::from(i) / 1000.0;
            assert!((bivariate_cdf(0.0, 0.0, rho) - (0.25 + rho.asin() / TAU)).abs() < PROMISED, "{rho}");
        }
    }

    #[test]
    fn independent_variables_multiply() {
        on_the_grid(|h, k, _| assert_eq!(bivariate_cdf(h, k, 0.0), cdf(h) * cdf(k)));
    }

    #[test]
    fn collinear_variables_leave_one() {
        on_the_grid(|h, k, _| {
            assert_eq!(bivariate_cdf(h, k, 1.0), cdf(h.min(k)));
            assert!((bivariate_cdf(h, k, -1.0) - (cdf(h) - cdf(-k)).max(0.0)).abs() < PROMISED);
        });
    }

    #[test]
    fn the_order_of_the_variables_does_not_matter() {
        on_the_grid(|h, k, rho| {
            assert!((bivariate_cdf(h, k, rho) - bivariate_cdf(k, h, rho)).abs() < PROMISED);
        });
    }

    /// P(X ≤ h, Y ≤ k) + P(X ≤ h, −Y ≤ −k) = P(X ≤ h); the two often come from different branches.
    #[test]
    fn both_sides_of_one_variable_sum_to_the_other() {
        on_the_grid(|h, k, rho| {
            let sum = bivariate_cdf(h, k, rho) + bivariate_cdf(h, -k, -rho);
            assert!((sum - cdf(h)).abs() < 2.0 * PROMISED, "{h} {k} {rho}");
        });
    }

    #[test]
    fn more_room_and_more_correlation_are_more_probable() {
        on_the_grid(|h, k, rho| {
            let here = bivariate_cdf(h, k, rho);
            assert!(bivariate_cdf(h + 0.01, k, rho) >= here - PROMISED);
            assert!(bivariate_cdf(h, k, (rho + 0.001).min(1.0)) >= here - PROMISED, "{h} {k} {rho}");
        });
    }

    #[test]
    fn an_infinite_limit_leaves_the_other_variable() {
        for rho in CORRELATIONS {
            assert!((bivariate_cdf(f64::INFINITY, 0.4, rho) - cdf(0.4)).abs() < PROMISED);
            assert_eq!(bivariate_cdf(0.4, f64::NEG_INFINITY, rho), 0.0);
            assert_eq!(bivariate_cdf(1e300, 1e300, rho), 1.0);
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        for rho in CORRELATIONS {
            assert!(bivariate_cdf(f64::NAN, 0.4, rho).is_nan());
            assert!(bivariate_cdf(0.4, f64::NAN, rho).is_nan());
        }
        assert!(bivariate_cdf(0.1, 0.4, f64::NAN).is_nan());
    }
}
