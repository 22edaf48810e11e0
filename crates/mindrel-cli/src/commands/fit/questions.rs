//! The questions of a table: from a schema file, or inferred.

use std::path::PathBuf;

use anyhow::{anyhow, ensure};
use clap::Args;
use mindrel::Schema;
use mindrel::schema::Encoding;
use mindrel_io::table::{InferOptions, Table, infer};
use mindrel_io::{Error, schema_file};

use super::{EncodingName, RoleArguments};
use crate::terminal::progress;

/// What is decided, and which questions there are.
#[derive(Debug, Args)]
pub struct QuestionArguments {
    /// Column that holds the outcome to decide; not needed with --schema.
    #[arg(long, value_name = "COLUMN", required_unless_present = "schema")]
    label: Option<String>,
    #[command(flatten)]
    roles: RoleArguments,
    /// Schema file, from `mindrel schema`.
    #[arg(long, value_name = "SCHEMA.toml", conflicts_with_all = ["sensitive", "public", "ignore", "encoding"])]
    schema: Option<PathBuf>,
    /// How to encode categories as columns [default: onehot].
    #[arg(long, value_enum)]
    encoding: Option<EncodingName>,
}

impl QuestionArguments {
    /// The schema file, if one is given.
    pub fn schema(&self) -> Option<&PathBuf> {
        self.schema.as_ref()
    }

    /// The schema of a table.
    pub fn find_schema(&self, table: &Table) -> anyhow::Result<Schema> {
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
            self.roles.are_given(),
            "say which columns are sensitive: --sensitive a,b or --public c,d or --schema FILE"
        );
        let options = InferOptions {
            label: self.label.clone().expect("without a schema the label is required"),
            encoding: self.encoding.map_or(Encoding::Onehot, Encoding::from),
            roles: self.roles.clone().into_roles(),
        };
        infer_schema(table, &options)
    }
}

/// The schema that a table suggests.
pub fn infer_schema(table: &Table, options: &InferOptions) -> anyhow::Result<Schema> {
    let bar = progress::spinner("reading the table");
    let schema = infer(table, options);
    bar.finish_and_clear();
    schema.map_err(|error| match &error {
        Error::Column { .. } => anyhow!("{error} --ignore leaves it out; --schema declares it."),
        _ => error.into(),
    })
}
