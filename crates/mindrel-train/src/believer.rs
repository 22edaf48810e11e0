//! From encoded rows to a belief of any kind.

use mindrel::Schema;
use mindrel::belief::{Belief, BeliefError, GaussianBelief, MixtureBelief};
use mindrel::plan::PrivateMoments;

use crate::mixture::{self, MixtureOptions, WeightedMoments};
use crate::{FitError, Moments, PrivacyBudget, Progress, TrainingSet, moments, private_moments};

/// Which belief to fit, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Believer {
    /// One Gaussian [TF23, Alg. 1, line 1].
    #[default]
    Gaussian,
    /// One Gaussian, from moments with differential privacy.
    PrivateGaussian(PrivacyBudget),
    /// A mixture of Gaussians.
    Mixture(MixtureOptions),
}

impl Believer {
    /// What a plan says of the privacy of its moments.
    pub(crate) fn private_moments(&self) -> Option<PrivateMoments> {
        match self {
            Believer::PrivateGaussian(budget) => {
                Some(PrivateMoments { epsilon: budget.epsilon(), delta: budget.delta() })
            }
            _ => None,
        }
    }
}

/// Fits a belief to encoded rows.
///
/// # Errors
/// When the rows are those of no distribution of this kind, or too few.
pub fn fit_belief(
    schema: &Schema,
    set: &TrainingSet,
    believer: &Believer,
    progress: &mut dyn FnMut(Progress),
) -> Result<Belief, FitError> {
    let gaussian = |moments: Moments| GaussianBelief::new(moments.mean, moments.covariance);
    Ok(match believer {
        Believer::Gaussian => gaussian(moments(set))?.into(),
        Believer::PrivateGaussian(budget) => gaussian(private_moments(set, schema, budget)?.moments)?.into(),
        Believer::Mixture(options) => {
            let fit = mixture::fit(set, options, &mut |step| progress(Progress::Mixture(step)))?;
            let component = |part: WeightedMoments| Ok((part.weight, gaussian(part.moments)?));
            let components = fit.components.into_iter().map(component).collect::<Result<Vec<_>, BeliefError>>()?;
            MixtureBelief::new(components)?.into()
        }
    })
}
