//! The penalised loss of logistic regression with its first and second derivatives, in passes over the rows.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use super::design::DesignMatrix;
use crate::kernel::{add_scaled, dot};
use crate::{TrainError, TrainingSet};

/// Rows in each parallel part. Their sums are added in order, so that the result does not depend on the thread count.
const PART_ROWS: usize = 4096;

/// What a fit minimises.
///
/// ```text
/// binary:      loss_i = ln(1 + exp(s_i)) − y_i s_i
/// 3+ classes:  loss_i = ln Σ_c exp(s_ic) − s_i,y_i
/// objective  = ½ Σ w² + C Σ_i loss_i
/// ```
///
/// The parameters of a score stand at the places of the design matrix; those of several scores follow each other.
pub(super) struct PenalisedLoss<'a> {
    pub(super) set: &'a TrainingSet,
    /// C, the inverse of the regularization.
    pub(super) loss_factor: f64,
    pub(super) design: DesignMatrix,
}

/// The objective at one point.
pub(super) struct Evaluation {
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    /// One for each row and score; of a binary model, that of class 1.
    pub(super) probabilities: Vec<f64>,
}

impl<'a> PenalisedLoss<'a> {
    /// The objective for one training set.
    ///
    /// # Errors
    /// When a class has no rows, or a column is too large to square.
    pub(super) fn new(set: &'a TrainingSet, regularization: f64) -> Result<Self, TrainError> {
        set.check_classes()?;
        let loss_factor = regularization.recip();
        Ok(PenalisedLoss { set, loss_factor, design: DesignMatrix::new(set, loss_factor)? })
    }

    /// One for two classes, otherwise one for each class.
    pub(super) fn n_scores(&self) -> usize {
        if self.set.n_classes() == 2 { 1 } else { self.set.n_classes() }
    }

    /// How many parameters there are.
    pub(super) fn n_parameters(&self) -> usize {
        self.n_scores() * self.design.width()
    }

    /// The objective at `parameters`, with its gradient.
    ///
    /// # Numerics
    /// Exponents are never positive, so nothing overflows. O(nonzero values · scores).
    pub(super) fn at(&self, parameters: &[f64]) -> Evaluation {
        let n_scores = self.n_scores();
        let mut probabilities = vec![0.0; self.set.n_rows() * n_scores];
        let parts = probabilities.par_chunks_mut(PART_ROWS * n_scores).enumerate().map(|(part, probabilities)| {
            let mut loss = 0.0;
            let labels = &self.set.labels()[part * PART_ROWS..];
            let rows = probabilities.chunks_exact_mut(n_scores).zip(labels);
            let gradient = self.sum_over_rows(parameters, part * PART_ROWS, rows, |scores, (probabilities, label)| {
                loss += to_probabilities(scores, *label);
                probabilities.copy_from_slice(scores);
                match scores {
                    [positive] => *positive -= *label as f64,
                    scores => scores[*label] -= 1.0,
                }
            });
            (loss, gradient)
        });
        let (losses, gradients): (Vec<f64>, Vec<Vec<f64>>) = parts.collect::<Vec<_>>().into_iter().unzip();
        let mut gradient = sum(gradients);
        self.penalise(parameters, &mut gradient);
        let value = self.loss_factor * losses.iter().sum::<f64>() + self.penalty(parameters);
        Evaluation { value, gradient, probabilities }
    }

    /// The second derivatives times a direction, at the point where these are the probabilities.
    ///
    /// ```text
    /// H d = C Σ_i (diag(p_i) − p_i p_iᵀ) s_i ⊗ x_i + P d,   s_i the scores of row i under d
    /// ```
    pub(super) fn curvature(&self, probabilities: &[f64], direction: &[f64]) -> Vec<f64> {
        let n_scores = self.n_scores();
        let parts = probabilities.par_chunks(PART_ROWS * n_scores).enumerate().map(|(part, probabilities)| {
            let rows = probabilities.chunks_exact(n_scores);
            self.sum_over_rows(direction, part * PART_ROWS, rows, |scores, probabilities| match probabilities {
                [positive] => scores[0] *= positive * (1.0 - positive),
                probabilities => {
                    let mean: f64 = probabilities.iter().zip(&*scores).map(|(p, score)| p * score).sum();
                    scores.iter_mut().zip(probabilities).for_each(|(score, p)| *score = p * (*score - mean));
                }
            })
        });
        let mut product = sum(parts.collect());
        self.penalise(direction, &mut product);
        product
    }

