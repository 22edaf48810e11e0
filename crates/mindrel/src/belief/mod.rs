//! Beliefs: what the open columns probably are, given those that are known.

mod effect;
mod gaussian;
mod paths;
mod posterior;

pub(crate) use effect::QuestionEffect;
pub use gaussian::{BeliefError, GaussianBelief};
pub(crate) use paths::{BeliefPaths, Known, Position};
pub(crate) use posterior::{Posterior, Prior};

use crate::schema::Domain;

/// The probability of each level of a one-hot category or of no and yes: the expected indicators, clipped and normalised.
pub(crate) fn level_probability(domain: Domain, mean: &[f64], level: usize) -> f64 {
    match domain {
        Domain::OneOf { .. } => {
            let total: f64 = mean.iter().map(|value| value.max(0.0)).sum();
            if total > 0.0 { mean[level].max(0.0) / total } else { 1.0 / mean.len() as f64 }
        }
        Domain::Interval | Domain::Grid { .. } => {
            let yes = f64::midpoint(mean[0], 1.0).clamp(0.0, 1.0);
            if level == 1 { yes } else { 1.0 - yes }
        }
    }
}
