//! What is believed of one person's sensitive columns as answers come in, under any belief.
//!
//! A normal distribution, under Bayesian networks that with the moments of what they predict; under a copula, equally
//! likely points.

mod bayesian;
mod copula;
mod gaussian;

pub(crate) use bayesian::{BayesianPosterior, BayesianPrior};
pub(crate) use copula::{CopulaPosterior, CopulaPrior};
pub(in crate::belief) use gaussian::score_covariance;
pub(crate) use gaussian::{GaussianPosterior, GaussianPrior};

use std::ops::Range;
use std::sync::Arc;

use super::Belief;
use crate::questionnaire::Questionnaire;

/// The sensitive columns once the public ones are known, before any value is.
#[derive(Debug, Clone)]
pub(crate) enum Prior {
    Gaussian(Arc<GaussianPrior>),
    Bayesian(Arc<BayesianPrior>),
    Copula(Arc<CopulaPrior>),
}

impl Prior {
    /// `None` if the belief is for other columns. `weights` are a linear model's on the sensitive columns, score by
    /// score; others have none.
    pub fn new(belief: &Belief, questions: &Questionnaire, weights: &[Vec<f64>]) -> Option<Self> {
        let (sensitive, public) = (&questions.columns[..], &questions.public_columns[..]);
        Some(match belief {
            Belief::Gaussian(belief) => {
                Prior::Gaussian(Arc::new(GaussianPrior::new(belief, sensitive, public, weights)))
            }
            Belief::BayesNn(belief) if belief.fits(questions) => {
                Prior::Bayesian(Arc::new(BayesianPrior::new(belief, questions, weights)))
            }
            Belief::BayesNn(_) => return None,
            Belief::Copula(belief) => Prior::Copula(Arc::new(CopulaPrior::new(belief, questions))),
        })
    }
}

/// One person's posterior, with the prior it comes from. It has no `Debug`: it tells about answers.
pub(crate) enum Posterior {
    Gaussian(Arc<GaussianPrior>, GaussianPosterior),
    Bayesian(Arc<BayesianPrior>, Box<BayesianPosterior>),
    Copula(Arc<CopulaPrior>, Box<CopulaPosterior>),
}

/// By hand, so that looking one answer ahead again and again allocates nothing.
impl Clone for Posterior {
    fn clone(&self) -> Self {
        match self {
            Posterior::Gaussian(prior, posterior) => Posterior::Gaussian(Arc::clone(prior), posterior.clone()),
            Posterior::Bayesian(prior, posterior) => Posterior::Bayesian(Arc::clone(prior), posterior.clone()),
            Posterior::Copula(prior, posterior) => Posterior::Copula(Arc::clone(prior), posterior.clone()),
        }
    }

    /// From a posterior of the same prior.
    fn clone_from(&mut self, source: &Self) {
        match (&mut *self, source) {
            (Posterior::Gaussian(_, posterior), Posterior::Gaussian(_, source)) => posterior.clone_from(source),
            (Posterior::Bayesian(_, posterior), Posterior::Bayesian(_, source)) => posterior.clone_from(source),
            (Posterior::Copula(_, posterior), Posterior::Copula(_, source)) => posterior.clone_from(source),
            (other, source) => *other = source.clone(),
        }
    }
}

impl Posterior {
    /// Of nobody yet.
    pub fn new(prior: &Prior) -> Self {
        match prior {
            Prior::Gaussian(prior) => Posterior::Gaussian(Arc::clone(prior), GaussianPosterior::new(prior)),
            Prior::Bayesian(prior) => Posterior::Bayesian(Arc::clone(prior), Box::new(BayesianPosterior::new(prior))),
            Prior::Copula(prior) => Posterior::Copula(Arc::clone(prior), Box::new(CopulaPosterior::new(prior))),
        }
    }

    /// The variances at or below which columns count as known.
    pub fn known_below(&self) -> &[f64] {
        match self {
            Posterior::Gaussian(prior, _) => prior.known_below(),
            Posterior::Bayesian(prior, _) => prior.known_below(),
            Posterior::Copula(prior, _) => prior.known_below(),
        }
    }

    /// Starts with a person of whom the public columns are known.
    pub fn begin(&mut self, person: &[f64]) {
        match self {
            Posterior::Gaussian(prior, posterior) => posterior.begin(prior, person),
            Posterior::Bayesian(prior, posterior) => posterior.begin(prior, person),
            Posterior::Copula(prior, posterior) => posterior.begin(prior, person),
        }
    }

    /// Reveals the columns of one sensitive question, by their places, at the values of an encoded person.
    ///
    /// The covariance of the scores follows only `with_scores`.
    pub fn reveal(&mut self, places: Range<usize>, person: &[f64], with_scores: bool) {
        match self {
            Posterior::Gaussian(prior, posterior) => {
                posterior.reveal(prior, places, person, with_scores);
            }
            Posterior::Bayesian(prior, posterior) => posterior.reveal(prior, places, person),
            Posterior::Copula(prior, posterior) => posterior.reveal(prior, places, person),
        }
    }

    /// Expected values of the sensitive columns; of known ones, the values.
    pub fn mean(&self) -> &[f64] {
        match self {
            Posterior::Gaussian(_, posterior) => posterior.mean(),
            Posterior::Bayesian(_, posterior) => posterior.mean(),
            Posterior::Copula(_, posterior) => posterior.mean(),
        }
    }

    /// Their variances.
    pub fn variance(&self) -> &[f64] {
        match self {
            Posterior::Gaussian(_, posterior) => posterior.variance(),
            Posterior::Bayesian(_, posterior) => posterior.variance(),
            Posterior::Copula(_, posterior) => posterior.variance(),
        }
    }

    /// The equally likely points; `None` for a normal distribution.
    pub fn points(&self) -> Option<impl ExactSizeIterator<Item = &[f64]>> {
        match self {
            Posterior::Copula(_, posterior) => Some(posterior.points()),
            Posterior::Gaussian(..) | Posterior::Bayesian(..) => None,
        }
    }

    /// The covariance of two sensitive columns, by their places; under a copula, of two columns of one question.
    pub fn covariance(&self, left: usize, right: usize) -> f64 {
        match self {
            Posterior::Gaussian(prior, posterior) => posterior.covariance(prior, left, right),
            Posterior::Bayesian(_, posterior) => posterior.covariance(left, right),
            Posterior::Copula(_, posterior) => posterior.covariance_within(left, right),
        }
    }

    /// The covariance of the scores, row after row; empty for points, which have none of their own.
    pub fn score_covariance(&self) -> &[f64] {
        match self {
            Posterior::Gaussian(_, posterior) => posterior.score_covariance(),
            Posterior::Bayesian(_, posterior) => posterior.score_covariance(),
            Posterior::Copula(..) => &[],
        }
    }

    /// Adds the covariances of a score with every sensitive column; of points nothing, as they have none of their own.
    pub fn add_score_covariances(&self, score: usize, target: &mut [f64]) {
        match self {
            Posterior::Gaussian(prior, posterior) => {
                posterior.add_score_covariances(prior, score, target);
            }
            Posterior::Bayesian(prior, posterior) => {
                posterior.add_score_covariances(prior, score, target);
            }
            Posterior::Copula(..) => {}
        }
    }
}
