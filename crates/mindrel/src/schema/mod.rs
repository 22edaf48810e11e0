//! What can be asked: questions over columns, with the domain of each.
//!
//! A *question* is put to a person; a *column* is a coordinate of the encoded vector. A one-hot category is one
//! question over several columns.

mod answer;
mod answer_error;
mod domain;
mod implication;
mod infer;
mod left_out;
mod missing_number;
mod question;
mod wording;

pub use answer::{Answer, NOT_KNOWN, OutsidePolicy, Placement, StatedAnswer, parse_boolean};
pub use answer_error::AnswerError;
pub use domain::Domain;
pub(crate) use domain::{HALF, MISSING, grid_value, is_missing};
pub use implication::{AnswerSet, Implication, ImplicationProblem, NumberSet};
pub use infer::{ColumnProblem, ColumnProfile, Hints, Holes, KindName, MOST_LEVELS, OTHER, round_numbers};
pub use left_out::{LeftOut, MOST_TALLIED};
pub use missing_number::MissingNumber;
pub use question::{Encoding, Kind, Question, QuestionId, Visibility};
pub use wording::Wording;

use std::collections::HashSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Label;

/// The most classes a label may have: every pair of them is compared at every step.
pub const MOST_CLASSES: usize = 100;

/// The texts that mean a missing cell in most tables, beside an empty one.
pub const MISSING_MARKERS: [&str; 5] = ["NA", "N/A", "NaN", "null", "?"];

/// The questions, in order, and the classes to decide between.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SchemaParts", into = "SchemaParts")]
pub struct Schema {
    target: Target,
    questions: Vec<Question>,
    /// Texts of a table that mean a missing cell.
    missing_markers: Vec<String>,
    /// What some answers imply about others.
    implications: Vec<Implication>,
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
    /// What people are shown for classes whose names only the table uses.
    #[serde(default, skip_serializing_if = "Wording::is_empty")]
    pub words: Wording,
}

impl Target {
    /// A decision between classes that are shown by their names.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        prompt: impl Into<String>,
        classes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let classes = classes.into_iter().map(Into::into).collect();
        Target { name: name.into(), prompt: prompt.into(), classes, words: Wording::default() }
    }
}

