//! Tests and intervals of the shares of groups: are decisions about them equally accurate?

use mindrel::math::normal;
use statrs::distribution::{Discrete, Hypergeometric};
use statrs::statistics::{Max, Min};

use super::compare::{GroupTest, Tested};
use crate::tails::chi_square_tail;

/// How many people, and how many of them are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proportion {
    pub counted: u64,
    pub people: u64,
}

impl Proportion {
    pub fn value(self) -> f64 {
        self.counted as f64 / self.people as f64
    }

    /// Wilson's interval, `z` standard deviations wide on either side.
    fn wilson(self, z: f64) -> (f64, f64) {
        let (n, p) = (self.people as f64, self.value());
        let scale = 1.0 / (1.0 + z * z / n);
        let centre = scale * (p + z * z / (2.0 * n));
        let half = scale * z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        (centre - half, centre + half)
    }
}

/// The smallest expected count of a cell for which χ² is accurate enough [Cochran 1954].
const LEAST_EXPECTED: f64 = 5.0;

/// Tests whether groups have the same share: by Pearson's χ², or by Fisher's exact test if a cell expects fewer than
/// 5.
///
/// With more than two groups, the exact test compares each group with all others together, and the smallest p is
/// multiplied by the number of groups (Bonferroni), which is conservative.
pub(crate) fn share_test(groups: &[Proportion]) -> Tested {
    let whole = Proportion {
        counted: groups.iter().map(|group| group.counted).sum(),
        people: groups.iter().map(|group| group.people).sum(),
    };
    let rarer = whole.value().min(1.0 - whole.value());
    if groups.iter().any(|group| group.people as f64 * rarer < LEAST_EXPECTED) {
        let rest = |group: &Proportion| Proportion {
            counted: whole.counted - group.counted,
            people: whole.people - group.people,
        };
        let smallest = groups.iter().map(|group| fisher(*group, rest(group))).fold(1.0, f64::min);
        // Each of two groups is the rest of the other, so there is one comparison.
        let times = if groups.len() == 2 { 1.0 } else { groups.len() as f64 };
        return Tested {
            test: GroupTest::Fisher,
            statistic: None,
            degrees: Vec::new(),
            p: (smallest * times).min(1.0),
        };
    }
    let off = |group: &Proportion| {
        let expected = group.people as f64 * whole.value();
        (group.counted as f64 - expected).powi(2) / (expected * (1.0 - whole.value()))
    };
    let statistic = groups.iter().map(off).sum();
    let degrees = (groups.len() - 1) as f64;
    Tested {
        test: GroupTest::ChiSquare,
        statistic: Some(statistic),
        degrees: vec![degrees],
        p: chi_square_tail(statistic, degrees),
    }
}

/// Fisher's exact test, two-sided: the probability of all tables with the same margins that are no likelier than this
/// one.
///
/// # Numerics
/// Tables count as equally likely within a factor of 1 + 1e-7, because rounding must not separate them.
fn fisher(left: Proportion, right: Proportion) -> f64 {
    const TIE: f64 = 1e-7;
    let (people, counted) = (left.people + right.people, left.counted + right.counted);
    let tables = Hypergeometric::new(people, counted, left.people).expect("nobody is counted twice");
    let own = tables.ln_pmf(left.counted);
    let unlikely = (tables.min()..=tables.max()).map(|x| tables.ln_pmf(x)).filter(|ln_p| *ln_p <= own + TIE);
    unlikely.map(f64::exp).sum::<f64>().min(1.0)
}

/// The interval of the difference of two shares, from Wilson's intervals of both [Newcombe 1998, method 10].
pub(crate) fn share_difference(left: Proportion, right: Proportion, confidence: f64) -> (f64, f64) {
    let z = normal::quantile(0.5 * (1.0 + confidence));
    let ((left_low, left_high), (right_low, right_high)) = (left.wilson(z), right.wilson(z));
    let (p, q) = (left.value(), right.value());
    let below = (p - left_low).hypot(right_high - q);
    let above = (left_high - p).hypot(q - right_low);
    (p - q - below, p - q + above)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TOLERANCE: f64 = 1e-10;

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= TOLERANCE * expected.abs(), "{found} is not {expected}");
    }

    fn share(counted: u64, people: u64) -> Proportion {
        Proportion { counted, people }
    }

    /// The numbers are those of `scipy.stats.fisher_exact` and `scipy.stats.chi2_contingency(…, correction=False)`,
    /// scipy 1.17.1.
    #[test]
    fn shares_are_tested_as_another_program_tests_them() {
        assert_close(fisher(share(8, 10), share(1, 6)), 0.034_965_034_965_034_975);
        assert_close(fisher(share(3, 4), share(1, 4)), 0.485_714_285_714_285_65);
        assert_close(fisher(share(0, 30), share(4, 64)), 0.302_548_187_391_970_04);
        assert_close(fisher(share(12, 1000), share(30, 1000)), 0.007_287_953_507_168_595);
        let few = share_test(&[share(0, 30), share(4, 64)]);
        assert_eq!(few.test, GroupTest::Fisher);
        assert_close(few.p, 0.302_548_187_391_970_04);
        let three = share_test(&[share(20, 100), share(35, 100), share(27, 200)]);
        assert_eq!((three.test, &three.degrees[..]), (GroupTest::ChiSquare, &[2.0][..]));
        assert_close(three.statistic.expect("a number"), 18.929_283_632_458_965);
        assert_close(three.p, 7.754_580_094_499_055e-5);
    }

    /// 0.0524 to 0.3339, 0.1705 to 0.8090 and 0.6791 to 1 are [Newcombe 1998, Table II, method 10] for these.
    #[test]
    fn the_interval_of_a_difference_of_shares_is_the_published_one() {
        for (left, right, expected) in [
            (share(56, 70), share(48, 80), (0.0524, 0.3339)),
            (share(9, 10), share(3, 10), (0.1705, 0.8090)),
            (share(10, 10), share(0, 20), (0.6791, 1.0)),
        ] {
            let (lower, upper) = share_difference(left, right, 0.95);
            assert!((lower - expected.0).abs() < 5e-5 && (upper - expected.1).abs() < 5e-5, "{lower} {upper}");
        }
    }

    proptest! {
        /// If the hypothesis is true, the probability of all tables that are rejected at 5 % is at most 5 %.
        #[test]
        fn fishers_test_keeps_its_level(left in 1u64..40, right in 1u64..40, share_counted in 0.0..1.0f64) {
            let counted = (share_counted * (left + right) as f64) as u64;
            let first = counted.saturating_sub(right);
            let ln_choose = |n: u64, k: u64| {
                libm::lgamma(n as f64 + 1.0) - libm::lgamma(k as f64 + 1.0) - libm::lgamma((n - k) as f64 + 1.0)
            };
            let wrong: f64 = (first..=counted.min(left))
                .filter(|&x| fisher(share(x, left), share(counted - x, right)) <= 0.05)
                .map(|x| (ln_choose(left, x) + ln_choose(right, counted - x) - ln_choose(left + right, counted)).exp())
                .sum();
            prop_assert!(wrong <= 0.05 + 1e-9);
        }
    }
}
