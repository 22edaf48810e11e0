//! What is said of the belief that `fit` fits.

use std::str::FromStr;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use mindrel_train::bayes::BayesOptions;
use mindrel_train::mixture::{Components, MixtureOptions};
use mindrel_train::{Believer, PrivacyBudget};

/// Kinds of beliefs about what was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BeliefName {
    /// One joint normal distribution: the fastest.
    Gaussian,
    /// Several of them with weights, for people who come in kinds.
    Mixture,
    /// Each question as it is distributed, and a Gaussian between them; for skewed numbers and categories.
    Copula,
    /// Bayesian neural network that predicts the unknown from the known, for relations that are not straight lines.
    BayesNn,
}

/// What is believed of the unknown, and how it is fitted.
#[derive(Debug, Args)]
pub struct BeliefArguments {
    /// What is believed of the answers not given; decides at delta above 0 when to stop, and always what to ask next.
    #[arg(long, value_enum, default_value_t = BeliefName::Gaussian)]
    belief: BeliefName,
    /// Components of a mixture: a number, or auto for as many as the data bear out by BIC [default: auto].
    #[arg(long, value_name = "K|auto", allow_hyphen_values = true)]
    components: Option<ComponentsArgument>,
    /// Train a Bayesian network of its own for each of the 2^n sets of known questions, as the paper does, instead of one for all.
    #[arg(long)]
    per_set: bool,
    /// Release mean and covariance of a Gaussian belief with (ε, δ)-differential privacy; δ is 1e-6 if left out. Covers these
    /// alone: neither the model nor bounds and levels inferred from the table.
    #[arg(long, value_name = "EPSILON[,DELTA]", allow_hyphen_values = true)]
    private_moments: Option<PrivacyBudget>,
}

impl BeliefArguments {
    pub fn believer(&self, seed: u64) -> anyhow::Result<Believer> {
        ensure!(
            self.components.is_none() || self.belief == BeliefName::Mixture,
            "--components is for mixtures; add --belief mixture, or leave it out"
        );
        ensure!(
            !self.per_set || self.belief == BeliefName::BayesNn,
            "--per-set is for Bayesian networks; add --belief bayes-nn, or leave it out"
        );
        if let Some(budget) = self.private_moments {
            if self.belief != BeliefName::Gaussian {
                bail!("--private-moments is for a Gaussian belief, which is made of moments alone; leave out --belief");
            }
            return Ok(Believer::PrivateGaussian(budget));
        }
        Ok(match self.belief {
            BeliefName::Gaussian => Believer::Gaussian,
            BeliefName::Copula => Believer::Copula,
            BeliefName::Mixture => {
                let components = self.components.map_or(Components::Auto, |components| components.0);
                Believer::Mixture(MixtureOptions { components, seed, ..MixtureOptions::default() })
            }
            BeliefName::BayesNn if self.per_set => {
                Believer::BayesNnPerSet(BayesOptions { seed, ..BayesOptions::default() })
            }
            BeliefName::BayesNn => Believer::BayesNn(BayesOptions { seed, ..BayesOptions::amortised() }),
        })
    }
}

/// A number of components, or `auto`.
#[derive(Debug, Clone, Copy)]
struct ComponentsArgument(Components);

impl FromStr for ComponentsArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let components = match text.trim() {
            "auto" => Some(Components::Auto),
            number => number.parse().ok().filter(|number| *number >= 1).map(Components::Fixed),
        };
        components.map(ComponentsArgument).ok_or_else(|| "it takes a whole number from 1 on, or auto".to_owned())
    }
}
