//! Proposing a schema from a table.

use std::collections::BTreeMap;

use mindrel::Schema;
use mindrel::schema::{
    ColumnProfile, Encoding, Hints, Kind, KindName, LeftOut, MISSING_MARKERS, MOST_TALLIED, OTHER, Question, Target,
    Visibility,
};

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
    /// Texts that mean a missing cell, beside an empty one.
    pub missing_markers: Vec<String>,
    /// Levels seen less often than this become one, "other".
    pub rare: u64,
    /// Whether bounds are rounded outwards, so that they are nobody's own number.
    pub round_bounds: bool,
}

impl InferOptions {
    /// Everything sensitive, categories one-hot, bounds rounded, no level too rare.
    #[must_use]
    pub fn of(label: &str) -> Self {
        InferOptions {
            label: label.to_owned(),
            encoding: Encoding::Onehot,
            roles: Roles::default(),
            missing_markers: MISSING_MARKERS.map(str::to_owned).to_vec(),
            rare: 0,
            round_bounds: true,
        }
    }
}

/// A proposed schema, and what was found on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct InferredSchema {
    /// The schema.
    pub schema: Schema,
    /// The columns that make no question.
    pub left_out: Vec<LeftOutColumn>,
    /// Columns of numbers and texts that became categories.
    pub mixed: Vec<String>,
}

/// A column that makes no question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutColumn {
    /// Its name, or its place if it has none.
    pub column: String,
    /// Why.
    pub reason: LeftOut,
}

/// Looks at the cells of the rows that are `kept`, by their line, and proposes a schema: kinds, domains and what stands
/// in for missing numbers.
///
/// What a column asks is inferred by [`ColumnProfile::kind`], and why it asks nothing by [`ColumnProfile::left_out`];
/// the mean stands in for missing numbers. All questions cost 1 and have their column's name as words.
///
/// # Errors
/// When the table cannot be read, a column is asked for that it lacks, its label has not two classes, or no column
/// makes a question.
pub fn infer(table: &Table, options: &InferOptions, kept: impl Fn(u64) -> bool) -> Result<InferredSchema> {
    let mut blocks = table.open()?;
    let name = blocks.name().to_owned();
    let header = blocks.header().to_vec();
    let label_place = blocks.column(&options.label)?;
    let visibilities = options.roles.resolve(&name, &header, &options.label)?;
    let mut profiles = vec![ColumnProfile::with_levels_up_to(MOST_TALLIED); header.len()];
    for block in &mut blocks {
        profile_block(&name, options, &kept, &block?, &mut profiles)?;
    }
    let target = target(&name, options, &profiles[label_place])?;
    let mut found = Findings { options, questions: Vec::new(), left_out: Vec::new(), mixed: Vec::new() };
    for (place, visibility) in visibilities.into_iter().enumerate() {
        if let Some(visibility) = visibility {
            found.see(place, &header[place], visibility, &profiles[place]);
        }
    }
    let Findings { questions, left_out, mixed, .. } = found;
    if questions.is_empty() {
        let reasons = left_out.iter().map(|left| format!("\"{}\": {}", left.column, left.reason));
        return Err(Error::NothingToAsk { table: name, reasons: reasons.collect::<Vec<String>>().join("; ") });
    }
    let schema = Schema::new(target, questions).map_err(|cause| Error::Schema { path: name.into(), cause })?;
    let schema = schema.with_missing_markers(options.missing_markers.clone());
    Ok(InferredSchema { schema, left_out, mixed })
}

fn target(table: &str, options: &InferOptions, profile: &ColumnProfile) -> Result<Target> {
    let (name, label) = (table.to_owned(), options.label.clone());
    if profile.n_cells() == 0 {
        return Err(Error::NothingKept { table: name });
    }
    let classes = match profile.classes() {
        Ok(classes) => classes,
        Err(problem) => return Err(Error::Column { table: name, column: label, problem }),
    };
    if classes.len() < 2 {
        return Err(Error::OneClass { table: name, column: label });
    }
    Ok(Target::new(label.clone(), default_prompt(&label), classes))
}

/// What has been found, column after column.
struct Findings<'a> {
    options: &'a InferOptions,
    questions: Vec<Question>,
    left_out: Vec<LeftOutColumn>,
    mixed: Vec<String>,
}

impl Findings<'_> {
    fn see(&mut self, place: usize, column: &str, visibility: Visibility, profile: &ColumnProfile) {
        let hints = Hints {
            kind: profile.is_mixed().then_some(KindName::Category),
            mean_for_missing: true,
            encoding: self.options.encoding,
            rare: self.options.rare,
            round_bounds: self.options.round_bounds,
            ..Hints::default()
        };
        let called = if column.is_empty() { format!("column {}", place + 1) } else { column.to_owned() };
        let kind = match (profile.left_out(column, &hints), profile.kind(&hints)) {
            (None, Ok(kind)) => kind,
            (reason, _) => {
                // What has no reason of its own has too few levels once the rare ones are grouped.
                let reason = reason.unwrap_or(LeftOut::Constant);
                self.left_out.push(LeftOutColumn { column: called, reason });
                return;
            }
        };
        if profile.is_mixed() {
            self.mixed.push(called);
        }
        let mut question = Question::new(column, visibility, kind);
        if let Kind::Category { levels, .. } = &question.kind
            && profile.has_rare(&hints)
        {
            question.other = levels.iter().position(|level| level == OTHER);
        }
        self.questions.push(question);
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

fn profile_block(
    table: &str,
    options: &InferOptions,
    kept: &impl Fn(u64) -> bool,
    block: &Block,
    profiles: &mut [ColumnProfile],
) -> Result<()> {
    for_each_record(table, profiles.len(), block, |line, record| {
        if !kept(line) {
            return Ok(());
        }
        for (cell, profile) in record.iter().zip(profiles.iter_mut()) {
            let text = std::str::from_utf8(cell).map_err(|_| Error::NotUtf8 { table: table.to_owned(), line })?;
            let text = text.trim();
            let is_missing = options.missing_markers.iter().any(|marker| marker == text);
            profile.see(if is_missing { "" } else { text }, line);
        }
        Ok(())
    })
}
