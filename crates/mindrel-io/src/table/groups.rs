//! Grouping the people of a table by its columns.

use std::borrow::Cow;
use std::collections::BTreeSet;

use mindrel::schema::{Answer, Kind, QuestionId, Wording, parse_boolean};
use mindrel::{People, Schema};

use super::cells::AnswerCells;
use super::decode::for_each_record;
use super::quartiles::NumberSample;
use super::{Block, Blocks, Table};
use crate::error::GroupProblem;
use crate::{Error, Result};

/// The most groups, of one column or of two together.
pub const MOST_GROUPS: usize = 50;

/// Numbers with more different values than this are cut at their quartiles.
const MOST_NUMBERS: usize = 10;

/// The name of the group of those whose cell is empty.
pub const MISSING: &str = "(missing)";

/// The groups of the people of a table, by the levels of one or two of its columns.
///
/// A text is a group of its own; so is a number, unless there are many different ones, which are cut at their
/// quartiles. An empty cell is in the group `(missing)`.
#[derive(Debug, Clone)]
pub struct Grouping {
    table: String,
    n_fields: usize,
    schema: Schema,
    columns: Vec<GroupingColumn>,
}

/// One column of a grouping.
#[derive(Debug, Clone)]
struct GroupingColumn {
    source: GroupSource,
    cells: Cells,
    levels: Vec<String>,
}

/// What the cells of a column are.
#[derive(Debug, Clone)]
enum Cells {
    Boolean,
    /// Sorted.
    Texts(Vec<String>),
    /// Sorted.
    Numbers(Vec<f64>),
    /// A number is in the group of the first of these that it does not exceed, or past the last.
    Quartiles(Vec<f64>),
}

impl Grouping {
    /// Looks through a table for the levels of some columns, among the rows that are `kept` by their line.
    ///
    /// A column that is a question has its kind; any other column is numeric if all its cells are numbers. A cell that
    /// does not answer its question makes no group: the decoder skips its row.
    ///
    /// # Errors
    /// When the table cannot be read or lacks a column, or there are more than 50 groups.
    pub fn survey(table: &Table, schema: &Schema, names: &[String], kept: impl Fn(u64) -> bool) -> Result<Self> {
        let blocks = table.open()?;
        let name = blocks.name().to_owned();
        let n_fields = blocks.header().len();
        let mut surveys = names
            .iter()
            .map(|column| Ok(Survey::new(schema, GroupSource::find(&blocks, schema, column)?)))
            .collect::<Result<Vec<Survey>>>()?;
        for block in blocks {
            for_each_record(&name, n_fields, &block?, |line, record| {
                if kept(line) {
                    surveys.iter_mut().try_for_each(|survey| {
                        match survey.source.text(schema, &name, line, record)? {
                            Some(text) => survey.see(&text, line).map_err(|problem| survey.error(&name, problem)),
                            None => Ok(()),
                        }
                    })?;
                }
                Ok(())
            })?;
        }
        let columns = surveys
            .into_iter()
            .map(|survey| survey.finish().map_err(|(column, problem)| group_error(&name, column, problem)))
            .collect::<Result<Vec<GroupingColumn>>>()?;
        if columns.iter().map(|column| column.levels.len()).product::<usize>() > MOST_GROUPS {
            return Err(group_error(
                &name,
                names.join("\" and \""),
                GroupProblem::TooManyTogether { limit: MOST_GROUPS },
            ));
        }
        Ok(Grouping { table: name, n_fields, schema: schema.clone(), columns })
    }

