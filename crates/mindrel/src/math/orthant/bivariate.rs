//! The distribution function of two correlated standard normal variables.

use core::f64::consts::TAU;

use crate::math::normal::cdf;
use crate::math::quadrature::{Node, legendre_table};

/// Above this |ρ| the integral starts from perfect correlation rather than from independence [Genz 2004, §2.3].
const NEARLY_COLLINEAR: f64 = 0.925;

/// The probability that two standard normal variables with correlation ρ are at most h and k.
///
/// ```text
/// Φ₂(h, k; ρ) = P(X ≤ h, Y ≤ k)
///             = Φ(h) Φ(k) + 1/2π ∫_0^ρ exp(−(h² + k² − 2hkr) / 2(1 − r²)) / √(1 − r²) dr
/// ```
///
/// The method is that of Drezner and Wesolowsky (1990) as refined by A. Genz, *Numerical computation of rectangular
/// bivariate and trivariate normal and t probabilities*, Statistics and Computing 14 (2004) 251–260, with
/// r = 2t/(1 + t²) in place of r = sin θ: as smooth, and free of sines. ρ is clamped to [−1, 1]; h and k may be
/// infinite.
///
/// # Numerics
/// Absolute error ≤ 1e-14, for every ρ including ±1.
pub fn bivariate_cdf(h: f64, k: f64, rho: f64) -> f64 {
    if !(h.is_finite() && k.is_finite()) {
        return at_infinity(h, k, rho);
    }
    let rho = rho.clamp(-1.0, 1.0);
    let probability = if rho.abs() < NEARLY_COLLINEAR {
        cdf(h) * cdf(k) + from_independence(h, k, rho)
    } else if rho > 0.0 {
        cdf(h.min(k)) - from_collinearity(h, k, rho)
    } else if rho < 0.0 {
        (cdf(h) - cdf(-k)).max(0.0) + from_collinearity(h, -k, -rho)
    } else {
        return f64::NAN;
    };
    probability.clamp(0.0, 1.0)
}

/// Φ₂ when at least one of the limits is not finite.
fn at_infinity(h: f64, k: f64, rho: f64) -> f64 {
    if h.is_nan() || k.is_nan() || rho.is_nan() {
        f64::NAN
    } else if h == f64::NEG_INFINITY || k == f64::NEG_INFINITY {
        0.0
    } else {
        cdf(h.min(k))
    }
}

/// The integral from independence to ρ, for |ρ| below [`NEARLY_COLLINEAR`].
///
/// ```text
/// 1/2π ∫_0^T exp(−(1 + t²) ((h² + k²)(1 + t²) − 4hkt) / 2(1 − t²)²) 2/(1 + t²) dt,   T = ρ/(1 + √(1 − ρ²))
/// ```
fn from_independence(h: f64, k: f64, rho: f64) -> f64 {
    let end = rho / (1.0 + (1.0 - rho * rho).sqrt());
    let squares = h * h + k * k;
    let product = 4.0 * h * k;
    if rho.abs() < 0.3 {
        independence_sum(&LEGENDRE_8, squares, product, end)
    } else if rho.abs() < 0.75 {
        independence_sum(&LEGENDRE_12, squares, product, end)
    } else {
        independence_sum(&LEGENDRE_20, squares, product, end)
    }
}

fn independence_sum<const N: usize>(rule: &[Node; N], squares: f64, product: f64, end: f64) -> f64 {
    let half = 0.5 * end;
    let mut exponents = [0.0; N];
    let mut factors = [0.0; N];
    for i in 0..N {
        let t = half * (1.0 + rule[i].at);
        let (plus, minus) = (1.0 + t * t, 1.0 - t * t);
        exponents[i] = -0.5 * plus * (squares * plus - product * t) / (minus * minus);
        factors[i] = rule[i].weight / plus;
    }
    let mut sum = 0.0;
    for i in 0..N {
        sum += factors[i] * exponential(exponents[i]);
    }
    sum * end / TAU
}

