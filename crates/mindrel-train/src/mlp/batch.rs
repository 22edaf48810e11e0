//! One batch on its way through the layers and back.

use super::loss::cross_entropy;
use super::shape::Shape;
use super::{LANES, Lanes};
use crate::TrainingSet;
use crate::lanes::{affine, mask, products, pull_back, rectify};

/// The room that a batch needs, made once, so that a step allocates nothing.
pub(super) struct MlpBatch {
    shape: Shape,
    /// The columns and then the values of each layer, as [`lanes`](crate::lanes) lays them out.
    values: Vec<Vec<Lanes>>,
    /// The slopes of one layer, and room for those of the layer below.
    slopes: Vec<Lanes>,
    below: Vec<Lanes>,
    labels: Vec<usize>,
}

impl MlpBatch {
    /// Room for up to `n_rows` rows.
    pub(super) fn new(shape: Shape, n_rows: usize) -> Self {
        let most_tiles = n_rows.div_ceil(LANES);
        let room = |width: usize| vec![[0.0; LANES]; width * most_tiles];
        let values = shape.widths().map(room).collect();
        let widest = shape.widths().skip(1).max().expect("a network has layers");
        let (slopes, below) = (room(widest), room(widest));
        MlpBatch { shape, values, slopes, below, labels: Vec::with_capacity(n_rows) }
    }

    /// The mean loss of some rows, whose gradient is left in `gradient`.
    ///
    /// ```text
    /// loss = 1/n Σ_i loss_i;   for every layer from the last to the first, with z = W y + b:
    /// ∂/∂W = Σ_i ∂/∂z y^T,   ∂/∂b = Σ_i ∂/∂z,   ∂/∂y = W^T ∂/∂z,   ∂/∂z below = ∂/∂y where y > 0, else 0
    /// ```
    pub(super) fn gradient(
        &mut self,
        set: &TrainingSet,
        chosen: &[usize],
        parameters: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let loss = self.loss(set, chosen, parameters);
        let n_tiles = chosen.len().div_ceil(LANES);
        for (place, layer) in self.shape.layers.iter().enumerate().rev() {
            let slopes = &self.slopes[..layer.n_units * n_tiles];
            let inputs = &self.values[place][..layer.n_inputs * n_tiles];
            let (weights, biases) = gradient[layer.weights.start..layer.biases.end].split_at_mut(layer.weights.len());
            products(slopes, inputs, weights, biases, n_tiles);
            if place > 0 {
                let below = &mut self.below[..layer.n_inputs * n_tiles];
                pull_back(&parameters[layer.weights.clone()], slopes, below, n_tiles);
                mask(below, inputs);
                std::mem::swap(&mut self.slopes, &mut self.below);
            }
        }
        loss
    }

    /// The mean loss of some rows; leaves the values of every layer, and the slopes of the scores.
    pub(super) fn loss(&mut self, set: &TrainingSet, chosen: &[usize], parameters: &[f64]) -> f64 {
        self.take(set, chosen);
        let n_tiles = chosen.len().div_ceil(LANES);
        let last = self.shape.layers.len() - 1;
        for (place, layer) in self.shape.layers.iter().enumerate() {
            let (inputs, sums) = self.values.split_at_mut(place + 1);
            let inputs = &inputs[place][..layer.n_inputs * n_tiles];
            let sums = &mut sums[0][..layer.n_units * n_tiles];
            let weights = &parameters[layer.weights.clone()];
            affine(weights, &parameters[layer.biases.clone()], inputs, sums, n_tiles);
            if place < last {
                rectify(sums);
            }
        }
        let n_slopes = self.shape.layers[last].n_units * n_tiles;
        let scores = &self.values[last + 1][..n_slopes];
        let share = 1.0 / chosen.len() as f64;
        share * cross_entropy(scores, &self.labels, share, &mut self.slopes[..n_slopes])
    }

    /// Copies the columns and labels of some rows; the rest of the last tile becomes rows of zeros.
    fn take(&mut self, set: &TrainingSet, chosen: &[usize]) {
        let n_tiles = chosen.len().div_ceil(LANES);
        let columns = &mut self.values[0][..set.n_columns() * n_tiles];
        columns.iter_mut().skip(n_tiles - 1).step_by(n_tiles).for_each(|last| *last = [0.0; LANES]);
        for (place, &row) in chosen.iter().enumerate() {
            let (tile, lane) = (place / LANES, place % LANES);
            for (column, value) in columns.chunks_exact_mut(n_tiles).zip(set.row(row)) {
                column[tile][lane] = *value;
            }
        }
        self.labels.clear();
        self.labels.extend(chosen.iter().map(|&row| set.labels()[row]));
    }
}

