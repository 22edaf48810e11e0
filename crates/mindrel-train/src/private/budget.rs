//! How much a release may tell about one person.

use std::fmt;
use std::str::FromStr;

use super::PrivacyError;

/// An (ε, δ) of differential privacy [DMNS06, Def. 1].
///
/// ```text
/// P(release of T ∈ A) ≤ e^ε P(release of T' ∈ A) + δ   for all A and all tables T, T' that differ in one row
/// ```
///
/// Written `EPSILON` or `EPSILON,DELTA`, such as `1` or `0.5,1e-7`.
///
/// # Example
/// ```
/// use mindrel_train::{PrivacyBudget, PrivacyError};
///
/// let budget: PrivacyBudget = "0.5,1e-7".parse()?;
/// assert_eq!(budget, PrivacyBudget::new(0.5, 1e-7)?);
/// assert_eq!("2".parse::<PrivacyBudget>()?.delta(), PrivacyBudget::DEFAULT_DELTA);
/// # Ok::<(), PrivacyError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrivacyBudget {
    epsilon: f64,
    delta: f64,
}

/// A share of ρ larger than all rounding from here to the variance of the noise, given away so that rounding costs no
/// privacy.
const ROUNDING: f64 = 1e-9;

impl PrivacyBudget {
    /// The δ of a budget that names only its ε; sound for tables of fewer than a million rows.
    pub const DEFAULT_DELTA: f64 = 1e-6;

    /// The smallest and the largest ε: below, there is only noise; above, there is none to speak of.
    pub const EPSILONS: [f64; 2] = [1e-6, 1e6];

    /// A budget of ε and δ.
    ///
    /// # Errors
    /// When ε is not among [`EPSILONS`](Self::EPSILONS) or δ not between 0 and 1.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self, PrivacyError> {
        let [least, most] = PrivacyBudget::EPSILONS;
        if !(least..=most).contains(&epsilon) {
            return Err(PrivacyError::Epsilon);
        }
        if !(delta > 0.0 && delta < 1.0) {
            return Err(PrivacyError::Delta);
        }
        Ok(PrivacyBudget { epsilon, delta })
    }

    /// ε: by how much the odds of anything may change with one row, as a logarithm.
    #[must_use]
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// δ: the probability that may escape that.
    #[must_use]
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// A δ of 1/n or more would allow the release of somebody's whole row.
    pub(crate) fn check_rows(&self, n_rows: usize) -> Result<(), PrivacyError> {
        if self.delta * n_rows as f64 >= 1.0 { Err(PrivacyError::DeltaForRows { n_rows }) } else { Ok(()) }
    }

    /// The largest ρ we find whose ρ-concentrated differential privacy implies this budget.
    ///
    /// ```text
    /// δ = e^{(α − 1)(αρ − ε)} / α · (1 − 1/α)^{α − 1}   for any α > 1 of our choice [CKS20, Prop. 12]
    /// ρ = (ε + (ln δ + ln α) / (α − 1) − ln(1 − 1/α)) / α
    /// ```
    ///
    /// # Numerics
    /// Every α is sound, so a search that misses the best costs noise and not privacy; steps of 1 % in α − 1 miss it by
    /// less than 1e-4 of ρ.
    pub(super) fn concentrated(&self) -> f64 {
        let rho = |step: i32| {
            // α − 1
            let excess = (f64::from(step) * 0.01).exp();
            let term = (self.delta.ln() + excess.ln_1p()) / excess;
            (self.epsilon + term + (1.0 / excess).ln_1p()) / (1.0 + excess)
        };
        (-1500..=3500).map(rho).fold(0.0, f64::max) * (1.0 - ROUNDING)
    }
}

impl FromStr for PrivacyBudget {
    type Err = PrivacyError;

    fn from_str(text: &str) -> Result<Self, PrivacyError> {
        let (epsilon, delta) = match text.split_once(',') {
            Some((epsilon, delta)) => (epsilon, Some(delta)),
            None => (text, None),
        };
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| PrivacyError::Text);
        let delta = delta.map_or(Ok(PrivacyBudget::DEFAULT_DELTA), number)?;
        PrivacyBudget::new(number(epsilon)?, delta)
    }
}