    /// Each column's name and levels, in order.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.columns.iter().map(|column| (column.source.name.as_str(), &column.levels[..]))
    }

    /// The cell of everybody of a block who is among `people`: the place of the level or, of two columns, that of the
    /// first times the levels of the second, and that of the second.
    ///
    /// # Errors
    /// When the table has changed since the survey.
    pub fn cells(&self, block: &Block, people: &People) -> Result<Vec<u32>> {
        let mut lines = people.iter().map(|person| person.line).peekable();
        let mut cells = Vec::with_capacity(people.len());
        for_each_record(&self.table, self.n_fields, block, |line, record| {
            if lines.next_if_eq(&line).is_some() {
                let mut place = 0;
                for column in &self.columns {
                    let text = column.source.text(&self.schema, &self.table, line, record)?;
                    let level = text.and_then(|text| column.level(&text));
                    let changed = || group_error(&self.table, column.source.name.clone(), GroupProblem::Changed);
                    place = place * column.levels.len() + level.ok_or_else(changed)?;
                }
                cells.push(place as u32);
            }
            Ok(())
        })?;
        Ok(cells)
    }
}

/// Where the groups of a column come from.
#[derive(Debug, Clone)]
struct GroupSource {
    name: String,
    cells: AnswerCells,
    question: Option<QuestionId>,
}

impl GroupSource {
    fn find(blocks: &Blocks, schema: &Schema, name: &str) -> Result<Self> {
        let question = schema.find(name);
        let cells = match question {
            Some(id) => AnswerCells::of_question(blocks, schema.question(id))?,
            None => AnswerCells::of_columns(blocks, &[name.to_owned()])?,
        };
        Ok(GroupSource { name: name.to_owned(), cells, question })
    }

    /// The text that a row is grouped by, empty if it is missing. Returns `None` if it does not answer the question.
    fn text<'a>(
        &self,
        schema: &'a Schema,
        table: &str,
        line: u64,
        record: &'a csv::ByteRecord,
    ) -> Result<Option<Cow<'a, str>>> {
        let text = self.cells.text(table, line, record, |text| schema.is_missing(text))?;
        // Whoever writes the name of that group belongs to it.
        let text = if text == MISSING { Cow::Borrowed("") } else { text };
        let Some(id) = self.question else {
            return Ok(Some(if schema.is_missing(&text) { Cow::Borrowed("") } else { text }));
        };
        Ok(match (schema.parse_cell(id, &text), &schema.question(id).kind) {
            (Err(_), _) => None,
            (Ok(Answer::Level(level)), Kind::Category { levels, .. }) => Some(Cow::Borrowed(levels[level].as_str())),
            (Ok(_), _) if schema.is_missing(&text) => Some(Cow::Borrowed("")),
            (Ok(_), _) => Some(text),
        })
    }
}

impl GroupingColumn {
    /// The place of a cell's level.
    fn level(&self, text: &str) -> Option<usize> {
        let last = self.levels.len() - 1;
        if text.is_empty() {
            return (self.levels[last] == MISSING).then_some(last);
        }
        match &self.cells {
            Cells::Boolean => parse_boolean(text).map(usize::from),
            Cells::Texts(texts) => texts.binary_search_by(|level| level.as_str().cmp(text)).ok(),
            Cells::Numbers(numbers) => {
                let number = text.parse::<f64>().ok()?;
                numbers.iter().position(|level| *level == number)
            }
            Cells::Quartiles(cuts) => {
                let number = text.parse::<f64>().ok()?;
                Some(cuts.partition_point(|cut| *cut < number))
            }
        }
    }
}

/// What has been seen of one column.
struct Survey {
    source: GroupSource,
    /// What the schema says it is.
    kind: Declared,
    /// What people are shown for its levels.
    words: Wording,
    has_missing: bool,
    /// Different texts, until there are too many.
    texts: BTreeSet<String>,
    too_many_texts: bool,
    /// Whether all cells so far are numbers.
    all_numbers: bool,
    /// The different numbers, until there are too many.
    numbers: Vec<f64>,
    drawn: NumberSample,
}

#[derive(Clone, Copy, PartialEq)]
enum Declared {
    Boolean,
    Texts,
    Numbers,
    Unknown,
}