#[cfg(test)]
mod tests {
    use mindrel::model::Model;
    use rand_distr::{Distribution, StandardNormal};
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::SeedableRng;

    use super::*;

    /// Central differences of this width err by about width² + ε / width = 1e-10 for slopes of order one.
    const WIDTH: f64 = 1e-5;
    const DIFFERENCE_TOLERANCE: f64 = 1e-7;
    /// Sums of a few dozen terms of order one, in another order.
    const ROUNDING_TOLERANCE: f64 = 1e-13;

    const HIDDEN: [&[usize]; 6] = [&[], &[1], &[10], &[10, 10], &[3, 17, 2], &[4, 4, 4, 4, 4]];

    /// A seeded network with biases, 40 normal rows, and a batch of 13 of them, which does not fill its tiles.
    struct Case {
        set: TrainingSet,
        shape: Shape,
        parameters: Vec<f64>,
        batch: MlpBatch,
        chosen: Vec<usize>,
    }

    fn case(hidden: &[usize], n_classes: usize) -> Case {
        let mut random = Pcg64Mcg::seed_from_u64(n_classes as u64);
        let n_scores = if n_classes == 2 { 1 } else { n_classes };
        let shape = Shape::new(5, hidden, n_scores);
        let mut parameters = shape.first_parameters(&mut random);
        let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
        parameters.iter_mut().for_each(|parameter| *parameter += 0.1 * normal());
        let rows = (0..40 * 5).map(|_| normal()).collect();
        let labels = (0..40).map(|row| row % n_classes).collect();
        let set = TrainingSet::new(rows, 5, labels, n_classes).expect("a valid set");
        let mut batch = MlpBatch::new(shape.clone(), 40);
        // What an earlier and larger batch leaves behind must not matter.
        batch.loss(&set, &(0..40).collect::<Vec<usize>>(), &parameters);
        Case { set, shape, parameters, batch, chosen: (0..13).map(|row| 3 * row).collect() }
    }

    /// Seeded, so that no parameter stands within a width of where a unit switches on or off.
    #[test]
    fn the_gradient_is_the_slope_of_the_loss_at_every_depth_and_number_of_classes() {
        for (hidden, n_classes) in HIDDEN.iter().flat_map(|hidden| [2, 3, 5].map(|n_classes| (hidden, n_classes))) {
            let Case { set, parameters, mut batch, chosen, .. } = case(hidden, n_classes);
            let mut gradient = vec![f64::NAN; parameters.len()];
            let loss = batch.gradient(&set, &chosen, &parameters, &mut gradient);
            assert_eq!(loss, batch.loss(&set, &chosen, &parameters));
            for place in 0..parameters.len() {
                let mut moved = parameters.clone();
                let mut loss_at = |change: f64| {
                    moved[place] = parameters[place] + change;
                    batch.loss(&set, &chosen, &moved)
                };
                let slope = (loss_at(WIDTH) - loss_at(-WIDTH)) / (2.0 * WIDTH);
                let off = (slope - gradient[place]).abs();
                assert!(off < DIFFERENCE_TOLERANCE, "{hidden:?}, {n_classes} classes, place {place}: off by {off:e}");
            }
        }
    }

    #[test]
    fn the_loss_is_that_of_the_finished_network() {
        for (hidden, n_classes) in HIDDEN.iter().flat_map(|hidden| [2, 4].map(|n_classes| (hidden, n_classes))) {
            let Case { set, shape, parameters, mut batch, chosen } = case(hidden, n_classes);
            let network = shape.network(&parameters).expect("finite parameters");
            let losses = chosen.iter().map(|&row| {
                let mut scores = vec![0.0; network.n_scores()];
                network.scores(set.row(row), &mut scores);
                if n_classes == 2 {
                    scores.insert(0, 0.0);
                }
                scores.iter().map(|score| score.exp()).sum::<f64>().ln() - scores[set.labels()[row]]
            });
            let plain = losses.sum::<f64>() / chosen.len() as f64;
            assert!((batch.loss(&set, &chosen, &parameters) - plain).abs() < ROUNDING_TOLERANCE);
        }
    }
}
