//! How a mixture is fitted, and what is refused before the search starts.

use std::ops::RangeInclusive;

use super::em::LEAST_ROWS;
use super::table::Table;
use crate::TrainError;

/// The most components [`Components::Auto`] tries.
const MOST_COMPONENTS: usize = 8;

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixtureOptions {
    /// How many components.
    pub components: Components,
    /// Fixes the starts.
    pub seed: u64,
    /// ν / n: how many rows' worth of the pooled covariance is mixed into each component's own, as a share of all rows.
    pub prior_share: f64,
    /// How many starts are tried for each number of components.
    pub starts: usize,
    /// After how many iterations to take what there is.
    pub max_iterations: usize,
    /// The search ends when the objective rises by less than this for each row.
    pub tolerance: f64,
}

/// How many components a mixture has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Components {
    /// This many; fewer where some are left with almost no rows.
    Fixed(usize),
    /// As many, from one to eight, as give the lowest BIC; larger numbers are not tried once it rose twice in a row.
    Auto,
}

impl Default for MixtureOptions {
    /// A prior of three rows in a hundred, chosen on bank, adult and credit [TF23, App. D] by what a belief is for: the
    /// Brier score and the log loss of a logistic regression's label, foretold from a random part of the questions for
    /// held-out rows.
    ///
    /// Adult, one-hot, 7 components, Brier score by share: 0.073 (share 0.00003), 0.070 (0.001), 0.065 (0.003), 0.064
    /// (0.01 and 0.03), 0.069 (0.1), against 0.068 of a single normal distribution; elsewhere shares differ less, and on
    /// bank mixtures are hardly better than one distribution. One split, 1,800 cases, the same that the choice was made
    /// by: differences in the third digit may be luck. At 0.003 and below, the variance of a rare level in a component
    /// without it falls below the rounding of common ones: its covariance is no longer singular to rounding where the
    /// pooled one is, or not positive semi-definite.
    fn default() -> Self {
        MixtureOptions {
            components: Components::Auto,
            seed: 0,
            prior_share: 0.03,
            starts: 4,
            max_iterations: 200,
            tolerance: 1e-4,
        }
    }
}

impl MixtureOptions {
    /// ν, for this many rows.
    pub(super) fn pseudo_rows(&self, n_rows: usize) -> f64 {
        self.prior_share * n_rows as f64
    }

    /// Refuses what no search can be run with.
    pub(super) fn check(&self) -> Result<(), TrainError> {
        let positive = |value: f64| value > 0.0 && value.is_finite() && value.recip().is_finite();
        let invalid = |option| Err(TrainError::InvalidOption { option });
        if self.components == Components::Fixed(0) {
            return invalid("components");
        }
        if !positive(self.prior_share) {
            return invalid("prior_share");
        }
        if self.starts == 0 {
            return invalid("starts");
        }
        if self.max_iterations == 0 {
            return invalid("max_iterations");
        }
        if !positive(self.tolerance) {
            return invalid("tolerance");
        }
        Ok(())
    }

    /// Refuses more components than so many rows can tell apart.
    pub(crate) fn check_rows(&self, n_rows: usize) -> Result<(), TrainError> {
        match self.components {
            Components::Fixed(number) if number > 1 && n_rows < number.saturating_mul(LEAST_ROWS) => {
                Err(TrainError::TooFewRows { n_components: number, needed: number.saturating_mul(LEAST_ROWS) })
            }
            Components::Fixed(_) | Components::Auto => Ok(()),
        }
    }

    /// The numbers of components to try on a table.
    pub(super) fn numbers(&self, table: &Table) -> Result<RangeInclusive<usize>, TrainError> {
        self.check_rows(table.n_rows())?;
        // Rows that are all the same have one component, whatever is asked for.
        let most = if table.n_columns() == 0 { 1 } else { (table.n_rows() / LEAST_ROWS).max(1) };
        match self.components {
            Components::Auto => Ok(1..=most.min(MOST_COMPONENTS)),
            Components::Fixed(number) => Ok(number.min(most)..=number.min(most)),
        }
    }
}
