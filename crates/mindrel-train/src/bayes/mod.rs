//! Bayesian neural networks that predict the open columns from the known ones, by variational inference [TF23, §4].

mod batch;
mod likelihood;
mod options;
mod residual;
mod signal;
mod standardised;
mod task;
mod training;

use std::ops::Range;

use mindrel::belief::Regressor;
pub use options::BayesOptions;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;
pub use standardised::Standardised;
use task::Task;
use training::BayesTraining;

use crate::{Epoch, TrainError};

/// How many rows are worked on at once, see [`lanes`](crate::lanes).
const LANES: usize = 16;

/// One number for each of them.
type SingleLanes = [f32; LANES];

/// A trained network and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesFit {
    /// The network. It reads and predicts standardised columns.
    pub regressor: Regressor,
    /// The negative evidence lower bound per row, of the last epoch.
    pub training_loss: f64,
}

/// Trains a network for one revealed set: its inputs are the known columns, its targets the open ones [TF23, §4].
///
/// ```text
/// minimise 1/n Σ_i E_q[−ln p(open_i | known_i, w)] + 1/n KL(q(w) ‖ N(0, 1))
/// ```
///
/// over the means and deviations of independent normal weights, q. All draws follow from the seed: on the same machine
/// the same data, options and seed give the same network, bit for bit.
///
/// `progress` is called after each epoch; pass `&mut |_| ()` to hear nothing.
///
/// # Errors
/// When an option is out of range, a column does not exist or is named twice, none is open, or the loss does not stay
/// finite.
pub fn fit_set(
    data: &Standardised,
    known: &[usize],
    open: &[usize],
    options: &BayesOptions,
    progress: &mut dyn FnMut(Epoch),
) -> Result<BayesFit, TrainError> {
    fit(&Task::of_set(data.n_columns(), known, open)?, data, options, progress)
}

/// Trains one network for all revealed sets.
///
/// Its inputs are all columns in their order, zero where they are open, and then one indicator for each question, 1
/// where it is revealed. Its targets are the columns of the questions, question after question. In every epoch a new
/// random set of questions is revealed of each row: its size is uniform below their number, then its members. Only open
/// columns count in the loss, which is otherwise that of [`fit_set`].
///
/// Departs from [TF23, §4], where each of the 2^|S| sets has a network of its own.
///
/// # Errors
/// As for [`fit_set`]; also when a column is neither always known nor of a question.
pub fn fit_amortised(
    data: &Standardised,
    always_known: &[usize],
    questions: &[Range<usize>],
    options: &BayesOptions,
    progress: &mut dyn FnMut(Epoch),
) -> Result<BayesFit, TrainError> {
    fit(&Task::of_all_sets(data.n_columns(), always_known, questions)?, data, options, progress)
}

fn fit(
    task: &Task,
    data: &Standardised,
    options: &BayesOptions,
    progress: &mut dyn FnMut(Epoch),
) -> Result<BayesFit, TrainError> {
    let n_targets = task.n_targets();
    options.check(task.n_inputs(), 2 * n_targets)?;
    let mut training = BayesTraining::new(task, data, options);
    let training_loss = training.run(options, progress)?;
    let diverged = |_| TrainError::Diverged { epoch: options.epochs };
    let noiseless = training.regressor(vec![0.0; n_targets * n_targets]).map_err(diverged)?;
    // Another stream than the one that training drew from.
    let random = Pcg64Mcg::seed_from_u64(!options.seed);
    let residual = residual::residual_moments(&noiseless, task, data, random);
    let regressor = training.regressor(residual).map_err(diverged)?;
    Ok(BayesFit { regressor, training_loss })
}
