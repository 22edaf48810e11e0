//! Beliefs: what the open columns probably are, given those that are known.

mod bayesian;
mod copula;
mod effect;
mod error;
mod gaussian;
mod inference;
mod paths;
mod posterior;
mod predictive;

pub use bayesian::{
    BayesianBelief, BayesianLayer, LN_VARIANCE_BOUNDS, MOST_QUESTIONS_PER_SET, Normals, Regressor, RegressorRoom,
    Regressors,
};
pub(crate) use copula::POINTS as COPULA_POINTS;
pub use copula::{CopulaBelief, Margin, SCORE_LIMIT};
pub(crate) use effect::QuestionEffect;
pub use error::BeliefError;
pub use gaussian::GaussianBelief;
pub use inference::Inference;
pub(crate) use paths::{BeliefPaths, Known, Position};
pub(crate) use posterior::{Columns, GaussianPosterior, Posterior, Prior};
pub use predictive::Predictive;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::schema::Domain;

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

/// What a plan's belief says of all sensitive columns, question after question, of a person of whom the public and some sensitive
/// questions are known, the latter by their places among the sensitive ones and in the order they were revealed.
///
/// # Panics
/// When the person has another number of columns than the plan.
#[must_use]
pub fn predictive(plan: &Plan, person: &[f64], revealed: &[usize]) -> Predictive {
    assert_eq!(person.len(), plan.schema().n_columns(), "a person has one value for each column");
    let prepared = plan.prepared();
    let mut posterior = Posterior::new(&prepared.prior);
    posterior.begin(&prepared.prior, person);
    for &place in revealed {
        posterior.reveal(&prepared.prior, prepared.columns(place), person, false);
    }
    let mut predictive = Predictive::default();
    predictive.set(&prepared.prior, &posterior, 0..prepared.n_sensitive_columns());
    predictive
}

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
