//! Proposing a schema from a table.

use std::collections::BTreeMap;

use mindrel::Schema;
use mindrel::schema::{ColumnProblem, ColumnProfile, Encoding, Hints, Question, Target, Visibility};

use super::decode::for_each_record;
use super::{Block, Table};
use crate::schema_file::default_prompt;
use crate::{Error, Result};

/// Which columns become questions, and which of them are public.
#[derive(Debug, Clone, Default)]
pub struct Roles {
    /// Columns that are sensitive. With these and no public ones given, all others are public.
    pub sensitive: Option<Vec<String>>,
    /// Columns that are public. With these and no sensitive ones given, all others are sensitive.
    pub public: Option<Vec<String>>,
    /// Columns to leave out.
    pub ignore: Vec<String>,
}

/// How to look at a table.
#[derive(Debug, Clone)]
pub struct InferOptions {
    /// The column of the label.
    pub label: String,
    /// How categories become columns.
    pub encoding: Encoding,
    /// Which columns become which questions.
    pub roles: Roles,
}

/// Looks at every cell and proposes a schema: kinds, domains and what stands in for missing numbers.
///
/// What a column asks is inferred by [`ColumnProfile::kind`]; the mean stands in for missing numbers. All questions cost 1 and have
/// their column's name as words.
///
/// # Errors
/// When the table cannot be read, a column is asked for that it lacks, or a column cannot become a question.
pub fn infer(table: &Table, options: &InferOptions) -> Result<Schema> {
    let mut blocks = table.open()?;
    let name = blocks.name().to_owned();
    let header = blocks.header().to_vec();
    let label_place = blocks.column(&options.label)?;
    let visibilities = options.roles.resolve(&name, &header, &options.label)?;
    let mut profiles = vec![ColumnProfile::default(); header.len()];
    for block in &mut blocks {
        profile_block(&name, &header, &block?, &mut profiles)?;
    }
    if profiles[label_place].n_cells() == 0 {
        return Err(Error::EmptyTable { table: name });
    }
    let classes = profiles[label_place].classes().map_err(|problem| column_error(&name, &options.label, problem))?;
    if classes.len() < 2 {
        return Err(Error::OneClass { table: name, column: options.label.clone() });
    }
    let hints = Hints { mean_for_missing: true, encoding: options.encoding, ..Hints::default() };
    let mut questions = Vec::new();
    for ((column, visibility), profile) in header.iter().zip(visibilities).zip(&profiles) {
        if let Some(visibility) = visibility {
            let kind = profile.kind(&hints).map_err(|problem| column_error(&name, column, problem))?;
            questions.push(Question::new(column.clone(), visibility, kind));
        }
    }
    let target = Target { name: options.label.clone(), prompt: default_prompt(&options.label), classes };
    Schema::new(target, questions).map_err(|cause| Error::Schema { path: name.into(), cause })
}

fn column_error(table: &str, column: &str, problem: ColumnProblem) -> Error {
    let (table, column) = (table.to_owned(), column.to_owned());
    match problem.row() {
        Some(line) => Error::Cell { table, line, column, problem: problem.into() },
        None => Error::Column { table, column, problem },
    }
}

impl Roles {
    /// What each column of a table is; `None` for one that is left out.
    ///
    /// # Errors
    /// When a column is named that is not there, or is given two roles.
    fn resolve(&self, table: &str, header: &[String], label: &str) -> Result<Vec<Option<Visibility>>> {
        let mut given: BTreeMap<&str, Option<Visibility>> = BTreeMap::new();
        let lists = [
            (self.sensitive.as_deref().unwrap_or_default(), Some(Visibility::Sensitive)),
            (self.public.as_deref().unwrap_or_default(), Some(Visibility::Public)),
            (&self.ignore[..], None),
        ];
        for (columns, role) in lists {
            for column in columns {
                if !header.contains(column) {
                    return Err(Table::unknown_column(table, column, header));
                }
                if column == label {
                    return Err(Error::LabelAmongQuestions { table: table.to_owned(), column: column.clone() });
                }
                if given.insert(column, role).is_some() {
                    return Err(Error::TwoRoles { table: table.to_owned(), column: column.clone() });
                }
            }
        }
        let others = match (&self.sensitive, &self.public) {
            (Some(_), Some(_)) => None,
            (Some(_), None) => Some(Visibility::Public),
            (None, _) => Some(Visibility::Sensitive),
        };
        let role = |column: &String| {
            if column == label { None } else { *given.get(column.as_str()).unwrap_or(&others) }
        };
        Ok(header.iter().map(role).collect())
    }
}

fn profile_block(table: &str, header: &[String], block: &Block, profiles: &mut [ColumnProfile]) -> Result<()> {
    for_each_record(table, header.len(), block, |line, record| {
        for (cell, profile) in record.iter().zip(profiles.iter_mut()) {
            let text = std::str::from_utf8(cell).map_err(|_| Error::NotUtf8 { table: table.to_owned(), line })?;
            profile.see(text.trim(), line);
        }
        Ok(())
    })
}
