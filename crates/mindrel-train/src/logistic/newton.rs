//! Newton's method, whose steps are found by preconditioned conjugate gradients.

use super::penalised_loss::{Evaluation, PenalisedLoss};
use super::preconditioner::Preconditioner;
use super::{LogisticOptions, remove_common_shifts};
use crate::kernel::{add_scaled, dot};
use crate::{FitWarning, Iteration};

/// The part of the predicted decrease that a step must bring (Armijo's condition).
const SUFFICIENT_DECREASE: f64 = 1e-4;
/// How often a step is halved; after this many halvings it would no longer change a number.
const MAX_HALVINGS: usize = 60;
/// The last step must have promised to lower the objective by no more than this part of it. A small gradient alone
/// says little about directions in which the objective hardly bends; the next error is about the square of this one.
const SETTLED: f64 = 1e-13;
/// Relative differences of the objective below this may be rounding in a sum of many losses.
const ROUNDING: f64 = 1e-13;
/// How far conjugate gradients reduce the residual of a step: loosely at first, tightly once the steps are short.
const LOOSEST_RESIDUAL: f64 = 0.1;
const TIGHTEST_RESIDUAL: f64 = 1e-7;
/// After how many conjugate gradients a step is taken as it is.
const MAX_CONJUGATE_GRADIENTS: usize = 1000;

/// A search for the optimum, and where it stands.
///
/// ```text
/// θ ← θ + t d,   H d ≈ −g,   t = 1, ½, ¼, … until the objective has fallen enough
/// ```
///
/// The objective is convex and every step lowers it, so separable rows cannot make the search diverge.
pub(super) struct Search<'a> {
    loss: &'a PenalisedLoss<'a>,
    parameters: Vec<f64>,
    current: Evaluation,
    n_iterations: usize,
    /// Whether the last step could hardly lower the objective.
    is_settled: bool,
    /// A parameter that is, to rounding, a combination of others.
    collinear: Option<usize>,
}

impl<'a> Search<'a> {
    /// The start, at zero.
    pub(super) fn new(loss: &'a PenalisedLoss<'a>) -> Self {
        let parameters = vec![0.0; loss.n_parameters()];
        let current = loss.at(&parameters);
        Search { loss, parameters, current, n_iterations: 0, is_settled: false, collinear: None }
    }

    /// Steps until the optimum is reached; returns why it was not.
    pub(super) fn run(&mut self, options: &LogisticOptions, progress: &mut dyn FnMut(Iteration)) -> Option<FitWarning> {
        let warning = self.search(options, progress);
        let column_of = |place: usize| self.loss.design.column(place % self.loss.design.width());
        self.collinear.map(|place| FitWarning::Collinear { column: column_of(place) }).or(warning)
    }

    fn search(&mut self, options: &LogisticOptions, progress: &mut dyn FnMut(Iteration)) -> Option<FitWarning> {
        let tolerance = options.tolerance;
        loop {
            let gradient = self.loss.size_of(&self.current.gradient);
            let n_iterations = self.n_iterations;
            progress(Iteration { iteration: n_iterations, objective: self.current.value, gradient, tolerance });
            if self.is_settled && gradient <= tolerance {
                return None;
            }
            if n_iterations == options.max_iterations {
                return Some(FitWarning::OutOfIterations { n_iterations });
            }
            if !self.step() {
                return Some(FitWarning::Stalled { n_iterations });
            }
            let is_flat = self.is_settled && self.loss.size_of(&self.current.gradient) > tolerance.max(0.5 * gradient);
            if is_flat {
                return Some(FitWarning::Stalled { n_iterations: self.n_iterations });
            }
        }
    }

    /// The parameters, the objective there, and how many iterations led to it.
    pub(super) fn into_result(self) -> (Vec<f64>, f64, usize) {
        (self.parameters, self.current.value, self.n_iterations)
    }

    /// Takes a step along Newton's direction, as far as the objective falls enough; false when it never does.
    fn step(&mut self) -> bool {
        let preconditioner = Preconditioner::new(self.loss, &self.current);
        self.collinear = self.collinear.or(preconditioner.collinear());
        let direction = direction(self.loss, &self.current, &preconditioner);
        let slope = dot(&direction, &self.current.gradient);
        let value = self.current.value;
        let mut steps = (0..MAX_HALVINGS).scan(1.0, |length, _| Some(std::mem::replace(length, 0.5 * *length)));
        let found = steps.find_map(|length| {
            let mut next = self.parameters.clone();
            add_scaled(&mut next, length, &direction);
            let evaluation = self.loss.at(&next);
            let allowed = value + SUFFICIENT_DECREASE * length * slope + ROUNDING * value;
            (evaluation.value <= allowed).then_some((next, evaluation))
        });
        let Some((parameters, current)) = found else {
            return false;
        };
        (self.parameters, self.current) = (parameters, current);
        self.n_iterations += 1;
        self.is_settled = slope.abs() <= SETTLED * value;
        true
    }
}

/// Newton's direction, to a residual that shrinks with what the step can still gain.
///
/// A common shift of the weights of one column in all scores, or of all intercepts, changes no probability, so the
/// search stays among the parameters that sum to zero over the scores.
fn direction(loss: &PenalisedLoss<'_>, current: &Evaluation, preconditioner: &Preconditioner) -> Vec<f64> {
    let width = loss.design.width();
    let precondition = |residual: &[f64]| {
        let mut preconditioned = residual.to_vec();
        preconditioner.apply(&mut preconditioned);
        if loss.n_scores() > 1 {
            remove_common_shifts(&mut preconditioned, width);
        }
        preconditioned
    };
    let mut direction = vec![0.0; current.gradient.len()];
    let mut residual: Vec<f64> = current.gradient.iter().map(|derivative| -derivative).collect();
    let mut conjugate = precondition(&residual);
    let mut square = dot(&residual, &conjugate);
    let share = (square / current.value).sqrt().clamp(TIGHTEST_RESIDUAL, LOOSEST_RESIDUAL);
    let enough = square * share * share;
    for _ in 0..MAX_CONJUGATE_GRADIENTS {
        let product = loss.curvature(&current.probabilities, &conjugate);
        let bend = dot(&conjugate, &product);
        // Zero or not a number: rounding leaves no further direction.
        if bend.is_nan() || bend <= 0.0 {
            break;
        }
        let length = square / bend;
        add_scaled(&mut direction, length, &conjugate);
        add_scaled(&mut residual, -length, &product);
        let mut next = precondition(&residual);
        let next_square = dot(&residual, &next);
        if next_square.is_nan() || next_square <= enough {
            break;
        }
        add_scaled(&mut next, next_square / square, &conjugate);
        (conjugate, square) = (next, next_square);
    }
    direction
}
