//! Why parts do not make a plan.

use super::{CalibrationError, RulesError};
use crate::model::ModelError;
use crate::schema::SchemaError;

/// Why parts do not make a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum PlanError {
    /// The rules are wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Model or belief have another number of columns than the schema.
    #[error(
        "the schema has {schema} columns, the model {model} and the belief {belief}; make model and belief with this schema"
    )]
    Columns { schema: usize, model: usize, belief: usize },
    /// The weights of the logistic regression are not one finite number for each question.
    #[error("the logistic weights must be one finite number for each of the {questions} questions")]
    LogisticWeights { questions: usize },
    /// Networks that predict other columns than the plan asks for.
    #[error(
        "the belief's networks were trained for sensitive questions that differ from the schema's; fit the plan again with this schema"
    )]
    Regressors,
    /// Margins of other questions.
    #[error(
        "the belief's marginals belong to questions that differ from the schema's; fit the plan again with this schema"
    )]
    Margins,
    /// Trees that look whether something is missing which cannot be.
    #[error(
        "the model asks whether an answer is missing where the schema has no such answer; make the model with this schema"
    )]
    NeverMissing,
    /// Rules between questions that nobody can meet.
    #[error(transparent)]
    Implications(#[from] SchemaError),
    /// The rules ask for weights the plan does not have.
    #[error(
        "importance-logistic needs the weights of a logistic regression, which this plan does not have; fit the plan again, or choose importance"
    )]
    NoLogisticWeights,
    /// Samples where a sum is a proof.
    #[error("a linear model's decisions are proved by a sum; the sampled test is for networks, leave it out")]
    SampledLinear,
    /// A proof where there can be none.
    #[error(
        "nothing can be certified about a black box, of which only scores are known; \
         stop at a delta above 0, or use the sampled test"
    )]
    NothingCertified,
    /// An expansion of something that has no gradients.
    #[error(
        "Taylor's estimate needs gradients, which this model ({family}) does not have; use the estimate by draws, `qmc`"
    )]
    NoGradients { family: String },
    /// A black box that nothing runs.
    #[error(
        "this build cannot run a black box of the format `{format}`; open the plan where it was made, or with a build that runs this format"
    )]
    NoRuntime { format: String },
    /// Importance of a model that shows none.
    #[error(
        "importance needs weights, gradients or splits, which a black box does not show; choose decisive, f-score or random"
    )]
    NoImportance,
    /// The model has another number of classes than the schema.
    #[error("the schema has {schema} classes and the model {model}; make the model with this schema")]
    Classes { schema: usize, model: usize },
    /// The model is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The calibration does not fit this plan.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
}
