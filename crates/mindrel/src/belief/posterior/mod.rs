//! What is believed of one person's sensitive columns as answers come in, under any belief.
//!
//! It is a normal distribution, under Bayesian networks the one with the first two moments of what they predict; under a copula it is a
//! number of equally likely points.

mod bayesian;
mod copula;
mod gaussian;

pub(crate) use bayesian::{BayesianPosterior, BayesianPrior};
pub(crate) use copula::{CopulaPosterior, CopulaPrior};
pub(in crate::belief) use gaussian::score_covariance;
pub(crate) use gaussian::{GaussianPosterior, GaussianPrior};

use std::ops::Range;

use super::Belief;

/// The sensitive columns once the public ones are known, before any value is.
#[derive(Debug)]
pub(crate) enum Prior {
    Gaussian(GaussianPrior),
    Bayesian(BayesianPrior),
    Copula(Box<CopulaPrior>),
}

/// Which columns are asked for, which are known beforehand, and what a linear model makes of them.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    /// The places of each sensitive question's columns among all sensitive columns.
    pub questions: &'a [Range<usize>],
    /// Sensitive columns of the encoded person, question after question.
    pub sensitive: &'a [usize],
    pub public: &'a [usize],
    /// Row of a score: its weights on the sensitive columns; none where the model is not linear.
    pub weights: &'a [Vec<f64>],
}

impl Prior {
    /// Nothing where the belief is made for other columns.
    pub fn new(belief: &Belief, columns: &Columns<'_>) -> Option<Self> {
        let Columns { sensitive, public, weights, .. } = *columns;
        Some(match belief {
            Belief::Gaussian(belief) => Prior::Gaussian(GaussianPrior::new(belief, sensitive, public, weights)),
            Belief::BayesNn(belief) if belief.fits(columns) => Prior::Bayesian(BayesianPrior::new(belief, columns)),
            Belief::BayesNn(_) => return None,
            Belief::Copula(belief) => Prior::Copula(Box::new(CopulaPrior::new(belief, columns))),
        })
    }

    /// The Gaussian, where only plans with one come.
    pub fn gaussian(&self) -> &GaussianPrior {
        match self {
            Prior::Gaussian(prior) => prior,
            _ => unreachable!("only Gaussian beliefs are asked for a Gaussian"),
        }
    }

    /// The variances at or below which columns count as known.
    pub fn known_below(&self) -> &[f64] {
        match self {
            Prior::Gaussian(prior) => prior.known_below(),
            Prior::Bayesian(prior) => prior.known_below(),
            Prior::Copula(prior) => prior.known_below(),
        }
    }
}

/// Room for one person's posterior. It has no `Debug`: it tells about answers.
pub(crate) enum Posterior {
    Gaussian(GaussianPosterior),
    Bayesian(Box<BayesianPosterior>),
    Copula(Box<CopulaPosterior>),
}

/// By hand, so that looking one answer ahead again and again allocates nothing.
impl Clone for Posterior {
    fn clone(&self) -> Self {
        match self {
            Posterior::Gaussian(posterior) => Posterior::Gaussian(posterior.clone()),
            Posterior::Bayesian(posterior) => Posterior::Bayesian(posterior.clone()),
            Posterior::Copula(posterior) => Posterior::Copula(posterior.clone()),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        match (&mut *self, source) {
            (Posterior::Gaussian(posterior), Posterior::Gaussian(source)) => posterior.clone_from(source),
            (Posterior::Bayesian(posterior), Posterior::Bayesian(source)) => posterior.clone_from(source),
            (Posterior::Copula(posterior), Posterior::Copula(source)) => posterior.clone_from(source),
            (other, source) => *other = source.clone(),
        }
    }
}

/// What a posterior and its prior must have in common.
const SAME_KIND: &str = "a posterior stays with its prior";

impl Posterior {
    pub fn new(prior: &Prior) -> Self {
        match prior {
            Prior::Gaussian(prior) => Posterior::Gaussian(GaussianPosterior::new(prior)),
            Prior::Bayesian(prior) => Posterior::Bayesian(Box::new(BayesianPosterior::new(prior))),
            Prior::Copula(prior) => Posterior::Copula(Box::new(CopulaPosterior::new(prior))),
        }
    }

