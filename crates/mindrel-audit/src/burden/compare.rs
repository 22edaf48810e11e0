//! Are groups treated alike? Tests of a difference, and how large it may be.

use mindrel::math::normal;

use super::tails::{chi_square_tail, f_tail, t_quantile};

/// Counts of people by a whole number, from zero on: what everything about a mean follows from without rounding on the way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts<'a>(pub &'a [u64]);

/// How many of some people are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    pub counted: u64,
    pub people: u64,
}

/// What a test found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tested {
    pub test: &'static str,
    pub statistic: Option<f64>,
    pub degrees: Vec<f64>,
    pub p: f64,
}

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

    /// The variance of the numbers, at least that of people of whom one differs from the others by one.
    ///
    /// ```text
    /// s² = (n Σ x² − (Σ x)²) / (n (n − 1)),     at least 1 / n
    /// ```
    ///
    /// 1 / n is the smallest that is not zero. Zero would say that nobody who is like them can ever differ, which some people cannot show.
    pub fn variance(self) -> f64 {
        let people = u128::from(self.people());
        let squares: u128 =
            self.0.iter().zip(0u128..).map(|(&people, number)| u128::from(people) * number * number).sum();
        let spread = people * squares - self.sum() * self.sum();
        let least = 1.0 / people as f64;
        if people < 2 { f64::INFINITY } else { (spread as f64 / (people * (people - 1)) as f64).max(least) }
    }

    /// Where the mean of people like these lies, by Student's t; anywhere from the first to the last number where it is one person.
    pub fn interval(self, confidence: f64) -> (f64, f64) {
        let (people, last) = (self.people() as f64, (self.0.len() - 1) as f64);
        if people < 2.0 {
            return (0.0, last);
        }
        let half = t_quantile(0.5 * (1.0 - confidence), people - 1.0) * (self.variance() / people).sqrt();
        ((self.mean() - half).max(0.0), (self.mean() + half).min(last))
    }
}

impl Share {
    pub fn value(self) -> f64 {
        self.counted as f64 / self.people as f64
    }

    /// Wilson's interval at some standard deviations.
    fn wilson(self, z: f64) -> (f64, f64) {
        let (n, p) = (self.people as f64, self.value());
        let scale = 1.0 / (1.0 + z * z / n);
        let centre = scale * (p + z * z / (2.0 * n));
        let half = scale * z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        (centre - half, centre + half)
    }
}

