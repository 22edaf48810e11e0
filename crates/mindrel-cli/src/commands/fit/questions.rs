//! Which questions a table has: from a schema file, or inferred.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use mindrel::Schema;
use mindrel::schema::Encoding;
use mindrel_io::schema_file;
use mindrel_io::table::{InferOptions, Table, infer};

use super::{EncodingName, RoleArguments};
use crate::terminal::progress;

/// What is decided, and what can be asked.
#[derive(Debug, Args)]
pub struct QuestionArguments {
    /// Column that holds the class to decide; a schema names it.
    #[arg(long, value_name = "COLUMN", required_unless_present = "schema")]
    label: Option<String>,
    #[command(flatten)]
    roles: RoleArguments,
    /// Schema file with questions, domains and words; see `mindrel schema`.
    #[arg(long, value_name = "SCHEMA.toml", conflicts_with_all = ["sensitive", "public", "ignore", "encoding"])]
    schema: Option<PathBuf>,
    /// How categories become columns [default: onehot].
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
                "{}: the schema's label is \"{}\"; leave out --label, or pass the same",
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
        let bar = progress::spinner("looking at the table");
        let schema = infer(table, &options);
        bar.finish_and_clear();
        Ok(schema?)
    }
}
