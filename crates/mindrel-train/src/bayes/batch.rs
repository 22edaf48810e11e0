//! One batch on its way through a network of uncertain weights and back.

use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

use super::likelihood::negative_ln_likelihood;
use super::signal::{LayerMoments, Signal, WeightMoments};
use super::standardised::Standardised;
use super::task::{Revealed, Task};
use super::{LANES, SingleLanes};
use crate::lanes::{affine, mask, products, pull_back, rectify};
use crate::mlp::shape::{LayerShape, Shape};

/// The room that a batch needs, made once, so that a step allocates nothing.
///
/// Numbers are laid out as in [`lanes`](crate::lanes), in single precision: draws are noisier than its rounding.
pub(super) struct BayesBatch {
    n_tiles: usize,
    inputs: Signal,
    /// The deviations of the hidden sums, and how many of them each sum was drawn from its mean.
    deviations: Vec<SingleLanes>,
    draws: Vec<SingleLanes>,
    hidden: Signal,
    outputs: LayerMoments,
    slopes: LayerMoments,
    below: LayerMoments,
    /// What is to be predicted, and 1 where it is open, else 0.
    targets: Vec<SingleLanes>,
    open: Vec<SingleLanes>,
    revealed: Revealed,
}

impl BayesBatch {
    /// Room for up to `n_rows` rows.
    pub(super) fn new(task: &Task, n_hidden: usize, n_rows: usize) -> Self {
        let n_tiles = n_rows.div_ceil(LANES);
        let room = |width: usize| vec![[0.0; LANES]; width * n_tiles];
        let (n_inputs, n_targets) = (task.n_inputs(), task.n_targets());
        BayesBatch {
            n_tiles,
            inputs: Signal::new(n_inputs * n_tiles),
            deviations: room(n_hidden),
            draws: room(n_hidden),
            hidden: Signal::new(n_hidden * n_tiles),
            outputs: LayerMoments::new(2 * n_targets * n_tiles),
            slopes: LayerMoments::new(2 * n_targets * n_tiles),
            below: LayerMoments::new(n_hidden * n_tiles),
            targets: room(n_targets),
            open: room(n_targets),
            revealed: task.nothing_revealed(),
        }
    }

    /// Copies some rows, with a fresh draw of what is revealed of each, and draws for the hidden units.
    ///
    /// Places without a row have nothing open, and so count for nothing.
    pub(super) fn take(&mut self, task: &Task, data: &Standardised, chosen: &[usize], random: &mut Pcg64Mcg) {
        let n_tiles = self.n_tiles;
        self.open.fill([0.0; LANES]);
        for (place, &row) in chosen.iter().enumerate() {
            let (tile, lane) = (place / LANES, place % LANES);
            let row = data.row(row);
            self.revealed.draw(random);
            let inputs = task.inputs(row, &self.revealed);
            for (lanes, value) in self.inputs.values.chunks_exact_mut(n_tiles).zip(inputs) {
                lanes[tile][lane] = value as f32;
            }
            for (index, target) in task.targets().iter().enumerate() {
                self.targets[index * n_tiles + tile][lane] = row[target.column] as f32;
                self.open[index * n_tiles + tile][lane] = f32::from(u8::from(!self.revealed.is(target.question)));
            }
        }
        self.inputs.square();
        self.draws.as_flattened_mut().iter_mut().for_each(|draw| *draw = StandardNormal.sample(random));
    }

    /// The mean loss of `n_rows` rows taken, whose gradient is left in `gradient`.
    ///
    /// ```text
    /// m = μ₁ x + b₁,   v = σ₁² x²,   z = m + √v ε,   r = max(z, 0),   M = μ₂ r + b₂,   V = σ₂² r²
    /// loss = E[−ln N(target; o, exp(l))]   over outputs (o, l) ~ N(M, V), independent
    /// ```
    ///
    /// This is the local reparameterisation [KSW15, Eq. (6)]: given the inputs the sums of independent normal weights
    /// are normal, and are drawn in place of the weights, afresh for each row. The outputs need no draw, their
    /// expectation has a closed form.
    pub(super) fn gradient(
        &mut self,
        shape: &Shape,
        n_rows: usize,
        weights: &WeightMoments,
        gradient: &mut WeightMoments,
    ) -> f64 {
        let [first, last] = &shape.layers[..] else { unreachable!("a network of one hidden layer has two layers") };
        self.forward(first, last, weights);
        let BayesBatch { outputs, targets, open, slopes, .. } = self;
        let loss = negative_ln_likelihood(outputs, targets, open, (n_rows as f32).recip(), slopes);
        self.backward(first, last, weights, gradient);
        loss
    }

    fn forward(&mut self, first: &LayerShape, last: &LayerShape, weights: &WeightMoments) {
        let BayesBatch { n_tiles, inputs, deviations, draws, hidden, outputs, .. } = self;
        affine(part(&weights.means, first), bias(&weights.means, first), &inputs.values, &mut hidden.values, *n_tiles);
        affine(part(&weights.variances, first), bias(&weights.variances, first), &inputs.squares, deviations, *n_tiles);
        let drawn = deviations.as_flattened_mut().iter_mut().zip(draws.as_flattened());
        for (sum, (deviation, draw)) in hidden.values.as_flattened_mut().iter_mut().zip(drawn) {
            *deviation = deviation.sqrt();
            *sum += *deviation * draw;
        }
        rectify(&mut hidden.values);
        hidden.square();
        affine(part(&weights.means, last), bias(&weights.means, last), &hidden.values, &mut outputs.means, *n_tiles);
        let variances = &mut outputs.variances;
        affine(part(&weights.variances, last), bias(&weights.variances, last), &hidden.squares, variances, *n_tiles);
    }

