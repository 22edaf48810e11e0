//! The answers of a table, row by row.

use std::borrow::Cow;

use mindrel::Schema;

use crate::Result;
use crate::table::Table;
use crate::table::cells::AnswerCells;
use crate::table::decode::for_each_record;

/// Calls a function with the line of every row that is kept and its answers to some questions, by their places.
pub(super) fn for_each_row(
    table: &Table,
    schema: &Schema,
    places: &[usize],
    kept: impl Fn(u64) -> bool,
    mut see: impl FnMut(u64, &[Cow<'_, str>]),
) -> Result<()> {
    let blocks = table.open()?;
    let (name, n_fields) = (blocks.name().to_owned(), blocks.header().len());
    let of_question = |place: &usize| AnswerCells::of_question(&blocks, &schema.questions()[*place]);
    let answers: Vec<AnswerCells> = places.iter().map(of_question).collect::<Result<_>>()?;
    for block in blocks {
        for_each_record(&name, n_fields, &block?, |line, record| {
            if kept(line) {
                let text = |cells: &AnswerCells| cells.text(&name, line, record, |text| schema.is_missing(text));
                let texts = answers.iter().map(text).collect::<Result<Vec<Cow<'_, str>>>>()?;
                see(line, &texts);
            }
            Ok(())
        })?;
    }
    Ok(())
}
