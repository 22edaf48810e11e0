//! The questions of a table: from a schema file, or inferred.

use std::path::PathBuf;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use mindrel::Schema;
use mindrel::plan::Training;
use mindrel::schema::{Encoding, Holes};
use mindrel_io::schema_file;
use mindrel_io::table::{InferOptions, InferredSchema, Table, infer};

use super::{EncodingName, RoleArguments};
use crate::terminal::output::remark;
use crate::terminal::progress;

/// What is decided, and which questions there are.
#[derive(Debug, Args)]
pub struct QuestionArguments {
    /// Column that holds the outcome to decide; not needed with --schema.
    #[arg(long, value_name = "COLUMN", required_unless_present = "schema")]
    label: Option<String>,
    /// Schema file, from `mindrel schema`.
    #[arg(long, value_name = "SCHEMA.toml", conflicts_with_all = INFERRED)]
    schema: Option<PathBuf>,
    #[command(flatten)]
    inference: InferenceArguments,
}

/// The options that only matter where the questions are inferred.
const INFERRED: [&str; 8] =
    ["sensitive", "public", "ignore", "together", "encoding", "rare", "missing_numbers", "missing"];

/// How a table's columns become questions.
#[derive(Debug, Clone, Args)]
pub struct InferenceArguments {
    #[command(flatten)]
    roles: RoleArguments,
    /// How to encode categories as columns [default: onehot].
    #[arg(long, value_enum)]
    encoding: Option<EncodingName>,
    /// Group levels seen fewer than N times as "other".
    #[arg(long, value_name = "N")]
    rare: Option<u64>,
    /// What a missing number becomes: the mean of the others, or an answer of its own [default: mean].
    #[arg(long, value_enum, value_name = "ANSWER")]
    missing_numbers: Option<MissingNumbers>,
    /// Texts that mean a missing cell, besides an empty one [default: NA,N/A,NaN,null,?].
    #[arg(long, value_name = "TEXTS", value_delimiter = ',', allow_hyphen_values = true)]
    missing: Option<Vec<String>>,
}

/// What a missing number becomes.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum MissingNumbers {
    /// The mean of the others stands in for it.
    Mean,
    /// Missing is an answer of its own, beside all numbers.
    Answer,
}

impl From<MissingNumbers> for Holes {
    fn from(name: MissingNumbers) -> Self {
        match name {
            MissingNumbers::Mean => Holes::Mean,
            MissingNumbers::Answer => Holes::Answer,
        }
    }
}

impl InferenceArguments {
    pub fn options(self, label: &str) -> InferOptions {
        let default = InferOptions::of(label);
        InferOptions {
            encoding: self.encoding.map_or(default.encoding, Encoding::from),
            roles: self.roles.into_roles(),
            holes: self.missing_numbers.map_or(default.holes, Holes::from),
            rare: self.rare.unwrap_or(default.rare),
            missing_markers: self.missing.unwrap_or(default.missing_markers),
            ..default
        }
    }
}

impl QuestionArguments {
    /// The schema file, if one is given.
    pub fn schema(&self) -> Option<&PathBuf> {
        self.schema.as_ref()
    }

    /// The schema of a table: from the file, or inferred from the rows to train on.
    pub fn find_schema(&self, table: &Table, split: &Training) -> anyhow::Result<Schema> {
        self.find_schema_for(table, split, |_| true)
    }

    /// The same for a model that takes certain columns: unless an inferred schema has them, columns whose cells are all
    /// alike become questions too.
    pub fn find_schema_for(
        &self,
        table: &Table,
        split: &Training,
        has_them: impl Fn(&Schema) -> bool,
    ) -> anyhow::Result<Schema> {
        if let Some(path) = &self.schema {
            let schema = schema_file::read(path)?;
            ensure!(
                self.label.as_ref().is_none_or(|label| *label == schema.target().name),
                "{}: the schema's label is \"{}\"; leave out --label, or give the same name",
                path.display(),
                schema.target().name
            );
            return Ok(schema);
        }
        ensure!(
            self.inference.roles.are_given(),
            "say which columns are sensitive: --sensitive a,b or --public c,d or --schema FILE"
        );
        let label = self.label.as_ref().expect("without a schema the label is required");
        let options = self.inference.clone().options(label);
        let mut inferred = infer_schema(table, &options, split)?;
        if !has_them(&inferred.schema) {
            inferred = infer_schema(table, &InferOptions { constants: true, ..options }, split)?;
        }
        notes(&inferred).iter().for_each(|note| remark(note));
        Ok(inferred.schema)
    }
}

/// The schema that the rows to train on suggest.
pub fn infer_schema(table: &Table, options: &InferOptions, split: &Training) -> anyhow::Result<InferredSchema> {
    let bar = progress::spinner("reading the table");
    let inferred = infer(table, options, |line| !split.is_held_out(line));
    bar.finish_and_clear();
    Ok(inferred?)
}

/// What was found in a table, line by line.
pub fn notes(inferred: &InferredSchema) -> Vec<String> {
    let mut notes = Vec::new();
    if !inferred.left_out.is_empty() {
        let columns = if inferred.left_out.len() == 1 { "column" } else { "columns" };
        notes.push(format!("Left out {} {columns}:", inferred.left_out.len()));
        notes.extend(inferred.left_out.iter().map(|left| format!("  \"{}\": {}", left.column, left.reason)));
    }
    if !inferred.mixed.is_empty() {
        notes.push(format!("Taken as categories, because they mix numbers and texts: {}", inferred.mixed.join(", ")));
    }
    notes
}
