//! The standard normal distribution, and entropies in nats.
//!
//! Everything here calls `libm` rather than the platform's mathematics, so that the same input gives the same
//! bits on every machine.

use core::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};

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
/// Absolute error ≤ 1.2e-16. Relative error ≤ 1e-14 down to Φ(−8), then growing with x² to 2e-13 at Φ(−37), where
/// the rounding of x/√2 tells. Measured against 30 digits.
pub fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The quantile function of the standard normal distribution, the inverse of [`cdf`].
///
/// ```text
/// Φ⁻¹(p) = the x with Φ(x) = p,   Φ⁻¹(0) = −∞,   Φ⁻¹(1) = +∞
/// ```
///
/// The rational approximations are those of Wichura, *Algorithm AS 241*, Applied Statistics 37 (1988): one
/// around the median and two for the tails. NaN for p outside [0, 1].
///
/// # Numerics
/// Relative error ≤ 1e-15. Near p = 1 the rounding of p itself is what limits the tail: `-quantile(1 - p)`
/// from a small `1 - p` known on its own is better.
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
/// Relative error ≤ 1e-15 on the whole of [0, 1]: the smaller of p and 1 − p is exact, and the other
/// logarithm is taken as `log1p`. A p that rounding has pushed outside [0, 1] gives 0; NaN gives NaN.
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
/// The probabilities are taken as they are: nothing rescales them to sum to one. Negative ones count as 0,
/// NaN gives NaN.
pub fn entropy(probabilities: &[f64]) -> f64 {
    let term = |&p: &f64| if p <= 0.0 { 0.0 } else { -p * libm::log(p) };
    // From +0: the empty sum of floats is −0.
    probabilities.iter().map(term).fold(0.0, |sum, term| sum + term)
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
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for k in (0..N - 1).rev() {
        sum = sum * x + coefficients[k];
    }
    sum
}

/// exp(x) for quadrature loops: no branches and no table, so that a loop over it runs in vector registers.
///
/// ```text
/// exp(x) = 2^m exp(f),   m = round(x / ln 2),   |f| ≤ ½ ln 2
/// ```
///
/// exp(f) is the polynomial that agrees with it in the twelve Chebyshev points of [−½ ln 2, ½ ln 2].
///
/// # Numerics
/// Relative error ≤ 4e-16 for |x| ≤ 708. Below that it is 0; so it is for NaN, which the caller must have
/// dealt with.
#[inline(always)]
pub(super) fn branchless_exp(x: f64) -> f64 {
    /// Where the result would cease to be a normal number.
    const LOWEST: f64 = -708.0;
    /// Adding 1.5 · 2⁵² leaves the nearest integer in the low bits.
    const ROUNDER: f64 = 6_755_399_441_055_744.0;
    /// ln 2 in two parts: the first has so many trailing zeros that m times it is exact.
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const EVEN: [f64; 5] = [
        0.500_000_000_000_001_9,
        4.166_666_666_648_81e-2,
        1.388_888_895_231_477_5e-3,
        2.480_148_548_232_849_4e-5,
        2.763_263_963_904_103e-7,
    ];
    const ODD: [f64; 5] = [
        0.166_666_666_666_666_8,
        8.333_333_333_319_601e-3,
        1.984_126_989_004_711_3e-4,
        2.755_724_091_857_897e-6,
        2.511_003_760_596_377_7e-8,
    ];

    let in_range = x > LOWEST;
    let x = if in_range { x } else { LOWEST };
    let shifted = x * LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    let f = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let square = f * f;
    let tail = square * (polynomial(&EVEN, square) + f * polynomial(&ODD, square));
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    if in_range { (1.0 + (f + tail)) * power } else { 0.0 }
}

