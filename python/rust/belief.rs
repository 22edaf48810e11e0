//! The options of a belief, from Python.

use mindrel_train::bayes::BayesOptions;
use mindrel_train::{Believer, PrivacyBudget};
use pyo3::PyResult;
use serde::Deserialize;

use crate::errors::value_error;

/// The kind of a belief, and how it is fitted. Defaults are those of the command line.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum BeliefOptions {
    Gaussian {
        /// ε and δ of moments with differential privacy.
        private_moments: Option<[f64; 2]>,
    },
    Copula {},
    BayesNn {
        /// One network for each set of known questions.
        #[serde(default)]
        per_set: bool,
    },
}

/// Reads the options of a belief from JSON.
pub fn believer(options: &str, seed: u64) -> PyResult<Believer> {
    let options: BeliefOptions = serde_json::from_str(options).map_err(|error| {
        let problem = error.to_string();
        let problem = problem.split(" at line").next().unwrap_or_default();
        value_error(format!("the belief is not one of gaussian, copula, bayes-nn with its options: {problem}"))
    })?;
    Ok(match options {
        BeliefOptions::Gaussian { private_moments: None } => Believer::Gaussian,
        BeliefOptions::Gaussian { private_moments: Some([epsilon, delta]) } => {
            Believer::PrivateGaussian(PrivacyBudget::new(epsilon, delta).map_err(value_error)?)
        }
        BeliefOptions::Copula {} => Believer::Copula,
        BeliefOptions::BayesNn { per_set: true } => {
            Believer::BayesNnPerSet(BayesOptions { seed, ..BayesOptions::default() })
        }
        BeliefOptions::BayesNn { per_set: false } => {
            Believer::BayesNn(BayesOptions { seed, ..BayesOptions::amortised() })
        }
    })
}
