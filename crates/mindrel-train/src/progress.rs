//! What a caller is told while training goes on.

/// Where training stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TrainingProgress {
    /// A logistic regression, before an iteration.
    Iteration(Iteration),
    /// A network, after an epoch.
    Epoch(Epoch),
    /// The Bayesian networks of a belief, after an epoch of one of them.
    BeliefEpoch {
        /// Epochs finished, of all networks together.
        epochs: usize,
        /// How many there will be.
        n_epochs: usize,
        /// How many networks there are.
        n_networks: usize,
    },
    /// A logistic regression stopped before its optimum; training goes on with the model it has.
    Warning(FitWarning),
}

/// Where the search for a logistic regression stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iteration {
    /// How many iterations are finished.
    pub iteration: usize,
    /// The objective now.
    pub objective: f64,
    /// The size of the gradient now.
    pub gradient: f64,
    /// What it must fall to; the search also takes at least one step and wants its last one to be tiny.
    pub tolerance: f64,
}

/// What an epoch of a network's training left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// How many epochs are finished.
    pub epoch: usize,
    /// After how many training ends at the latest.
    pub n_epochs: usize,
    /// The mean loss of the rows learned from, each under the parameters just before the step it took part in; of a
    /// Bayesian network, the negative evidence lower bound per row.
    pub training_loss: f64,
    /// The mean loss of the rows kept aside, after the epoch; `None` without early stopping.
    pub validation_loss: Option<f64>,
}

/// Why a logistic regression is not at its optimum. The model is the best that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum FitWarning {
    /// The allowed iterations did not suffice.
    #[error(
        "logistic regression did not converge within {n_iterations} iterations; allow more iterations, or raise the \
         regularization"
    )]
    OutOfIterations { n_iterations: usize },
    /// Rounding hides any further improvement, and the gradient is still above the tolerance.
    #[error(
        "rounding stopped logistic regression after {n_iterations} iterations, before it converged; scale the columns, \
         for example to [-1, 1], or raise the regularization"
    )]
    Stalled { n_iterations: usize },
    /// The penalty is too weak, for columns this large, to tell some of them apart from each other.
    #[error(
        "to rounding, {} is a combination of other columns, so the weights of logistic regression are not unique; \
         leave one of these columns out, scale them, for example to [-1, 1], or raise the regularization",
        column.map_or("the intercept".to_owned(), |column| format!("column {column}"))
    )]
    Collinear {
        /// The column, counted from zero, or `None` for the intercept.
        column: Option<usize>,
    },
}
