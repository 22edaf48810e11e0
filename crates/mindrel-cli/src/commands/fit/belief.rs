//! Options of the belief that `fit` fits.

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use mindrel_train::bayes::BayesOptions;
use mindrel_train::{Believer, PrivacyBudget};

/// Kinds of beliefs about unknown answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BeliefName {
    /// One joint normal distribution: the fastest.
    Gaussian,
    /// Each question's own distribution, coupled by a Gaussian; for skewed numbers and categories.
    Copula,
    /// Bayesian neural network that predicts unknown answers from known ones; for non-linear relations.
    BayesNn,
}

/// The belief, and how it is fitted.
#[derive(Debug, Args)]
pub struct BeliefArguments {
    /// How unknown answers are predicted. Decides what to ask next and, at delta above 0, when to stop.
    #[arg(long, value_enum, default_value_t = BeliefName::Gaussian)]
    belief: BeliefName,
    /// Train a separate Bayesian network for each of the 2^n sets of known questions, as the paper does, instead of
    /// one for all.
    #[arg(long)]
    per_set: bool,
    /// Release the mean and covariance of a Gaussian belief with (ε, δ)-differential privacy; δ defaults to 1e-6.
    /// Covers neither the model nor bounds and levels inferred from the table.
    #[arg(long, value_name = "EPSILON[,DELTA]", allow_hyphen_values = true)]
    private_moments: Option<PrivacyBudget>,
}

impl BeliefArguments {
    pub fn believer(&self, seed: u64) -> anyhow::Result<Believer> {
        ensure!(
            !self.per_set || self.belief == BeliefName::BayesNn,
            "--per-set applies to Bayesian networks only; add --belief bayes-nn, or leave it out"
        );
        if let Some(budget) = self.private_moments {
            if self.belief != BeliefName::Gaussian {
                bail!("--private-moments applies to a Gaussian belief only; leave out --belief");
            }
            return Ok(Believer::PrivateGaussian(budget));
        }
        Ok(match self.belief {
            BeliefName::Gaussian => Believer::Gaussian,
            BeliefName::Copula => Believer::Copula,
            BeliefName::BayesNn if self.per_set => {
                Believer::BayesNnPerSet(BayesOptions { seed, ..BayesOptions::default() })
            }
            BeliefName::BayesNn => Believer::BayesNn(BayesOptions { seed, ..BayesOptions::amortised() }),
        })
    }
}
