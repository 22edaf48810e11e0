//! The loops where training spends its time: sums over a batch, several rows at once.
//!
//! # Notation
//! A batch is cut into tiles of [`LANES`] rows. The values of a layer are laid out unit after unit, those of a unit tile
//! after tile, so that one [`Lanes`] holds a unit's values for the rows of a tile, and the compiler works on it as a
//! vector. The last tile is filled up with rows that count for nothing.

/// How many rows a tile has: enough independent sums to hide the delay of an addition.
pub(super) const LANES: usize = 8;

/// One number for each row of a tile.
pub(super) type Lanes = [f64; LANES];

const ZERO: Lanes = [0.0; LANES];

/// The sums of a layer, `z_u = b_u + Σ_j w_uj y_j` for every unit u and row.
pub(super) fn affine(weights: &[f64], biases: &[f64], inputs: &[Lanes], sums: &mut [Lanes], n_tiles: usize) {
    let n_inputs = inputs.len() / n_tiles;
    let units = weights.chunks_exact(n_inputs).zip(biases).zip(sums.chunks_exact_mut(n_tiles));
    for ((weights, bias), sums) in units {
        for (tile, sum) in sums.iter_mut().enumerate() {
            *sum = weighted_sum([*bias; LANES], weights.iter(), inputs, tile, n_tiles);
        }
    }
}

/// What the inputs of a layer owe to the slopes of its sums, `∂/∂y_j = Σ_u w_uj ∂/∂z_u` for every input j and row.
pub(super) fn pull_back(weights: &[f64], slopes: &[Lanes], below: &mut [Lanes], n_tiles: usize) {
    let n_inputs = below.len() / n_tiles;
    for (input, below) in below.chunks_exact_mut(n_tiles).enumerate() {
        for (tile, sum) in below.iter_mut().enumerate() {
            *sum = weighted_sum(ZERO, weights[input..].iter().step_by(n_inputs), slopes, tile, n_tiles);
        }
    }
}

/// The gradient of a layer, `∂/∂w_uj = Σ_rows ∂/∂z_u y_j` and `∂/∂b_u = Σ_rows ∂/∂z_u`.
pub(super) fn products(
    slopes: &[Lanes],
    inputs: &[Lanes],
    weight_gradient: &mut [f64],
    bias_gradient: &mut [f64],
    n_tiles: usize,
) {
    let n_inputs = inputs.len() / n_tiles;
    let units = slopes.chunks_exact(n_tiles).zip(weight_gradient.chunks_exact_mut(n_inputs)).zip(bias_gradient);
    for ((slopes, weights), bias) in units {
        for (weight, inputs) in weights.iter_mut().zip(inputs.chunks_exact(n_tiles)) {
            let mut sums = ZERO;
            for (slope, input) in slopes.iter().zip(inputs) {
                for lane in 0..LANES {
                    sums[lane] += slope[lane] * input[lane];
                }
            }
            *weight = total(&sums);
        }
        *bias = slopes.iter().map(total).sum();
    }
}

/// `start + Σ_k weight_k values_k` of one tile.
fn weighted_sum<'a>(
    start: Lanes,
    weights: impl Iterator<Item = &'a f64>,
    values: &[Lanes],
    tile: usize,
    n_tiles: usize,
) -> Lanes {
    let mut sums = start;
    for (weight, values) in weights.zip(values.chunks_exact(n_tiles)) {
        let values = &values[tile];
        for lane in 0..LANES {
            sums[lane] += weight * values[lane];
        }
    }
    sums
}

fn total(lanes: &Lanes) -> f64 {
    ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]))
}

/// `max(z, 0)`; what is not a number stays so, and is found out.
pub(super) fn rectify(values: &mut [Lanes]) {
    for value in values.as_flattened_mut() {
        *value = if *value < 0.0 { 0.0 } else { *value };
    }
}

/// Zeroes the slopes of units that are off; one at exactly zero counts as off.
pub(super) fn mask(slopes: &mut [Lanes], values: &[Lanes]) {
    for (slope, value) in slopes.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
        *slope = if *value > 0.0 { *slope } else { 0.0 };
    }
}
