//! From encoded people to a plan: the classifier and the belief, fitted on the same rows.

use mindrel::belief::BeliefError;
use mindrel::model::{Classifier, LinearModel, Model, ProvedBy};
use mindrel::plan::{PlanError, PlanParts, Training};
use mindrel::{People, Plan, Rules, Schema};

use crate::logistic::{self, LogisticOptions};
use crate::mlp::{self, MlpOptions};
use crate::{Believer, PrivacyError, TrainError, TrainingProgress, TrainingSet, fit_belief};

/// Which classifier to train, and how.
#[derive(Debug, Clone, PartialEq)]
pub enum Learner {
    /// A logistic regression.
    Logistic(LogisticOptions),
    /// A ReLU network.
    Network(MlpOptions),
}

/// Why no plan could be trained.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum FitError {
    /// Training failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The moments cannot be released with the privacy that is wanted.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
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
    ClassWithoutRows { class: String },
    /// More sets of known questions than networks can be trained for.
    #[error(
        "a network for each set of known questions takes 2^{questions} of them; train one for all sets, or make at most {most} \
         questions sensitive"
    )]
    TooManySets { questions: usize, most: usize },
    /// A person has no label.
    #[error("the person on line {line} has no label; training needs one for everybody")]
    Unlabelled { line: u64 },
}

/// Trains a classifier and a belief on some people [TF23, Alg. 1, line 1] and makes a plan of them.
///
/// A network's plan also holds the weights of a logistic regression on the same rows, for `importance` [TF23, App. D].
///
/// # Errors
/// When somebody has no label, a class has no rows, the belief cannot be fitted to these rows, or training fails.
pub fn fit_plan(
    schema: &Schema,
    people: &People,
    learner: &Learner,
    believer: &Believer,
    training: Option<Training>,
    progress: &mut (dyn FnMut(TrainingProgress) + Send),
) -> Result<Plan, FitError> {
    let set = training_set(schema, people)?;
    believer.check(schema, set.n_rows())?;
    let model: Classifier = match learner {
        Learner::Logistic(options) => fit_logistic(&set, options, progress)?.into(),
        Learner::Network(options) => {
            mlp::fit(&set, options, &mut |epoch| progress(TrainingProgress::Epoch(epoch)))?.network.into()
        }
    };
    plan_around(schema, model, people, believer, training, progress)
}

/// A plan around a classifier that was trained elsewhere: a belief is fitted to some people and, unless the classifier
/// is linear, a logistic regression for `importance` [TF23, App. D].
///
/// # Errors
/// When somebody has no label, a class has no rows, the belief cannot be fitted to these rows, or parts do not fit.
pub fn plan_around(
    schema: &Schema,
    model: Classifier,
    people: &People,
    believer: &Believer,
    training: Option<Training>,
    progress: &mut (dyn FnMut(TrainingProgress) + Send),
) -> Result<Plan, FitError> {
    let set = training_set(schema, people)?;
    believer.check(schema, set.n_rows())?;
    let logistic_weights = match model.proved_by() {
        ProvedBy::Sums => None,
        ProvedBy::Search | ProvedBy::Nothing => {
            let logistic = fit_logistic(&set, &LogisticOptions::default(), progress)?;
            Some(weight_sizes(schema, &logistic))
        }
    };
    let belief = fit_belief(schema, &set, &model, believer, progress)?;
    let training = training.map(|training| Training { private_moments: believer.private_moments(), ..training });
    let (schema, rules, calibration) = (schema.clone(), Rules::default_for(&model), None);
    Ok(Plan::try_from(PlanParts { schema, model, belief, rules, logistic_weights, training, calibration })?)
}

/// The same plan with another belief, fitted to some people; without the calibration, which was of the old belief.
///
/// # Errors
/// When the belief cannot be had with these questions and rows.
pub fn with_belief(
    plan: &Plan,
    people: &People,
    believer: &Believer,
    progress: &mut (dyn FnMut(TrainingProgress) + Send),
) -> Result<Plan, FitError> {
    let set = training_set(plan.schema(), people)?;
    believer.check(plan.schema(), set.n_rows())?;
    let belief = fit_belief(plan.schema(), &set, plan.model(), believer, progress)?;
    let parts = plan.to_parts();
    let private_moments = believer.private_moments();
    let training = parts.training.clone().map(|training| Training { private_moments, ..training });
    Ok(Plan::try_from(PlanParts { belief, training, calibration: None, ..parts })?)
}

/// The model of a logistic regression; a warning, if it stopped before its optimum, goes to `progress`.
fn fit_logistic(
    set: &TrainingSet,
    options: &LogisticOptions,
    progress: &mut (dyn FnMut(TrainingProgress) + Send),
) -> Result<LinearModel, TrainError> {
    let fit = logistic::fit(set, options, &mut |iteration| progress(TrainingProgress::Iteration(iteration)))?;
    if let Some(warning) = fit.warning {
        progress(TrainingProgress::Warning(warning));
    }
    Ok(fit.model)
}

fn training_set(schema: &Schema, people: &People) -> Result<TrainingSet, FitError> {
    let labels = people
        .iter()
        .map(|person| person.label.map(mindrel::Label::index).ok_or(FitError::Unlabelled { line: person.line }))
        .collect::<Result<Vec<usize>, FitError>>()?;
    let classes = &schema.target().classes;
    if let Some(class) = (0..classes.len()).find(|class| !labels.contains(class)) {
        return Err(FitError::ClassWithoutRows { class: classes[class].clone() });
    }
    Ok(TrainingSet::new(people.columns().to_vec(), people.n_columns(), labels, classes.len())?)
}

/// `‖θ_q‖₂` of each question [TF23, App. D].
fn weight_sizes(schema: &Schema, model: &LinearModel) -> Vec<f64> {
    let size = |id| {
        let columns = schema.columns(id);
        let rows = (0..model.n_scores()).flat_map(|score| &model.weights(score)[columns.clone()]);
        rows.map(|weight| weight * weight).sum::<f64>().sqrt()
    };
    schema.ids().map(size).collect()
}
