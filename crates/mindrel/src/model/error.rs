//! What can keep numbers from being a model.

use super::{CompositionError, TreeError};

/// Why numbers do not make a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum ModelError {
    /// There are no scores, or two, which is a binary model written twice.
    #[error("a model needs one score (binary) or three and more (one for each class), not {found}")]
    ScoreCount { found: usize },
    /// The weights do not fill `scores × columns`.
    #[error("{found} weights do not fill {expected} (scores or units × columns or inputs)")]
    WeightCount { expected: usize, found: usize },
    /// A network takes nothing in.
    #[error("the first layer of the network has no inputs; give it one for each column")]
    NoInputs,
    /// A layer of a network takes another number of inputs than the layer below has units.
    #[error("layer {layer} of the network takes {found} inputs, and the layer below it has {expected} units")]
    LayerInputs {
        /// The layer, counted from zero.
        layer: usize,
        expected: usize,
        found: usize,
    },
    /// A weight or an intercept is NaN or infinite.
    #[error("a weight or an intercept of the model is not a finite number; train again with a larger penalty")]
    NotFinite,
    /// The weights are too large to be added up safely.
    #[error("the weights of the model are too large to be added up; scale the columns they belong to")]
    TooLarge,
    /// The trees are invalid.
    #[error(transparent)]
    Trees(#[from] TreeError),
    /// The parts of a composition do not fit together.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// A black box takes nothing in.
    #[error("the black box takes no columns; declare as many as an encoded person has")]
    NoColumns,
    /// What runs a black box is another model.
    #[error(
        "the black box declares {} columns and {} scores, but its runtime has {} and {}; attach the runtime it was made with",
        expected.0, expected.1, found.0, found.1
    )]
    Runtime { expected: (usize, usize), found: (usize, usize) },
}

/// A model has one score, or three and more.
pub(super) fn check_n_scores(found: usize) -> Result<(), ModelError> {
    if found == 0 || found == 2 { Err(ModelError::ScoreCount { found }) } else { Ok(()) }
}