    /// `Σ_i factors_i ⊗ x_i` over rows from `first` on; `to_factors` turns the scores of a row into its factors.
    fn sum_over_rows<R>(
        &self,
        parameters: &[f64],
        first: usize,
        rows: impl Iterator<Item = R>,
        mut to_factors: impl FnMut(&mut [f64], R),
    ) -> Vec<f64> {
        let width = self.design.width();
        let mut sums = vec![0.0; parameters.len()];
        let mut scores = vec![0.0; self.n_scores()];
        for (index, of_row) in rows.enumerate() {
            let row = self.design.row(first + index);
            for (score, parameters) in scores.iter_mut().zip(parameters.chunks_exact(width)) {
                *score = row.score(parameters);
            }
            to_factors(&mut scores, of_row);
            for (factor, sums) in scores.iter().zip(sums.chunks_exact_mut(width)) {
                row.add_to(sums, *factor);
            }
        }
        sums
    }

    /// `½ Σ w²`, without the intercepts.
    fn penalty(&self, parameters: &[f64]) -> f64 {
        let (width, intercept) = (self.design.width(), self.design.intercept());
        let squares = parameters.chunks_exact(width).map(|score| {
            let (dense, sparse) = (&score[..intercept], &score[intercept + 1..]);
            dot(dense, dense) + dot(sparse, sparse)
        });
        0.5 * squares.sum::<f64>()
    }

    /// Turns a sum over the losses into one over the objective: times C, and with the penalty's share for each weight.
    fn penalise(&self, parameters: &[f64], sums: &mut [f64]) {
        sums.iter_mut().for_each(|sum| *sum *= self.loss_factor);
        add_scaled(sums, 1.0, parameters);
        for place in (self.design.intercept()..sums.len()).step_by(self.design.width()) {
            sums[place] -= parameters[place];
        }
    }

    /// How far a gradient is from zero, whatever the units of the columns and the number of rows.
    ///
    /// ```text
    /// max_j |g_j| / (C n r_j),   r_j the root mean square of column j, 1 for an intercept
    /// ```
    pub(super) fn size_of(&self, gradient: &[f64]) -> f64 {
        let factor = self.loss_factor * self.set.n_rows() as f64;
        let scales = self.design.scales().iter().cycle();
        let sizes = gradient.iter().zip(scales).map(|(derivative, scale)| derivative.abs() / (factor * scale));
        // Not `f64::max`, which would drop a NaN and call a failed gradient small.
        sizes.fold(0.0, |largest: f64, size| if largest.is_nan() || size <= largest { largest } else { size })
    }
}

/// The sum of some lists, in their order.
fn sum(lists: Vec<Vec<f64>>) -> Vec<f64> {
    let mut lists = lists.into_iter();
    let mut total = lists.next().expect("a training set has rows");
    lists.for_each(|list| add_scaled(&mut total, 1.0, &list));
    total
}

/// Overwrites the scores of one row with probabilities and returns its loss.
fn to_probabilities(scores: &mut [f64], label: usize) -> f64 {
    match scores {
        [score] => to_probability(score, label),
        scores => to_softmax(scores, label),
    }
}

fn to_probability(score: &mut f64, label: usize) -> f64 {
    let value = *score;
    let small = (-value.abs()).exp();
    *score = if value >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) };
    let signed = if label == 1 { -value } else { value };
    signed.max(0.0) + small.ln_1p()
}

