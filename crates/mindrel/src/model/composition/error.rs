//! What can keep parts from being a composition.

/// Why parts do not make a composition. Models, values and scores are counted from zero.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum CompositionError {
    /// There is nothing to compose, or too few classes.
    #[error("a composition needs at least one model, one column and two outputs")]
    Empty,
    /// More than can be held.
    #[error("the composition has more than {most} values and operands; compose fewer models")]
    TooMany { most: usize },
    /// A model over other columns.
    #[error("model {model} of the composition takes {found} columns, and there are {expected}")]
    Columns { model: usize, expected: usize, found: usize },
    /// A value made of something that is not there, or not before it.
    #[error("value {value} of the composition is made of a score or a value that is not there before it")]
    Operand { value: usize },
    /// A value whose own numbers cannot be used.
    #[error("value {value} of the composition has numbers that are not finite, out of order or do not fit together")]
    Numbers { value: usize },
    /// A share of numbers that may be below zero.
    #[error(
        "value {value} of the composition is a share of values that may be below zero; only sums of probabilities have shares"
    )]
    Negative { value: usize },
    /// A value whose size nobody can bound.
    #[error("value {value} of the composition can be too large to be computed with; scale the columns of its models")]
    TooLarge { value: usize },
    /// Outputs that are not there, or ties that are not broken for each class once.
    #[error("the outputs of the composition, or the order in which its classes win ties, do not name each class once")]
    Outputs,
}
