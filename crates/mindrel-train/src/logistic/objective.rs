//! The penalised loss of logistic regression, its gradient and its probabilities, in one pass over the rows.

use super::columns::Columns;
use crate::kernel::{BLOCK_ROWS, add_scaled, dot};
use crate::{TrainError, TrainingSet};

/// What a fit minimises.
///
/// ```text
/// binary:      loss_i = ln(1 + exp(s_i)) − y_i s_i
/// 3+ classes:  loss_i = ln Σ_c exp(s_ic) − s_i,y_i
/// objective  = ½ Σ w² + C Σ_i loss_i
/// ```
///
/// The parameters of a score are its weights and then its intercept; those of several scores follow each other.
pub(crate) struct Objective<'a> {
    pub(crate) set: &'a TrainingSet,
    /// C, the inverse of the regularization.
    pub(crate) loss_factor: f64,
    pub(crate) columns: Columns<'a>,
}

/// The objective at one point; kept and reused, so that an evaluation allocates nothing.
#[derive(Clone)]
pub(crate) struct Evaluation {
    pub(crate) value: f64,
    pub(crate) gradient: Vec<f64>,
    /// One for each row and score; of a binary model, that of class 1.
    pub(crate) probabilities: Vec<f64>,
}

impl<'a> Objective<'a> {
    /// The objective for one training set.
    ///
    /// # Errors
    /// When a class has no rows, or a column is too large to square.
    pub(crate) fn new(set: &'a TrainingSet, regularization: f64) -> Result<Self, TrainError> {
        if let Some(class) = (0..set.n_classes()).find(|class| !set.labels().contains(class)) {
            return Err(TrainError::ClassWithoutRows { class });
        }
        let loss_factor = regularization.recip();
        let columns = Columns::new(set, loss_factor)?;
        Ok(Objective { set, loss_factor, columns })
    }

    /// One for two classes, otherwise one for each class.
    pub(crate) fn n_scores(&self) -> usize {
        if self.set.n_classes() == 2 { 1 } else { self.set.n_classes() }
    }

    /// How many parameters one score has: a weight for each column, and the intercept.
    pub(crate) fn n_parameters_of_score(&self) -> usize {
        self.set.n_columns() + 1
    }

    /// How many parameters there are.
    pub(crate) fn n_parameters(&self) -> usize {
        self.n_scores() * self.n_parameters_of_score()
    }

    /// The objective at `parameters`.
    pub(crate) fn at(&self, parameters: &[f64]) -> Evaluation {
        let mut evaluation = Evaluation {
            value: 0.0,
            gradient: vec![0.0; self.n_parameters()],
            probabilities: vec![0.0; self.set.n_rows() * self.n_scores()],
        };
        self.evaluate(parameters, &mut evaluation);
        evaluation
    }

    /// Overwrites `evaluation` with the objective at `parameters`.
    ///
    /// # Numerics
    /// Exponents are never positive, so nothing overflows; losses are summed in blocks. O(rows · parameters).
    pub(crate) fn evaluate(&self, parameters: &[f64], evaluation: &mut Evaluation) {
        let Evaluation { value, gradient, probabilities } = evaluation;
        gradient.fill(0.0);
        let (n_columns, n_scores) = (self.set.n_columns(), self.n_scores());
        let rows = self.columns.rows.chunks(BLOCK_ROWS * n_columns);
        let labels = self.set.labels().chunks(BLOCK_ROWS);
        let blocks = rows.zip(labels).zip(probabilities.chunks_mut(BLOCK_ROWS * n_scores));
        let loss: f64 =
            blocks.map(|((rows, labels), scores)| self.add_block(parameters, rows, labels, scores, gradient)).sum();
        *value = self.loss_factor * loss + self.add_penalty(parameters, gradient);
    }

    /// Adds the gradient of the losses of some rows, leaves their probabilities in `scores`, returns their loss.
    fn add_block(
        &self,
        parameters: &[f64],
        rows: &[f64],
        labels: &[usize],
        scores: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let n_columns = self.set.n_columns();
        let mut loss = 0.0;
        let scores = scores.chunks_exact_mut(self.n_scores());
        for ((row, &label), scores) in rows.chunks_exact(n_columns).zip(labels).zip(scores) {
            for (score, parameters) in scores.iter_mut().zip(parameters.chunks_exact(n_columns + 1)) {
                *score = parameters[n_columns] + dot(&parameters[..n_columns], row);
            }
            loss += to_probabilities(scores, label);
            for (score, gradient) in gradient.chunks_exact_mut(n_columns + 1).enumerate() {
                let residual = scores[score] - target(score, scores.len(), label);
                add_scaled(&mut gradient[..n_columns], residual, row);
                gradient[n_columns] += residual;
            }
        }
        loss
    }