    /// The slopes in all weights from those in the outputs.
    ///
    /// ```text
    /// ∂/∂r = μ₂ᵀ ∂/∂M + 2 r σ₂²ᵀ ∂/∂V,   ∂/∂m = ∂/∂r where r > 0, else 0,   ∂/∂v = ε / (2 √v) ∂/∂m
    /// ```
    fn backward(
        &mut self,
        first: &LayerShape,
        last: &LayerShape,
        weights: &WeightMoments,
        gradient: &mut WeightMoments,
    ) {
        let BayesBatch { n_tiles, inputs, deviations, draws, hidden, slopes, below, .. } = self;
        let n_tiles = *n_tiles;
        leave(&slopes.means, &hidden.values, &mut gradient.means, last, n_tiles);
        leave(&slopes.variances, &hidden.squares, &mut gradient.variances, last, n_tiles);
        pull_back(part(&weights.means, last), &slopes.means, &mut below.means, n_tiles);
        pull_back(part(&weights.variances, last), &slopes.variances, &mut below.variances, n_tiles);
        let (means, variances) = (below.means.as_flattened_mut(), below.variances.as_flattened());
        for ((mean, variance), value) in means.iter_mut().zip(variances).zip(hidden.values.as_flattened()) {
            *mean += 2.0 * value * variance;
        }
        mask(&mut below.means, &hidden.values);
        let drawn = draws.as_flattened().iter().zip(deviations.as_flattened());
        let slopes = below.variances.as_flattened_mut().iter_mut().zip(below.means.as_flattened());
        for ((variance, mean), (draw, deviation)) in slopes.zip(drawn) {
            *variance = mean * draw / (2.0 * deviation);
        }
        leave(&below.means, &inputs.values, &mut gradient.means, first, n_tiles);
        leave(&below.variances, &inputs.squares, &mut gradient.variances, first, n_tiles);
    }
}

fn part<'a>(parameters: &'a [f32], layer: &LayerShape) -> &'a [f32] {
    &parameters[layer.weights.clone()]
}

fn bias<'a>(parameters: &'a [f32], layer: &LayerShape) -> &'a [f32] {
    &parameters[layer.biases.clone()]
}

fn leave(slopes: &[SingleLanes], inputs: &[SingleLanes], gradient: &mut [f32], layer: &LayerShape, n_tiles: usize) {
    let (weights, biases) = gradient[layer.weights.start..layer.biases.end].split_at_mut(layer.weights.len());
    products(slopes, inputs, weights, biases, n_tiles);
}

#[cfg(test)]
mod tests {
    use rand_pcg::rand_core::SeedableRng;

    use super::*;
    use crate::TrainingSet;

    /// Central differences of this width err by about width² + 10 ε / width = 3e-4 in single precision, for losses near
    /// one.
    const WIDTH: f32 = 2e-3;
    const DIFFERENCE_TOLERANCE: f64 = 2e-3;

    fn normals(size: usize, random: &mut Pcg64Mcg) -> Vec<f32> {
        (0..size).map(|_| StandardNormal.sample(random)).collect()
    }

    /// Seeded, so that no parameter stands within a width of where a unit switches on or off. 13 rows do not fill their
    /// tile; the 30 that came before must not matter.
    #[test]
    fn the_gradient_is_the_slope_of_the_loss_in_every_mean_and_variance() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let rows = normals(30 * 4, &mut random).into_iter().map(f64::from).collect();
        let set = TrainingSet::new(rows, 4, (0..30).map(|row| row % 2).collect(), 2).expect("a valid set");
        let data = Standardised::new(&set).expect("finite columns");
        let task = Task::of_all_sets(4, &[0], &[1..3, 3..4]).expect("every column has a role");
        let shape = Shape::new(task.n_inputs(), &[5], 2 * task.n_targets());
        let size = shape.n_parameters();
        let mut weights = WeightMoments {
            means: normals(size, &mut random).into_iter().map(|normal| 0.4 * normal).collect(),
            variances: normals(size, &mut random).into_iter().map(|normal| 0.1 + 0.1 * normal.abs()).collect(),
        };
        let mut batch = BayesBatch::new(&task, 5, 30);
        let mut gradient = WeightMoments { means: vec![f32::NAN; size], variances: vec![f32::NAN; size] };
        let mut unused = WeightMoments { means: vec![0.0; size], variances: vec![0.0; size] };
        batch.take(&task, &data, &(0..30).collect::<Vec<usize>>(), &mut random);
        batch.take(&task, &data, &(0..13).collect::<Vec<usize>>(), &mut random);
        batch.gradient(&shape, 13, &weights, &mut gradient);
        for place in 0..2 * size {
            let mut loss_at = |change: f32| {
                let all = if place < size { &mut weights.means } else { &mut weights.variances };
                all[place % size] += change;
                let loss = batch.gradient(&shape, 13, &weights, &mut unused);
                let all = if place < size { &mut weights.means } else { &mut weights.variances };
                all[place % size] -= change;
                loss
            };
            let slope = (loss_at(WIDTH) - loss_at(-WIDTH)) / f64::from(2.0 * WIDTH);
            let found = if place < size { gradient.means[place] } else { gradient.variances[place - size] };
            let off = (slope - f64::from(found)).abs();
            assert!(off < DIFFERENCE_TOLERANCE * slope.abs().max(1.0), "place {place}: {found} instead of {slope}");
        }
    }
}