/// Why questions do not make a schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum SchemaError {
    /// Two questions have the same name.
    #[error("question `{question}` appears twice; name each question once")]
    DuplicateQuestion { question: String },
    /// Two questions are answered by the same table column.
    #[error("column `{column}` belongs to two questions; leave it to one of them")]
    SharedColumn { column: String },
    /// Several columns of something that is not a category, or only one.
    #[error("question `{question}`: only a category is answered from several columns, two at least; correct `columns`")]
    Together { question: String },
    /// The class is also a question.
    #[error("`{question}` is the label and cannot also be a question; leave it out of the questions")]
    LabelAmongQuestions { question: String },
    /// Fewer than two classes, or the same one twice.
    #[error("the label `{label}` needs at least two different classes")]
    Classes { label: String },
    /// More classes than can be compared pair by pair.
    #[error("the label `{label}` has more than {MOST_CLASSES} classes; is it a number? Group its values into classes")]
    TooManyClasses { label: String },
    /// A number whose bounds leave no room.
    #[error("question `{question}`: the lower bound must be a finite number below the upper bound; correct the bounds")]
    Bounds { question: String },
    /// A category without two different levels.
    #[error("question `{question}` needs at least two different levels; list them, or leave the question out")]
    Levels { question: String },
    /// A level for all others that is not listed.
    #[error("question `{question}`: the level that stands for all others must be one of its levels; list it")]
    Other { question: String },
    /// Labels that are ambiguous, or belong to no value.
    #[error(
        "`{name}`: every label must belong to one of the values, and differ from all other labels and values; correct \
         the labels"
    )]
    Words { name: String },
    /// A cost that is not positive.
    #[error("question `{question}`: the cost must be a positive number")]
    Cost { question: String },
    /// A stand-in for missing values that is no number in the domain.
    #[error("question `{question}`: the value for missing answers must be a finite number within the bounds")]
    Missing { question: String },
    /// A rule between questions that cannot be followed.
    #[error("rule {number}: {problem}")]
    Implication { number: usize, problem: ImplicationProblem },
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
        if !target.words.fits(&target.classes) {
            return Err(SchemaError::Words { name: target.name });
        }
        let (mut seen, mut seen_columns) = (HashSet::new(), HashSet::new());
        let mut columns = Vec::with_capacity(questions.len());
        let mut next = 0;
        for question in &questions {
            question.check()?;
            if question.name == target.name || question.together.contains(&target.name) {
                return Err(SchemaError::LabelAmongQuestions { question: target.name });
            }
            if !seen.insert(question.name.as_str()) {
                return Err(SchemaError::DuplicateQuestion { question: question.name.clone() });
            }
            if let Some(column) = question.table_columns().iter().find(|column| !seen_columns.insert(*column)) {
                return Err(SchemaError::SharedColumn { column: column.clone() });
            }
            columns.push(next..next + question.n_columns());
            next += question.n_columns();
        }
        Ok(Schema { target, questions, missing_markers: standard_markers(), implications: Vec::new(), columns })
    }

    /// The same schema, for tables in which other texts than [`MISSING_MARKERS`] mean a missing cell.
    #[must_use]
    pub fn with_missing_markers(self, missing_markers: Vec<String>) -> Self {
        Schema { missing_markers, ..self }
    }

    /// The same schema with rules between its questions, in place of those it had.
    ///
    /// Whether somebody can meet them all is checked when a plan is made.
    ///
    /// # Errors
    /// Names the rule, counted from one, and what is wrong with it.
    pub fn with_implications(self, implications: Vec<Implication>) -> Result<Self, SchemaError> {
        for (place, implication) in implications.iter().enumerate() {
            let of_rule = |problem| SchemaError::Implication { number: place + 1, problem };
            implication.check(&self).map_err(of_rule)?;
        }
        Ok(Schema { implications, ..self })
    }

    /// What some answers imply about others.
    #[must_use]
    pub fn implications(&self) -> &[Implication] {
        &self.implications
    }

    /// The texts that mean a missing cell in its tables, beside an empty one.
    #[must_use]
    pub fn missing_markers(&self) -> &[String] {
        &self.missing_markers
    }

    /// Whether a table's cell is missing.
    #[must_use]
    pub fn is_missing(&self, cell: &str) -> bool {
        cell.is_empty() || self.missing_markers.iter().any(|marker| marker == cell)
    }

    /// Reads a table's cell as an answer: a missing one if that is what it means, and what training has not seen as
    /// the question's [`other`](Question::other). A text that is a level is always that level.
    ///
    /// # Errors
    /// As [`Question::parse`].
    pub fn parse_cell(&self, id: QuestionId, cell: &str) -> Result<Answer, AnswerError> {
        let question = self.question(id);
        let is_level =
            matches!(&question.kind, Kind::Category { levels, .. } if levels.iter().any(|level| level == cell));
        let text = if self.is_missing(cell) && !is_level { "" } else { cell };
        question.parse(text).or_else(|error| other(question, error))
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

    /// What people are shown for a class.
    #[must_use]
    pub fn class_words(&self, label: Label) -> &str {
        self.target.words.of(self.class(label))
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

/// The answer to a question over several table columns, as one text: `Mill Lane, Delft`.
///
/// Missing cells are [`NOT_KNOWN`]; all of them make a missing answer.
#[must_use]
pub fn joined(cells: &[&str], is_missing: impl Fn(&str) -> bool) -> String {
    if cells.iter().all(|cell| is_missing(cell)) {
        return String::new();
    }
    let shown = cells.iter().map(|&cell| if is_missing(cell) { NOT_KNOWN } else { cell });
    shown.collect::<Vec<&str>>().join(", ")
}

/// The level that stands for all others, if there is one.
fn other(question: &Question, error: AnswerError) -> Result<Answer, AnswerError> {
    question.other.map(Answer::Level).ok_or(error)
}

/// What is written of a schema; the columns follow from it.
#[derive(Clone, Serialize, Deserialize)]
struct SchemaParts {
    target: Target,
    questions: Vec<Question>,
    #[serde(default = "standard_markers", skip_serializing_if = "are_standard")]
    missing_markers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    implications: Vec<Implication>,
}

fn standard_markers() -> Vec<String> {
    MISSING_MARKERS.map(str::to_owned).to_vec()
}

fn are_standard(markers: &[String]) -> bool {
    markers == MISSING_MARKERS
}

impl TryFrom<SchemaParts> for Schema {
    type Error = SchemaError;

    fn try_from(parts: SchemaParts) -> Result<Self, SchemaError> {
        let schema = Schema::new(parts.target, parts.questions)?.with_missing_markers(parts.missing_markers);
        schema.with_implications(parts.implications)
    }
}

impl From<Schema> for SchemaParts {
    fn from(schema: Schema) -> Self {
        let Schema { target, questions, missing_markers, implications, .. } = schema;
        SchemaParts { target, questions, missing_markers, implications }
    }
}
