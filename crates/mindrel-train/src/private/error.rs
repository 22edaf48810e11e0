//! Why nothing is released.

use super::PrivacyBudget;

/// Why private moments could not be had. Names sizes and options, never the value of a cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum PrivacyError {
    /// ε is out of bounds.
    #[error("epsilon must be a number from {} to {}; usual are 0.1 to 10", PrivacyBudget::EPSILONS[0], PrivacyBudget::EPSILONS[1])]
    Epsilon,
    /// δ is no probability.
    #[error(
        "delta must be a number above 0 and below 1, and far below one divided by the number of rows, such as 1e-6"
    )]
    Delta,
    /// The text is not one or two numbers.
    #[error("a privacy budget is written EPSILON or EPSILON,DELTA, such as `1` or `0.5,1e-7`")]
    Text,
    /// δ is so large that whole rows might be released.
    #[error("delta must be below 1/{n_rows}, one divided by the number of rows; give a smaller one as EPSILON,DELTA")]
    DeltaForRows { n_rows: usize },
    /// The rows are not those of the schema.
    #[error("the rows have {found} columns instead of the {expected} of the schema; encode them by this schema")]
    Columns { expected: usize, found: usize },
    /// The operating system gave no random numbers.
    #[error("the operating system gave no random numbers, without which there is no privacy; try again")]
    NoRandomness,
}
