//! Tails of the distributions that tests go by: χ², F and Student's t.
//!
//! All come from two functions, the regularised incomplete gamma and beta, each by a series or a continued fraction
//! [Press et al. 2007, §6.2 and §6.4].

/// Terms after which a series or fraction is taken as it is; those that occur here need a few hundred at most.
const MOST_TERMS: usize = 100_000;

/// Halvings of an interval until neighbouring doubles, or nearly so, are left.
const HALVINGS: usize = 64;

/// A term this small beside its sum changes nothing more.
const SMALL: f64 = 1e-16;

/// What stands in for a denominator of zero (Lentz's method).
const TINY: f64 = 1e-300;

/// P(χ² > statistic) with some degrees of freedom.
pub(crate) fn chi_square_tail(statistic: f64, degrees: f64) -> f64 {
    gamma_tail(0.5 * degrees, 0.5 * statistic)
}

/// P(F > statistic) with two numbers of degrees of freedom, not necessarily whole.
///
/// ```text
/// P(F > f) = I_{d₂ / (d₂ + d₁ f)}(d₂ / 2, d₁ / 2)
/// ```
pub(crate) fn f_tail(statistic: f64, [first, second]: [f64; 2]) -> f64 {
    incomplete_beta(0.5 * second, 0.5 * first, second / (second + first * statistic))
}

/// The number that Student's t exceeds with a probability of at most one half.
///
/// # Numerics
/// By halving; the tail falls in its argument.
pub(crate) fn t_quantile(upper_tail: f64, degrees: f64) -> f64 {
    let tail = |t: f64| 0.5 * f_tail(t * t, [1.0, degrees]);
    let (mut low, mut high) = (0.0, 1.0);
    while tail(high) > upper_tail && high < 1e30 {
        high *= 2.0;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if tail(middle) > upper_tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The regularised upper incomplete gamma function Q(a, x) = Γ(a, x) / Γ(a).
fn gamma_tail(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - libm::lgamma(a)).exp();
    if x < a + 1.0 {
        // γ(a, x) = e^-x x^a Σ Γ(a) / Γ(a + 1 + n) x^n.
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for place in 1..MOST_TERMS {
            term *= x / (a + place as f64);
            sum += term;
            if term < sum * SMALL {
                break;
            }
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    let steps = (1..MOST_TERMS).map(|place| {
        let place = place as f64;
        (-place * (place - a), x + 2.0 * place + 1.0 - a)
    });
    (front / fraction(x + 1.0 - a, steps)).clamp(0.0, 1.0)
}

/// The regularised incomplete beta function I_x(a, b).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction converges fast on one side of the mean, and the other side is one less that.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let ln_front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (-x).ln_1p();
    let steps = (1..MOST_TERMS).map(|place| {
        let half = (place / 2) as f64;
        let numerator = if place % 2 == 0 {
            half * (b - half) * x / ((a + 2.0 * half - 1.0) * (a + 2.0 * half))
        } else {
            -(a + half) * (a + b + half) * x / ((a + 2.0 * half) * (a + 2.0 * half + 1.0))
        };
        (numerator, 1.0)
    });
    (ln_front.exp() / (a * fraction(1.0, steps))).clamp(0.0, 1.0)
}

/// A continued fraction b₀ + a₁ / (b₁ + a₂ / (b₂ + …)), by Lentz's method.
fn fraction(first: f64, steps: impl Iterator<Item = (f64, f64)>) -> f64 {
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut value = away(first);
    let (mut above, mut below) = (value, 0.0);
    for (numerator, denominator) in steps {
        below = away(denominator + numerator * below).recip();
        above = away(denominator + numerator / above);
        let factor = above * below;
        value *= factor;
        if (factor - 1.0).abs() < SMALL {
            break;
        }
    }
    value
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `lgamma` and the logarithms leave about 1e-16 times their size; 40,000 degrees of freedom make that 1e-11.
    const TOLERANCE: f64 = 1e-10;

    /// Two programs' figures agree.
    pub fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= TOLERANCE * expected.abs(), "{found} is not {expected}");
    }

    /// The numbers are those of `scipy.stats.f.sf`, scipy 1.17.1.
    #[test]
    fn tails_of_f_lie_where_another_program_has_them() {
        for (statistic, first, second, expected) in [
            (0.5, 1.0, 5.0, 0.511_084_080_430_280_6),
            (4.96, 1.0, 10.0, 0.050_087_650_566_468_15),
            (3.2, 4.0, 57.3, 0.019_314_932_785_614_622),
            (12.5, 9.0, 1234.5, 3.808_932_820_582_709_4e-19),
            (0.01, 2.0, 2.0, 0.990_099_009_900_990_1),
            (80.0, 1.0, 40_000.0, 3.900_561_964_049_029_4e-19),
        ] {
            assert_close(f_tail(statistic, [first, second]), expected);
        }
    }

    /// The numbers are those of `scipy.stats.chi2.sf`, scipy 1.17.1.
    #[test]
    fn tails_of_chi_square_lie_where_another_program_has_them() {
        for (statistic, degrees, expected) in [
            (3.841_458_820_694_124, 1.0, 0.05),
            (0.02, 1.0, 0.887_537_083_981_715),
            (11.07, 5.0, 0.050_009_618_622_405_425),
            (150.0, 4.0, 2.035_764_090_974_152e-31),
            (45.0, 49.0, 0.635_980_313_955_249_2),
            (1e-6, 3.0, 0.999_999_999_734_038_5),
        ] {
            assert_close(chi_square_tail(statistic, degrees), expected);
        }
    }

    /// The numbers are those of `scipy.stats.t.ppf`, scipy 1.17.1.
    #[test]
    fn quantiles_of_t_lie_where_another_program_has_them() {
        for (upper_tail, degrees, expected) in [
            (0.025, 1.0, 12.706_204_736_174_694),
            (0.025, 4.7, 2.620_726_075_353_17),
            (0.025, 29.0, 2.045_229_642_132_703),
            (0.005, 1e5, 2.575_878_469_908_375),
            (0.0001, 12.5, 5.183_021_023_760_722),
        ] {
            assert_close(t_quantile(upper_tail, degrees), expected);
        }
        assert!(t_quantile(0.5, 3.0) < 1e-9);
    }

    proptest! {
        /// χ² with two degrees of freedom is exponential, and F with two and two is a ratio of such.
        #[test]
        fn closed_forms_are_met(x in 1e-6..200.0f64) {
            prop_assert!((chi_square_tail(x, 2.0) / (-0.5 * x).exp() - 1.0).abs() < TOLERANCE);
            prop_assert!((f_tail(x, [2.0, 2.0]) * (1.0 + x) - 1.0).abs() < TOLERANCE);
        }

        #[test]
        fn tails_are_probabilities_that_fall(x in 0.0..100.0f64, more in 0.0..10.0f64, first in 0.5..60.0f64, second in 0.5..5000.0f64) {
            let f = f_tail(x, [first, second]);
            prop_assert!((0.0..=1.0).contains(&f) && f_tail(x + more, [first, second]) <= f + TOLERANCE);
            let chi = chi_square_tail(x, first);
            prop_assert!((0.0..=1.0).contains(&chi) && chi_square_tail(x + more, first) <= chi + TOLERANCE);
        }
    }
}
