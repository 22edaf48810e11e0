//! What can be wrong with a file, and the way out.

use std::path::PathBuf;

use mindrel::plan::PlanError;
use mindrel::schema::{AnswerError, ColumnProblem, SchemaError};

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What is wrong with a file. Names the place and the remedy, never the value of a cell or an answer.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum Error {
    /// A file cannot be read.
    #[error("{}: cannot be read ({cause}). Check the path and its permissions.", path.display())]
    Read { path: PathBuf, cause: std::io::Error },
    /// Something that is not a file and may have no end.
    #[error("{}: this is a device, not a file. Give an ordinary file.", path.display())]
    Device { path: PathBuf },
    /// A file that is longer than anything of its kind.
    #[error("{}: this file is longer than {megabytes} MB. Check that it is the right one.", path.display())]
    TooLong { path: PathBuf, megabytes: u64 },
    /// A file cannot be written.
    #[error("{}: cannot be written ({cause}). Check that the folder exists and may be written to.", path.display())]
    Write { path: PathBuf, cause: std::io::Error },
    /// An output that would replace an input.
    #[error("{}: this file is read and would be overwritten. Write to another file.", path.display())]
    Overwrites { path: PathBuf },
    /// A file of another kind than a table.
    #[error("{table}: this is {kind}, not a table of text. {remedy}.")]
    NotATable { table: String, kind: &'static str, remedy: &'static str },
    /// A table without rows.
    #[error("{table}: the table is empty. It needs a header line and at least one row.")]
    EmptyTable { table: String },
    /// A table whose rows are all held out.
    #[error("{table}: no row is left to train on; hold fewer rows out.")]
    NothingKept { table: String },
    /// A header with a repeated name.
    #[error("{table}:1: column \"{column}\" appears twice in the header. Give every column its own name.")]
    DuplicateColumn { table: String, column: String },
    /// A column that is asked for and is not there.
    #[error("{table}: there is no column \"{column}\". Its columns are: {known}.")]
    UnknownColumn { table: String, column: String, known: String },
    /// A row with more or fewer cells than the header.
    #[error(
        "{table}:{line}: the row has {found} cells, but the header has {expected}. Complete the row, or quote cells that \
         contain the delimiter."
    )]
    Ragged { table: String, line: u64, expected: usize, found: usize },
    /// A row without an end.
    #[error("{table}:{line}: the row does not end; a quote that opens a cell is not closed. Close it.")]
    LongRow { table: String, line: u64 },
    /// Line endings that are not supported.
    #[error("{table}: the lines end in carriage returns alone. Save the table with ordinary line endings.")]
    LineEnds { table: String },
    /// Text that is not UTF-8.
    #[error(
        "{table}:{line}: the text is not UTF-8; it is probably Latin-1 (Windows-1252). Save the table as UTF-8, or convert \
         it: iconv -f WINDOWS-1252 -t UTF-8 TABLE > NEW-TABLE"
    )]
    NotUtf8 { table: String, line: u64 },
    /// A cell that does not answer its question.
    #[error("{table}:{line}: column \"{column}\": {problem}.")]
    Cell { table: String, line: u64, column: String, problem: CellProblem },
    /// A label that makes no classes.
    #[error("{table}: column \"{column}\": {problem}.")]
    Column { table: String, column: String, problem: ColumnProblem },
    /// A table of which no column can be asked about.
    #[error("{table}: no column makes a question: {reasons}.")]
    NothingToAsk { table: String, reasons: String },
    /// A column that cannot group people.
    #[error("{table}: column \"{column}\": {problem}.")]
    Groups { table: String, column: String, problem: GroupProblem },
    /// Only one class among the labels.
    #[error(
        "{table}: column \"{column}\": every row has the same class, so there is nothing to decide. Use a table with at \
         least two classes."
    )]
    OneClass { table: String, column: String },
    /// The label is also named as a question.
    #[error(
        "{table}: column \"{column}\" is the label and cannot also be a question. Leave it out of the sensitive, public and \
         ignored columns."
    )]
    LabelAmongQuestions { table: String, column: String },
    /// A column is given two roles.
    #[error(
        "{table}: column \"{column}\" is named twice among the sensitive, public and ignored columns, or among those \
         answered together. Name it once."
    )]
    TwoRoles { table: String, column: String },
    /// A column that is answered together with one of another role.
    #[error(
        "{table}: column \"{column}\" is answered together with another column, but only one of them is sensitive, \
         public or ignored. Give both the same role."
    )]
    TogetherWithOtherRole { table: String, column: String },
    /// A file given in the place of another kind of file.
    #[error("{}: this is not a {what}, but another kind of file. Check the order of the arguments.", path.display())]
    OtherFile { path: PathBuf, what: &'static str },
    /// A schema file that cannot be read as TOML.
    #[error("{}: {problem}", path.display())]
    SchemaSyntax { path: PathBuf, problem: String },
    /// A schema whose parts do not fit together.
    #[error("{}: {cause}.", path.display())]
    Schema { path: PathBuf, cause: SchemaError },
    /// A rule between questions that cannot be followed.
    #[error("{}:{line}: {cause}.", path.display())]
    SchemaRule { path: PathBuf, line: usize, cause: SchemaError },
    /// A file of a newer version than this one reads.
    #[error(
        "{}: the {what} has version {found}, but this mindrel reads only up to version {known}. Update mindrel.",
        path.display()
    )]
    Newer { path: PathBuf, what: &'static str, found: u64, known: u64 },
    /// A file of an older version than this one reads.
    #[error(
        "{}: the {what} has version {found}, from an older mindrel; this one reads version {known}. {remedy}",
        path.display()
    )]
    Older { path: PathBuf, what: &'static str, found: u64, known: u64, remedy: &'static str },
    /// A plan whose belief is of a kind that is not known here, such as the mixtures of earlier versions.
    #[error(
        "{}: the plan has a belief of the kind `{kind}`, which this mindrel does not know. Fit the plan again with \
         `mindrel fit`.",
        path.display()
    )]
    UnknownBelief { path: PathBuf, kind: String },
    /// A file that is truncated, or not what it should be.
    #[error(
        "{}: this is not a complete {what} ({problem}). Make it again, or copy the original again.",
        path.display()
    )]
    Malformed { path: PathBuf, what: &'static str, problem: String },
    /// A plan whose content does not have its fingerprint.
    #[error(
        "{}: the plan was changed or damaged: its content does not match its fingerprint. Make it again, or copy the \
         original again.",
        path.display()
    )]
    Fingerprint { path: PathBuf },
    /// A plan whose parts do not fit together.
    #[error("{}: {cause}.", path.display())]
    Plan { path: PathBuf, cause: PlanError },
}

/// What is wrong with a cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum CellProblem {
    /// It does not answer its question.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// It does not fit the rest of its column.
    #[error(transparent)]
    Column(#[from] ColumnProblem),
    /// It lies outside the domain that the schema declares.
    #[error(
        "the value lies outside the domain declared in the schema ({declared}). Correct the cell, or widen the domain"
    )]
    OutsideDomain { declared: String },
    /// The label is not one of the classes.
    #[error("the label is not one of the classes {classes}. Correct the cell")]
    UnknownClass { classes: String },
}

/// Why a column cannot group people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum GroupProblem {
    /// More groups than a report can show.
    #[error("it makes more than {limit} groups. Group people by a column with fewer different texts")]
    TooMany { limit: usize },
    /// The same of two columns.
    #[error("together they make more than {limit} groups. Group people by one of them at a time")]
    TooManyTogether { limit: usize },
    /// No people at all.
    #[error("there is nobody to group. Keep at least one person")]
    Nobody,
    /// The table was written to while it was read.
    #[error("its cells changed while the table was read. Leave the table alone during an audit")]
    Changed,
}