/// Whether groups have the same mean, without supposing that they vary alike [Welch 1951].
///
/// ```text
/// w_g = n_g / s_g²,   W = Σ w_g,   m = Σ w_g m_g / W,   h = Σ (1 − w_g / W)² / (n_g − 1)
/// F = Σ w_g (m_g − m)² / (k − 1) / (1 + 2 (k − 2) h / (k² − 1)),     d₁ = k − 1,   d₂ = (k² − 1) / (3 h)
/// ```
pub(crate) fn welch(groups: &[Counts<'_>]) -> Tested {
    let k = groups.len() as f64;
    let weights: Vec<f64> = groups.iter().map(|group| group.people() as f64 / group.variance()).collect();
    let total: f64 = weights.iter().sum();
    let means: Vec<f64> = groups.iter().map(|group| group.mean()).collect();
    let weighted = weights.iter().zip(&means).map(|(weight, mean)| weight * mean).sum::<f64>() / total;
    let between: f64 = weights.iter().zip(&means).map(|(weight, mean)| weight * (mean - weighted).powi(2)).sum();
    let terms = groups.iter().zip(&weights);
    let h: f64 = terms.map(|(group, weight)| (1.0 - weight / total).powi(2) / (group.people() - 1) as f64).sum();
    let statistic = between / (k - 1.0) / (1.0 + 2.0 * (k - 2.0) * h / (k * k - 1.0));
    let degrees = [k - 1.0, (k * k - 1.0) / (3.0 * h)];
    Tested { test: "welch", statistic: Some(statistic), degrees: degrees.to_vec(), p: f_tail(statistic, degrees) }
}

/// Where the difference of two means lies, by Welch's t.
///
/// ```text
/// m₁ − m₂ ± t √(s₁² / n₁ + s₂² / n₂),     d = (s₁² / n₁ + s₂² / n₂)² / Σ (s_i² / n_i)² / (n_i − 1)
/// ```
pub(crate) fn mean_difference(left: Counts<'_>, right: Counts<'_>, confidence: f64) -> (f64, f64) {
    let part = |group: Counts<'_>| group.variance() / group.people() as f64;
    let squared = |group: Counts<'_>| part(group).powi(2) / (group.people() - 1) as f64;
    let variance = part(left) + part(right);
    let degrees = variance * variance / (squared(left) + squared(right));
    let half = t_quantile(0.5 * (1.0 - confidence), degrees) * variance.sqrt();
    let difference = left.mean() - right.mean();
    (difference - half, difference + half)
}

/// The fewest people that are expected in a cell where χ² is trusted [Cochran 1954].
const LEAST_EXPECTED: f64 = 5.0;

/// Whether groups have the same share: Pearson's χ², or by Fisher's exact test where some cell expects fewer than 5.
///
/// With more than two groups the exact test holds each group against all others together, and the smallest p is multiplied by the number of
/// groups [Bonferroni]: exact, and on the safe side.
pub(crate) fn share_test(groups: &[Share]) -> Tested {
    let whole = Share {
        counted: groups.iter().map(|group| group.counted).sum(),
        people: groups.iter().map(|group| group.people).sum(),
    };
    let rarer = whole.value().min(1.0 - whole.value());
    if groups.iter().any(|group| group.people as f64 * rarer < LEAST_EXPECTED) {
        let rest =
            |group: &Share| Share { counted: whole.counted - group.counted, people: whole.people - group.people };
        let smallest = groups.iter().map(|group| fisher(*group, rest(group))).fold(1.0, f64::min);
        // Of two groups each is the rest of the other.
        let times = if groups.len() == 2 { 1.0 } else { groups.len() as f64 };
        return Tested { test: "fisher", statistic: None, degrees: Vec::new(), p: (smallest * times).min(1.0) };
    }
    let off = |group: &Share| {
        let expected = group.people as f64 * whole.value();
        (group.counted as f64 - expected).powi(2) / (expected * (1.0 - whole.value()))
    };
    let statistic = groups.iter().map(off).sum();
    let degrees = (groups.len() - 1) as f64;
    Tested {
        test: "chi-square",
        statistic: Some(statistic),
        degrees: vec![degrees],
        p: chi_square_tail(statistic, degrees),
    }
}

/// Fisher's exact test, two-sided: the probability of all tables with the same margins that are no likelier than this one.
///
/// # Numerics
/// Probabilities follow from the largest by ratios, so nothing under- or overflows. Tables count as equally likely within a factor of
/// 1 + 1e-7, since rounding must not part them.
fn fisher(left: Share, right: Share) -> f64 {
    let (people, counted) = (left.people + right.people, left.counted + right.counted);
    let first = counted.saturating_sub(right.people);
    let last = counted.min(left.people);
    // p(x + 1) / p(x) of the hypergeometric distribution.
    let ratio = |x: u64| {
        let up = (left.people - x) as f64 * (counted - x) as f64;
        up / ((x + 1) as f64 * (right.people + x + 1 - counted) as f64)
    };
    let middle = ((left.people + 1) as f64 * (counted + 1) as f64 / (people + 2) as f64) as u64;
    let middle = middle.clamp(first, last);
    let mut weights = vec![(middle, 1.0)];
    let mut weight = 1.0;
    for x in middle..last {
        weight *= ratio(x);
        weights.push((x + 1, weight));
    }
    weight = 1.0;
    for x in (first..middle).rev() {
        weight /= ratio(x);
        weights.push((x, weight));
    }
    let own = weights.iter().find(|(x, _)| *x == left.counted).map_or(0.0, |(_, weight)| *weight);
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let unlikely = weights.iter().filter(|(_, weight)| *weight <= own * (1.0 + 1e-7));
    (unlikely.map(|(_, weight)| weight).sum::<f64>() / total).min(1.0)
}

/// Where the difference of two shares lies [Newcombe 1998, method 10]: Wilson's intervals put together.
pub(crate) fn share_difference(left: Share, right: Share, confidence: f64) -> (f64, f64) {
    let z = normal::quantile(0.5 * (1.0 + confidence));
    let ((left_low, left_high), (right_low, right_high)) = (left.wilson(z), right.wilson(z));
    let (p, q) = (left.value(), right.value());
    let below = (p - left_low).hypot(right_high - q);
    let above = (left_high - p).hypot(q - right_low);
    (p - q - below, p - q + above)
}

/// Probabilities such that whoever calls those up to a level found is wrong in any of them at most with that probability [Holm 1979].
///
/// ```text
/// p̃_(i) = max_{j ≤ i} min(1, (m − j + 1) p_(j))
/// ```
pub(crate) fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&left, &right| probabilities[left].total_cmp(&probabilities[right]));
    let mut adjusted = vec![0.0; probabilities.len()];
    let mut largest: f64 = 0.0;
    for (place, &test) in order.iter().enumerate() {
        let left = (probabilities.len() - place) as f64;
        largest = largest.max((left * probabilities[test]).min(1.0));
        adjusted[test] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TOLERANCE: f64 = 1e-10;

    const HISTOGRAMS: [&[u64]; 3] = [&[3, 5, 9, 12, 6], &[10, 12, 8, 4, 1], &[0, 4, 20, 11, 5]];

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= TOLERANCE * expected.abs(), "{found} is not {expected}");
    }

    fn share(counted: u64, people: u64) -> Share {
        Share { counted, people }
    }

    /// The numbers are those of `scipy.stats.f_oneway(…, equal_var=False)`, scipy 1.17.1.
    #[test]
    fn welchs_test_finds_what_another_program_finds() {
        let three = welch(&HISTOGRAMS.map(Counts));
        assert_close(three.statistic.expect("a number"), 14.124_798_512_434_769);
        assert_close(three.p, 7.582_632_947_353_55e-6);
        let two = welch(&[Counts(HISTOGRAMS[0]), Counts(HISTOGRAMS[1])]);
        assert_close(two.statistic.expect("a number"), 16.628_295_819_935_69);
        assert_close(two.p, 0.000_122_269_462_264_742_02);
    }

    /// The numbers are those of `scipy.stats.ttest_ind(…, equal_var=False).confidence_interval()`, scipy 1.17.1.
    #[test]
    fn the_interval_of_a_difference_is_that_of_another_program() {
        let (lower, upper) = mean_difference(Counts(HISTOGRAMS[0]), Counts(HISTOGRAMS[1]), 0.95);
        assert_close(lower, 0.568_938_027_519_857_1);
        assert_close(upper, 1.659_633_401_051_571_4);
    }

    /// The numbers are those of `scipy.stats.fisher_exact` and `scipy.stats.chi2_contingency(…, correction=False)`, scipy 1.17.1.
    #[test]
    fn shares_are_tested_as_another_program_tests_them() {
        assert_close(fisher(share(8, 10), share(1, 6)), 0.034_965_034_965_034_975);
        assert_close(fisher(share(3, 4), share(1, 4)), 0.485_714_285_714_285_65);
        assert_close(fisher(share(0, 30), share(4, 64)), 0.302_548_187_391_970_04);
        assert_close(fisher(share(12, 1000), share(30, 1000)), 0.007_287_953_507_168_595);
        let few = share_test(&[share(0, 30), share(4, 64)]);
        assert_eq!(few.test, "fisher");
        assert_close(few.p, 0.302_548_187_391_970_04);
        let three = share_test(&[share(20, 100), share(35, 100), share(27, 200)]);
        assert_eq!((three.test, &three.degrees[..]), ("chi-square", &[2.0][..]));
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

    /// Of 0.01, 0.04, 0.03 and 0.005, R's `p.adjust(…, "holm")` makes 0.03, 0.06, 0.06 and 0.02.
    #[test]
    fn holms_correction_is_the_usual_one() {
        for (found, expected) in holm(&[0.01, 0.04, 0.03, 0.005]).iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert_close(*found, expected);
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }

    #[test]
    fn people_who_are_all_asked_the_same_are_not_taken_for_a_law() {
        let (three, four) = (Counts(&[0, 0, 0, 40, 0]), Counts(&[0, 0, 0, 0, 40]));
        assert!(three.interval(0.95).0 < 3.0 && three.interval(0.95).1 > 3.0);
        assert_eq!(welch(&[three, three]).p, 1.0);
        assert!(welch(&[three, four]).p < 1e-6);
        assert_eq!(Counts(&[0, 1, 0]).interval(0.95), (0.0, 2.0));
    }

    proptest! {
        /// Exact tests of a true hypothesis: at a level of 5 % the chance of being wrong, added up over all tables, is at most that.
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

        #[test]
        fn groups_in_another_order_are_tested_alike(a in prop::collection::vec(0u64..50, 6), b in prop::collection::vec(0u64..50, 6)) {
            prop_assume!(a.iter().sum::<u64>() >= 2 && b.iter().sum::<u64>() >= 2);
            let (a, b) = (Counts(&a), Counts(&b));
            prop_assert!((welch(&[a, b]).p - welch(&[b, a]).p).abs() < TOLERANCE);
            let (there, back) = (mean_difference(a, b, 0.95), mean_difference(b, a, 0.95));
            prop_assert!((there.0 + back.1).abs() < TOLERANCE && (there.1 + back.0).abs() < TOLERANCE);
        }

        #[test]
        fn holm_lowers_nothing_and_keeps_the_order(p in prop::collection::vec(0.0..1.0f64, 1..20)) {
            let adjusted = holm(&p);
            for (place, other) in (0..p.len()).flat_map(|place| (0..p.len()).map(move |other| (place, other))) {
                prop_assert!(adjusted[place] >= p[place] && adjusted[place] <= 1.0);
                prop_assert!(p[place] > p[other] || adjusted[place] <= adjusted[other]);
            }
        }
    }
}
