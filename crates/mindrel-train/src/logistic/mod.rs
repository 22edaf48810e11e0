//! Binary and multinomial logistic regression with an L2 penalty, fitted to its unique optimum.

mod columns;
mod hessian;
mod line_search;
mod newton;
mod objective;
mod quasi_newton;

use mindrel::model::LinearModel;

use crate::kernel::dot;
use crate::{TrainError, TrainingSet};
use objective::Objective;

/// Up to how many parameters Newton's method is taken.
///
/// On one-hot tables it is still five to seven times faster here (48,842 × 108 columns, CPU seconds: 0.7 against 5.3
/// with 327 parameters, 1.9 against 10 with 545). On dense, uncorrelated columns it is the slower one throughout, but
/// both are quick then (30,000 × 40: 0.09 against 0.04; 5,000 × 250: 0.3 against 0.04).
const MOST_NEWTON_PARAMETERS: usize = 500;
/// Relative differences of the objective below this may be rounding in a sum of many losses.
const ROUNDING: f64 = 1e-13;

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogisticOptions {
    /// The strength of the penalty, 1 / C in scikit-learn's terms: larger means smaller weights.
    pub regularization: f64,
    /// After how many iterations without an optimum to give up.
    pub max_iterations: usize,
    /// How small the gradient must become: its largest entry, for the mean loss and columns of root mean square one.
    pub tolerance: f64,
    /// The method to use; by default [`Method::Newton`] up to 500 parameters, beyond [`Method::QuasiNewton`].
    pub method: Option<Method>,
}

impl Default for LogisticOptions {
    /// As scikit-learn with C = 1, but to a tight tolerance.
    fn default() -> Self {
        LogisticOptions { regularization: 1.0, max_iterations: 1000, tolerance: 1e-10, method: None }
    }
}

/// How an optimum is searched for; both find the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Newton's method: about ten iterations, each O(rows · parameters²).
    Newton,
    /// L-BFGS: a few tens to hundreds of iterations, each O(rows · parameters).
    QuasiNewton,
}

/// Where a search stands; given to the caller before each iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// How many iterations are finished.
    pub iteration: usize,
    /// After how many the search gives up.
    pub max_iterations: usize,
    /// The objective now.
    pub objective: f64,
    /// The size of the gradient now.
    pub gradient: f64,
    /// What it must fall to; Newton's method also takes at least one step and wants its last one to be tiny.
    pub tolerance: f64,
}

/// A fitted model and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticFit {
    /// The classifier: one score for two classes, otherwise one for each class.
    pub model: LinearModel,
    /// The objective at the optimum.
    pub objective: f64,
    /// How many iterations the search took.
    pub n_iterations: usize,
    /// The method it used.
    pub method: Method,
}

