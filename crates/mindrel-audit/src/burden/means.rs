//! Tests and intervals of the means of groups: are they asked equally many questions?

use super::compare::{GroupTest, Tested};
use crate::tails::{f_tail, t_quantile};

/// How many people have each whole number, from zero on. Sums over them are exact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts<'a>(pub &'a [u64]);

impl Counts<'_> {
    pub fn people(self) -> u64 {
        self.0.iter().sum()
    }

    pub fn mean(self) -> f64 {
        self.sum() as f64 / self.people() as f64
    }

    fn sum(self) -> u128 {
        self.0.iter().zip(0u128..).map(|(&people, number)| u128::from(people) * number).sum()
    }

    /// The variance of the numbers, but at least 1 / n.
    ///
    /// ```text
    /// s² = (n Σ x² − (Σ x)²) / (n (n − 1)),     at least 1 / n
    /// ```
    ///
    /// 1 / n is the smallest variance that is not zero: one person differs from the others by one. A variance of zero
    /// would claim that no such person can ever differ, which a sample cannot show.
    pub fn variance(self) -> f64 {
        let people = u128::from(self.people());
        let squares: u128 =
            self.0.iter().zip(0u128..).map(|(&people, number)| u128::from(people) * number * number).sum();
        let spread = people * squares - self.sum() * self.sum();
        let least = 1.0 / people as f64;
        if people < 2 { f64::INFINITY } else { (spread as f64 / (people * (people - 1)) as f64).max(least) }
    }

    /// The interval of the mean of people like these, by Student's t. For one person it is the whole range of numbers.
    pub fn interval(self, confidence: f64) -> (f64, f64) {
        let (people, last) = (self.people() as f64, (self.0.len() - 1) as f64);
        if people < 2.0 {
            return (0.0, last);
        }
        let half = t_quantile(0.5 * (1.0 - confidence), people - 1.0) * (self.variance() / people).sqrt();
        ((self.mean() - half).max(0.0), (self.mean() + half).min(last))
    }
}

