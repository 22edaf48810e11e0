//! Beliefs: what the open columns probably are, given those that are known.

mod effect;
mod gaussian;
mod paths;

pub use effect::QuestionEffect;
pub use gaussian::{BeliefError, GaussianBelief};
pub(crate) use paths::{BeliefPaths, Known, Position, SensitiveColumns};
