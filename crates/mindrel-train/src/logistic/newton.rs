//! Newton's method with step halving, for problems of few parameters.

use super::hessian::Hessian;
use super::objective::{Evaluation, Objective};
use super::{Optimum, ROUNDING, Search};
use crate::TrainError;
use crate::cholesky;
use crate::kernel::{add_scaled, dot};

/// The part of the predicted decrease that a step must bring (Armijo's condition).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// How often a step is halved; after this many halvings it would no longer change a number.
const MAX_HALVINGS: usize = 60;
/// The last step must have promised to lower the objective by no more than this part of it. A small gradient alone
/// says little about directions in which the objective hardly bends; the next error is about the square of this one.
const SETTLED: f64 = 1e-10;

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
    let mut next = Step { parameters: parameters.clone(), evaluation: current.clone() };
    let mut hessian = Hessian::new(objective);
    let mut size = objective.size_of(&current.gradient);
    let mut is_settled = false;
    let mut n_iterations = 0;
    loop {
        if search.has_converged(n_iterations, current.value, size, is_settled)? {
            return Ok(Optimum { parameters, value: current.value, n_iterations });
        }
        hessian.compute(objective, &current);
        let stalled = TrainError::Stalled { n_iterations };
        let direction = direction(objective, &mut hessian, &current.gradient)?;
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
        is_settled = slope.abs() <= SETTLED * current.value;
        n_iterations += 1;
    }
}

/// A point to step to, and the objective there.
struct Step {
    parameters: Vec<f64>,
    evaluation: Evaluation,
}

/// Newton's direction.
///
/// # Errors
/// When rounding makes the matrix singular.
fn direction(objective: &Objective<'_>, hessian: &mut Hessian, gradient: &[f64]) -> Result<Vec<f64>, TrainError> {
    let n_columns = objective.set.n_columns();
    stiffen_common_shifts(objective, &mut hessian.matrix);
    cholesky::factorise(&mut hessian.matrix, gradient.len()).map_err(|pivot| {
        let column = pivot % (n_columns + 1);
        TrainError::Collinear { column: (column < n_columns).then_some(column) }
    })?;
    let mut direction: Vec<f64> = gradient.iter().map(|derivative| -derivative).collect();
    cholesky::solve(&hessian.matrix, &mut direction);
    Ok(direction)
}

/// Makes the matrix of three or more scores well conditioned without changing Newton's direction.
///
/// A common shift u of the weights of one column in all scores, or of all intercepts, changes no probability: H u is
/// u for a column, from the penalty, and 0 for the intercepts. From a start at zero the parameters of all scores sum
/// to zero, so `gᵀ u = 0`, and the direction d has `uᵀ d = 0` with `H + κ u uᵀ` as well as with H. Without κ, the
/// penalty alone would have to keep the matrix apart from a singular one.
fn stiffen_common_shifts(objective: &Objective<'_>, matrix: &mut [f64]) {
    let (n_scores, size) = (objective.n_scores(), objective.n_parameters_of_score());
    if n_scores == 1 {
        return;
    }
    let n_parameters = objective.n_parameters();
    for parameter in 0..size {
        let places = || (0..n_scores).map(|score| score * size + parameter);
        let diagonal = places().map(|place| matrix[place * n_parameters + place]);
        let kappa = diagonal.sum::<f64>() / (n_scores * n_scores) as f64;
        for a in places() {
            for b in places() {
                matrix[a * n_parameters + b] += kappa;
            }
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