/// The integral from ρ to perfect correlation, for ρ of at least [`NEARLY_COLLINEAR`].
///
/// ```text
/// 1/2π ∫_0^a exp(−(h − k)²/2x²) g(x) dx,   g(x) = exp(−hk/(1 + r))/r,   r = √(1 − x²),   a = √(1 − ρ²)
/// ```
///
/// The first three terms of g in powers of x² are integrated in closed form, and the rest, which vanishes as x⁶ where
/// the first factor is steep, by quadrature.
fn from_collinearity(h: f64, k: f64, rho: f64) -> f64 {
    let product = h * k;
    if product.abs() > NEGLIGIBLE_PRODUCT {
        return 0.0;
    }
    let reach = ((1.0 - rho) * (1.0 + rho)).sqrt();
    let gap = (h - k).abs();
    let second = (4.0 - product) / 8.0;
    let fourth = second * (12.0 - product) / 16.0;

    let (reach2, gap2) = (reach * reach, gap * gap);
    if reach == 0.0 {
        return 0.0;
    }
    let edge = reach * libm::exp(-0.5 * gap2 / reach2);
    let moment0 = edge - gap * TAU.sqrt() * cdf(-gap / reach);
    let moment2 = (edge * reach2 - gap2 * moment0) / 3.0;
    let moment4 = (edge * reach2 * reach2 - gap2 * moment2) / 5.0;
    let series = libm::exp(-0.5 * product) * (moment0 + second * moment2 + fourth * moment4);

    let mut rest = 0.0;
    for node in &LEGENDRE_20 {
        let x = 0.5 * reach * (1.0 + node.at);
        let x2 = x * x;
        let r = (1.0 - x2).sqrt();
        let polynomial = 1.0 + x2 * (second + fourth * x2);
        let exact = exponential(product * (0.5 - 1.0 / (1.0 + r))) / r;
        rest += node.weight * exponential(-0.5 * (gap2 / x2 + product)) * (exact - polynomial);
    }
    (series + 0.5 * reach * rest) / TAU
}

/// Beyond |hk| = 100 the integral of [`from_collinearity`] is below e⁻⁵⁰.
const NEGLIGIBLE_PRODUCT: f64 = 100.0;

const LEGENDRE_8: [Node; 8] = legendre_table();
const LEGENDRE_12: [Node; 12] = legendre_table();
const LEGENDRE_20: [Node; 20] = legendre_table();

/// exp(x) for the quadrature loops: no branches, no table, so that the loops run in vector registers.
///
/// ```text
/// exp(x) = 2^m exp(f),   m = round(x / ln 2),   |f| ≤ ½ ln 2,   exp(f) by its Taylor polynomial of degree 13
/// ```
///
/// # Numerics
/// Relative error ≤ 3e-16 for |x| ≤ 708; anything below counts as −708, which is e⁻⁷⁰⁸ ≈ 3e-308.
#[inline(always)]
pub(super) fn exponential(x: f64) -> f64 {
    /// Adding 1.5 · 2⁵² leaves the nearest integer in the low bits.
    const ROUNDER: f64 = 6_755_399_441_055_744.0;
    /// ln 2 in two parts; the first has 32 trailing zero bits, so that m times it is exact.
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const INVERSE_FACTORIALS: [f64; 14] = inverse_factorials();

    let x = if x > -708.0 { x } else { -708.0 };
    let shifted = x * core::f64::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    let fraction = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let mut sum = INVERSE_FACTORIALS[13];
    for i in (0..13).rev() {
        sum = sum * fraction + INVERSE_FACTORIALS[i];
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    sum * power
}

const fn inverse_factorials() -> [f64; 14] {
    let mut table = [1.0; 14];
    let mut factorial = 1.0;
    let mut i = 1;
    while i < 14 {
        factorial *= i as f64;
        table[i] = 1.0 / factorial;
        i += 1;
    }
    table
}
