//! The sensitive questions as tests, beliefs and selectors see them: domains, columns and costs.

use std::ops::Range;

use crate::schema::{Domain, QuestionId, Schema, Visibility};

/// A question by its domain and its columns of the encoded person.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub domain: Domain,
    pub columns: Range<usize>,
}

/// What has become of a sensitive question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Neither answered nor declined.
    Open,
    /// Answered.
    Revealed,
    /// Declined: never asked again, and random like an open one.
    Declined,
}

/// The sensitive questions of a schema. A *place* is a question's position among them, or a column's position among
/// their columns, question after question.
#[derive(Debug)]
pub(crate) struct Questionnaire {
    pub sensitive: Vec<QuestionId>,
    pub public_columns: Vec<usize>,
    /// Domain and columns of each sensitive question.
    pub asked: Vec<Asked>,
    /// One over the cost of each sensitive question.
    pub per_cost: Vec<f64>,
    /// The places of each sensitive question's columns.
    pub places: Vec<Range<usize>>,
    /// The column behind each place.
    pub columns: Vec<usize>,
    /// The place of each column; one past the last for public ones.
    pub place_of_column: Vec<usize>,
}

impl Questionnaire {
    pub fn new(schema: &Schema) -> Self {
        let sensitive: Vec<QuestionId> = schema.ids_with(Visibility::Sensitive).collect();
        let asked: Vec<Asked> = sensitive.iter().map(|&id| Asked::new(schema, id)).collect();
        let columns: Vec<usize> = asked.iter().flat_map(|question| question.columns.clone()).collect();
        let mut end = 0;
        let places = asked.iter().map(|question| {
            end += question.columns.len();
            end - question.columns.len()..end
        });
        let places = places.collect();
        let mut place_of_column = vec![columns.len(); schema.n_columns()];
        columns.iter().enumerate().for_each(|(place, &column)| place_of_column[column] = place);
        Questionnaire {
            public_columns: schema.ids_with(Visibility::Public).flat_map(|id| schema.columns(id)).collect(),
            per_cost: sensitive.iter().map(|&id| schema.question(id).cost.recip()).collect(),
            sensitive,
            asked,
            places,
            columns,
            place_of_column,
        }
    }

    /// How many sensitive questions there are.
    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// The places of a sensitive question's columns.
    pub fn columns_of(&self, question: usize) -> Range<usize> {
        self.places[question].clone()
    }
}

impl Asked {
    pub fn new(schema: &Schema, id: QuestionId) -> Self {
        Asked { domain: schema.question(id).domain(), columns: schema.columns(id) }
    }
}
