//! The epochs of one training.

use mindrel::belief::{BayesianLayer, BeliefError, Normals, Regressor};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::batch::BayesBatch;
use super::options::BayesOptions;
use super::signal::WeightMoments;
use super::standardised::Standardised;
use super::task::Task;
use crate::adam::Adam;
use crate::mlp::order::shuffle;
use crate::mlp::shape::{LayerShape, Shape};
use crate::{Epoch, TrainError};

/// The deviation every weight starts with: small, so that the means are found first.
const FIRST_DEVIATION: f64 = 0.05;

/// A network under training.
pub(super) struct BayesTraining<'a> {
    task: &'a Task,
    data: &'a Standardised,
    shape: Shape,
    /// The means of all weights, and then the logarithms of all variances.
    parameters: Vec<f64>,
    slopes: Vec<f64>,
    weights: WeightMoments,
    gradient: WeightMoments,
    batch: BayesBatch,
    batch_rows: usize,
    adam: Adam,
    order: Vec<usize>,
    random: Pcg64Mcg,
}

impl<'a> BayesTraining<'a> {
    /// The start: the ln-variances of all targets are zero, so that every deviation is the column's own.
    pub(super) fn new(task: &'a Task, data: &'a Standardised, options: &BayesOptions) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(options.seed);
        let shape = Shape::new(task.n_inputs(), &[options.hidden], 2 * task.n_targets());
        let mut parameters = shape.first_parameters(&mut random);
        let output = &shape.layers[1].weights;
        parameters[output.start + output.len() / 2..output.end].fill(0.0);
        let n_weights = parameters.len();
        parameters.resize(2 * n_weights, 2.0 * FIRST_DEVIATION.ln());
        let batch_rows = options.batch.min(data.n_rows());
        let weights = || WeightMoments { means: vec![0.0; n_weights], variances: vec![0.0; n_weights] };
        BayesTraining {
            task,
            data,
            slopes: vec![0.0; 2 * n_weights],
            weights: weights(),
            gradient: weights(),
            batch: BayesBatch::new(task, options.hidden, batch_rows),
            batch_rows,
            adam: Adam::new(options.learning_rate, vec![1.0; 2 * n_weights]),
            shape,
            parameters,
            order: (0..data.n_rows()).collect(),
            random,
        }
    }

    /// Runs all epochs; returns the loss of the last.
    pub(super) fn run(&mut self, options: &BayesOptions, progress: &mut dyn FnMut(Epoch)) -> Result<f64, TrainError> {
        let n_epochs = options.epochs;
        let mut loss = f64::NAN;
        for epoch in 1..=n_epochs {
            // From the first half of the epochs to the end, 1 falls to nearly 0.
            let remaining = (n_epochs - epoch + 1) as f64 / (n_epochs as f64 / 2.0);
            self.adam.learning_rate = options.learning_rate * remaining.min(1.0);
            loss = self.epoch();
            if !loss.is_finite() || self.adam.is_stuck() {
                return Err(TrainError::Diverged { epoch });
            }
            progress(Epoch { epoch, n_epochs, training_loss: loss, validation_loss: None });
        }
        Ok(loss)
    }

    /// One step for each batch of the rows, which come in a new order.
    fn epoch(&mut self) -> f64 {
        shuffle(&mut self.order, &mut self.random);
        let mut order = std::mem::take(&mut self.order);
        let mut loss = 0.0;
        for chosen in order.chunks(self.batch_rows) {
            loss += chosen.len() as f64 * self.step(chosen);
        }
        std::mem::swap(&mut self.order, &mut order);
        loss / self.data.n_rows() as f64 + self.divergence() / self.data.n_rows() as f64
    }

    /// One step on the loss of a batch and its share of the divergence; returns the former.
    ///
    /// ```text
    /// loss = 1/batch Σ_i loss_i + 1/rows Σ_w KL(N(μ_w, σ_w²) ‖ N(0, 1)),   KL = ½ (σ² + μ² − 1 − ln σ²)
    /// ```
    fn step(&mut self, chosen: &[usize]) -> f64 {
        let (means, ln_variances) = self.parameters.split_at(self.weights.means.len());
        for (single, mean) in self.weights.means.iter_mut().zip(means) {
            *single = *mean as f32;
        }
        for (variance, ln_variance) in self.weights.variances.iter_mut().zip(ln_variances) {
            *variance = (*ln_variance as f32).exp();
        }
        self.batch.take(self.task, self.data, chosen, &mut self.random);
        let loss = self.batch.gradient(&self.shape, chosen.len(), &self.weights, &mut self.gradient);
        let share = 1.0 / self.data.n_rows() as f64;
        let (mean_slopes, ln_variance_slopes) = self.slopes.split_at_mut(means.len());
        for ((slope, found), mean) in mean_slopes.iter_mut().zip(&self.gradient.means).zip(means) {
            *slope = f64::from(*found) + share * mean;
        }
        let found = self.gradient.variances.iter().zip(&self.weights.variances);
        for (slope, (found, variance)) in ln_variance_slopes.iter_mut().zip(found) {
            let variance = f64::from(*variance);
            *slope = f64::from(*found) * variance + 0.5 * share * (variance - 1.0);
        }
        self.adam.step(&mut self.parameters, &self.slopes);
        loss
    }

    /// `Σ_w KL(N(μ_w, σ_w²) ‖ N(0, 1))`.
    fn divergence(&self) -> f64 {
        let (means, ln_variances) = self.parameters.split_at(self.weights.means.len());
        let terms = means.iter().zip(ln_variances);
        terms.map(|(mean, ln_variance)| 0.5 * (ln_variance.exp() + mean * mean - 1.0 - ln_variance)).sum()
    }

    /// The network as it stands, with noise of these second moments.
    pub(super) fn regressor(&self, residual: Vec<f64>) -> Result<Regressor, BeliefError> {
        let (means, ln_variances) = self.parameters.split_at(self.weights.means.len());
        let normals = |places: &std::ops::Range<usize>| Normals {
            means: means[places.clone()].to_vec(),
            deviations: ln_variances[places.clone()].iter().map(|ln_variance| (0.5 * ln_variance).exp()).collect(),
        };
        let layer =
            |layer: &LayerShape| BayesianLayer::new(layer.n_inputs, normals(&layer.weights), normals(&layer.biases));
        Regressor::new(layer(&self.shape.layers[0])?, layer(&self.shape.layers[1])?, residual)
    }
}
