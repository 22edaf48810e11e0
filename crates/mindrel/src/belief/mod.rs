//! Beliefs: what the open columns probably are, given those that are known.

mod bayesian;
mod copula;
mod effect;
mod error;
mod gaussian;
mod paths;
mod posterior;
mod predictive;

pub use bayesian::{
    BayesianBelief, BayesianLayer, LN_VARIANCE_BOUNDS, MOST_QUESTIONS_PER_SET, Normals, Regressor, RegressorRoom,
    Regressors,
};
pub(crate) use copula::POINTS as COPULA_POINTS;
pub use copula::{CopulaBelief, Marginal, SCORE_LIMIT};
pub(crate) use effect::QuestionEffect;
pub use error::BeliefError;
pub use gaussian::GaussianBelief;
pub(crate) use paths::{BeliefPaths, Known, Position};
pub(crate) use posterior::{GaussianPosterior, GaussianPrior, Posterior, Prior};
pub use predictive::Predictive;

use serde::{Deserialize, Serialize};

use crate::schema::{Domain, Schema};

/// What is believed of the columns of a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Belief {
    /// One joint normal distribution [TF23, Prop. 3].
    Gaussian(GaussianBelief),
    /// Bayesian neural networks that predict the open columns from the known ones [TF23, §4.1].
    BayesNn(BayesianBelief),
    /// A latent normal number for each question, with margins as the data have them.
    Copula(CopulaBelief),
}

impl Belief {
    /// The names of all kinds.
    pub const KINDS: [&str; 3] = ["gaussian", "copula", "bayes-nn"];

    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Belief::Gaussian(_) => "gaussian",
            Belief::BayesNn(_) => "bayes-nn",
            Belief::Copula(_) => "copula",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Belief::Gaussian(_) => "one Gaussian".to_owned(),
            Belief::BayesNn(belief) => match belief.regressors() {
                Regressors::Amortised(_) => "one Bayesian neural network for all sets of known questions".to_owned(),
                Regressors::PerSet(networks) => {
                    let plural = if networks.len() == 1 { "" } else { "s" };
                    format!("{} Bayesian neural network{plural}, one for each set of known questions", networks.len())
                }
            },
            Belief::Copula(_) => "copula: margins as they are, and a Gaussian between them".to_owned(),
        }
    }

    /// How many columns.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        match self {
            Belief::Gaussian(belief) => belief.n_columns(),
            Belief::BayesNn(belief) => belief.n_columns(),
            Belief::Copula(belief) => belief.n_columns(),
        }
    }

    /// The one Gaussian, if it is one.
    #[must_use]
    pub fn gaussian(&self) -> Option<&GaussianBelief> {
        match self {
            Belief::Gaussian(belief) => Some(belief),
            Belief::BayesNn(_) | Belief::Copula(_) => None,
        }
    }

    /// Whether margins, if it has any, are those of a schema's questions.
    pub(crate) fn has_margins_of(&self, schema: &Schema) -> bool {
        match self {
            Belief::Copula(belief) => belief.fits(schema),
            Belief::Gaussian(_) | Belief::BayesNn(_) => true,
        }
    }

    /// Mean and standard deviation of a column before anything is known.
    #[must_use]
    pub fn marginal(&self, column: usize) -> (f64, f64) {
        match self {
            Belief::Gaussian(belief) => belief.marginal(column),
            Belief::BayesNn(belief) => belief.marginal(column),
            Belief::Copula(belief) => belief.marginal(column),
        }
    }
}

impl From<GaussianBelief> for Belief {
    fn from(belief: GaussianBelief) -> Self {
        Belief::Gaussian(belief)
    }
}

impl From<BayesianBelief> for Belief {
    fn from(belief: BayesianBelief) -> Self {
        Belief::BayesNn(belief)
    }
}

impl From<CopulaBelief> for Belief {
    fn from(belief: CopulaBelief) -> Self {
        Belief::Copula(belief)
    }
}

/// The probability of a level of a category, or of no and yes: the expected indicators, clipped and normalised.
pub(crate) fn level_probability(domain: Domain, mean: &[f64], level: usize) -> f64 {
    match domain {
        Domain::OneOf { .. } => {
            let total: f64 = mean.iter().map(|value| value.max(0.0)).sum();
            if total > 0.0 { mean[level].max(0.0) / total } else { 1.0 / mean.len() as f64 }
        }
        Domain::Interval | Domain::Grid { .. } | Domain::OrMissing { .. } => {
            let yes = f64::midpoint(mean[0], 1.0).clamp(0.0, 1.0);
            if level == 1 { yes } else { 1.0 - yes }
        }
    }
}

/// What is believed of a number that may be missing.
///
/// ```text
/// p = E[first − second] / 2,   μ = E[number | not missing],   σ² = Var[number | not missing]
/// ```
///
/// All three follow from the moments of the columns, since a missing number has the columns 1 and −1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PerhapsMissing {
    /// The probability that it is missing.
    pub missing: f64,
    /// The mean of the number where it is not, as each of its columns has it.
    pub mean: f64,
    /// The variance of the number where it is not.
    pub variance: f64,
}

impl PerhapsMissing {
    /// From the means of both columns and the variance of the first.
    pub fn new(mean: &[f64], variance: f64) -> Self {
        let missing = ((mean[0] - mean[1]) / 2.0).clamp(0.0, 1.0);
        let present = 1.0 - missing;
        if present <= 1e-9 {
            return PerhapsMissing { missing: 1.0, mean: 0.0, variance: 0.0 };
        }
        let number = f64::midpoint(mean[0], mean[1]) / present;
        let square = (variance + mean[0] * mean[0] - missing) / present;
        PerhapsMissing { missing, mean: number, variance: (square - number * number).max(0.0) }
    }
}
