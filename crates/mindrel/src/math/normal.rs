//! The standard normal distribution, and entropies in nats.
//!
//! Everything here calls `libm` rather than the platform's mathematics, so that the same input gives the same bits
//! on every machine.

use core::f64::consts::FRAC_1_SQRT_2;

/// 1/√(2π), the height of the standard normal density.
pub const INVERSE_SQRT_TAU: f64 = 0.398_942_280_401_432_7;

/// The density of the standard normal distribution.
///
/// ```text
/// φ(x) = exp(−x²/2) / √(2π)
/// ```
///
/// # Numerics
/// The error of the exponent grows with x²: relative error ≤ (2 + x²/2) · 2⁻⁵³.
pub fn density(x: f64) -> f64 {
    INVERSE_SQRT_TAU * libm::exp(-0.5 * x * x)
}

/// The distribution function of the standard normal distribution.
///
/// ```text
/// Φ(x) = P(Z ≤ x) = ½ erfc(−x/√2)
/// ```
///
/// # Numerics
/// Absolute error ≤ 1.2e-16; relative error ≤ 6e-15 down to Φ(−38), measured against 40 digits.
pub fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The quantile function of the standard normal distribution, the inverse of [`cdf`].
///
/// ```text
/// Φ⁻¹(p) = the x with Φ(x) = p,   Φ⁻¹(0) = −∞,   Φ⁻¹(1) = +∞
/// ```
///
/// The rational approximations are those of Wichura, *Algorithm AS 241*, Applied Statistics 37 (1988): one around
/// the median and two for the tails. NaN for p outside [0, 1].
///
/// # Numerics
/// Relative error ≤ 1e-15. Near p = 1 the rounding of p itself is what limits the tail: `-quantile(1 - p)` from a
/// small `1 - p` known on its own is better.
pub fn quantile(p: f64) -> f64 {
    let from_median = p - 0.5;
    if from_median.abs() <= MEDIAN_HALF_WIDTH {
        let r = MEDIAN_HALF_WIDTH * MEDIAN_HALF_WIDTH - from_median * from_median;
        return from_median * polynomial(&MEDIAN_NUMERATOR, r) / polynomial(&MEDIAN_DENOMINATOR, r);
    }
    let tail = if from_median < 0.0 { p } else { 1.0 - p };
    if tail == 0.0 {
        return f64::INFINITY.copysign(from_median);
    }
    let depth = (-libm::log(tail)).sqrt();
    let magnitude = if depth <= FAR_TAIL_DEPTH {
        let r = depth - 1.6;
        polynomial(&TAIL_NUMERATOR, r) / polynomial(&TAIL_DENOMINATOR, r)
    } else {
        let r = depth - FAR_TAIL_DEPTH;
        polynomial(&FAR_TAIL_NUMERATOR, r) / polynomial(&FAR_TAIL_DENOMINATOR, r)
    };
    magnitude.copysign(from_median)
}

/// The entropy of a yes that has probability p, in nats.
///
/// ```text
/// H(p) = −p ln p − (1 − p) ln(1 − p),   H(0) = H(1) = 0
/// ```
///
/// # Numerics
/// Relative error ≤ 1e-15 on the whole of [0, 1]: the smaller of p and 1 − p is exact, and the other logarithm is
/// taken as `log1p`. A p that rounding has pushed outside [0, 1] gives 0; NaN gives NaN.
pub fn binary_entropy(p: f64) -> f64 {
    let rarer = if p > 0.5 { 1.0 - p } else { p };
    if rarer <= 0.0 {
        return 0.0;
    }
    -rarer * libm::log(rarer) - (1.0 - rarer) * libm::log1p(-rarer)
}

/// The entropy of a distribution over finitely many outcomes, in nats.
///
/// ```text
/// H(p) = −Σ_i p_i ln p_i,   0 ln 0 = 0
/// ```
///
/// # Numerics
/// The probabilities are taken as they are: nothing rescales them to sum to one. Negative ones count as 0, NaN
/// gives NaN.
pub fn entropy(probabilities: &[f64]) -> f64 {
    let term = |&p: &f64| if p <= 0.0 { 0.0 } else { -p * libm::log(p) };
    probabilities.iter().map(term).sum()
}

/// Half the width of the middle range of [`quantile`], 0.075 ≤ p ≤ 0.925.
const MEDIAN_HALF_WIDTH: f64 = 0.425;
/// Where the far tail of [`quantile`] begins: √(−ln p) > 5, that is p < 1.4e-11.
const FAR_TAIL_DEPTH: f64 = 5.0;

const MEDIAN_NUMERATOR: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const MEDIAN_DENOMINATOR: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_854,
];
const TAIL_NUMERATOR: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    7.745_450_142_783_414e-4,
];
const TAIL_DENOMINATOR: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const FAR_TAIL_NUMERATOR: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    0.296_560_571_828_504_87,
    0.026_532_189_526_576_124,
    0.001_242_660_947_388_078_4,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288e-7,
];
const FAR_TAIL_DENOMINATOR: [f64; 8] = [
    1.0,
    0.599_832_206_555_888,
    0.136_929_880_922_735_8,
    0.014_875_361_290_850_615,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

/// Σ c_k x^k by Horner's rule.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}