    /// Turns the gradient of the losses into that of the objective, and returns the penalty.
    fn add_penalty(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.iter_mut().for_each(|derivative| *derivative *= self.loss_factor);
        let size = self.n_parameters_of_score();
        let mut squares = 0.0;
        for (gradient, parameters) in gradient.chunks_exact_mut(size).zip(parameters.chunks_exact(size)) {
            let weights = &parameters[..size - 1];
            add_scaled(&mut gradient[..size - 1], 1.0, weights);
            squares += dot(weights, weights);
        }
        0.5 * squares
    }

    /// How far a gradient is from zero, whatever the units of the columns and the number of rows.
    ///
    /// ```text
    /// max_j |g_j| / (C n r_j),   r_j the root mean square of column j, 1 for an intercept
    /// ```
    pub(crate) fn size_of(&self, gradient: &[f64]) -> f64 {
        let factor = self.loss_factor * self.set.n_rows() as f64;
        let scales = self.columns.scales.iter().chain(&[1.0]).cycle();
        let sizes = gradient.iter().zip(scales).map(|(derivative, scale)| derivative.abs() / (factor * scale));
        // Not `f64::max`, which would drop a NaN and call a failed gradient small.
        sizes.fold(0.0, |largest: f64, size| if largest.is_nan() || size <= largest { largest } else { size })
    }

    /// The diagonal of the second derivative at zero parameters, for one score.
    ///
    /// ```text
    /// ∂²/∂w_j² = 1 + C q Σ_i x_ij²,   q = ¼ (binary) or 1/n_scores (1 − 1/n_scores)
    /// ```
    pub(crate) fn curvature_at_zero(&self) -> Vec<f64> {
        let share = 1.0 / self.set.n_classes() as f64;
        let factor = self.loss_factor * share * (1.0 - share) * self.set.n_rows() as f64;
        let curvature = |scale: &f64| 1.0 + factor * scale * scale;
        // Intercepts are not penalised.
        self.columns.scales.iter().map(curvature).chain([factor]).collect()
    }
}

/// What the probability of a score should be: 1 at the row's own class, else 0; the one binary score is class 1's.
fn target(score: usize, n_scores: usize, label: usize) -> f64 {
    let class = if n_scores == 1 { 1 } else { score };
    f64::from(u8::from(label == class))
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
pub(super) mod tests {
    use super::*;

    /// Central differences of this width err by about width² + ε / width = 1e-10 relative to the curvature.
    const WIDTH: f64 = 1e-5;
    const DIFFERENCE_TOLERANCE: f64 = 1e-7;
    /// A handful of roundings.
    const ROUNDING_TOLERANCE: f64 = 1e-15;

    /// Forty-one rows (a block would be even) of three columns, with every class.
    pub(in crate::logistic) fn small_set(n_classes: usize) -> TrainingSet {
        let rows = (0..41 * 3).map(|i| f64::from(i * i % 17) / 8.0 - 1.0).collect();
        let labels = (0..41).map(|i| (i * i + i / 3) % 7 % n_classes).collect();
        TrainingSet::new(rows, 3, labels, n_classes).expect("a valid set")
    }

    /// Any point that is not special.
    pub(in crate::logistic) fn some_parameters(objective: &Objective<'_>) -> Vec<f64> {
        (0..objective.n_parameters()).map(|i| (i as f64 * 1.7).sin()).collect()
    }

    #[test]
    fn the_gradient_is_what_finite_differences_of_the_objective_say() {
        for n_classes in 2..=4 {
            let set = small_set(n_classes);
            let objective = Objective::new(&set, 0.7).expect("every class has rows");
            let point = some_parameters(&objective);
            let gradient = objective.at(&point).gradient;
            for (j, derivative) in gradient.iter().enumerate() {
                let value_at = |change: f64| {
                    let mut moved = point.clone();
                    moved[j] += change;
                    objective.at(&moved).value
                };
                let difference = (value_at(WIDTH) - value_at(-WIDTH)) / (2.0 * WIDTH);
                assert!((difference - derivative).abs() < DIFFERENCE_TOLERANCE * (1.0 + derivative.abs()));
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
        let objective = Objective::new(&set, 1.0).expect("every class has rows");
        assert!(objective.size_of(&[0.0, f64::NAN, 0.0, 1.0]).is_nan());
        assert!(objective.size_of(&[1.0, 0.0, 0.0, f64::NAN]).is_nan());
    }
}
