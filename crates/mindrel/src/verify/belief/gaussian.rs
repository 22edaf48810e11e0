//! The conditional Gaussian by the direct formula.

use super::{Conditional, Statement};
use crate::belief::GaussianBelief;

impl Statement<'_> {
    /// The open columns, given the known ones.
    pub(super) fn condition(&self, belief: &GaussianBelief) -> Conditional {
        condition(belief, &self.known_columns(), self.open_columns(), self.person)
    }
}

/// Some columns, given others of a person [TF23, Prop. 3]:
///
/// ```text
/// X_U ~ N(μ_U + Σ_UR Σ_RR⁺ (x_R − μ_R),  Σ_UU − Σ_UR Σ_RR⁺ Σ_RU)
/// ```
pub(super) fn condition(belief: &GaussianBelief, known: &[usize], open: Vec<usize>, person: &[f64]) -> Conditional {
    let covariance = |row: usize, column: usize| belief.covariance().at(row, column);
    let known_below =
        |columns: &[usize]| columns.iter().map(|&column| belief.known_below()[column]).collect::<Vec<f64>>();
    let with_known = |column: usize| -> Vec<f64> { known.iter().map(|&row| covariance(row, column)).collect() };
    // Σ_RR⁺ applied to the surprise, and to each open column's covariance with what is known.
    let surprise: Vec<f64> = known.iter().map(|&column| person[column] - belief.mean()[column]).collect();
    let sides: Vec<Vec<f64>> = std::iter::once(surprise).chain(open.iter().map(|&open| with_known(open))).collect();
    let solved = solve(known.iter().map(|&column| with_known(column)).collect(), &known_below(known), &sides);
    let against = |column: usize, solution: &[f64]| -> f64 {
        with_known(column).iter().zip(solution).map(|(covariance, value)| covariance * value).sum()
    };
    let row = |&row: &usize| -> Vec<f64> {
        let columns = open.iter().zip(&solved[1..]);
        columns.map(|(&column, solution)| covariance(row, column) - against(row, solution)).collect()
    };
    Conditional {
        mean: open.iter().map(|&column| belief.mean()[column] + against(column, &solved[0])).collect(),
        covariance: open.iter().map(row).collect(),
        zero: known_below(&open),
        columns: open,
    }
}

/// Solves `A x = b` for several `b` by elimination in order; where those before it leave no more of a pivot than
/// `zero`, `x` is zero.
///
/// The order is that in which the columns became known. The columns of a one-hot category sum to one, so that the last
/// of them is passed over, here as in a session; for a person the belief holds impossible, such as one with a level
/// that nobody had, another order would be another inverse.
fn solve(mut matrix: Vec<Vec<f64>>, zero: &[f64], sides: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut sides: Vec<Vec<f64>> = sides.to_vec();
    let mut pivots = Vec::new();
    for pivot in 0..size {
        if matrix[pivot][pivot] <= zero[pivot] {
            continue;
        }
        pivots.push(pivot);
        let above = matrix[pivot].clone();
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot] / above[pivot];
            for (entry, above) in matrix[row].iter_mut().zip(&above) {
                *entry -= factor * above;
            }
            for side in &mut sides {
                side[row] -= factor * side[pivot];
            }
        }
    }
    let solution = |side: &Vec<f64>| {
        let mut solution = vec![0.0; size];
        for &pivot in &pivots {
            solution[pivot] = side[pivot] / matrix[pivot][pivot];
        }
        solution
    };
    sides.iter().map(solution).collect()
}
