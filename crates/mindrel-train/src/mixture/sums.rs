//! What one pass over the rows adds up, on all cores and always in the same order.

use std::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::WeightedMoments;
use super::density::Density;
use super::table::{Row, Table};
use crate::TrainError;
use crate::kernel::{BLOCK_ROWS, add_scaled};

/// Into how many parts the rows are cut, whatever the number of cores: the sums of the parts are added in order, so that
/// the result does not depend on who was done first. Each part keeps sums of its own.
const N_PARTS: usize = 16;

/// A component whose density can be taken.
pub(super) struct Scored {
    ln_weight: f64,
    pub(super) density: Density,
}

impl Scored {
    pub(super) fn all(table: &Table, components: &[WeightedMoments]) -> Result<Vec<Scored>, TrainError> {
        let scored = |component: &WeightedMoments| {
            let degenerate = |place: usize| TrainError::DegenerateComponent { column: table.units.independent[place] };
            let density = Density::new(&component.moments).map_err(degenerate)?;
            Ok(Scored { ln_weight: component.weight.ln(), density })
        };
        components.iter().map(scored).collect()
    }
}

/// Sums over the rows, weighted by their share in one component.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sums {
    /// `N = Σ_i r_i`.
    pub(super) weight: f64,
    /// `Σ_i r_i x_i`.
    pub(super) first: Vec<f64>,
    /// `Σ_i r_i x_i x_iᵀ`, its lower triangle.
    pub(super) second: Vec<f64>,
}

impl Sums {
    fn zero(size: usize) -> Self {
        Sums { weight: 0.0, first: vec![0.0; size], second: vec![0.0; size * size] }
    }

    /// The log-likelihood, and the sums of every component.
    ///
    /// ```text
    /// r_ik = w_k N(x_i; μ_k, Σ_k) / Σ_l w_l N(x_i; μ_l, Σ_l)
    /// ```
    pub(super) fn under(table: &Table, components: &[Scored]) -> (f64, Vec<Sums>) {
        let parts = in_parts(table, |rows| {
            let mut sums = vec![Sums::zero(table.n_columns()); components.len()];
            let ln_likelihood = each_block(table, rows, components, &mut |block, shares| {
                for (sums, shares) in sums.iter_mut().zip(shares.chunks_exact(block.len())) {
                    block.clone().zip(shares).for_each(|(row, &share)| sums.add(table.row(row), share));
                }
            });
            (ln_likelihood, sums)
        });
        let (ln_likelihoods, sums): (Vec<f64>, Vec<Vec<Sums>>) = parts.into_iter().unzip();
        (ln_likelihoods.iter().sum(), total(sums))
    }

    /// The sums of every component where each row belongs to one component alone.
    pub(super) fn of_assigned(table: &Table, n_components: usize, assigned: &[usize]) -> Vec<Sums> {
        let parts = in_parts(table, |rows| {
            let mut sums = vec![Sums::zero(table.n_columns()); n_components];
            rows.for_each(|row| sums[assigned[row]].add(table.row(row), 1.0));
            sums
        });
        total(parts)
    }

    fn add(&mut self, row: Row<'_>, share: f64) {
        if share == 0.0 {
            return;
        }
        let size = self.first.len();
        self.weight += share;
        for (count, (&column, &value)) in row.columns.iter().zip(row.values).enumerate() {
            let column = column as usize;
            let value = share * value;
            self.first[column] += value;
            let line = &mut self.second[column * size..=column * size + column];
            for (&column, &other) in row.columns[..=count].iter().zip(row.values) {
                line[column as usize] += value * other;
            }
        }
    }
}

/// The share of each component in every row, component after component, and the log-likelihood.
pub(super) fn shares(table: &Table, components: &[Scored]) -> (Vec<Vec<f64>>, f64) {
    let parts = in_parts(table, |rows| {
        let mut of_part = vec![Vec::with_capacity(rows.len()); components.len()];
        let ln_likelihood = each_block(table, rows, components, &mut |block, shares| {
            for (all, shares) in of_part.iter_mut().zip(shares.chunks_exact(block.len())) {
                all.extend_from_slice(shares);
            }
        });
        (of_part, ln_likelihood)
    });
    let mut all = vec![Vec::with_capacity(table.n_rows()); components.len()];
    for (of_part, _) in &parts {
        all.iter_mut().zip(of_part).for_each(|(all, part)| all.extend_from_slice(part));
    }
    (all, parts.iter().map(|(_, ln_likelihood)| ln_likelihood).sum())
}

/// The result for each part of the rows, in order.
fn in_parts<T: Send>(table: &Table, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let n_rows = table.n_rows();
    let n_parts = N_PARTS.min(n_rows.div_ceil(BLOCK_ROWS));
    let part = |index: usize| index * n_rows / n_parts..(index + 1) * n_rows / n_parts;
    (0..n_parts).into_par_iter().map(|index| work(part(index))).collect()
}

/// Gives `take` each block of rows and the shares of its rows, component after component; returns the log-likelihood.
///
/// A block is short, and seen by one component after the other, so that both stay in the cache.
fn each_block(
    table: &Table,
    rows: Range<usize>,
    components: &[Scored],
    take: &mut dyn FnMut(Range<usize>, &[f64]),
) -> f64 {
    let mut scratch = vec![0.0; table.n_columns()];
    let mut shares = Vec::with_capacity(BLOCK_ROWS * components.len());
    let mut ln_likelihood = 0.0;
    for start in rows.clone().step_by(BLOCK_ROWS) {
        let block = start..rows.end.min(start + BLOCK_ROWS);
        shares.clear();
        for Scored { ln_weight, density } in components {
            shares.extend(block.clone().map(|row| ln_weight + density.ln_density(table.row(row), &mut scratch)));
        }
        for row in 0..block.len() {
            ln_likelihood += normalise(&mut shares[row..], block.len());
        }
        take(block, &shares);
    }
    ln_likelihood
}

/// Turns every `stride`-th number `a_k` into `exp(a_k) / Σ_l exp(a_l)` and returns `ln Σ_l exp(a_l)`.
fn normalise(logarithms: &mut [f64], stride: usize) -> f64 {
    let largest = logarithms.iter().step_by(stride).copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for value in logarithms.iter_mut().step_by(stride) {
        *value = (*value - largest).exp();
        sum += *value;
    }
    logarithms.iter_mut().step_by(stride).for_each(|value| *value /= sum);
    largest + sum.ln()
}

fn total(parts: Vec<Vec<Sums>>) -> Vec<Sums> {
    let add = |mut total: Vec<Sums>, part: Vec<Sums>| {
        for (total, part) in total.iter_mut().zip(&part) {
            total.weight += part.weight;
            add_scaled(&mut total.first, 1.0, &part.first);
            add_scaled(&mut total.second, 1.0, &part.second);
        }
        total
    };
    parts.into_iter().reduce(add).expect("a training set has rows")
}
