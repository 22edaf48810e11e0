//! Newton's method with step halving, for problems of few parameters.

use super::hessian::Hessian;
use super::objective::{Evaluation, Objective};
use super::{Optimum, ROUNDING, Search, cholesky};
use crate::TrainError;
use crate::kernel::{add_scaled, dot};

/// The part of the predicted decrease that a step must bring (Armijo's condition).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// How often a step is halved; after this many halvings it would no longer change a number.
const MAX_HALVINGS: usize = 60;
/// The first share of its own diagonal that is added to a matrix which rounding made indefinite.
const FIRST_DAMPING: f64 = 1e-12;

/// Minimises the objective from zero.
///
/// ```text
/// θ ← θ − t H⁻¹ g,   t = 1, ½, ¼, … until the objective has fallen enough
/// ```
///
/// The objective is convex and every step lowers it, so separable rows cannot make the search diverge.
pub(crate) fn minimise(objective: &Objective<'_>, search: &mut Search<'_>) -> Result<Optimum, TrainError> {
    let mut parameters = vec![0.0; objective.n_parameters()];
    let mut current = objective.at(&parameters);
    let mut next = Step {
        parameters: parameters.clone(),
        evaluation: current.clone(),
    };
    let mut hessian = Hessian::new(objective);
    let mut size = objective.size_of(&current.gradient);
    let mut n_iterations = 0;
    loop {
        if search.has_converged(n_iterations, current.value, size)? {
            return Ok(Optimum {
                parameters,
                value: current.value,
                n_iterations,
            });
        }
        hessian.compute(objective, &current);
        let stalled = TrainError::Stalled { n_iterations };
        let direction = direction(objective, &mut hessian, &current.gradient).ok_or(stalled.clone())?;
        let slope = dot(&direction, &current.gradient);
        if !step(objective, &parameters, &current, &direction, slope, &mut next) {
            return Err(stalled);
        }
        std::mem::swap(&mut parameters, &mut next.parameters);
        std::mem::swap(&mut current, &mut next.evaluation);
        let previous_size = std::mem::replace(&mut size, objective.size_of(&current.gradient));
        if slope.abs() < ROUNDING * current.value && size > search.tolerance.max(0.5 * previous_size) {
            return Err(stalled);
        }
        n_iterations += 1;
    }
}

/// A point to step to, and the objective there.
struct Step {
    parameters: Vec<f64>,
    evaluation: Evaluation,
}

/// Newton's direction, or nothing where no damping makes the matrix positive definite.
fn direction(objective: &Objective<'_>, hessian: &mut Hessian, gradient: &[f64]) -> Option<Vec<f64>> {
    let size = gradient.len();
    fix_common_shift(objective, &mut hessian.matrix);
    let mut damping = 0.0;
    while damping <= 1.0 {
        let mut factor = hessian.matrix.clone();
        for place in (0..size).map(|index| index * size + index) {
            factor[place] += damping * factor[place];
        }
        if cholesky::factorise(&mut factor, size).is_ok() {
            let mut direction: Vec<f64> = gradient.iter().map(|derivative| -derivative).collect();
            cholesky::solve(&factor, &mut direction);
            return Some(direction);
        }
        damping = if damping == 0.0 {
            FIRST_DAMPING
        } else {
            damping * 100.0
        };
    }
    None
}

/// Makes the matrix of three or more scores invertible without changing Newton's direction.
///
/// A common shift u of all intercepts changes no probability, so `H u = 0` and `gᵀ u = 0`. With `H + κ u uᵀ` in place
/// of H the direction d has `uᵀ d = 0`: intercepts that sum to zero at the start keep doing so.
fn fix_common_shift(objective: &Objective<'_>, matrix: &mut [f64]) {
    let n_scores = objective.n_scores();
    if n_scores == 1 {
        return;
    }
    let n_parameters = objective.n_parameters();
    let intercept = |score: usize| (score + 1) * objective.n_parameters_of_score() - 1;
    let diagonal = |score: usize| matrix[intercept(score) * (n_parameters + 1)];
    let kappa = (0..n_scores).map(diagonal).sum::<f64>() / (n_scores * n_scores) as f64;
    for a in 0..n_scores {
        for b in 0..n_scores {
            matrix[intercept(a) * n_parameters + intercept(b)] += kappa;
        }
    }
}

/// Steps along `direction` as far as the objective falls enough; false when it never does.
fn step(
    objective: &Objective<'_>,
    parameters: &[f64],
    current: &Evaluation,
    direction: &[f64],
    slope: f64,
    next: &mut Step,
) -> bool {
    let mut length = 1.0;
    for _ in 0..MAX_HALVINGS {
        next.parameters.copy_from_slice(parameters);
        add_scaled(&mut next.parameters, length, direction);
        objective.evaluate(&next.parameters, &mut next.evaluation);
        let allowed = current.value + SUFFICIENT_DECREASE * length * slope + ROUNDING * current.value;
        if next.evaluation.value <= allowed {
            return true;
        }
        length *= 0.5;
    }
    false
}
