//! The epochs of one training, and which of them is kept.

use mindrel::model::{ModelError, Network};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::batch::MlpBatch;
use super::options::MlpOptions;
use super::order::{RowSplit, shuffle, split};
use super::shape::Shape;
use super::step::Stepper;
use crate::{Epoch, TrainError, TrainingSet};

/// A network under training.
pub(super) struct NetworkTraining<'a> {
    set: &'a TrainingSet,
    parts: RowSplit,
    shape: Shape,
    parameters: Vec<f64>,
    gradient: Vec<f64>,
    batch: MlpBatch,
    batch_rows: usize,
    stepper: Stepper,
    random: Pcg64Mcg,
}

/// The parameters with the lowest validation loss so far.
struct Best {
    epoch: usize,
    loss: f64,
    parameters: Vec<f64>,
}

impl<'a> NetworkTraining<'a> {
    /// The start, before the first epoch.
    ///
    /// # Errors
    /// When rows are to be kept aside, and there are none to spare.
    pub(super) fn new(set: &'a TrainingSet, options: &MlpOptions, n_scores: usize) -> Result<Self, TrainError> {
        let mut random = Pcg64Mcg::seed_from_u64(options.seed);
        let shape = Shape::new(set.n_columns(), &options.hidden, n_scores);
        let parameters = shape.first_parameters(&mut random);
        let share = options.early_stopping.map_or(0.0, |stopping| stopping.validation);
        let parts = split(set.labels(), set.n_classes(), share, &mut random);
        if options.early_stopping.is_some() && parts.validation.is_empty() {
            return Err(TrainError::NoValidationRows);
        }
        let batch_rows = options.batch.min(parts.training.len());
        Ok(NetworkTraining {
            set,
            parts,
            gradient: vec![0.0; parameters.len()],
            parameters,
            batch: MlpBatch::new(shape.clone(), batch_rows),
            batch_rows,
            stepper: Stepper::new(options.method, options.learning_rate, &shape),
            shape,
            random,
        })
    }

    /// Runs all epochs and keeps the last; returns how many were run, and which is kept.
    pub(super) fn run(
        &mut self,
        n_epochs: usize,
        progress: &mut dyn FnMut(Epoch),
    ) -> Result<(usize, usize), TrainError> {
        for epoch in 1..=n_epochs {
            progress(self.epoch(epoch, n_epochs)?);
        }
        Ok((n_epochs, n_epochs))
    }

    /// Runs epochs until `patience` of them in a row were no better than the best, and goes back to that one.
    ///
    /// Returns how many were run, and which is kept.
    pub(super) fn run_until_no_better(
        &mut self,
        n_epochs: usize,
        patience: usize,
        progress: &mut dyn FnMut(Epoch),
    ) -> Result<(usize, usize), TrainError> {
        let mut best = Best { epoch: 0, loss: f64::INFINITY, parameters: self.parameters.clone() };
        let mut epoch = 0;
        while epoch < n_epochs && epoch - best.epoch < patience {
            epoch += 1;
            let now = self.epoch(epoch, n_epochs)?;
            let loss = now.validation_loss.expect("with early stopping, rows are kept aside");
            if loss < best.loss {
                (best.epoch, best.loss) = (epoch, loss);
                best.parameters.copy_from_slice(&self.parameters);
            }
            progress(now);
        }
        self.parameters = best.parameters;
        Ok((epoch, best.epoch))
    }

    /// One step for each batch of the rows, which come in a new order.
    fn epoch(&mut self, epoch: usize, n_epochs: usize) -> Result<Epoch, TrainError> {
        shuffle(&mut self.parts.training, &mut self.random);
        let mut loss = 0.0;
        for chosen in self.parts.training.chunks(self.batch_rows) {
            let mean = self.batch.gradient(self.set, chosen, &self.parameters, &mut self.gradient);
            loss += chosen.len() as f64 * mean;
            self.stepper.step(&mut self.parameters, &self.gradient);
        }
        let training_loss = loss / self.parts.training.len() as f64;
        let validation_loss = self.validation_loss();
        let is_finite = training_loss.is_finite() && validation_loss.is_none_or(f64::is_finite);
        if !is_finite || self.stepper.is_stuck() {
            return Err(TrainError::Diverged { epoch });
        }
        Ok(Epoch { epoch, n_epochs, training_loss, validation_loss })
    }

    /// The mean loss of the rows learned from.
    pub(super) fn training_loss(&mut self) -> f64 {
        let NetworkTraining { set, parts, batch, batch_rows, parameters, .. } = self;
        mean_loss(batch, set, &parts.training, *batch_rows, parameters)
    }

    /// The mean loss of the rows kept aside, if there are any.
    pub(super) fn validation_loss(&mut self) -> Option<f64> {
        let NetworkTraining { set, parts, batch, batch_rows, parameters, .. } = self;
        let some = !parts.validation.is_empty();
        some.then(|| mean_loss(batch, set, &parts.validation, *batch_rows, parameters))
    }

    /// The network as it stands.
    ///
    /// # Errors
    /// When a parameter is not finite, or so large that scores could overflow.
    pub(super) fn network(&self) -> Result<Network, ModelError> {
        self.shape.network(&self.parameters)
    }
}

fn mean_loss(batch: &mut MlpBatch, set: &TrainingSet, rows: &[usize], batch_rows: usize, parameters: &[f64]) -> f64 {
    let losses = rows.chunks(batch_rows).map(|chosen| chosen.len() as f64 * batch.loss(set, chosen, parameters));
    losses.sum::<f64>() / rows.len() as f64
}
