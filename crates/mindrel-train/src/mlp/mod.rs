//! ReLU networks with cross-entropy loss, trained by stochastic gradient descent or Adam.

mod batch;
mod loss;
mod options;
pub(crate) mod order;
pub(crate) mod shape;
mod step;
mod training;

use mindrel::model::Network;

pub use options::{EarlyStopping, Method, MlpOptions};
use training::NetworkTraining;

use crate::{Epoch, TrainError, TrainingSet};

/// How many rows are worked on at once, see [`lanes`](crate::lanes).
const LANES: usize = 8;

/// One number for each of them.
type Lanes = [f64; LANES];

/// A trained network and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct MlpFit {
    /// The classifier: one score for two classes, otherwise one for each class.
    pub network: Network,
    /// How many epochs were run.
    pub n_epochs: usize,
    /// The epoch that left these weights: with early stopping the one of the lowest validation loss, else the last.
    pub kept_epoch: usize,
    /// The mean loss of the network on the rows it learned from.
    pub training_loss: f64,
    /// The mean loss of the network on the rows kept aside; nothing without early stopping.
    pub validation_loss: Option<f64>,
}

/// Trains a network [TF23, §6].
///
/// ```text
/// minimise 1/n Σ_i loss_i, in steps that each see the gradient of one batch of rows
/// 2 classes:   loss_i = ln(1 + exp(score(x_i))) − y_i score(x_i)
/// 3+ classes:  loss_i = ln Σ_c exp(score_c(x_i)) − score_y_i(x_i)
/// ```
///
/// Two classes give one score, with label 1 where it is at least zero; more give one score each. The first weights, the
/// order of the rows in each epoch and the rows kept aside all follow from the seed: on the same machine the same set,
/// options and seed give the same network, bit for bit.
///
/// `progress` is called after each epoch; pass `&mut |_| ()` to hear nothing.
///
/// # Numerics
/// The loss has many minima and the one reached is not the lowest: another seed gives another network. Columns should
/// be scaled, for example to [−1, 1]. An epoch is O(rows · parameters); batches of fewer than 8 rows cost as much as
/// those of 8.
///
/// # Errors
/// When an option is out of range, a class has no rows, none are left to validate on, or the loss, a weight or
/// a squared gradient does not stay finite.
///
/// # Example
/// ```
/// use mindrel::model::Model;
/// use mindrel_train::mlp::{self, MlpOptions};
/// use mindrel_train::{TrainError, TrainingSet};
///
/// // The classes are the signs of x · y, which no straight line tells apart.
/// let rows = vec![-1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0];
/// let set = TrainingSet::new(rows, 2, vec![1, 0, 0, 1], 2)?;
///
/// let options = MlpOptions { early_stopping: None, ..MlpOptions::default() };
/// let fit = mlp::fit(&set, &options, &mut |_progress| ())?;
/// assert!((0..4).all(|row| fit.network.label(set.row(row)).index() == set.labels()[row]));
/// # Ok::<(), TrainError>(())
/// ```
pub fn fit(set: &TrainingSet, options: &MlpOptions, progress: &mut dyn FnMut(Epoch)) -> Result<MlpFit, TrainError> {
    let n_scores = if set.n_classes() == 2 { 1 } else { set.n_classes() };
    options.check(set.n_columns(), n_scores)?;
    set.check_classes()?;
    let mut training = NetworkTraining::new(set, options, n_scores)?;
    let (n_epochs, kept_epoch) = match options.early_stopping {
        Some(stopping) => training.run_until_no_better(options.epochs, stopping.patience, progress)?,
        None => training.run(options.epochs, progress)?,
    };
    let diverged = TrainError::Diverged { epoch: n_epochs };
    let (training_loss, validation_loss) = (training.training_loss(), training.validation_loss());
    if !training_loss.is_finite() {
        return Err(diverged);
    }
    let network = training.network().map_err(|_| diverged)?;
    Ok(MlpFit { network, n_epochs, kept_epoch, training_loss, validation_loss })
}
