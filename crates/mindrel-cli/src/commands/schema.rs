//! `mindrel schema`: propose the questions for a table.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use mindrel::schema::Encoding;
use mindrel_io::table::{InferOptions, Table};
use mindrel_io::{output, schema_file};

use super::fit::{EncodingName, RoleArguments, infer_schema};
use crate::terminal::output::{remark, say};

/// Propose a schema for a table: questions and the answers they allow.
///
/// The result is a TOML file to edit by hand: phrase the questions, mark which are public, widen the ranges of allowed
/// answers, set costs. Pass it to `mindrel fit --schema`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mindrel schema people.csv --label outcome --public age,region -o people.toml")]
pub struct SchemaCommand {
    /// Comma-separated table with a header line.
    table: PathBuf,
    /// Column that holds the outcome to decide.
    #[arg(long, value_name = "COLUMN")]
    label: String,
    #[command(flatten)]
    roles: RoleArguments,
    /// How to encode categories as columns.
    #[arg(long, value_enum, default_value_t = EncodingName::Onehot)]
    encoding: EncodingName,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "SCHEMA.toml")]
    output: Option<PathBuf>,
}

impl SchemaCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.output {
            output::check_writable(path, &[&self.table])?;
        }
        let table = Table::file(&self.table);
        let options =
            InferOptions { label: self.label, encoding: Encoding::from(self.encoding), roles: self.roles.into_roles() };
        let text = schema_file::to_text(&infer_schema(&table, &options)?);
        match &self.output {
            Some(path) => {
                output::write_whole(path, text.as_bytes(), output::Readers::Anyone)?;
                remark(&format!(
                    "Schema written to {0}. Edit it, then: mindrel fit {1} --schema {0} -o PLAN",
                    path.display(),
                    table.name()
                ));
            }
            None => say(&text)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