/// Φ(x) for quadrature loops, as [`branchless_exp`] is exp(x).
///
/// The tail is exp(−x²/2) times the rational function 5666 of Hart et al., *Computer Approximations* (1968).
///
/// # Numerics
/// Absolute error ≤ 2e-16. The relative error of the tail grows to 1e-6 and stays there.
#[inline(always)]
pub(super) fn branchless_cdf(x: f64) -> f64 {
    const NUMERATOR: [f64; 7] = [
        220.206_867_912_376,
        221.213_596_169_931,
        112.079_291_497_871,
        33.912_866_078_383,
        6.373_962_203_531_65,
        0.700_383_064_443_688,
        3.526_249_659_989_11e-2,
    ];
    const DENOMINATOR: [f64; 8] = [
        440.413_735_824_752,
        793.826_512_519_948,
        637.333_633_378_831,
        296.564_248_779_674,
        86.780_732_202_946_1,
        16.064_177_579_207,
        1.755_667_163_182_64,
        8.838_834_764_831_84e-2,
    ];

    let size = if x.abs() < 40.0 { x.abs() } else { 40.0 };
    let tail = branchless_exp(-0.5 * size * size) * polynomial(&NUMERATOR, size) / polynomial(&DENOMINATOR, size);
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// Φ⁻¹(p) for loops over samples: [`quantile`] without its far tail, as [`branchless_exp`] is exp(x).
///
/// # Numerics
/// Absolute error ≤ 1e-12 for 1e-11 ≤ p ≤ 1 − 1e-11; 1e-2 beyond, where it ends at ±37.5 for p = 0 and 1.
#[inline(always)]
pub(super) fn branchless_quantile(p: f64) -> f64 {
    let from_median = p - 0.5;
    let r = MEDIAN_HALF_WIDTH * MEDIAN_HALF_WIDTH - from_median * from_median;
    let middle = from_median * polynomial(&MEDIAN_NUMERATOR, r) / polynomial(&MEDIAN_DENOMINATOR, r);
    let tail = if from_median < 0.0 { p } else { 1.0 - p };
    let r = (-branchless_ln(tail)).sqrt() - 1.6;
    let magnitude = polynomial(&TAIL_NUMERATOR, r) / polynomial(&TAIL_DENOMINATOR, r);
    let outer = if from_median < 0.0 { -magnitude } else { magnitude };
    if from_median.abs() <= MEDIAN_HALF_WIDTH { middle } else { outer }
}

/// ln x for 0 ≤ x ≤ 1, with ln 0 taken for that of the smallest normal number.
///
/// ```text
/// ln(2^e m) = e ln 2 + 2 artanh((m − 1)/(m + 1)),   1/√2 ≤ m < √2
/// ```
///
/// # Numerics
/// Absolute error ≤ 1e-13 plus rounding.
#[inline(always)]
fn branchless_ln(x: f64) -> f64 {
    /// The bits of 1/√2; subtracting them carries into the exponent just where m passes √2.
    const LOWEST: u64 = 0x3fe6_a09e_667f_3bcd;
    const MANTISSA: u64 = (1 << 52) - 1;
    /// 2⁵², whose last bits count ones.
    const ONES: u64 = 0x4330_0000_0000_0000;
    const SERIES: [f64; 8] = [1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0];

    let x = if x > f64::MIN_POSITIVE { x } else { f64::MIN_POSITIVE };
    let offset = x.to_bits().wrapping_add((1023 << 52) - LOWEST);
    let exponent = f64::from_bits((offset >> 52) | ONES) - f64::from_bits(ONES) - 1023.0;
    let m = f64::from_bits((offset & MANTISSA).wrapping_add(LOWEST));
    let s = (m - 1.0) / (m + 1.0);
    exponent * LN_2 + 2.0 * s * polynomial(&SERIES, s * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Last bits of numbers of size one.
    const LAST_BITS: f64 = 1e-15;

    fn relative_error(found: f64, expected: f64) -> f64 {
        (found / expected - 1.0).abs()
    }

    /// mpmath, 40 digits.
    #[test]
    fn the_distribution_function_takes_known_values() {
        let references = [
            (0.0, 0.5),
            (2.5, 0.993_790_334_674_223_8),
            (-1.0, 0.158_655_253_931_457_05),
            (-5.0, 2.866_515_718_791_939e-7),
            (-10.0, 7.619_853_024_160_526e-24),
            (-20.0, 2.753_624_118_606_233_7e-89),
        ];
        for (x, expected) in references {
            // −x/√2 is rounded, which costs x² last bits.
            assert!(relative_error(cdf(x), expected) < LAST_BITS * (1.0 + 0.1 * x * x), "{x}");
        }
        assert_eq!(cdf(f64::NEG_INFINITY), 0.0);
        assert_eq!(cdf(f64::INFINITY), 1.0);
    }

    #[test]
    fn the_density_is_the_slope_of_the_distribution_function() {
        assert_eq!(density(0.0), INVERSE_SQRT_TAU);
        assert!((INVERSE_SQRT_TAU - 1.0 / core::f64::consts::TAU.sqrt()).abs() < LAST_BITS);
        for x in [-3.0, -0.7, 0.2, 1.9] {
            let slope = (cdf(x + 1e-5) - cdf(x - 1e-5)) / 2e-5;
            // The difference quotient has a second-order error of 1e-10 and rounding of 1e-11.
            assert!((density(x) - slope).abs() < 1e-9, "{x}");
        }
    }

    /// mpmath, 40 digits.
    #[test]
    fn quantiles_take_known_values() {
        let references = [
            (1e-300, -37.047_096_299_361_2),
            (1e-20, -9.262_340_089_798_407),
            (1e-6, -4.753_424_308_822_899),
            (0.01, -2.326_347_874_040_841),
            (0.075, -1.439_531_470_938_456),
            (0.2, -0.841_621_233_572_914_2),
            (0.9, 1.281_551_565_544_600_6),
            (0.999, 3.090_232_306_167_813),
        ];
        for (p, expected) in references {
            assert!(relative_error(quantile(p), expected) < LAST_BITS, "{p}: {}", quantile(p));
        }
    }

    #[test]
    fn a_quantile_undoes_the_distribution_function() {
        for i in -3700..=800 {
            let x = f64::from(i) / 100.0;
            let p = cdf(x);
            // p is rounded: a last bit of it moves x by 1e-16 p/φ(x).
            let rounding = 2e-16 * p / density(x);
            assert!((quantile(p) - x).abs() < 4.0 * rounding + 4.0 * LAST_BITS * x.abs().max(1.0), "{x}");
        }
    }

    #[test]
    fn quantiles_end_in_infinity_and_exist_for_probabilities_only() {
        assert_eq!(quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(quantile(1.0), f64::INFINITY);
        assert_eq!(quantile(0.5), 0.0);
        assert!(quantile(-0.1).is_nan() && quantile(1.1).is_nan() && quantile(f64::NAN).is_nan());
    }

    #[test]
    fn a_certain_answer_has_no_entropy() {
        assert_eq!((binary_entropy(0.0), binary_entropy(1.0)), (0.0, 0.0));
        assert_eq!((binary_entropy(-1e-17), binary_entropy(1.0 + 1e-15)), (0.0, 0.0));
        assert_eq!(entropy(&[0.0, 1.0, 0.0]), 0.0);
        assert_eq!(entropy(&[]), 0.0);
    }

    #[test]
    fn entropies_take_known_values() {
        assert!(relative_error(binary_entropy(0.5), LN_2) < LAST_BITS);
        assert!(relative_error(binary_entropy(0.3), 0.610_864_302_054_893_5) < LAST_BITS);
        // Most of it would be lost in 1 − p.
        assert!(relative_error(binary_entropy(1e-10), 2.402_585_092_989_045_8e-9) < LAST_BITS);
        assert!(relative_error(entropy(&[0.125; 8]), 3.0 * LN_2) < LAST_BITS);
    }

    #[test]
    fn two_outcomes_have_the_entropy_of_a_yes() {
        for p in [0.01, 0.3, 0.5, 0.77, 0.999] {
            assert!((entropy(&[p, 1.0 - p]) - binary_entropy(p)).abs() < LAST_BITS);
            assert!((binary_entropy(1.0 - p) - binary_entropy(p)).abs() < LAST_BITS);
        }
    }

    #[test]
    fn entropies_of_what_is_not_a_number_are_none() {
        assert!(binary_entropy(f64::NAN).is_nan());
        assert!(entropy(&[0.5, f64::NAN]).is_nan());
    }

    #[test]
    fn the_branchless_versions_agree_with_the_others() {
        for i in -70_700..=70_700 {
            let x = f64::from(i) / 100.0;
            assert!(relative_error(branchless_exp(x), libm::exp(x)) < 5e-16, "{x}");
        }
        assert_eq!(branchless_exp(-800.0), 0.0);
        for i in -4500..=4500 {
            let x = f64::from(i) / 100.0;
            assert!((branchless_cdf(x) - cdf(x)).abs() < 3e-16, "{x}");
        }
        for i in 1..10_000 {
            let p = f64::from(i) / 10_000.0;
            assert!((branchless_quantile(p) - quantile(p)).abs() < 1e-12, "{p}");
        }
        for p in [1e-11, 1e-8, 1e-5, 1.0 - 1e-10] {
            assert!((branchless_quantile(p) - quantile(p)).abs() < 1e-12, "{p}");
        }
        for p in [1e-300, 1e-100, 1e-20] {
            assert!((branchless_quantile(p) - quantile(p)).abs() < 1e-2, "{p}");
        }
        assert!(branchless_quantile(0.0) < -37.0 && branchless_quantile(1.0) > 37.0);
        assert!(branchless_quantile(0.0).is_finite() && branchless_quantile(1.0).is_finite());
    }
}
