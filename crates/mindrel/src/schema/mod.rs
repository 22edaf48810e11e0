//! What can be asked: questions over columns, with the domain of each.
//!
//! A *question* is put to a person; a *column* is a coordinate of the encoded vector. A one-hot category is one question
//! over several columns.

mod answer;
mod domain;
mod infer;
mod question;

pub use answer::{Answer, AnswerError, Placement, StatedAnswer, parse_boolean};
pub use domain::Domain;
pub use infer::{ColumnProblem, ColumnProfile, Hints, KindName, MOST_LEVELS};
pub use question::{Encoding, Kind, Question, QuestionId, Visibility};

use std::collections::HashSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Label;

/// The most classes a label may have: every pair of them is compared at every step.
pub const MOST_CLASSES: usize = 100;

/// The questions, in order, and the classes to decide between.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SchemaParts", into = "SchemaParts")]
pub struct Schema {
    target: Target,
    questions: Vec<Question>,
    /// The columns of each question.
    columns: Vec<Range<usize>>,
}

/// What is decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The name of the table column that holds the class.
    pub name: String,
    /// The decision in words a person understands, such as "Will this loan be repaid?".
    pub prompt: String,
    /// The classes. Of two, the second is the one a binary model calls positive.
    pub classes: Vec<String>,
}

/// Why questions do not make a schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Two questions have the same name.
    #[error("question `{question}` appears twice; name each question once")]
    DuplicateQuestion {
        /// The name.
        question: String,
    },
    /// The class is also a question.
    #[error("`{question}` is the label and cannot also be a question; leave it out of the questions")]
    LabelAmongQuestions {
        /// The name.
        question: String,
    },
    /// Fewer than two classes, or the same one twice.
    #[error("the label `{label}` needs at least two different classes")]
    Classes {
        /// The name of the label.
        label: String,
    },
    /// More classes than are told apart pair by pair.
    #[error("the label `{label}` has more than {MOST_CLASSES} classes; is it a number? Group its values into classes")]
    TooManyClasses {
        /// The name of the label.
        label: String,
    },
    /// A number whose bounds leave no room.
    #[error("question `{question}`: the lower bound must be a finite number below the upper bound; correct the bounds")]
    Bounds {
        /// The name.
        question: String,
    },
    /// A category without two different levels.
    #[error("question `{question}` needs at least two different levels; list them, or leave the question out")]
    Levels {
        /// The name.
        question: String,
    },
    /// A cost that is not positive.
    #[error("question `{question}`: the cost must be a positive number")]
    Cost {
        /// The name.
        question: String,
    },
    /// A stand-in for missing values that is no number in the domain.
    #[error("question `{question}`: the value for missing answers must be a finite number within the bounds")]
    Missing {
        /// The name.
        question: String,
    },
    /// There is nothing to ask.
    #[error("the schema has no questions; list at least one")]
    Empty,
}

impl Schema {
    /// A schema, once the questions are seen to fit together.
    ///
    /// # Errors
    /// Names the question that is wrong and the way out.
    pub fn new(target: Target, questions: Vec<Question>) -> Result<Self, SchemaError> {
        if questions.is_empty() {
            return Err(SchemaError::Empty);
        }
        let distinct: HashSet<&String> = target.classes.iter().collect();
        if distinct.len() < 2 || distinct.len() != target.classes.len() {
            return Err(SchemaError::Classes { label: target.name });
        }
        if target.classes.len() > MOST_CLASSES {
            return Err(SchemaError::TooManyClasses { label: target.name });
        }
        let mut seen = HashSet::new();
        let mut columns = Vec::with_capacity(questions.len());
        let mut next = 0;
        for question in &questions {
            question.check()?;
            if question.name == target.name {
                return Err(SchemaError::LabelAmongQuestions { question: question.name.clone() });
            }
            if !seen.insert(question.name.as_str()) {
                return Err(SchemaError::DuplicateQuestion { question: question.name.clone() });
            }
            columns.push(next..next + question.n_columns());
            next += question.n_columns();
        }
        Ok(Schema { target, questions, columns })
    }

    /// What is decided.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The name of a class.
    #[must_use]
    pub fn class(&self, label: Label) -> &str {
        &self.target.classes[label.index()]
    }

    /// How many columns an encoded person has.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.columns.last().map_or(0, |range| range.end)
    }

    /// All questions, in order.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// One question.
    #[must_use]
    pub fn question(&self, id: QuestionId) -> &Question {
        &self.questions[id.index()]
    }

    /// The columns of one question.
    #[must_use]
    pub fn columns(&self, id: QuestionId) -> Range<usize> {
        self.columns[id.index()].clone()
    }

    /// The question of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<QuestionId> {
        self.questions.iter().position(|question| question.name == name).map(QuestionId::new)
    }

    /// The question of a name.
    ///
    /// # Errors
    /// When there is none.
    pub fn require(&self, name: &str) -> Result<QuestionId, AnswerError> {
        self.find(name).ok_or_else(|| self.unknown_question(name))
    }

    pub(crate) fn unknown_question(&self, name: &str) -> AnswerError {
        let names: Vec<&str> = self.questions.iter().map(|question| question.name.as_str()).collect();
        AnswerError::UnknownQuestion { question: name.to_owned(), known: names.join(", ") }
    }

    /// All questions' identifiers, in order.
    pub fn ids(&self) -> impl Iterator<Item = QuestionId> + use<> {
        (0..self.questions.len()).map(QuestionId::new)
    }

    /// The questions of one visibility, in order.
    pub fn ids_with(&self, visibility: Visibility) -> impl Iterator<Item = QuestionId> + '_ {
        self.ids().filter(move |&id| self.question(id).visibility == visibility)
    }

    /// Writes an answer into the columns of its question within a whole encoded person.
    ///
    /// # Errors
    /// When the answer is of another kind than the question.
    pub fn encode(&self, id: QuestionId, answer: &Answer, row: &mut [f64]) -> Result<Placement, AnswerError> {
        self.question(id).encode(answer, &mut row[self.columns(id)])
    }
}

/// What is written of a schema; the columns follow from it.
#[derive(Clone, Serialize, Deserialize)]
struct SchemaParts {
    target: Target,
    questions: Vec<Question>,
}

impl TryFrom<SchemaParts> for Schema {
    type Error = SchemaError;

    fn try_from(parts: SchemaParts) -> Result<Self, SchemaError> {
        Schema::new(parts.target, parts.questions)
    }
}

impl From<Schema> for SchemaParts {
    fn from(schema: Schema) -> Self {
        SchemaParts { target: schema.target, questions: schema.questions }
    }
}
