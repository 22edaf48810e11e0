//! Beliefs: what the open columns probably are, given those that are known.

mod effect;
mod gaussian;
mod paths;
mod posterior;

pub(crate) use effect::QuestionEffect;
pub use gaussian::{BeliefError, GaussianBelief};
pub(crate) use paths::{BeliefPaths, Known, Position};
pub(crate) use posterior::{Posterior, Prior};