fn to_softmax(scores: &mut [f64], label: usize) -> f64 {
    let first = (0, scores[0]);
    let enumerated = scores.iter().copied().enumerate();
    let (best, largest) = enumerated.fold(first, |best, next| if next.1 > best.1 { next } else { best });
    let missed_by = largest - scores[label];
    // The largest term is exactly 1 and stays out of the sum, so that a tiny loss keeps its digits.
    let mut others = 0.0;
    for (class, score) in scores.iter_mut().enumerate() {
        *score = if class == best { 1.0 } else { (*score - largest).exp() };
        others += if class == best { 0.0 } else { *score };
    }
    let normaliser = 1.0 / (1.0 + others);
    scores.iter_mut().for_each(|score| *score *= normaliser);
    missed_by + others.ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Central differences of this width err by about width² + ε / width = 1e-10 relative to the curvature.
    const WIDTH: f64 = 1e-5;
    const DIFFERENCE_TOLERANCE: f64 = 1e-7;
    /// A handful of roundings.
    const ROUNDING_TOLERANCE: f64 = 1e-15;

    /// Forty-one rows (a block would be even) of three columns, with every class.
    fn small_set(n_classes: usize) -> TrainingSet {
        let rows = (0..41 * 3).map(|i| f64::from(i * i % 17) / 8.0 - 1.0).collect();
        let labels = (0..41).map(|i| (i * i + i / 3) % 7 % n_classes).collect();
        TrainingSet::new(rows, 3, labels, n_classes).expect("a valid set")
    }

    /// Any point that is not special.
    fn some_parameters(loss: &PenalisedLoss<'_>) -> Vec<f64> {
        (0..loss.n_parameters()).map(|i| (i as f64 * 1.7).sin()).collect()
    }

    #[test]
    fn the_gradient_is_what_finite_differences_of_the_objective_say() {
        for n_classes in 2..=4 {
            let set = small_set(n_classes);
            let loss = PenalisedLoss::new(&set, 0.7).expect("every class has rows");
            let point = some_parameters(&loss);
            let gradient = loss.at(&point).gradient;
            for (j, derivative) in gradient.iter().enumerate() {
                let value_at = |change: f64| {
                    let mut moved = point.clone();
                    moved[j] += change;
                    loss.at(&moved).value
                };
                let difference = (value_at(WIDTH) - value_at(-WIDTH)) / (2.0 * WIDTH);
                assert!((difference - derivative).abs() < DIFFERENCE_TOLERANCE * (1.0 + derivative.abs()));
            }
        }
    }

    #[test]
    fn the_second_derivatives_are_what_finite_differences_of_the_gradient_say() {
        for n_classes in 2..=4 {
            let set = small_set(n_classes);
            let loss = PenalisedLoss::new(&set, 0.7).expect("every class has rows");
            let point = some_parameters(&loss);
            let probabilities = loss.at(&point).probabilities;
            for j in 0..point.len() {
                let gradient_at = |change: f64| {
                    let mut moved = point.clone();
                    moved[j] += change;
                    loss.at(&moved).gradient
                };
                let (above, below) = (gradient_at(WIDTH), gradient_at(-WIDTH));
                let mut direction = vec![0.0; point.len()];
                direction[j] = 1.0;
                for (k, second) in loss.curvature(&probabilities, &direction).iter().enumerate() {
                    let difference = (above[k] - below[k]) / (2.0 * WIDTH);
                    assert!((difference - second).abs() < DIFFERENCE_TOLERANCE * (1.0 + second.abs()), "{j}, {k}");
                }
            }
        }
    }

    #[test]
    fn scores_far_out_give_finite_losses_and_probabilities() {
        let mut score = [800.0];
        assert_eq!(to_probabilities(&mut score, 0), 800.0);
        assert_eq!(score, [1.0]);
        let mut score = [-800.0];
        assert_eq!(to_probabilities(&mut score, 1), 800.0);
        assert_eq!(score, [0.0]);
        let mut scores = [-800.0, 900.0, 0.0];
        assert_eq!(to_probabilities(&mut scores, 0), 1700.0);
        assert_eq!(scores, [0.0, 1.0, 0.0]);
    }

    #[test]
    fn a_tiny_loss_keeps_its_digits() {
        let expected = (-50.0_f64).exp();
        let close = |loss: f64| (loss / expected - 1.0).abs() < ROUNDING_TOLERANCE;
        assert!(close(to_probabilities(&mut [50.0], 1)));
        assert!(close(to_probabilities(&mut [50.0, 0.0, -700.0], 0)));
    }

    #[test]
    fn a_gradient_that_is_not_a_number_is_not_small() {
        let set = small_set(2);
        let loss = PenalisedLoss::new(&set, 1.0).expect("every class has rows");
        assert!(loss.size_of(&[0.0, f64::NAN, 0.0, 1.0]).is_nan());
        assert!(loss.size_of(&[1.0, 0.0, 0.0, f64::NAN]).is_nan());
    }
}