/// As it is parsed: `EPSILON,DELTA`.
impl fmt::Display for PrivacyBudget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{:e}", self.epsilon, self.delta)
    }
}

#[cfg(test)]
mod tests {
    use mindrel::math::normal::cdf;

    use super::*;

    #[test]
    fn a_budget_outside_its_bounds_is_refused() {
        for epsilon in [0.0, -1.0, 1e-7, 1e7, f64::NAN, f64::INFINITY] {
            assert_eq!(PrivacyBudget::new(epsilon, 1e-6), Err(PrivacyError::Epsilon));
        }
        for delta in [0.0, 1.0, -1e-9, 1.5, f64::NAN] {
            assert_eq!(PrivacyBudget::new(1.0, delta), Err(PrivacyError::Delta));
        }
        assert_eq!("1,2".parse::<PrivacyBudget>(), Err(PrivacyError::Delta));
        assert_eq!("inf".parse::<PrivacyBudget>(), Err(PrivacyError::Epsilon));
    }

    #[test]
    fn a_text_that_is_no_budget_is_told_what_would_be() {
        for text in ["", "one", "1;2", "1,", ",1e-6", "1,1e-6,3"] {
            assert_eq!(text.parse::<PrivacyBudget>(), Err(PrivacyError::Text));
        }
        assert!(PrivacyError::Text.to_string().contains("EPSILON,DELTA"));
    }

    #[test]
    fn a_budget_is_written_as_it_is_read() {
        let budget = PrivacyBudget::new(0.5, 2.5e-7).expect("a sound budget");
        assert_eq!(budget.to_string().parse(), Ok(budget));
        assert_eq!(" 0.5 , 2.5e-7 ".parse(), Ok(budget));
    }

    #[test]
    fn delta_must_stay_below_one_person_in_the_table() {
        let budget = PrivacyBudget::new(1.0, 1e-3).expect("a sound budget");
        assert_eq!(budget.check_rows(999), Ok(()));
        assert_eq!(budget.check_rows(1000), Err(PrivacyError::DeltaForRows { n_rows: 1000 }));
    }

    /// The exact δ of a Gaussian mechanism with this deviation per sensitivity [BW18, Thm. 8].
    fn exact_delta(epsilon: f64, deviation: f64) -> f64 {
        let (half, shift) = (0.5 / deviation, epsilon * deviation);
        cdf(half - shift) - epsilon.exp() * cdf(-half - shift)
    }

    /// The smallest deviation per sensitivity that the exact trade-off allows.
    fn exact_deviation(budget: &PrivacyBudget) -> f64 {
        let (mut too_small, mut enough): (f64, f64) = (1e-6, 1e9);
        for _ in 0..200 {
            let middle = (too_small * enough).sqrt();
            if exact_delta(budget.epsilon, middle) <= budget.delta { enough = middle } else { too_small = middle }
        }
        enough
    }

    /// By a formula that shares nothing with the calibration. What concentrated privacy costs over it:
    /// 3 to 11 % of noise at δ ≤ 1e-6, up to 28 % at δ = 1e-3.
    #[test]
    fn the_noise_keeps_the_exact_trade_off_of_the_gaussian_mechanism() {
        for epsilon in [0.01, 0.1, 0.5, 1.0, 2.0, 8.0, 50.0] {
            for delta in [1e-3, 1e-6, 1e-9] {
                let budget = PrivacyBudget::new(epsilon, delta).expect("a sound budget");
                let deviation = (0.5 / budget.concentrated()).sqrt();
                assert!(exact_delta(epsilon, deviation) <= delta, "{budget}");
                let cost = deviation / exact_deviation(&budget);
                let most = if delta > 1e-6 { 1.3 } else { 1.12 };
                assert!((1.0..most).contains(&cost), "{budget} {cost}");
            }
        }
    }

    #[test]
    fn every_budget_has_a_finite_noise() {
        for epsilon in PrivacyBudget::EPSILONS {
            for delta in [f64::MIN_POSITIVE, 1e-6, 0.999] {
                let rho = PrivacyBudget::new(epsilon, delta).expect("a sound budget").concentrated();
                assert!(rho > 1e-18 && rho < 1e12, "{epsilon} {delta} {rho}");
            }
        }
    }
}
