//! Proposing a schema from a table.

use std::collections::{BTreeMap, BTreeSet};

use mindrel::Schema;
use mindrel::schema::{
    ColumnProfile, Encoding, Hints, Holes, Kind, KindName, LeftOut, MISSING_MARKERS, MOST_TALLIED, OTHER, Question,
    Target, Visibility,
};

use super::cells::AnswerCells;
use super::decode::for_each_record;
use super::{Block, Table};
use crate::schema_file::{default_prompt, name_of_several};
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
    /// Columns that are answered together, as one question.
    pub together: Vec<Vec<String>>,
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
    /// What becomes of missing numbers.
    pub holes: Holes,
    /// Levels seen less often than this become one, "other".
    pub rare: u64,
    /// Whether bounds are rounded outwards, which hides anyone's exact value.
    pub round_bounds: bool,
    /// Whether columns whose cells are all alike become questions, for a model that takes them.
    pub constants: bool,
}

impl InferOptions {
    /// Everything sensitive, categories one-hot, bounds rounded, no level too rare, the mean for missing numbers.
    #[must_use]
    pub fn of(label: &str) -> Self {
        InferOptions {
            label: label.to_owned(),
            encoding: Encoding::Onehot,
            roles: Roles::default(),
            missing_markers: MISSING_MARKERS.map(str::to_owned).to_vec(),
            holes: Holes::Mean,
            rare: 0,
            round_bounds: true,
            constants: false,
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

/// Looks at the cells of the rows that are `kept`, by their line, and proposes a schema: kinds, domains and what
/// becomes of missing numbers.
///
/// What a column asks is inferred by [`ColumnProfile::kind`], and why it asks nothing by [`ColumnProfile::left_out`].
/// All questions cost 1 and have their column's name as words.
///
/// # Errors
/// When the table cannot be read, a column is asked for that it lacks, its label has not two classes, or no column
/// makes a question.
pub fn infer(table: &Table, options: &InferOptions, kept: impl Fn(u64) -> bool) -> Result<InferredSchema> {
    let mut blocks = table.open()?;
    let name = blocks.name().to_owned();
    let header = blocks.header().to_vec();
    let label_place = blocks.column(&options.label)?;
    let asked = options.roles.resolve(&name, &header, &options.label)?;
    let places = asked.iter().map(|asked| asked.places.clone()).chain([vec![label_place]]);
    let profile = |places| (AnswerCells::new(places), ColumnProfile::with_levels_up_to(MOST_TALLIED));
    let mut profiles: Vec<(AnswerCells, ColumnProfile)> = places.map(profile).collect();
    for block in &mut blocks {
        profile_block(&name, options, header.len(), &kept, &block?, &mut profiles)?;
    }
    let target = target(&name, options, &profiles[asked.len()].1)?;
    let mut found = Findings { options, questions: Vec::new(), left_out: Vec::new(), mixed: Vec::new() };
    for (asked, (_, profile)) in asked.iter().zip(&profiles) {
        found.see(asked, &header, profile);
    }
    let Findings { questions, left_out, mixed, .. } = found;
    if questions.is_empty() {
        let reasons = left_out.iter().map(|left| format!("\"{}\": {}", left.column, left.reason));
        let mut reasons = reasons.collect::<Vec<String>>().join("; ");
        if reasons.is_empty() {
            reasons = format!("there is none beside the label \"{}\" and those to ignore", options.label);
        }
        return Err(Error::NothingToAsk { table: name, reasons });
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
    fn see(&mut self, asked: &AskedColumns, header: &[String], profile: &ColumnProfile) {
        let columns: Vec<String> = asked.places.iter().map(|&place| header[place].clone()).collect();
        let column = name_of_several(&columns);
        let hints = Hints {
            kind: profile.is_mixed().then_some(KindName::Category),
            holes: self.options.holes,
            encoding: self.options.encoding,
            rare: self.options.rare,
            round_bounds: self.options.round_bounds,
            ..Hints::default()
        };
        let called = if column.is_empty() { format!("column {}", asked.places[0] + 1) } else { column.clone() };
        let mut other = None;
        let kind = match (profile.left_out(&column, &hints), profile.kind(&hints)) {
            (None, Ok(kind)) => kind,
            (Some(LeftOut::Constant), _) if self.options.constants => {
                let Some(mut kind) = profile.constant(&hints) else { return };
                other = kind.add_other();
                kind
            }
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
        let mut question = Question::new(column, asked.visibility, kind);
        if columns.len() > 1 {
            question.together = columns;
        }
        question.other = other;
        if let Kind::Category { levels, .. } = &question.kind
            && profile.has_rare(&hints)
        {
            question.other = levels.iter().position(|level| level == OTHER);
        }
        self.questions.push(question);
    }
}

/// The columns that may make a question, by their places.
struct AskedColumns {
    places: Vec<usize>,
    visibility: Visibility,
}

impl Roles {
    /// The columns that may make questions, in the order of the table, those that are answered together in the place
    /// of the first.
    ///
    /// # Errors
    /// When a column is named that is not there, or is given two roles.
    fn resolve(&self, table: &str, header: &[String], label: &str) -> Result<Vec<AskedColumns>> {
        let place = |column: &String| {
            let found = header.iter().position(|other| other == column);
            found.ok_or_else(|| Table::unknown_column(table, column, header))
        };
        let together: Vec<Vec<usize>> =
            self.together.iter().map(|columns| columns.iter().map(place).collect()).collect::<Result<_>>()?;
        let roles = self.of_columns(table, header, label)?;
        let mut taken = BTreeSet::new();
        for &place in together.iter().flatten() {
            let (table, column) = (table.to_owned(), header[place].clone());
            if column == label {
                return Err(Error::LabelAmongQuestions { table, column });
            }
            if !taken.insert(place) {
                return Err(Error::TwoRoles { table, column });
            }
        }
        let mut asked = Vec::new();
        for (place, visibility) in roles.iter().enumerate() {
            let group = together.iter().find(|places| places.contains(&place));
            let places = group.cloned().unwrap_or_else(|| vec![place]);
            if let Some(other) = places.iter().find(|&&other| roles[other] != *visibility) {
                return Err(Error::TogetherWithOtherRole { table: table.to_owned(), column: header[*other].clone() });
            }
            let is_first = places.iter().min() == Some(&place);
            asked.extend(visibility.filter(|_| is_first).map(|visibility| AskedColumns { places, visibility }));
        }
        Ok(asked)
    }

    /// What each column of a table is; `None` for one that is left out.
    fn of_columns(&self, table: &str, header: &[String], label: &str) -> Result<Vec<Option<Visibility>>> {
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
    n_fields: usize,
    kept: &impl Fn(u64) -> bool,
    block: &Block,
    profiles: &mut [(AnswerCells, ColumnProfile)],
) -> Result<()> {
    let is_missing = |text: &str| text.is_empty() || options.missing_markers.iter().any(|marker| marker == text);
    for_each_record(table, n_fields, block, |line, record| {
        if !kept(line) {
            return Ok(());
        }
        for (cells, profile) in profiles.iter_mut() {
            let text = cells.text(table, line, record, is_missing)?;
            profile.see(if is_missing(&text) { "" } else { &text }, line);
        }
        Ok(())
    })
}
