//! Why a pipeline cannot be lowered onto a schema.

use mindrel::model::ModelError;

/// What of a model does not fit a schema. Names the question and the remedy; the levels it names are those of the schema, never an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// The model takes a column that is no question.
    #[error("the model takes a column `{input}`, and there is no such question; the questions are: {known}")]
    UnknownInput {
        /// The column.
        input: String,
        /// The questions there are.
        known: String,
    },
    /// The model's columns have no names, and there are more or fewer questions.
    #[error(
        "the model takes {inputs} columns without names, and there are {questions} questions; leave out the columns it does \
         not know, or train it on columns with names"
    )]
    InputCount {
        /// Columns of the model.
        inputs: usize,
        /// Questions of the schema.
        questions: usize,
    },
    /// Two columns of the model are the same question.
    #[error("the model takes the column `{input}` twice; train it on columns with different names")]
    InputTwice {
        /// The column.
        input: String,
    },
    /// A level the model never saw.
    #[error(
        "question `{question}`: the model never saw its level `{level}`; leave the level out of the schema, or train the model \
         on it, or to take unknown levels (handle_unknown=\"ignore\")"
    )]
    UnseenLevel {
        /// The question.
        question: String,
        /// The level of the schema.
        level: String,
    },
    /// A category where the model takes a number.
    #[error(
        "question `{question}`: the model takes a number, and the level `{level}` is none; declare the question a number, or \
         put an encoder in front of the model"
    )]
    LevelIsNoNumber {
        /// The question.
        question: String,
        /// The level of the schema.
        level: String,
    },
    /// A number where the model takes a category.
    #[error("question `{question}`: the model takes a category, not a number; declare it a category in the schema")]
    NumberIsNoCategory {
        /// The question.
        question: String,
    },
    /// A step that bends a number, in front of a model that is linear in it.
    #[error(
        "question `{question}`: the model cuts the number off within its bounds, which is not linear; narrow the bounds in the \
         schema, or declare it a category"
    )]
    NotLinear {
        /// The question.
        question: String,
    },
    /// An ordinal category that a linear model does not take as evenly spaced.
    #[error(
        "question `{question}`: what the model makes of its levels is not evenly spaced, and the schema encodes them as one \
         number; encode it onehot"
    )]
    NotOrdinal {
        /// The question.
        question: String,
    },
    /// The model has its own way with missing values, and the schema another.
    #[error(
        "question `{question}`: the model sends missing values its own way, and the schema has a stand-in for them; fill the \
         missing cells before training, or put an imputer in front of the model"
    )]
    MissingDirection {
        /// The question.
        question: String,
    },
    /// The model puts something else in the place of a missing value than the schema.
    #[error(
        "question `{question}`: the model and the schema put different numbers in the place of a missing answer; set `missing` \
         in the schema to the model's"
    )]
    StandIn {
        /// The question.
        question: String,
    },
    /// A missing level that the model does not take.
    #[error(
        "question `{question}`: the schema has a level for missing answers, and the model does not take missing values; fill \
         the missing cells, or train the model on them"
    )]
    MissingLevel {
        /// The question.
        question: String,
    },
    /// The model's classes are not the schema's.
    #[error(
        "the model's classes are {model}, and the schema's are {schema}; give the model's names, or correct the label"
    )]
    Classes {
        /// The model's classes.
        model: String,
        /// The schema's classes.
        schema: String,
    },
    /// The model has another number of scores than the schema has classes.
    #[error("the model tells {model} classes apart, and the label has {schema}; is this the model's table?")]
    ClassCount {
        /// Of the model.
        model: usize,
        /// Of the schema.
        schema: usize,
    },
    /// Trees of three and more classes, whose ties depend on the order of the classes.
    #[error(
        "the model's order of the classes decides its ties; list the classes in the schema as the model has them: {model}"
    )]
    ClassOrder {
        /// The model's classes, in its order.
        model: String,
    },
    /// The parts of the model do not fit together.
    #[error("the model is not sound: {what}; export it again")]
    Malformed {
        /// What is wrong.
        what: String,
    },
    /// The numbers make no model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl LowerError {
    pub(crate) fn malformed(what: impl Into<String>) -> Self {
        LowerError::Malformed { what: what.into() }
    }
}
