//! Options of the belief that `fit` fits.

use std::str::FromStr;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use mindrel_train::bayes::BayesOptions;
use mindrel_train::mixture::{Components, MixtureOptions};
use mindrel_train::{Believer, PrivacyBudget};

/// Kinds of beliefs about unknown answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BeliefName {
    /// One joint normal distribution: the fastest.
    Gaussian,
    /// Several of them with weights, for people who come in kinds.
    Mixture,
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
    /// Components of a mixture: a number, or auto for as many as the data bear out by BIC [default: auto].
    #[arg(long, value_name = "K|auto", allow_hyphen_values = true)]
    components: Option<ComponentsArgument>,
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
            self.components.is_none() || self.belief == BeliefName::Mixture,
            "--components is for mixtures; add --belief mixture, or leave it out"
        );
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
