//! Proposing a schema from a table.

use std::collections::{BTreeMap, BTreeSet};

use mindrel::Schema;
use mindrel::schema::{Encoding, Kind, Question, Target, Visibility};

use super::decode::for_each_record;
use super::{Block, Table};
use crate::error::{CellProblem, ColumnProblem};
use crate::schema_file::default_prompt;
use crate::{Error, Result};

/// More different texts than this are an identifier or free text.
const MOST_LEVELS: usize = 1000;

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

/// What the cells of one column have in common.
#[derive(Debug, Clone)]
struct Profile {
    n_missing: u64,
    n_numbers: u64,
    n_texts: u64,
    whole: bool,
    lower: f64,
    upper: f64,
    sum: f64,
    /// Different texts, as long as there are not too many.
    texts: BTreeSet<String>,
    too_many_texts: bool,
    first_text_line: u64,
    first_unbounded_line: Option<u64>,
}

/// Looks at every cell and proposes a schema: kinds, domains and what stands in for missing numbers.
///
/// Numbers get their range as domain; categories their levels, an empty cell being a level of its own; a column of no and yes
/// is boolean. All questions cost 1 and have their column's name as words.
///
/// # Errors
/// When the table cannot be read, a column is asked for that it lacks, or a column cannot become a question.
pub fn infer(table: &Table, options: &InferOptions) -> Result<Schema> {
    let mut blocks = table.open()?;
    let name = blocks.name().to_owned();
    let header = blocks.header().to_vec();
    let label_place = blocks.column(&options.label)?;
    let visibilities = options.roles.resolve(&name, &header, &options.label)?;
    let mut profiles = vec![Profile::new(); header.len()];
    for block in &mut blocks {
        profile_block(&name, &header, &block?, &mut profiles)?;
    }
    if profiles[label_place].n_cells() == 0 {
        return Err(Error::EmptyTable { table: name });
    }
    let classes: Vec<String> = profiles[label_place].texts.iter().filter(|text| !text.is_empty()).cloned().collect();
    if classes.len() < 2 {
        return Err(Error::OneClass { table: name, column: options.label.clone() });
    }
    if profiles[label_place].too_many_texts {
        let problem = ColumnProblem::TooManyLevels { limit: MOST_LEVELS };
        return Err(Error::Column { table: name, column: options.label.clone(), problem });
    }
    let mut questions = Vec::new();
    for (place, column) in header.iter().enumerate() {
        if let Some(visibility) = visibilities[place] {
            let kind = profiles[place].kind(&name, column, options.encoding)?;
            questions.push(Question::new(column.clone(), visibility, kind));
        }
    }
    let target = Target { name: options.label.clone(), prompt: default_prompt(&options.label), classes };
    Schema::new(target, questions).map_err(|cause| Error::Schema { path: name.into(), cause })
}

impl Roles {
    /// What each column of a table is; nothing for one that is left out.
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

fn profile_block(table: &str, header: &[String], block: &Block, profiles: &mut [Profile]) -> Result<()> {
    for_each_record(table, header.len(), block, |line, record| {
        for (cell, profile) in record.iter().zip(profiles.iter_mut()) {
            let text = std::str::from_utf8(cell).map_err(|_| Error::NotUtf8 { table: table.to_owned(), line })?;
            profile.see(text.trim(), line);
        }
        Ok(())
    })
}

impl Profile {
    fn new() -> Self {
        Profile {
            n_missing: 0,
            n_numbers: 0,
            n_texts: 0,
            whole: true,
            lower: f64::INFINITY,
            upper: f64::NEG_INFINITY,
            sum: 0.0,
            texts: BTreeSet::new(),
            too_many_texts: false,
            first_text_line: 0,
            first_unbounded_line: None,
        }
    }

    fn n_cells(&self) -> u64 {
        self.n_missing + self.n_numbers + self.n_texts
    }

    fn see(&mut self, text: &str, line: u64) {
        if !self.too_many_texts && !self.texts.contains(text) {
            self.texts.insert(text.to_owned());
            self.too_many_texts = self.texts.len() > MOST_LEVELS;
        }
        if text.is_empty() {
            self.n_missing += 1;
            return;
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.n_numbers += 1;
                self.whole &= value.fract() == 0.0;
                self.lower = self.lower.min(value);
                self.upper = self.upper.max(value);
                self.sum += value;
            }
            Ok(_) => {
                self.first_unbounded_line.get_or_insert(line);
                self.n_numbers += 1;
            }
            Err(_) => {
                if self.n_texts == 0 {
                    self.first_text_line = line;
                }
                self.n_texts += 1;
            }
        }
    }

    fn kind(&self, table: &str, column: &str, encoding: Encoding) -> Result<Kind> {
        let cell = |line: u64, problem: CellProblem| {
            Err(Error::Cell { table: table.to_owned(), line, column: column.to_owned(), problem })
        };
        let refuse =
            |problem: ColumnProblem| Err(Error::Column { table: table.to_owned(), column: column.to_owned(), problem });
        if self.texts.len() < 2 {
            return refuse(ColumnProblem::Constant);
        }
        let booleans: Vec<Option<bool>> = self.texts.iter().map(|text| mindrel::schema::parse_boolean(text)).collect();
        if booleans.len() == 2 && booleans.contains(&Some(true)) && booleans.contains(&Some(false)) {
            return Ok(Kind::Boolean);
        }
        if self.n_numbers > self.n_texts {
            if self.n_texts > 0 {
                return cell(self.first_text_line, CellProblem::NotANumber);
            }
            if let Some(line) = self.first_unbounded_line {
                return cell(line, CellProblem::NotFinite);
            }
            if self.lower == self.upper {
                return refuse(ColumnProblem::Constant);
            }
            return Ok(self.numeric());
        }
        if self.too_many_texts {
            return refuse(ColumnProblem::TooManyLevels { limit: MOST_LEVELS });
        }
        Ok(Kind::Category { levels: self.texts.iter().cloned().collect(), encoding })
    }

    fn numeric(&self) -> Kind {
        let (lower, upper) = (self.lower, self.upper);
        let mean = (self.sum / self.n_numbers as f64).clamp(lower, upper);
        let missing = |value: f64| (self.n_missing > 0).then_some(value);
        if self.whole {
            Kind::Integer { lower, upper, missing: missing(mean.round()) }
        } else {
            Kind::Number { lower, upper, missing: missing(mean) }
        }
    }
}
