//! The probability of a label by the direct formula of the conditional Gaussian.

use super::Statement;
use crate::Label;
use crate::math::reveal::KNOWN_SHARE;
use crate::math::{normal, orthant};

/// How far two ways of working out a probability may differ: rounding for up to four classes, the error of both lattices for
/// more. In 18 000 random plans of five and six classes the lattices differed by 9.4e-4 at most.
pub(super) fn tolerance(n_classes: usize) -> f64 {
    if n_classes <= 4 { 1e-6 } else { 2e-3 }
}

/// Points of the lattice; another number than the one that made the certificate.
const POINTS: usize = 16_381;

impl Statement<'_> {
    /// The probability of the label [TF23, Props 3-5]:
    ///
    /// ```text
    /// margin_k = a_k + θ_kU · X_U,    X_U ~ N(μ_U + Σ_UR Σ_RR⁺ (x_R − μ_R),  Σ_UU − Σ_UR Σ_RR⁺ Σ_RU)
    /// ```
    pub fn probability(&self) -> f64 {
        let schema = self.plan.schema();
        let known: Vec<usize> = self.known.iter().flat_map(|&id| schema.columns(id)).collect();
        let open = schema.ids().filter(|&id| !self.is_known(id)).flat_map(|id| schema.columns(id));
        let rest = self.condition(&known, open.collect());
        let mean: Vec<f64> = self.rivals().map(|rival| self.margin_mean(rival, &known, &rest)).collect();
        let weights: Vec<Vec<f64>> = self
            .rivals()
            .map(|rival| rest.columns.iter().map(|&column| self.margin_weight(column, rival)).collect())
            .collect();
        let covariance: Vec<f64> =
            weights.iter().flat_map(|left| weights.iter().map(|right| rest.covariance_of(left, right))).collect();
        if let [mean] = mean[..] {
            let certain = f64::from(u8::from(mean >= 0.0));
            return if covariance[0] > 0.0 { normal::cdf(mean / covariance[0].sqrt()) } else { certain };
        }
        orthant::orthant_probability_with(&mean, &covariance, mean.len(), POINTS)
    }

    /// The open columns, given the known ones.
    fn condition(&self, known: &[usize], open: Vec<usize>) -> Conditional {
        let belief = self.plan.belief();
        let covariance = |row: usize, column: usize| belief.covariance().at(row, column);
        let with_known = |column: usize| -> Vec<f64> { known.iter().map(|&row| covariance(row, column)).collect() };
        // Σ_RR⁺ applied to the surprise, and to each open column's covariance with what is known.
        let surprise: Vec<f64> = known.iter().map(|&column| self.person[column] - belief.mean()[column]).collect();
        let sides: Vec<Vec<f64>> = std::iter::once(surprise).chain(open.iter().map(|&open| with_known(open))).collect();
        let solved = solve(known.iter().map(|&column| with_known(column)).collect(), &sides);
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
            columns: open,
        }
    }

    fn margin_mean(&self, rival: Label, known: &[usize], rest: &Conditional) -> f64 {
        let fixed = known.iter().map(|&column| self.margin_weight(column, rival) * self.person[column]);
        let likely = rest.columns.iter().zip(&rest.mean);
        let likely = likely.map(|(&column, mean)| self.margin_weight(column, rival) * mean);
        let (own, other) = self.sides(rival, |score| self.linear().intercept(score));
        own - other + fixed.sum::<f64>() + likely.sum::<f64>()
    }

    fn margin_weight(&self, column: usize, rival: Label) -> f64 {
        let (own, other) = self.sides(rival, |score| self.linear().weights(score)[column]);
        own - other
    }
}

/// Some columns, with their mean and covariance.
struct Conditional {
    columns: Vec<usize>,
    mean: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl Conditional {
    /// The covariance of two linear functions.
    fn covariance_of(&self, left: &[f64], right: &[f64]) -> f64 {
        let row = |row: &Vec<f64>| -> f64 { row.iter().zip(right).map(|(entry, weight)| entry * weight).sum() };
        self.covariance.iter().zip(left).map(|(entries, weight)| weight * row(entries)).sum()
    }
}

/// Solves `A x = b` for several `b` by elimination in order; where those before it leave nothing of a pivot, `x` is zero.
///
/// The order is that in which the columns became known. The columns of a one-hot category sum to one, so that the last of
/// them is passed over, here as in a session; for a person the belief holds impossible, such as one with a level that nobody
/// had, another order would be another inverse.
fn solve(mut matrix: Vec<Vec<f64>>, sides: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut sides: Vec<Vec<f64>> = sides.to_vec();
    let zero: Vec<f64> = (0..size).map(|index| KNOWN_SHARE * matrix[index][index]).collect();
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
