//! An approximate inverse of the second derivatives: their blocks along the diagonal.

use std::ops::Range;

use nalgebra::{Cholesky, DMatrix, DVectorViewMut, Dyn};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::design::DesignRow;
use super::penalised_loss::{Evaluation, PenalisedLoss};
use crate::kernel::{BLOCK_ROWS, add_outer_products, add_scaled, mirror_lower};

/// The most places in one block.
const LARGEST_BLOCK: usize = 256;

/// What is added to a block's diagonal, scaled to one, so that rounding cannot make it indefinite.
const RIDGE: f64 = 1e-12;

/// A pivot below this, of a block whose diagonal is one, is rounding: the column is a combination of those before it.
const SMALLEST_PIVOT: f64 = 1e-11;

/// Blocks along the diagonal of the second derivatives, factorised.
///
/// ```text
/// H_s = C Σ_i p_is (1 − p_is) x_i x_iᵀ + P   for each score s, cut into blocks of at most 256 places
/// ```
///
/// P is 1 at the weights and 0 at the intercept. With two classes and up to 255 columns this is the whole matrix of
/// second derivatives, and conjugate gradients end after one iteration, with Newton's step.
pub(super) struct Preconditioner {
    blocks: Vec<DiagonalBlock>,
}

struct DiagonalBlock {
    /// Where the block starts in the list of all parameters.
    start: usize,
    /// One over the root of each diagonal entry.
    scales: Vec<f64>,
    factor: Cholesky<f64, Dyn>,
}

impl Preconditioner {
    /// The blocks at the point of `evaluation`.
    pub(super) fn new(loss: &PenalisedLoss<'_>, evaluation: &Evaluation) -> Self {
        let width = loss.design.width();
        let n_blocks = width.div_ceil(LARGEST_BLOCK);
        let blocks: Vec<(usize, Range<usize>)> = (0..loss.n_scores())
            .flat_map(|score| (0..n_blocks).map(move |block| (score, block)))
            .map(|(score, block)| (score, block * width / n_blocks..(block + 1) * width / n_blocks))
            .collect();
        let block = |(score, places): (usize, Range<usize>)| DiagonalBlock::new(loss, evaluation, score, &places);
        Preconditioner { blocks: blocks.into_par_iter().map(block).collect() }
    }

    /// Overwrites a gradient with the direction that the blocks make of it.
    pub(super) fn apply(&self, gradient: &mut [f64]) {
        for DiagonalBlock { start, scales, factor } in &self.blocks {
            let part = &mut gradient[*start..*start + scales.len()];
            let rescale = |part: &mut [f64]| part.iter_mut().zip(scales).for_each(|(value, scale)| *value *= scale);
            rescale(part);
            factor.solve_mut(&mut DVectorViewMut::from_slice(part, scales.len()));
            rescale(part);
        }
    }

    /// The first parameter that is, to rounding, a combination of those before it in its block.
    pub(super) fn collinear(&self) -> Option<usize> {
        self.blocks.iter().find_map(|block| {
            let pivots = block.factor.l_dirty().diagonal();
            pivots.iter().position(|pivot| pivot * pivot < SMALLEST_PIVOT).map(|place| block.start + place)
        })
    }
}

impl DiagonalBlock {
    fn new(loss: &PenalisedLoss<'_>, evaluation: &Evaluation, score: usize, places: &Range<usize>) -> Self {
        let mut matrix = weighted_products(loss, evaluation, score, places);
        let size = places.len();
        for place in places.clone().filter(|&place| place != loss.design.intercept()) {
            matrix[(place - places.start) * (size + 1)] += 1.0;
        }
        let scale = |diagonal: f64| if diagonal > 0.0 { diagonal.sqrt().recip() } else { 1.0 };
        let scales: Vec<f64> = (0..size).map(|place| scale(matrix[place * (size + 1)])).collect();
        for (line, row_scale) in matrix.chunks_exact_mut(size).zip(&scales) {
            line.iter_mut().zip(&scales).for_each(|(entry, scale)| *entry *= scale * row_scale);
        }
        (0..size).for_each(|place| matrix[place * (size + 1)] = 1.0 + RIDGE);
        mirror_lower(&mut matrix, size);
        let factor = factorise(DMatrix::from_vec(size, size, matrix));
        DiagonalBlock { start: score * loss.design.width() + places.start, scales, factor }
    }
}

/// The factor of a matrix whose diagonal is one; of its diagonal alone should rounding leave it indefinite.
fn factorise(matrix: DMatrix<f64>) -> Cholesky<f64, Dyn> {
    let size = matrix.nrows();
    Cholesky::new(matrix).unwrap_or_else(|| Cholesky::new_unchecked(DMatrix::identity(size, size)))
}

/// `C Σ_i p_is (1 − p_is) x_i x_iᵀ` at some places: the lower triangle, row after row.
fn weighted_products(
    loss: &PenalisedLoss<'_>,
    evaluation: &Evaluation,
    score: usize,
    places: &Range<usize>,
) -> Vec<f64> {
    let (size, n_scores) = (places.len(), loss.n_scores());
    let mut lower = vec![0.0; size * size];
    let (mut dense, mut weights) = (Vec::new(), Vec::new());
    for (block, probabilities) in evaluation.probabilities.chunks(BLOCK_ROWS * n_scores).enumerate() {
        let probabilities = probabilities.chunks_exact(n_scores).map(|row| row[score]);
        weights.clear();
        weights.extend(probabilities.map(|probability| loss.loss_factor * probability * (1.0 - probability)));
        dense.clear();
        for (row, &weight) in weights.iter().enumerate() {
            let row = loss.design.row(block * BLOCK_ROWS + row).part(places);
            dense.extend_from_slice(row.dense);
            add_sparse_products(&mut lower, size, row, weight, places.start);
        }
        add_outer_products(&mut lower, size, &dense, &weights);
    }
    lower
}

/// Adds a row's products of sparse values, with each other and with the dense ones.
fn add_sparse_products(lower: &mut [f64], size: usize, row: DesignRow<'_>, weight: f64, start: usize) {
    for (index, (&place, value)) in row.places.iter().zip(row.sparse).enumerate() {
        let line = &mut lower[(place as usize - start) * size..][..size];
        let factor = weight * value;
        add_scaled(line, factor, row.dense);
        for (&other, value) in row.places[..=index].iter().zip(row.sparse) {
            line[other as usize - start] += factor * value;
        }
    }
}
