//! L-BFGS, for problems of many parameters, which would make Newton's matrix too costly.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Gradient, IterState, Problem, Solver, State};
use argmin::solver::quasinewton::LBFGS;

use super::line_search::ConvexLineSearch;
use super::objective::{Evaluation, Objective};
use super::{Optimum, Search};
use crate::TrainError;

/// How many past steps stand in for the matrix. Many: one-hot groups leave directions that only the penalty bends, and
/// 100 steps need a third to a fifth of the iterations of 20, while a step costs little beside a pass over the rows.
const MEMORY: usize = 100;
/// How often one line search may evaluate the objective; two or three are usual.
const MAX_EVALUATIONS: usize = 50;

/// Minimises the objective from zero.
///
/// # Numerics
/// The search runs in parameters `v_j = θ_j √h_j`, where h is the diagonal of the second derivative at zero, so that
/// columns of very different sizes, or rare levels of a category, do not slow it down.
pub(crate) fn minimise(objective: &Objective<'_>, search: &mut Search<'_>) -> Result<Optimum, TrainError> {
    let n_parameters = objective.n_parameters();
    let scaled = Scaled::new(objective);
    let mut problem = Problem::new(&scaled);
    let mut solver = LBFGS::new(ConvexLineSearch::default(), MEMORY);
    let start = IterState::new().param(vec![0.0; n_parameters]);
    let stalled = |n_iterations| TrainError::Stalled { n_iterations };
    let (mut state, _) = solver.init(&mut problem, start).map_err(|_| stalled(0))?;
    let mut n_iterations = 0;
    loop {
        let (Some(point), Some(gradient)) = (state.get_param(), state.get_gradient()) else {
            return Err(stalled(n_iterations));
        };
        let size = objective.size_of(&scaled.unscaled_gradient(gradient));
        if search.has_converged(n_iterations, state.get_cost(), size, true)? {
            return Ok(Optimum { parameters: scaled.parameters(point), value: state.get_cost(), n_iterations });
        }
        let before = point.clone();
        scaled.last.borrow_mut().n_evaluations = 0;
        state = solver.next_iter(&mut problem, state).map_err(|_| stalled(n_iterations))?.0;
        state.increment_iter();
        if state.terminated() || state.get_param() == Some(&before) {
            return Err(stalled(n_iterations));
        }
        n_iterations += 1;
    }
}

/// The objective in scaled parameters, which remembers its last evaluation: value and gradient are asked for apart.
struct Scaled<'a> {
    objective: &'a Objective<'a>,
    /// √h for every parameter.
    roots: Vec<f64>,
    last: RefCell<Last>,
}

struct Last {
    point: Vec<f64>,
    evaluation: Evaluation,
    n_evaluations: usize,
}

impl<'a> Scaled<'a> {
    fn new(objective: &'a Objective<'a>) -> Self {
        let of_score: Vec<f64> = objective.curvature_at_zero().into_iter().map(f64::sqrt).collect();
        let point = vec![0.0; objective.n_parameters()];
        let evaluation = objective.at(&point);
        Scaled {
            objective,
            roots: of_score.repeat(objective.n_scores()),
            last: RefCell::new(Last { point, evaluation, n_evaluations: 0 }),
        }
    }

    fn parameters(&self, point: &[f64]) -> Vec<f64> {
        point.iter().zip(&self.roots).map(|(value, root)| value / root).collect()
    }

    fn unscaled_gradient(&self, gradient: &[f64]) -> Vec<f64> {
        gradient.iter().zip(&self.roots).map(|(derivative, root)| derivative * root).collect()
    }

    fn visit(&self, point: &[f64]) -> Result<(), Error> {
        let Last { point: last, evaluation, n_evaluations } = &mut *self.last.borrow_mut();
        if last == point {
            return Ok(());
        }
        *n_evaluations += 1;
        if *n_evaluations > MAX_EVALUATIONS {
            return Err(Error::msg("a line search does not end"));
        }
        self.objective.evaluate(&self.parameters(point), evaluation);
        last.copy_from_slice(point);
        Ok(())
    }
}

impl CostFunction for &Scaled<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        self.visit(point)?;
        Ok(self.last.borrow().evaluation.value)
    }
}

impl Gradient for &Scaled<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, point: &Vec<f64>) -> Result<Vec<f64>, Error> {
        self.visit(point)?;
        let gradient = &self.last.borrow().evaluation.gradient;
        Ok(gradient.iter().zip(&self.roots).map(|(derivative, root)| derivative / root).collect())
    }
}
