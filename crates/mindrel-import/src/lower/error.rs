//! Why a pipeline cannot be lowered onto a schema.

use mindrel::model::ModelError;

/// Why a model does not fit a schema. Names the question and the remedy; the levels are the schema's, never an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum LowerError {
    /// More nodes than a plan can hold.
    #[error("the model's trees have more than {most} nodes; train fewer trees, or limit their depth or leaves")]
    TooManyNodes { most: usize },
    /// The model takes a column for which there is no question.
    #[error("the model takes a column `{input}`, but there is no such question; the questions are: {known}")]
    UnknownInput { input: String, known: String },
    /// The model's columns have no names, and there are more or fewer questions.
    #[error(
        "the model takes {inputs} unnamed columns, but there are {questions} questions; leave out the columns it does not use, \
         or train it on named columns"
    )]
    InputCount { inputs: usize, questions: usize },
    /// Two columns of the model are the same question.
    #[error("the model takes the column `{input}` twice; train it on columns with different names")]
    InputTwice { input: String },
    /// A level the model never saw.
    #[error(
        "question `{question}`: the model never saw its level `{level}`; leave the level out of the schema, train the model \
         on it, or let the model ignore unknown levels (handle_unknown=\"ignore\")"
    )]
    UnseenLevel { question: String, level: String },
    /// A category where the model takes a number.
    #[error(
        "question `{question}`: the model takes a number, but the level `{level}` is not one; declare the question a number, or \
         put an encoder in front of the model"
    )]
    LevelIsNoNumber { question: String, level: String },
    /// A number where the model takes a category.
    #[error("question `{question}`: the model takes a category, not a number; declare it a category in the schema")]
    NumberIsNoCategory { question: String },
    /// A step that is not linear, in front of a linear model.
    #[error(
        "question `{question}`: the model clips the number within its bounds, which is not linear; narrow the bounds in the \
         schema, or declare it a category"
    )]
    NotLinear { question: String },
    /// An ordinal category to whose levels a linear model gives values that are not evenly spaced.
    #[error(
        "question `{question}`: the model's values for its levels are not evenly spaced, but the schema encodes them as one \
         number; use the encoding onehot"
    )]
    NotOrdinal { question: String },
    /// The model and the schema handle missing values differently.
    #[error(
        "question `{question}`: the model handles missing values itself, but the schema has a stand-in for them; set \
         missing = \"answer\" in the schema, or put an imputer in front of the model"
    )]
    MissingDirection { question: String },
    /// The model and the schema replace a missing value by different numbers.
    #[error(
        "question `{question}`: the model and the schema replace a missing answer by different numbers; set `missing` \
         in the schema to the model's"
    )]
    StandIn { question: String },
    /// An answer that may be missing, which the model does not accept.
    #[error(
        "question `{question}`: by the schema its answer may be missing, but the model does not accept missing values; fill \
         the missing cells, or train the model on them"
    )]
    MissingLevel { question: String },
    /// The model's classes are not the schema's.
    #[error(
        "the model's classes are {model}, but the schema's are {schema}; give the model's names, or correct the label"
    )]
    Classes { model: String, schema: String },
    /// The model has another number of scores than the schema has classes.
    #[error("the model has {model} classes, but the label has {schema}; is this the table the model was trained on?")]
    ClassCount { model: usize, schema: usize },
    /// Trees of three and more classes, whose ties depend on the order of the classes.
    #[error("the model breaks ties by the order of its classes; list them in the schema in the same order: {model}")]
    ClassOrder { model: String },
    /// The parts of the model do not fit together.
    #[error("the model is malformed: {what}; export it again")]
    Malformed { what: String },
    /// The numbers make no model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl LowerError {
    pub(crate) fn malformed(what: impl Into<String>) -> Self {
        LowerError::Malformed { what: what.into() }
    }
}
