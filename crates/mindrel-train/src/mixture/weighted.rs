//! Moments of all columns, weighted by shares.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::WeightedMoments;
use crate::kernel::{BLOCK_ROWS, add_outer_products, add_scaled, mirror_lower};
use crate::{Moments, TrainError, TrainingSet, moments};

/// The moments of all rows, with what is constant exactly so.
///
/// # Errors
/// When a column's squares do not sum to a finite number.
pub(super) fn pooled(set: &TrainingSet) -> Result<Moments, TrainError> {
    let mut pooled = moments(set);
    let size = set.n_columns();
    let finite =
        |column: usize| pooled.mean[column].is_finite() && pooled.covariance[column * size + column].is_finite();
    if let Some(column) = (0..size).find(|&column| !finite(column)) {
        return Err(TrainError::TooLarge { column });
    }
    make_constants_exact(set, &mut pooled);
    Ok(pooled)
}

/// The components that fit the shares best, and the prior: for all columns what the search does for independent ones.
///
/// # Numerics
/// Unlike there, values are centred before they are multiplied.
pub(super) fn components(
    set: &TrainingSet,
    shares: &[Vec<f64>],
    pooled: &Moments,
    pseudo_rows: f64,
) -> Vec<WeightedMoments> {
    if shares.len() == 1 {
        return vec![WeightedMoments { weight: 1.0, moments: pooled.clone() }];
    }
    let component = |shares: &Vec<f64>| {
        let weight: f64 = shares.iter().sum();
        let mean = mean(set, shares, weight);
        let mut covariance = scatter(set, shares, &mean);
        for (entry, pooled) in covariance.iter_mut().zip(&pooled.covariance) {
            *entry = (*entry + pseudo_rows * pooled) / (weight + pseudo_rows);
        }
        let mut moments = Moments { mean, covariance };
        make_constants_exact(set, &mut moments);
        WeightedMoments { weight, moments }
    };
    let mut components: Vec<WeightedMoments> = shares.par_iter().map(component).collect();
    let total: f64 = components.iter().map(|component| component.weight).sum();
    components.iter_mut().for_each(|component| component.weight /= total);
    components
}

/// `1/N Σ_i r_i x_i`, corrected once by the mean of what it leaves.
fn mean(set: &TrainingSet, shares: &[f64], weight: f64) -> Vec<f64> {
    let mut mean = vec![0.0; set.n_columns()];
    for _ in 0..2 {
        let mut sums = vec![0.0; set.n_columns()];
        for (row, share) in set.rows().chunks_exact(set.n_columns()).zip(shares) {
            for ((sum, value), mean) in sums.iter_mut().zip(row).zip(&mean) {
                *sum += share * (value - mean);
            }
        }
        add_scaled(&mut mean, 1.0 / weight, &sums);
    }
    mean
}

/// `Σ_i r_i (x_i − μ)(x_i − μ)ᵀ`.
fn scatter(set: &TrainingSet, shares: &[f64], mean: &[f64]) -> Vec<f64> {
    let size = set.n_columns();
    let mut matrix = vec![0.0; size * size];
    let mut centred = Vec::with_capacity(BLOCK_ROWS * size);
    for (block, shares) in set.rows().chunks(BLOCK_ROWS * size).zip(shares.chunks(BLOCK_ROWS)) {
        centred.clear();
        for row in block.chunks_exact(size) {
            centred.extend(row.iter().zip(mean).map(|(value, mean)| value - mean));
        }
        add_outer_products(&mut matrix, size, &centred, shares);
    }
    mirror_lower(&mut matrix, size);
    matrix
}

/// Takes away the rounding of columns that never change: divided by one another, two such roundings would be evidence.
fn make_constants_exact(set: &TrainingSet, moments: &mut Moments) {
    let size = set.n_columns();
    for column in (0..size).filter(|&column| set.is_constant(column)) {
        moments.mean[column] = set.row(0)[column];
        for other in 0..size {
            moments.covariance[column * size + other] = 0.0;
            moments.covariance[other * size + column] = 0.0;
        }
    }
}