impl Survey {
    fn new(schema: &Schema, source: GroupSource) -> Self {
        let question = source.question.map(|id| schema.question(id));
        let is_label = source.name == schema.target().name;
        let kind = match question.map(|question| &question.kind) {
            Some(Kind::Boolean) => Declared::Boolean,
            Some(Kind::Category { .. }) => Declared::Texts,
            Some(Kind::Number { .. } | Kind::Integer { .. }) => Declared::Numbers,
            None if is_label => Declared::Texts,
            None => Declared::Unknown,
        };
        let words = if is_label { Some(&schema.target().words) } else { question.map(|question| &question.words) };
        Survey {
            words: words.cloned().unwrap_or_default(),
            source,
            kind,
            has_missing: false,
            texts: BTreeSet::new(),
            too_many_texts: false,
            all_numbers: true,
            numbers: Vec::new(),
            drawn: NumberSample::default(),
        }
    }

    fn see(&mut self, text: &str, line: u64) -> std::result::Result<(), GroupProblem> {
        if text.is_empty() {
            self.has_missing = true;
            return Ok(());
        }
        match (self.kind, text.parse::<f64>().ok().filter(|number| number.is_finite())) {
            (Declared::Boolean, _) => return Ok(()),
            (Declared::Numbers | Declared::Unknown, Some(number)) => self.see_number(number, line),
            (Declared::Numbers | Declared::Texts | Declared::Unknown, _) => self.all_numbers = false,
        }
        if self.kind != Declared::Numbers && !self.too_many_texts && !self.texts.contains(text) {
            self.texts.insert(text.to_owned());
            self.too_many_texts = self.texts.len() > MOST_GROUPS;
        }
        let is_text = self.kind == Declared::Texts || !self.all_numbers;
        if self.too_many_texts && is_text { Err(GroupProblem::TooMany { limit: MOST_GROUPS }) } else { Ok(()) }
    }

    fn see_number(&mut self, number: f64, line: u64) {
        if self.numbers.len() <= MOST_NUMBERS && !self.numbers.contains(&number) {
            self.numbers.push(number);
        }
        self.drawn.add(number, line);
    }

    fn finish(mut self) -> std::result::Result<GroupingColumn, (String, GroupProblem)> {
        let is_number = self.kind == Declared::Numbers || (self.kind == Declared::Unknown && self.all_numbers);
        let (cells, mut levels) = if self.kind == Declared::Boolean {
            (Cells::Boolean, vec!["no".to_owned(), "yes".to_owned()])
        } else if is_number && self.numbers.len() > MOST_NUMBERS {
            let cuts = self.drawn.quartiles();
            let levels = quartile_names(&cuts);
            (Cells::Quartiles(cuts), levels)
        } else if is_number {
            self.numbers.sort_by(f64::total_cmp);
            let levels = self.numbers.iter().map(f64::to_string).collect();
            (Cells::Numbers(self.numbers), levels)
        } else {
            let texts: Vec<String> = self.texts.into_iter().collect();
            let levels = texts.iter().map(|text| self.words.of(text).to_owned()).collect();
            (Cells::Texts(texts), levels)
        };
        if self.has_missing {
            levels.push(MISSING.to_owned());
        }
        if levels.is_empty() {
            return Err((self.source.name, GroupProblem::Nobody));
        }
        if levels.len() > MOST_GROUPS {
            return Err((self.source.name, GroupProblem::TooMany { limit: MOST_GROUPS }));
        }
        Ok(GroupingColumn { source: self.source, cells, levels })
    }

    fn error(&self, table: &str, problem: GroupProblem) -> Error {
        group_error(table, self.source.name.clone(), problem)
    }
}

/// `up to 28`, `over 28 up to 37`, …, `over 48`.
fn quartile_names(cuts: &[f64]) -> Vec<String> {
    let mut names = vec![format!("up to {}", cuts[0])];
    names.extend(cuts.windows(2).map(|pair| format!("over {} up to {}", pair[0], pair[1])));
    names.push(format!("over {}", cuts[cuts.len() - 1]));
    names
}

fn group_error(table: &str, column: String, problem: GroupProblem) -> Error {
    Error::Groups { table: table.to_owned(), column, problem }
}