/// Tests whether groups have the same mean, by Welch's test and by the analysis of variance; the larger p counts.
///
/// Each makes up for a weakness of the other. Welch's test estimates the variance of a small group from that group
/// alone, and 30 people may happen to include none of the few who are asked much. A common variance is wrong if
/// groups truly vary differently. Measured at a level of 5 % with groups of 30 and 1,000: if 5 % of people are asked
/// 8 questions and the others 1, Welch's test alone gives a false alarm in 22 % of tables; if the small group varies
/// more, the analysis of variance alone gives one in 59 %. The larger p of both gives one in at most 5 %.
pub(crate) fn mean_test(groups: &[Counts<'_>]) -> Tested {
    let (welch, anova) = (welch(groups), anova(groups));
    if welch.p >= anova.p { welch } else { anova }
}

/// Tests whether groups have the same mean, given that they have the same variance [Fisher 1925].
///
/// ```text
/// F = Σ n_g (m_g − m)² / (k − 1) / s²,   s² = Σ (n_g − 1) s_g² / (n − k),     d₁ = k − 1,   d₂ = n − k
/// ```
fn anova(groups: &[Counts<'_>]) -> Tested {
    let k = groups.len() as f64;
    let people = groups.iter().map(|group| group.people()).sum::<u64>() as f64;
    let mean = groups.iter().map(|group| group.sum()).sum::<u128>() as f64 / people;
    let between: f64 = groups.iter().map(|group| group.people() as f64 * (group.mean() - mean).powi(2)).sum();
    let statistic = between / (k - 1.0) / common_variance(groups);
    by_f(GroupTest::Anova, statistic, [k - 1.0, people - k])
}

/// The common variance of some groups.
fn common_variance(groups: &[Counts<'_>]) -> f64 {
    let degrees: u64 = groups.iter().map(|group| group.people() - 1).sum();
    groups.iter().map(|group| (group.people() - 1) as f64 * group.variance()).sum::<f64>() / degrees as f64
}

/// Tests whether groups have the same mean, whatever their variances [Welch 1951].
///
/// ```text
/// w_g = n_g / s_g²,   W = Σ w_g,   m = Σ w_g m_g / W,   h = Σ (1 − w_g / W)² / (n_g − 1)
/// F = Σ w_g (m_g − m)² / (k − 1) / (1 + 2 (k − 2) h / (k² − 1)),     d₁ = k − 1,   d₂ = (k² − 1) / (3 h)
/// ```
fn welch(groups: &[Counts<'_>]) -> Tested {
    let k = groups.len() as f64;
    let weights: Vec<f64> = groups.iter().map(|group| group.people() as f64 / group.variance()).collect();
    let total: f64 = weights.iter().sum();
    let means: Vec<f64> = groups.iter().map(|group| group.mean()).collect();
    let weighted = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum::<f64>() / total;
    let between: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * (mean - weighted).powi(2)).sum();
    let terms = groups.iter().zip(&weights);
    let h: f64 = terms.map(|(group, weight)| (1.0 - weight / total).powi(2) / (group.people() - 1) as f64).sum();
    let statistic = between / (k - 1.0) / (1.0 + 2.0 * (k - 2.0) * h / (k * k - 1.0));
    by_f(GroupTest::Welch, statistic, [k - 1.0, (k * k - 1.0) / (3.0 * h)])
}

fn by_f(test: GroupTest, statistic: f64, degrees: [f64; 2]) -> Tested {
    Tested { test, statistic: Some(statistic), degrees: degrees.to_vec(), p: f_tail(statistic, degrees) }
}

/// The interval of the difference of two means: by Welch's t or with a common variance, whichever is wider. The reasons
/// are those of [`mean_test`].
///
/// ```text
/// m₁ − m₂ ± t √(s₁² / n₁ + s₂² / n₂),     d = (s₁² / n₁ + s₂² / n₂)² / Σ (s_i² / n_i)² / (n_i − 1)
/// m₁ − m₂ ± t √(s² / n₁ + s² / n₂),       d = n₁ + n₂ − 2
/// ```
pub(crate) fn mean_difference(left: Counts<'_>, right: Counts<'_>, confidence: f64) -> (f64, f64) {
    let half = half_by_welch(left, right, confidence).max(half_in_common(left, right, confidence));
    let difference = left.mean() - right.mean();
    (difference - half, difference + half)
}

fn half_by_welch(left: Counts<'_>, right: Counts<'_>, confidence: f64) -> f64 {
    let part = |group: Counts<'_>| group.variance() / group.people() as f64;
    let squared = |group: Counts<'_>| part(group).powi(2) / (group.people() - 1) as f64;
    let variance = part(left) + part(right);
    let degrees = variance * variance / (squared(left) + squared(right));
    t_quantile(0.5 * (1.0 - confidence), degrees) * variance.sqrt()
}

fn half_in_common(left: Counts<'_>, right: Counts<'_>, confidence: f64) -> f64 {
    let (n, m) = (left.people() as f64, right.people() as f64);
    let variance = common_variance(&[left, right]) * (1.0 / n + 1.0 / m);
    t_quantile(0.5 * (1.0 - confidence), n + m - 2.0) * variance.sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    use super::*;

    const TOLERANCE: f64 = 1e-10;

    const HISTOGRAMS: [&[u64]; 3] = [&[3, 5, 9, 12, 6], &[10, 12, 8, 4, 1], &[0, 4, 20, 11, 5]];

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= TOLERANCE * expected.abs(), "{found} is not {expected}");
    }

    /// The numbers are those of `scipy.stats.f_oneway`, with `equal_var=False` and without, scipy 1.17.1.
    #[test]
    fn means_are_tested_as_another_program_tests_them() {
        let three = welch(&HISTOGRAMS.map(Counts));
        assert_close(three.statistic.expect("a number"), 14.124_798_512_434_769);
        assert_close(three.p, 7.582_632_947_353_55e-6);
        let two = welch(&[Counts(HISTOGRAMS[0]), Counts(HISTOGRAMS[1])]);
        assert_close(two.statistic.expect("a number"), 16.628_295_819_935_69);
        assert_close(two.p, 0.000_122_269_462_264_742_02);
        let pooled = anova(&HISTOGRAMS.map(Counts));
        assert_close(pooled.statistic.expect("a number"), 14.321_939_887_591_974);
        assert_close(pooled.p, 3.080_500_132_365_301e-6);
        assert_eq!(mean_test(&HISTOGRAMS.map(Counts)), three);
    }

    /// The numbers are those of `scipy.stats.ttest_ind(…, equal_var=False).confidence_interval()`, scipy 1.17.1.
    #[test]
    fn the_interval_of_a_difference_is_that_of_another_program() {
        let (lower, upper) = mean_difference(Counts(HISTOGRAMS[0]), Counts(HISTOGRAMS[1]), 0.95);
        assert_close(lower, 0.568_938_027_519_857_1);
        assert_close(upper, 1.659_633_401_051_571_4);
    }

    #[test]
    fn people_who_are_all_asked_the_same_are_not_taken_for_a_law() {
        let (three, four) = (Counts(&[0, 0, 0, 40, 0]), Counts(&[0, 0, 0, 0, 40]));
        assert!(three.interval(0.95).0 < 3.0 && three.interval(0.95).1 > 3.0);
        assert_eq!(welch(&[three, three]).p, 1.0);
        assert!(welch(&[three, four]).p < 1e-6);
        assert_eq!(Counts(&[0, 1, 0]).interval(0.95), (0.0, 2.0));
    }

    /// How often a difference is found at 5 % between two groups; each person's number is drawn from a uniform share.
    fn found(sizes: [u64; 2], draws: [fn(f64) -> usize; 2]) -> f64 {
        const TABLES: usize = 2000;
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let mut group = |size: u64, draw: fn(f64) -> usize| {
            let mut histogram = [0; 11];
            (0..size).for_each(|_| histogram[draw((random.next_u64() >> 11) as f64 * (-53f64).exp2())] += 1);
            histogram
        };
        let wrong = (0..TABLES).filter(|_| {
            let groups = [group(sizes[0], draws[0]), group(sizes[1], draws[1])];
            mean_test(&[Counts(&groups[0]), Counts(&groups[1])]).p <= 0.05
        });
        wrong.count() as f64 / TABLES as f64
    }

    /// Seeded. With 2,000 tables a share of 5 % has a standard error of 0.5 %; 7.5 % is five of them.
    #[test]
    fn a_difference_that_is_not_there_is_seldom_found_even_by_a_small_group() {
        let rare = |share: f64| if share < 0.05 { 8 } else { 1 };
        let wide = |share: f64| if share < 0.5 { 0 } else { 8 };
        let narrow = |share: f64| 3 + usize::from(share < 0.75) + usize::from(share < 0.25);
        assert!(found([30, 1000], [rare, rare]) < 0.075);
        assert!(found([30, 1000], [wide, narrow]) < 0.075);
        assert!(found([30, 1000], [narrow, wide]) < 0.075);
        assert!(found([200, 1000], [rare, narrow]) > 0.99, "one that is there is found");
    }

    proptest! {
        #[test]
        fn groups_in_another_order_are_tested_alike(
            a in prop::collection::vec(0u64..50, 6),
            b in prop::collection::vec(0u64..50, 6),
        ) {
            prop_assume!(a.iter().sum::<u64>() >= 2 && b.iter().sum::<u64>() >= 2);
            let (a, b) = (Counts(&a), Counts(&b));
            prop_assert!((welch(&[a, b]).p - welch(&[b, a]).p).abs() < TOLERANCE);
            let (there, back) = (mean_difference(a, b, 0.95), mean_difference(b, a, 0.95));
            prop_assert!((there.0 + back.1).abs() < TOLERANCE && (there.1 + back.0).abs() < TOLERANCE);
        }
    }
}
