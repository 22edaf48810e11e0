//! Tails of χ², F and Student's t, by `statrs`.

use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor, StudentsT};

/// Halvings of an interval until its ends are neighbouring doubles, or nearly so.
const HALVINGS: usize = 64;

/// P(χ² > statistic), given the degrees of freedom.
pub(crate) fn chi_square_tail(statistic: f64, degrees: f64) -> f64 {
    ChiSquared::new(degrees).expect("degrees of freedom are positive").sf(statistic)
}

/// P(F > statistic), given both degrees of freedom, which need not be whole numbers.
pub(crate) fn f_tail(statistic: f64, [first, second]: [f64; 2]) -> f64 {
    FisherSnedecor::new(first, second).expect("degrees of freedom are positive").sf(statistic)
}

/// The number that Student's t exceeds with probability `upper_tail`, which is at most one half.
///
/// # Numerics
/// Found by halving the library's tail, which is accurate to 1e-10 up to 1e5 degrees of freedom and to 1e-6 at a
/// hundred million. `StudentsT::inverse_cdf` of statrs 0.19 is off by 6e-5 at a million degrees of freedom, by 7 % at
/// ten million, and does not return at a hundred million.
///
/// # Panics
/// When the degrees of freedom are not positive.
#[must_use]
pub fn t_quantile(upper_tail: f64, degrees: f64) -> f64 {
    let student = StudentsT::new(0.0, 1.0, degrees).expect("degrees of freedom are positive");
    let (mut low, mut high) = (0.0, 1.0);
    while student.sf(high) > upper_tail && high < 1e30 {
        high *= 2.0;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if student.sf(middle) > upper_tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
pub(crate) mod tests {
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

    /// Four-digit values of the usual tables.
    #[test]
    fn quantiles_of_t_are_those_of_the_tables() {
        let known =
            [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (10, 2.228), (19, 2.093), (99, 1.984)];
        for (degrees, expected) in known {
            let found = t_quantile(0.025, f64::from(degrees));
            assert!((found - expected).abs() < 5e-4, "{degrees}: {found}");
        }
    }

    /// With so many degrees of freedom Student's t is all but normal: z (1 + (z² + 1) / 4d).
    #[test]
    fn quantiles_of_t_hold_for_as_many_people_as_a_table_may_have() {
        let z = 1.959_963_984_540_054_f64;
        for degrees in [1e6, 1e7, 1e8] {
            let expected = z * (1.0 + (z * z + 1.0) / (4.0 * degrees));
            // The logarithms of gamma functions leave about 1e-16 times their size, here up to 1e9.
            assert!((t_quantile(0.025, degrees) / expected - 1.0).abs() < 1e-6, "{degrees}");
        }
    }

    proptest! {
        /// χ² with two degrees of freedom is exponential, and F with two and two is a ratio of such.
        #[test]
        fn closed_forms_are_met(x in 1e-6..200.0f64) {
            prop_assert!((chi_square_tail(x, 2.0) / (-0.5 * x).exp() - 1.0).abs() < TOLERANCE);
            prop_assert!((f_tail(x, [2.0, 2.0]) * (1.0 + x) - 1.0).abs() < TOLERANCE);
        }

        #[test]
        fn tails_are_probabilities_that_fall(
            x in 0.0..100.0f64,
            more in 0.0..10.0f64,
            first in 0.5..60.0f64,
            second in 0.5..5000.0f64,
        ) {
            let f = f_tail(x, [first, second]);
            prop_assert!((0.0..=1.0).contains(&f) && f_tail(x + more, [first, second]) <= f + TOLERANCE);
            let chi = chi_square_tail(x, first);
            prop_assert!((0.0..=1.0).contains(&chi) && chi_square_tail(x + more, first) <= chi + TOLERANCE);
        }
    }
}
