//! What all tests share: their result, and the correction for making several.

use serde::Serialize;

/// The test of a difference between groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupTest {
    /// Welch's test of means.
    Welch,
    /// The analysis of variance.
    Anova,
    /// Pearson's χ² test of shares.
    ChiSquare,
    /// Fisher's exact test of shares.
    Fisher,
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tested {
    pub test: GroupTest,
    pub statistic: Option<f64>,
    pub degrees: Vec<f64>,
    pub p: f64,
}

/// Corrects the p-values of several tests [Holm 1979]: rejecting those up to a level makes any false rejection at
/// most as likely as that level.
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
    use crate::tails::tests::assert_close;

    /// Of 0.01, 0.04, 0.03 and 0.005, R's `p.adjust(…, "holm")` makes 0.03, 0.06, 0.06 and 0.02.
    #[test]
    fn holms_correction_is_the_usual_one() {
        for (found, expected) in holm(&[0.01, 0.04, 0.03, 0.005]).iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert_close(*found, expected);
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }

    proptest! {
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
