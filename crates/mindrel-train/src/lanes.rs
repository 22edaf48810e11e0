//! The loops where training spends its time: sums over a batch, several rows at once.
//!
//! # Notation
//! A batch is cut into tiles of N rows, N enough for independent sums to hide the delay of an addition. The values of a
//! layer are laid out unit after unit, those of a unit tile after tile, so that one `[F; N]`, its *lanes*, holds a
//! unit's values for the rows of a tile, and the compiler works on it as a vector. The last tile is filled up with rows
//! that count for nothing.

use std::ops::{Add, AddAssign, Mul};

/// The floating-point numbers that training works in.
pub(crate) trait Real:
    Copy + Default + PartialOrd + Add<Output = Self> + AddAssign + Mul<Output = Self>
{
}

impl Real for f32 {}
impl Real for f64 {}

/// The sums of a layer, `z_u = b_u + Σ_j w_uj y_j` for every unit u and row.
pub(crate) fn affine<F: Real, const N: usize>(
    weights: &[F],
    biases: &[F],
    inputs: &[[F; N]],
    sums: &mut [[F; N]],
    n_tiles: usize,
) {
    let n_inputs = inputs.len() / n_tiles;
    for (unit, (bias, sums)) in biases.iter().zip(sums.chunks_exact_mut(n_tiles)).enumerate() {
        let weights = &weights[unit * n_inputs..(unit + 1) * n_inputs];
        for (tile, sum) in sums.iter_mut().enumerate() {
            *sum = weighted_sum([*bias; N], weights.iter(), inputs, tile, n_tiles);
        }
    }
}

/// What the inputs of a layer owe to the slopes of its sums, `∂/∂y_j = Σ_u w_uj ∂/∂z_u` for every input j and row.
pub(crate) fn pull_back<F: Real, const N: usize>(
    weights: &[F],
    slopes: &[[F; N]],
    below: &mut [[F; N]],
    n_tiles: usize,
) {
    let n_inputs = below.len() / n_tiles;
    for (input, below) in below.chunks_exact_mut(n_tiles).enumerate() {
        for (tile, sum) in below.iter_mut().enumerate() {
            *sum = weighted_sum([F::default(); N], weights[input..].iter().step_by(n_inputs), slopes, tile, n_tiles);
        }
    }
}

/// The gradient of a layer, `∂/∂w_uj = Σ_rows ∂/∂z_u y_j` and `∂/∂b_u = Σ_rows ∂/∂z_u`.
pub(crate) fn products<F: Real, const N: usize>(
    slopes: &[[F; N]],
    inputs: &[[F; N]],
    weight_gradient: &mut [F],
    bias_gradient: &mut [F],
    n_tiles: usize,
) {
    let n_inputs = inputs.len() / n_tiles;
    for (unit, (slopes, bias)) in slopes.chunks_exact(n_tiles).zip(bias_gradient).enumerate() {
        let weights = &mut weight_gradient[unit * n_inputs..(unit + 1) * n_inputs];
        for (weight, inputs) in weights.iter_mut().zip(inputs.chunks_exact(n_tiles)) {
            let mut sums = [F::default(); N];
            for (slope, input) in slopes.iter().zip(inputs) {
                for lane in 0..N {
                    sums[lane] += slope[lane] * input[lane];
                }
            }
            *weight = total(&sums);
        }
        *bias = slopes.iter().fold(F::default(), |sum, slope| sum + total(slope));
    }
}

/// `start + Σ_k weight_k values_k` of one tile.
fn weighted_sum<'a, F: Real + 'a, const N: usize>(
    start: [F; N],
    weights: impl Iterator<Item = &'a F>,
    values: &[[F; N]],
    tile: usize,
    n_tiles: usize,
) -> [F; N] {
    let mut sums = start;
    for (weight, values) in weights.zip(values.chunks_exact(n_tiles)) {
        let values = &values[tile];
        for lane in 0..N {
            sums[lane] += *weight * values[lane];
        }
    }
    sums
}

/// The sum over the lanes, of which there are a power of two and at least four: halves are added until four are left.
fn total<F: Real, const N: usize>(lanes: &[F; N]) -> F {
    let mut sums = *lanes;
    let mut half = N / 2;
    while half >= 4 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// `max(z, 0)`; what is not a number stays so, and is found out.
pub(crate) fn rectify<F: Real, const N: usize>(values: &mut [[F; N]]) {
    for value in values.as_flattened_mut() {
        *value = if *value < F::default() { F::default() } else { *value };
    }
}

/// Zeroes the slopes of units that are off; one at exactly zero counts as off.
pub(crate) fn mask<F: Real, const N: usize>(slopes: &mut [[F; N]], values: &[[F; N]]) {
    for (slope, value) in slopes.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
        *slope = if *value > F::default() { *slope } else { F::default() };
    }
}
