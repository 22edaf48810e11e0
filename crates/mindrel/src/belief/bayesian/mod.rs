//! The Bayesian neural network [TF23, §4]: a regression of the open columns on the known ones, with uncertain weights.

mod layer;
mod rectified;
mod regressor;
mod room;

pub use layer::{BayesianLayer, Normals};
pub use regressor::{LN_VARIANCE_BOUNDS, Regressor};
pub use room::RegressorRoom;

use serde::{Deserialize, Serialize};

use super::BeliefError;
use crate::checked::read_by_new;
use crate::questionnaire::Questionnaire;

/// The open columns as Bayesian neural networks predict them from the known ones [TF23, §4.1, the alternative].
///
/// ```text
/// X_U | x_R ~ N(m(x_R), Σ(x_R)),     m, Σ the moments of what a network predicts, over its weights and its noise
/// ```
///
/// The networks read and predict columns in standard units, `(x − centre) / scale`. Departs from [TF23, §4.1], which
/// draws weights: the moments over them have closed forms, and are taken instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BayesianParts")]
pub struct BayesianBelief {
    centre: Vec<f64>,
    scale: Vec<f64>,
    regressors: Regressors,
}

/// The networks of a belief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Regressors {
    /// One for all sets of known questions.
    ///
    /// It reads every column, zero if open, and an indicator for each known sensitive question; it predicts all
    /// sensitive columns, question after question.
    Amortised(Box<Regressor>),
    /// One for each set of known sensitive questions, as published; the `i`-th for the set whose bits are those of `i`.
    ///
    /// Each reads the public columns and then the known sensitive ones, and predicts the open ones, question after
    /// question.
    PerSet(Vec<Regressor>),
}

/// Sensitive questions at most for which there can be a network for each set of them.
pub const MOST_QUESTIONS_PER_SET: usize = 10;

impl BayesianBelief {
    /// A belief from the standard units of all columns and its networks.
    ///
    /// # Errors
    /// When the units are not one finite centre and one scale above zero for each column.
    pub fn new(centre: Vec<f64>, scale: Vec<f64>, regressors: Regressors) -> Result<Self, BeliefError> {
        let sound = centre.len() == scale.len()
            && centre.iter().all(|centre| centre.is_finite())
            && scale.iter().all(|scale| scale.is_finite() && *scale > 0.0);
        if sound { Ok(BayesianBelief { centre, scale, regressors }) } else { Err(BeliefError::Standards) }
    }

    /// How many columns.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.centre.len()
    }

    /// The centre of every column.
    #[must_use]
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// The scale of every column.
    #[must_use]
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// The networks.
    #[must_use]
    pub fn regressors(&self) -> &Regressors {
        &self.regressors
    }

    /// Mean and standard deviation of a column before anything is known.
    pub(super) fn marginal(&self, column: usize) -> (f64, f64) {
        (self.centre[column], self.scale[column])
    }

    /// Whether the networks read and predict what a plan knows and asks for.
    pub(crate) fn fits(&self, questions: &Questionnaire) -> bool {
        let n_questions = questions.len();
        match &self.regressors {
            Regressors::Amortised(regressor) => {
                regressor.n_inputs() == self.n_columns() + n_questions
                    && (n_questions == 0 || regressor.n_targets() == questions.columns.len())
            }
            Regressors::PerSet(regressors) => {
                let fits = |(set, regressor): (usize, &Regressor)| {
                    let known = questions.places.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
                    let n_known: usize = known.map(|(_, columns)| columns.len()).sum();
                    regressor.n_inputs() == questions.public_columns.len() + n_known
                        && regressor.n_targets() == questions.columns.len() - n_known
                };
                n_questions <= MOST_QUESTIONS_PER_SET
                    && regressors.len() == (1 << n_questions) - 1
                    && regressors.iter().enumerate().all(fits)
            }
        }
    }
}

read_by_new!(BayesianBelief from BayesianParts { centre: Vec<f64>, scale: Vec<f64>, regressors: Regressors } or BeliefError);
