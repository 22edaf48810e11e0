//! Exact bounds of a share from a count [Clopper & Pearson 1934].
//!
//! Whatever the true share p is, the count among n independent people is Binomial(n, p). A bound with confidence c
//! fails with probability at most 1 − c.

/// Halvings of an interval of length one until its ends are neighbouring doubles, or nearly so.
const HALVINGS: usize = 100;

/// The upper bound of a share, with a confidence from 0.5 to 1: the largest p that does not make the count too
/// unlikely.
///
/// ```text
/// sup { p : P(X ≤ count) > 1 − confidence },   X ~ Binomial(people, p)
/// ```
///
/// It is 1 if everyone is counted, and if there is nobody.
///
/// # Numerics
/// Found by halving; the larger end is returned. The tail is summed from its largest term down. `lgamma` leaves a
/// relative error of about 1e-16 people · ln(people) in the logarithm of that term: below 1e-8 up to ten million
/// people.
///
/// A calibration rests on this bound, and `Beta::inverse_cdf` of statrs 0.19 is not one: for 0 of 1,000,000 people at
/// 95 % it is too small (its tail is 0.05001), and for 5 of 10,000,000 it does not return.
#[must_use]
pub fn upper_bound(count: u64, people: u64, confidence: f64) -> f64 {
    if count >= people {
        return 1.0;
    }
    let allowed = 1.0 - confidence;
    // At the observed share the tail is about one half or more, so the bound lies above it.
    let (mut low, mut high) = (count as f64 / people as f64, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if lower_tail(count, people, middle) > allowed {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The lower bound of a share, with a confidence from 0.5 to 1. It is 0 if nobody is counted.
#[must_use]
pub fn lower_bound(count: u64, people: u64, confidence: f64) -> f64 {
    1.0 - upper_bound(people - count.min(people), people, confidence)
}

/// The interval between both bounds, which misses the share with probability at most 1 − confidence.
#[must_use]
pub fn interval(count: u64, people: u64, confidence: f64) -> (f64, f64) {
    let each = 0.5 * (1.0 + confidence);
    (lower_bound(count, people, each), upper_bound(count, people, each))
}

/// The fewest people with which a count of 0 shows that the share is at most `share`, with some confidence.
///
/// ```text
/// the smallest n with (1 − share)^n ≤ 1 − confidence
/// ```
#[must_use]
pub fn people_needed(share: f64, confidence: f64) -> u64 {
    let real = (1.0 - confidence).ln() / (-share).ln_1p();
    let mut people = real.ceil().max(1.0) as u64;
    // If the result is nearly a whole number, rounding could decide; the bound must agree.
    while people > 1 && upper_bound(0, people - 1, confidence) <= share {
        people -= 1;
    }
    while upper_bound(0, people, confidence) > share {
        people += 1;
    }
    people
}

/// P(X ≤ count) of X ~ Binomial(people, p), for a count below the mean and p > 0.
fn lower_tail(count: u64, people: u64, p: f64) -> f64 {
    let (k, n) = (count as f64, people as f64);
    if p >= 1.0 {
        return 0.0;
    }
    let ln_choose = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
    let mut term = (ln_choose + k * p.ln() + (n - k) * (-p).ln_1p()).exp();
    if count == 0 {
        term = (n * (-p).ln_1p()).exp();
    }
    let odds = (1.0 - p) / p;
    let mut sum = term;
    for smaller in (0..count).rev() {
        let place = smaller as f64 + 1.0;
        term *= place / (n - place + 1.0) * odds;
        sum += term;
        // From here on terms fall at least geometrically, or all of them underflow.
        if term <= sum * 1e-17 {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;

    /// Halving ends between neighbouring doubles, so only the rounding of the tail is left.
    const TOLERANCE: f64 = 1e-11;

    /// P(X ≤ count), added up in rational numbers.
    fn exact_tail(count: u64, people: u64, p: f64) -> f64 {
        let p = BigRational::from_float(p).expect("a finite number");
        let q = BigRational::from_integer(BigInt::from(1)) - &p;
        let mut choose = BigInt::from(1);
        let mut sum = BigRational::from_integer(BigInt::from(0));
        for k in 0..=count {
            if k > 0 {
                choose = choose * BigInt::from(people - k + 1) / BigInt::from(k);
            }
            sum += BigRational::from_integer(choose.clone()) * power(&p, k) * power(&q, people - k);
        }
        num_to_f64(&sum)
    }

    fn power(base: &BigRational, exponent: u64) -> BigRational {
        base.pow(i32::try_from(exponent).expect("small"))
    }

    /// A ratio of huge whole numbers, to 200 bits.
    fn num_to_f64(value: &BigRational) -> f64 {
        let scale = BigInt::from(1) << 200;
        let scaled: BigInt = value.numer() * &scale / value.denom();
        scaled.to_string().parse::<f64>().expect("a number") / 2f64.powi(200)
    }

    /// At the upper bound, the tail is exactly 1 − confidence; checked in rational numbers, for every count below n.
    #[test]
    fn the_upper_bound_solves_the_binomial_tail_exactly() {
        for people in [1, 2, 7, 30] {
            for count in 0..people {
                for confidence in [0.5, 0.9, 0.95, 0.999] {
                    let bound = upper_bound(count, people, confidence);
                    let tail = exact_tail(count, people, bound);
                    assert!(
                        (tail - (1.0 - confidence)).abs() < TOLERANCE,
                        "{count} of {people} at {confidence}: {tail}"
                    );
                }
            }
        }
    }

    #[test]
    fn nobody_and_everybody_have_closed_forms() {
        for people in [1u64, 10, 59, 299, 1_000_000] {
            for confidence in [0.5f64, 0.95, 0.999] {
                let none = -((1.0 - confidence).ln() / people as f64).exp_m1();
                assert!((upper_bound(0, people, confidence) - none).abs() < TOLERANCE);
                assert!((lower_bound(people, people, confidence) - (1.0 - none)).abs() < TOLERANCE);
                assert_eq!((upper_bound(people, people, confidence), lower_bound(0, people, confidence)), (1.0, 0.0));
            }
        }
        assert_eq!((upper_bound(0, 0, 0.95), lower_bound(0, 0, 0.95)), (1.0, 0.0), "nobody says nothing");
    }

    /// 0.04900469 to 0.1762226 is what R's `binom.test(10, 100)` says.
    #[test]
    fn ten_of_a_hundred_lie_where_another_program_has_them() {
        let (lower, upper) = interval(10, 100, 0.95);
        assert!((lower - 0.049_004_69).abs() < 1e-8 && (upper - 0.176_222_6).abs() < 1e-7, "{lower} {upper}");
    }

    /// 299 people without a flip bear out 1 % at 95 %, 298 do not.
    #[test]
    fn so_many_people_are_needed() {
        assert_eq!((people_needed(0.01, 0.95), people_needed(0.05, 0.95), people_needed(0.001, 0.99)), (299, 59, 4603));
        assert_eq!(people_needed(0.5, 0.5), 1);
    }

    proptest! {
        /// More counted, or more confidence, never lowers the upper bound; bounds enclose the observed share.
        #[test]
        fn bounds_are_ordered(people in 1u64..100_000, share in 0.0..1.0f64, confidence in 0.5..0.9999f64) {
            let count = (share * people as f64) as u64;
            let (lower, upper) = (lower_bound(count, people, confidence), upper_bound(count, people, confidence));
            let observed = count as f64 / people as f64;
            prop_assert!(0.0 <= lower && lower <= observed + TOLERANCE && observed <= upper && upper <= 1.0);
            prop_assert!(upper <= upper_bound((count + 1).min(people), people, confidence) + TOLERANCE);
            prop_assert!(upper <= upper_bound(count, people, 0.5 + 0.5 * confidence) + TOLERANCE);
        }

        #[test]
        fn people_needed_is_the_least_that_suffices(share in 0.001..0.5f64, confidence in 0.5..0.999f64) {
            let people = people_needed(share, confidence);
            prop_assert!(upper_bound(0, people, confidence) <= share);
            prop_assert!(people == 1 || upper_bound(0, people - 1, confidence) > share);
        }
    }
}