    /// Starts with a person of whom the public columns are known.
    pub fn begin(&mut self, prior: &Prior, person: &[f64]) {
        match (self, prior) {
            (Posterior::Gaussian(posterior), Prior::Gaussian(prior)) => posterior.begin(prior, person),
            (Posterior::Bayesian(posterior), Prior::Bayesian(prior)) => posterior.begin(prior, person),
            (Posterior::Copula(posterior), Prior::Copula(prior)) => posterior.begin(prior, person),
            _ => unreachable!("{SAME_KIND}"),
        }
    }

    /// Reveals the columns of one sensitive question, by their places, at the values of an encoded person.
    ///
    /// The covariance of the scores follows only `with_scores`.
    pub fn reveal(&mut self, prior: &Prior, places: Range<usize>, person: &[f64], with_scores: bool) {
        match (self, prior) {
            (Posterior::Gaussian(posterior), Prior::Gaussian(prior)) => {
                posterior.reveal(prior, places, person, with_scores);
            }
            (Posterior::Bayesian(posterior), Prior::Bayesian(prior)) => posterior.reveal(prior, places, person),
            (Posterior::Copula(posterior), Prior::Copula(prior)) => posterior.reveal(prior, places, person),
            _ => unreachable!("{SAME_KIND}"),
        }
    }

    /// Expected values of the sensitive columns; of known ones, the values.
    pub fn mean(&self) -> &[f64] {
        match self {
            Posterior::Gaussian(posterior) => posterior.mean(),
            Posterior::Bayesian(posterior) => posterior.mean(),
            Posterior::Copula(posterior) => posterior.mean(),
        }
    }

    /// Their variances.
    pub fn variance(&self) -> &[f64] {
        match self {
            Posterior::Gaussian(posterior) => posterior.variance(),
            Posterior::Bayesian(posterior) => posterior.variance(),
            Posterior::Copula(posterior) => posterior.variance(),
        }
    }

    /// The equally likely points; `None` for a normal distribution.
    pub fn points(&self) -> Option<impl ExactSizeIterator<Item = &[f64]>> {
        match self {
            Posterior::Copula(posterior) => Some(posterior.points()),
            Posterior::Gaussian(_) | Posterior::Bayesian(_) => None,
        }
    }

    /// The covariance of two sensitive columns, by their places; under a copula, of two columns of one question.
    pub fn covariance(&self, prior: &Prior, left: usize, right: usize) -> f64 {
        match (self, prior) {
            (Posterior::Gaussian(posterior), Prior::Gaussian(prior)) => posterior.covariance(prior, left, right),
            (Posterior::Bayesian(posterior), Prior::Bayesian(_)) => posterior.covariance(left, right),
            (Posterior::Copula(posterior), Prior::Copula(_)) => posterior.covariance_of_levels(left, right),
            _ => unreachable!("{SAME_KIND}"),
        }
    }

    /// The covariance of the scores, row after row; empty for points, which have none of their own.
    pub fn score_covariance(&self) -> &[f64] {
        match self {
            Posterior::Gaussian(posterior) => posterior.score_covariance(),
            Posterior::Bayesian(posterior) => posterior.score_covariance(),
            Posterior::Copula(_) => &[],
        }
    }

    /// Adds the covariances of a score with every sensitive column; of points nothing, as they have none of their own.
    pub fn add_score_covariances(&self, prior: &Prior, score: usize, target: &mut [f64]) {
        match (self, prior) {
            (Posterior::Gaussian(posterior), Prior::Gaussian(prior)) => {
                posterior.add_score_covariances(prior, score, target);
            }
            (Posterior::Bayesian(posterior), Prior::Bayesian(prior)) => {
                posterior.add_score_covariances(prior, score, target);
            }
            (Posterior::Copula(_), Prior::Copula(_)) => {}
            _ => unreachable!("{SAME_KIND}"),
        }
    }
}