/// Fits a logistic regression to its optimum.
///
/// ```text
/// minimise ½ Σ w² + C Σ_i loss_i,   C = 1 / regularization
/// 2 classes:   score(x) = b + w·x,       loss_i = ln(1 + exp(score(x_i))) − y_i score(x_i)
/// 3+ classes:  score_c(x) = b_c + w_c·x, loss_i = ln Σ_c exp(score_c(x_i)) − score_y_i(x_i)
/// ```
///
/// This is the objective of scikit-learn's `LogisticRegression(C)`: the losses are summed, not averaged, and intercepts
/// are not penalised. Two classes give one score, with label 1 where it is at least zero. Of three or more classes the
/// weights sum to zero over the classes at the optimum; the intercepts, which the loss fixes only up to a common shift,
/// are made to.
///
/// `progress` is called before each iteration; pass `&mut |_| ()` to hear nothing.
///
/// # Numerics
/// Every step lowers the objective, so separable rows do no harm. Columns far from zero are centred inside. A search
/// that does not reach the tolerance, or meets columns that rounding makes collinear despite the penalty, is an error,
/// never a result. [`Method::QuasiNewton`] sees only gradients and does not notice such columns: where they are in very
/// different units and nearly collinear, scale them.
///
/// # Errors
/// When an option is out of range, a class has no rows, a column is too large to square, or no optimum is reached.
pub fn fit(
    set: &TrainingSet,
    options: &LogisticOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<LogisticFit, TrainError> {
    check(options)?;
    let objective = Objective::new(set, options.regularization)?;
    let LogisticOptions { max_iterations, tolerance, .. } = *options;
    let mut search = Search { max_iterations, tolerance, progress };
    let method = options.method.unwrap_or_else(|| method_for(objective.n_parameters()));
    let optimum = match method {
        Method::Newton => newton::minimise(&objective, &mut search)?,
        Method::QuasiNewton => quasi_newton::minimise(&objective, &mut search)?,
    };
    Ok(LogisticFit {
        model: to_model(&objective, optimum.parameters),
        objective: optimum.value,
        n_iterations: optimum.n_iterations,
        method,
    })
}

fn check(options: &LogisticOptions) -> Result<(), TrainError> {
    let positive = |value: f64| value > 0.0 && value.is_finite();
    let invalid = |option| Err(TrainError::InvalidOption { option });
    if !positive(options.regularization) || !positive(options.regularization.recip()) {
        return invalid("regularization");
    }
    if !positive(options.tolerance) {
        return invalid("tolerance");
    }
    if options.max_iterations == 0 {
        return invalid("max_iterations");
    }
    Ok(())
}

fn method_for(n_parameters: usize) -> Method {
    if n_parameters <= MOST_NEWTON_PARAMETERS { Method::Newton } else { Method::QuasiNewton }
}

/// The model of an optimum, in the columns as they were given.
fn to_model(objective: &Objective<'_>, mut parameters: Vec<f64>) -> LinearModel {
    let n_columns = objective.set.n_columns();
    for score in parameters.chunks_exact_mut(n_columns + 1) {
        let (weights, intercept) = score.split_at_mut(n_columns);
        intercept[0] -= dot(weights, &objective.columns.centres);
    }
    if objective.n_scores() > 1 {
        remove_common_shifts(&mut parameters, n_columns + 1);
    }
    let of_scores = || parameters.chunks_exact(n_columns + 1);
    let weights = of_scores().flat_map(|score| &score[..n_columns]).copied().collect();
    let intercepts = of_scores().map(|score| score[n_columns]).collect();
    LinearModel::new(n_columns, weights, intercepts)
        .expect("an optimum has one or at least three scores, and its gradient and so its parameters are finite")
}

/// Makes each parameter sum to zero over the scores, which no probability notices.
///
/// Weights of an optimum do already, up to rounding, since any other sum has the larger penalty.
fn remove_common_shifts(parameters: &mut [f64], n_parameters_of_score: usize) {
    let n_scores = (parameters.len() / n_parameters_of_score) as f64;
    for first in 0..n_parameters_of_score {
        let mean = parameters.iter().skip(first).step_by(n_parameters_of_score).sum::<f64>() / n_scores;
        parameters.iter_mut().skip(first).step_by(n_parameters_of_score).for_each(|value| *value -= mean);
    }
}

/// Where a search ended well.
struct Optimum {
    parameters: Vec<f64>,
    value: f64,
    n_iterations: usize,
}

/// When a search ends, and whom it tells.
struct Search<'a> {
    max_iterations: usize,
    tolerance: f64,
    progress: &'a mut dyn FnMut(Progress),
}

impl Search<'_> {
    /// Reports the progress and tells whether the search is over: at a small gradient, if the method is settled.
    ///
    /// # Errors
    /// When it is not, and no iterations are left.
    fn has_converged(
        &mut self,
        iteration: usize,
        objective: f64,
        gradient: f64,
        is_settled: bool,
    ) -> Result<bool, TrainError> {
        let Search { max_iterations, tolerance, .. } = *self;
        (self.progress)(Progress { iteration, max_iterations, objective, gradient, tolerance });
        if is_settled && gradient <= tolerance {
            return Ok(true);
        }
        if iteration == max_iterations {
            return Err(TrainError::NotConverged { n_iterations: iteration });
        }
        Ok(false)
    }
}
