//! The matrix of second derivatives of the objective.

use super::objective::{Evaluation, Objective};
use crate::kernel::{BLOCK_ROWS, add_outer_products, add_scaled, mirror_lower};

/// Room for the second derivatives, reused from one iteration to the next.
///
/// ```text
/// G_ab = C Σ_i p_ia p_ib x̃_i x̃_iᵀ,   x̃_i = (x_i, 1)
/// binary:      H = G_01 + P
/// 3+ classes:  H_ab = −G_ab (a ≠ b),   H_aa = Σ_{b ≠ a} G_ab + P
/// ```
///
/// P is 1 at the weights and 0 at the intercept. Because probabilities sum to one, the diagonal blocks follow from the
/// others and need no pass over the rows.
pub(crate) struct Hessian {
    /// All second derivatives, row after row.
    pub(crate) matrix: Vec<f64>,
    pairs: Vec<Pair>,
    /// Some rows, each with a 1 at its end.
    rows: Vec<f64>,
    weights: Vec<f64>,
}

/// G of one pair of classes.
struct Pair {
    first: usize,
    second: usize,
    products: Vec<f64>,
}

impl Hessian {
    /// Room for the second derivatives of `objective`.
    pub(crate) fn new(objective: &Objective<'_>) -> Self {
        let size = objective.n_parameters_of_score();
        let n_classes = objective.set.n_classes();
        let pair = |first, second| Pair { first, second, products: vec![0.0; size * size] };
        Hessian {
            matrix: vec![0.0; objective.n_parameters().pow(2)],
            pairs: (0..n_classes).flat_map(|second| (0..second).map(move |first| pair(first, second))).collect(),
            rows: Vec::with_capacity(BLOCK_ROWS * size),
            weights: Vec::with_capacity(BLOCK_ROWS),
        }
    }

    /// Overwrites the matrix with the second derivatives at the point of `evaluation`.
    pub(crate) fn compute(&mut self, objective: &Objective<'_>, evaluation: &Evaluation) {
        self.sum_products(objective, evaluation);
        self.matrix.fill(0.0);
        let size = objective.n_parameters_of_score();
        let n_scores = objective.n_scores();
        let n_parameters = objective.n_parameters();
        for pair in &mut self.pairs {
            mirror_lower(&mut pair.products, size);
            let mut add = |a: usize, b: usize, sign: f64| {
                for (j, line) in pair.products.chunks_exact(size).enumerate() {
                    let start = (a * size + j) * n_parameters + b * size;
                    add_scaled(&mut self.matrix[start..start + size], sign, line);
                }
            };
            add(pair.first, pair.first, 1.0);
            if n_scores > 1 {
                add(pair.second, pair.second, 1.0);
                add(pair.first, pair.second, -1.0);
                add(pair.second, pair.first, -1.0);
            }
        }
        for parameter in (0..n_parameters).filter(|parameter| parameter % size != size - 1) {
            self.matrix[parameter * n_parameters + parameter] += 1.0;
        }
    }

    fn sum_products(&mut self, objective: &Objective<'_>, evaluation: &Evaluation) {
        let (n_columns, n_scores) = (objective.set.n_columns(), objective.n_scores());
        self.pairs.iter_mut().for_each(|pair| pair.products.fill(0.0));
        let rows = objective.columns.rows.chunks(BLOCK_ROWS * n_columns);
        for (rows, probabilities) in rows.zip(evaluation.probabilities.chunks(BLOCK_ROWS * n_scores)) {
            self.rows.clear();
            for row in rows.chunks_exact(n_columns) {
                self.rows.extend_from_slice(row);
                self.rows.push(1.0);
            }
            for pair in &mut self.pairs {
                let weight = |row: &[f64]| objective.loss_factor * pair.product_of_probabilities(row);
                self.weights.clear();
                self.weights.extend(probabilities.chunks_exact(n_scores).map(weight));
                add_outer_products(&mut pair.products, n_columns + 1, &self.rows, &self.weights);
            }
        }
    }
}

impl Pair {
    fn product_of_probabilities(&self, probabilities: &[f64]) -> f64 {
        match probabilities {
            [positive] => positive * (1.0 - positive),
            all => all[self.first] * all[self.second],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::objective::tests::{small_set, some_parameters};
    use super::*;

    /// Central differences of this width err by about width² + ε / width = 1e-10 relative to the third derivative.
    const WIDTH: f64 = 1e-5;
    const TOLERANCE: f64 = 1e-7;

    #[test]
    fn the_second_derivatives_are_what_finite_differences_of_the_gradient_say() {
        for n_classes in 2..=4 {
            let set = small_set(n_classes);
            let objective = Objective::new(&set, 0.7).expect("every class has rows");
            let point = some_parameters(&objective);
            let mut hessian = Hessian::new(&objective);
            hessian.compute(&objective, &objective.at(&point));
            for (j, line) in hessian.matrix.chunks_exact(point.len()).enumerate() {
                let gradient_at = |change: f64| {
                    let mut moved = point.clone();
                    moved[j] += change;
                    objective.at(&moved).gradient
                };
                let (above, below) = (gradient_at(WIDTH), gradient_at(-WIDTH));
                for (k, second) in line.iter().enumerate() {
                    let difference = (above[k] - below[k]) / (2.0 * WIDTH);
                    assert!((difference - second).abs() < TOLERANCE * (1.0 + second.abs()), "{j}, {k}");
                }
            }
        }
    }

    #[test]
    fn the_diagonal_at_zero_is_the_curvature_that_scales_the_quasi_newton_search() {
        for n_classes in 2..=4 {
            let set = small_set(n_classes);
            let objective = Objective::new(&set, 0.7).expect("every class has rows");
            let mut hessian = Hessian::new(&objective);
            hessian.compute(&objective, &objective.at(&vec![0.0; objective.n_parameters()]));
            let n_parameters = objective.n_parameters();
            for (j, curvature) in objective.curvature_at_zero().iter().enumerate() {
                let entry = hessian.matrix[j * n_parameters + j];
                assert!((entry - curvature).abs() < TOLERANCE * curvature, "{j}");
            }
        }
    }
}
