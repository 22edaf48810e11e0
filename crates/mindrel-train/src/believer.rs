//! From encoded rows to a belief of any kind.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use mindrel::Schema;
use mindrel::belief::{BayesianBelief, Belief, GaussianBelief, MOST_QUESTIONS_PER_SET, Regressor, Regressors};
use mindrel::model::Classifier;
use mindrel::plan::ReleasedPrivacy;
use mindrel::schema::Visibility;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::bayes::{self, BayesOptions, Standardised};
use crate::{
    EncodedRows, Epoch, FitError, Moments, PrivacyBudget, TrainError, TrainingProgress, copula, moments,
    private_moments,
};

/// Which belief to fit, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Believer {
    /// One Gaussian [TF23, Alg. 1, line 1].
    #[default]
    Gaussian,
    /// One Gaussian, from moments with differential privacy.
    PrivateGaussian(PrivacyBudget),
    /// One Bayesian neural network for all sets of known questions.
    BayesNn(BayesOptions),
    /// One for each set, as published [TF23, §4.1].
    BayesNnPerSet(BayesOptions),
    /// A latent Gaussian with the margins of the rows.
    Copula,
}

impl Believer {
    /// Refuses what cannot be fitted for these questions to so many rows, before anything is trained.
    pub(crate) fn check(&self, schema: &Schema, n_rows: usize) -> Result<(), FitError> {
        match self {
            Believer::PrivateGaussian(budget) => Ok(budget.check_rows(n_rows)?),
            Believer::BayesNn(_) => check_open(schema.ids_with(Visibility::Sensitive).count()),
            Believer::BayesNnPerSet(_) => check_sets(schema.ids_with(Visibility::Sensitive).count()),
            Believer::Gaussian | Believer::Copula => Ok(()),
        }
    }

    /// What a plan says of the privacy of its moments.
    pub(crate) fn private_moments(&self) -> Option<ReleasedPrivacy> {
        match self {
            Believer::PrivateGaussian(budget) => {
                Some(ReleasedPrivacy { epsilon: budget.epsilon(), delta: budget.delta() })
            }
            _ => None,
        }
    }
}

/// Fits a belief to encoded rows.
///
/// The model is that of the plan; only a copula looks at it.
///
/// # Errors
/// When the rows are those of no distribution of this kind, or too few.
pub fn fit_belief(
    schema: &Schema,
    set: &EncodedRows,
    model: &Classifier,
    believer: &Believer,
    progress: &mut (dyn FnMut(TrainingProgress) + Send),
) -> Result<Belief, FitError> {
    let gaussian = |moments: Moments| GaussianBelief::new(moments.mean, moments.covariance);
    Ok(match believer {
        Believer::Gaussian => gaussian(moments(set))?.into(),
        Believer::PrivateGaussian(budget) => gaussian(private_moments(set, schema, budget)?.moments)?.into(),
        Believer::BayesNn(options) => fit_for_all_sets(schema, set, options, progress)?.into(),
        Believer::BayesNnPerSet(options) => fit_for_each_set(schema, set, options, progress)?.into(),
        Believer::Copula => copula::fit(set, schema, model)?.into(),
    })
}

/// The columns of the public questions, and those of each sensitive one.
fn columns_by_visibility(schema: &Schema) -> (Vec<usize>, Vec<Range<usize>>) {
    let public = schema.ids_with(Visibility::Public).flat_map(|id| schema.columns(id)).collect();
    (public, schema.ids_with(Visibility::Sensitive).map(|id| schema.columns(id)).collect())
}

fn fit_for_all_sets(
    schema: &Schema,
    set: &EncodedRows,
    options: &BayesOptions,
    progress: &mut (dyn FnMut(TrainingProgress) + Send),
) -> Result<BayesianBelief, FitError> {
    let data = Standardised::new(set)?;
    let (public, questions) = columns_by_visibility(schema);
    let mut told = |epoch: Epoch| {
        progress(TrainingProgress::BeliefEpoch { epochs: epoch.epoch, n_epochs: epoch.n_epochs, n_networks: 1 });
    };
    let fit = bayes::fit_amortised(&data, &public, &questions, options, &mut told)?;
    let regressors = Regressors::Amortised(Box::new(fit.regressor));
    Ok(BayesianBelief::new(data.centres().to_vec(), data.scales().to_vec(), regressors)?)
}

/// Refuses a network for each set of more sensitive questions than there can be.
fn check_sets(questions: usize) -> Result<(), FitError> {
    let most = MOST_QUESTIONS_PER_SET;
    check_open(questions)?;
    if questions > most { Err(FitError::TooManySets { questions, most }) } else { Ok(()) }
}

/// Refuses networks that would have nothing to predict.
fn check_open(questions: usize) -> Result<(), FitError> {
    if questions == 0 { Err(TrainError::NothingOpen.into()) } else { Ok(()) }
}

/// One network for each of the 2^|S| − 1 sets of known questions that leave something open, on all cores.
fn fit_for_each_set(
    schema: &Schema,
    set: &EncodedRows,
    options: &BayesOptions,
    progress: &mut (dyn FnMut(TrainingProgress) + Send),
) -> Result<BayesianBelief, FitError> {
    let data = Standardised::new(set)?;
    let (public, questions) = columns_by_visibility(schema);
    check_sets(questions.len())?;
    let n_networks = (1usize << questions.len()) - 1;
    // Epochs finished so far, of all networks together.
    let told = Mutex::new((0, progress));
    let fit_one = |known: usize| {
        let columns = |is_known: bool| {
            let sets = questions.iter().enumerate().filter(move |(bit, _)| (known >> bit & 1 == 1) == is_known);
            sets.flat_map(|(_, columns)| columns.clone())
        };
        let inputs: Vec<usize> = public.iter().copied().chain(columns(true)).collect();
        let targets: Vec<usize> = columns(false).collect();
        let mut tell = |epoch: Epoch| {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.0 += 1;
            let (epochs, n_epochs) = (told.0, n_networks * epoch.n_epochs);
            (told.1)(TrainingProgress::BeliefEpoch { epochs, n_epochs, n_networks });
        };
        bayes::fit_set(&data, &inputs, &targets, options, &mut tell).map(|fit| fit.regressor)
    };
    let regressors = (0..n_networks).into_par_iter().map(fit_one).collect::<Result<Vec<Regressor>, TrainError>>()?;
    let regressors = Regressors::PerSet(regressors);
    Ok(BayesianBelief::new(data.centres().to_vec(), data.scales().to_vec(), regressors)?)
}
