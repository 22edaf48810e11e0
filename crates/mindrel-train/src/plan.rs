//! From encoded people to a plan: the classifier and the belief, fitted on the same rows.

use mindrel::belief::{BeliefError, GaussianBelief};
use mindrel::plan::{PlanError, PlanParts, Training};
use mindrel::{People, Plan, Rules, Schema};

use crate::logistic::{self, LogisticOptions, Progress};
use crate::{TrainError, TrainingSet, moments};

/// Why no plan could be trained.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FitError {
    /// Training failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The moments are those of no distribution.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// The parts do not fit together.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A class of the schema occurs in no training row.
    #[error(
        "no training row has class `{class}`; add rows of that class, leave it out of the classes, or hold fewer rows out"
    )]
    ClassWithoutRows {
        /// The class.
        class: String,
    },
    /// A person has no label.
    #[error("the person on line {line} has no label; training needs one for everybody")]
    Unlabelled {
        /// The line of the table.
        line: u64,
    },
}

/// Trains a logistic regression and a Gaussian belief on some people [TF23, Alg. 1, line 1] and makes a plan of them.
///
/// # Errors
/// When somebody has no label, a class has no rows, or the optimum cannot be found.
pub fn fit_plan(
    schema: &Schema,
    people: &People,
    options: &LogisticOptions,
    rules: Rules,
    training: Option<Training>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Plan, FitError> {
    let labels = people
        .iter()
        .map(|person| person.label.map(mindrel::Label::index).ok_or(FitError::Unlabelled { line: person.line }))
        .collect::<Result<Vec<usize>, FitError>>()?;
    let classes = &schema.target().classes;
    if let Some(class) = (0..classes.len()).find(|class| !labels.contains(class)) {
        return Err(FitError::ClassWithoutRows { class: classes[class].clone() });
    }
    let set = TrainingSet::new(people.columns().to_vec(), people.n_columns(), labels, classes.len())?;
    let model = logistic::fit(&set, options, progress)?.model;
    let moments = moments(&set);
    let belief = GaussianBelief::new(moments.mean, moments.covariance)?;
    Ok(Plan::try_from(PlanParts { schema: schema.clone(), model, belief, rules, training })?)
}
