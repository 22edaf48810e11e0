//! Binary and multinomial logistic regression with an L2 penalty, fitted to its unique optimum.

mod design;
mod newton;
mod penalised_loss;
mod preconditioner;

use mindrel::model::LinearModel;

use crate::{FitWarning, Iteration, TrainError, TrainingSet};
use newton::Search;
use penalised_loss::PenalisedLoss;

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogisticOptions {
    /// The strength of the penalty, 1 / C in scikit-learn's terms: larger means smaller weights.
    pub regularization: f64,
    /// After how many iterations to stop, with a warning, where no optimum is reached. Twenty are many.
    pub max_iterations: usize,
    /// How small the gradient must become: its largest entry, for the mean loss and columns of root mean square one.
    pub tolerance: f64,
}

impl Default for LogisticOptions {
    /// As scikit-learn with C = 1, but to a tight tolerance.
    fn default() -> Self {
        LogisticOptions { regularization: 1.0, max_iterations: 100, tolerance: 1e-10 }
    }
}

/// A fitted model and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticFit {
    /// The classifier: one score for two classes, otherwise one for each class.
    pub model: LinearModel,
    /// The objective at the model.
    pub objective: f64,
    /// How many iterations the search took.
    pub n_iterations: usize,
    /// Why the model is not the optimum; `None` when it is.
    pub warning: Option<FitWarning>,
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
/// `progress` is called before each iteration; pass `&mut |_| ()` to ignore it.
///
/// # Numerics
/// Newton's method with step halving, its linear systems solved by conjugate gradients. Every step lowers the
/// objective, so separable rows do no harm. Columns far from zero are centred inside, and columns that are mostly zero
/// are stored as such. A search that does not reach the tolerance, or meets columns that rounding makes collinear
/// despite the penalty, returns the model it has with a [`FitWarning`].
///
/// # Errors
/// When an option is out of range, a class has no rows, or a column is too large to square.
pub fn fit(
    set: &TrainingSet,
    options: &LogisticOptions,
    progress: &mut dyn FnMut(Iteration),
) -> Result<LogisticFit, TrainError> {
    check(options)?;
    let loss = PenalisedLoss::new(set, options.regularization)?;
    let mut search = Search::new(&loss);
    let warning = search.run(options, progress);
    let (parameters, objective, n_iterations) = search.into_result();
    Ok(LogisticFit { model: to_model(&loss, parameters), objective, n_iterations, warning })
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

/// The model of an optimum, in the columns as they were given.
fn to_model(loss: &PenalisedLoss<'_>, parameters: Vec<f64>) -> LinearModel {
    let scores = parameters.chunks_exact(loss.design.width()).map(|score| loss.design.to_columns(score));
    let (weights, mut intercepts): (Vec<Vec<f64>>, Vec<f64>) = scores.unzip();
    let mut weights = weights.concat();
    if loss.n_scores() > 1 {
        remove_common_shifts(&mut weights, loss.set.n_columns());
        remove_common_shifts(&mut intercepts, 1);
    }
    LinearModel::new(loss.set.n_columns(), weights, intercepts)
        .expect("a fit has one or at least three scores, and its objective and so its parameters are finite")
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
