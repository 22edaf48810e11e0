//! The sensitive questions as tests, beliefs and selectors see them: domains, columns and costs.

use std::ops::Range;

use crate::region::{Asked, Implications, Region};
use crate::schema::{QuestionId, Schema, Visibility};

/// What has become of a sensitive question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Neither answered nor declined.
    Open,
    /// Answered.
    Revealed,
    /// Declined: never asked again, and random like an open one.
    Declined,
    /// Never asked, and known all the same: it follows from other answers by the rules between questions.
    Implied,
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
    /// The place of each question of the schema; `None` for public ones.
    pub place_of: Vec<Option<usize>>,
    /// What some answers imply about others.
    pub implications: Implications,
    /// What a person can be of whom nothing is known; public columns are zero.
    pub whole: Region,
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
        let place = |id| sensitive.iter().position(|other| *other == id);
        Questionnaire {
            place_of: schema.ids().map(place).collect(),
            implications: Implications::new(schema),
            whole: Region::whole(schema.n_columns(), asked.iter()),
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

    /// What a person can be of whom the public columns are known: anything in the domains of the other questions.
    pub fn region_of(&self, person: &[f64]) -> Region {
        let mut region = self.whole.clone();
        self.public_columns.iter().for_each(|&column| region.set_point(column..column + 1, &person[column..=column]));
        region
    }

    /// The same where some sensitive questions, by their places, are known too, with all that the rules imply.
    pub fn region_with(&self, person: &[f64], known: &[usize]) -> Region {
        let mut region = self.region_of(person);
        for &place in known {
            let columns = self.asked[place].columns.clone();
            region.set_point(columns.clone(), &person[columns]);
        }
        if !self.implications.is_empty() {
            let mut narrowed = region.clone();
            // Rules say nothing of somebody who breaks one.
            if self.implications.narrow(&mut narrowed, |_, _| {}).is_ok() {
                region = narrowed;
            }
        }
        region
    }

    /// The places of a sensitive question's columns.
    pub fn columns_of(&self, question: usize) -> Range<usize> {
        self.places[question].clone()
    }
}
