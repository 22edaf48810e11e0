//! What in a table does not fit a schema.

use std::collections::BTreeMap;

use mindrel::Schema;
use mindrel::schema::{AnswerError, Placement};

use super::Table;
use super::cells::{self, AnswerCells};
use super::decode::for_each_record;
use crate::Result;

/// One way in which some rows do not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The column.
    pub column: String,
    /// What is wrong, in words that follow the column's name.
    pub problem: &'static str,
    /// How many rows; 0 if the column itself is missing.
    pub rows: u64,
    /// The first of them.
    pub first_line: u64,
}

/// Everything in a table that does not fit a schema, column by column.
///
/// # Errors
/// When the table cannot be read.
pub fn check(table: &Table, schema: &Schema) -> Result<Vec<Misfit>> {
    let blocks = table.open()?;
    let name = blocks.name().to_owned();
    let n_fields = blocks.header().len();
    let target = &schema.target().name;
    let places: Vec<Option<AnswerCells>> =
        schema.questions().iter().map(|question| AnswerCells::of_question(&blocks, question).ok()).collect();
    let label = blocks.column(target).ok();
    let mut found: BTreeMap<(usize, &'static str), (u64, u64)> = BTreeMap::new();
    let mut encoded = vec![0.0; schema.n_columns()];
    for block in blocks {
        for_each_record(&name, n_fields, &block?, |line, record| {
            let mut note = |column: usize, problem| found.entry((column, problem)).or_insert((0, line)).0 += 1;
            for (id, place) in schema.ids().zip(&places) {
                let Some(place) = place else { continue };
                let text = place.text(&name, line, record, |text| schema.is_missing(text))?;
                let answer = schema.parse_cell(id, &text);
                match answer.and_then(|answer| schema.encode(id, &answer, &mut encoded)) {
                    Ok(Placement::Inside) => {}
                    Ok(Placement::Outside) => note(id.index(), "lies outside its bounds; widen them"),
                    Err(error) => note(id.index(), in_words(&error)),
                }
            }
            if let Some(place) = label {
                let text = cells::text(&name, line, &record[place])?;
                // A row without an outcome is left out.
                if !schema.is_missing(text) && !schema.target().classes.iter().any(|class| class == text) {
                    note(places.len(), "holds a class that is not listed; add it to the classes");
                }
            }
            Ok(())
        })?;
    }
    let column_name = |column: usize| schema.questions().get(column).map_or(target, |question| &question.name).clone();
    let absent = (0..places.len()).filter(|&column| places[column].is_none());
    let absent = absent.chain(label.is_none().then_some(places.len())).map(|column| Misfit {
        column: column_name(column),
        problem: "is not a column of the table; leave the question out, or correct its name",
        rows: 0,
        first_line: 0,
    });
    let misfits = found.iter().map(|(&(column, problem), &(rows, first_line))| Misfit {
        column: column_name(column),
        problem,
        rows,
        first_line,
    });
    Ok(absent.chain(misfits).collect())
}

fn in_words(error: &AnswerError) -> &'static str {
    match error {
        AnswerError::Missing { .. } => "has missing cells; declare what stands in for them with `missing`",
        AnswerError::UnknownLevel { .. } => "holds a level that is not listed; add it, or name a level for all `other`",
        AnswerError::NotBoolean { .. } => "holds a text that is neither yes nor no",
        AnswerError::NotWhole { .. } => "holds a number that is not whole; make it a number",
        AnswerError::TooLarge { .. } => "holds a number too large to be meant",
        _ => "holds a text that is not a number",
    }
}
