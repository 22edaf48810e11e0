//! What can be wrong with the numbers of a belief.

/// Why numbers do not make a belief.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum BeliefError {
    /// The covariance is not `columns × columns`.
    #[error("a belief over {columns} columns needs a covariance of {columns} × {columns} entries, not {found}")]
    Size { columns: usize, found: usize },
    /// A number is NaN, infinite or beyond all bounds.
    #[error("the mean or the covariance holds a number that is not finite, or too large to be squared")]
    NotFinite,
    /// The covariance is not symmetric.
    #[error("the covariance is not symmetric in columns {row} and {column}")]
    NotSymmetric { row: usize, column: usize },
    /// The covariance is of no distribution: it has a negative eigenvalue.
    #[error("the covariance is not positive semi-definite (negative pivot in column {column})")]
    Indefinite { column: usize },
    /// A layer of a Bayesian neural network has too few or too many numbers.
    #[error("the {part} of a layer need {expected} means and as many deviations, not {found}")]
    LayerSize { part: &'static str, expected: usize, found: usize },
    /// A weight is NaN, infinite or beyond all bounds.
    #[error("the {part} of a layer hold a number that is not finite, or beyond 1e30")]
    WeightNotFinite { part: &'static str },
    /// A standard deviation is below zero.
    #[error("the {part} of a layer have a negative deviation at place {place}; a deviation is zero or above")]
    NegativeDeviation {
        part: &'static str,
        /// Where, counted from zero.
        place: usize,
    },
    /// The output layer is of another network.
    #[error("the output layer reads {inputs} hidden units, but there are {units}")]
    LayersApart { units: usize, inputs: usize },
    /// The outputs are not one mean and one ln-variance for each target.
    #[error("a regressor has a mean and an ln-variance for every target, so an even number of outputs, not {found}")]
    OutputCount { found: usize },
    /// Centres or scales are not one finite number for each column, scales above zero.
    #[error("a Bayesian belief needs one finite centre and one scale above zero for each column")]
    Standards,
    /// There is not one margin for each latent number.
    #[error("a copula needs one marginal for each of its {latent} latent numbers, not {found}")]
    Margins { latent: usize, found: usize },
    /// The latent numbers are not standard normal.
    #[error("the latent numbers of a copula must have mean zero and variance one")]
    NotStandard,
    /// Knots or levels that make no margin.
    #[error(
        "the marginal of question {question} needs finite, increasing knots, or every level once with increasing thresholds between them"
    )]
    Margin {
        /// Its place among the questions, counted from zero.
        question: usize,
    },
}
