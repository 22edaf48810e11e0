//! `mindrel schema`: propose the questions for a table, or check them against it.

mod found_rules;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mindrel::Schema;
use mindrel::plan::Training;
use mindrel_io::table::{FoundRules, Misfit, Table, check, find_rules};
use mindrel_io::{output, schema_file};

use super::fit::{InferenceArguments, infer_schema, notes};
use super::tables::{ReadingArguments, SplitArguments, WritingArguments};
use crate::exit_code::ExitCode;
use crate::terminal::output::{remark, say};
use crate::terminal::progress;
use crate::terminal::words::grouped;

/// Propose a schema for a table: questions and the answers they allow.
///
/// The result is a TOML file to edit by hand: phrase the questions, mark which are public, widen the ranges of allowed
/// answers, set costs. Pass it to `mindrel fit --schema`. Columns that make no question (identifiers, dates, columns
/// with one value) are left out; comments in the file say why.
///
/// Rules between questions that hold in every row, such as "if Age is below 18, then Marital is single", are proposed
/// as comments, with their counts. What a rule implies is not asked.
///
/// With --check, says what in a table does not fit an edited schema. Exit code 1 if something does not.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel schema people.csv --label outcome --public age,region -o people.toml
  mindrel schema people.csv --label outcome --rare 50 --missing -9,unknown -o people.toml
  mindrel schema people.csv --label outcome --rules accept -o people.toml
  mindrel schema people.csv --check people.toml")]
pub struct SchemaCommand {
    /// Table with a header line, such as a CSV file; `-` for standard input.
    table: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Column that holds the outcome to decide.
    #[arg(long, value_name = "COLUMN", required_unless_present = "check")]
    label: Option<String>,
    #[command(flatten)]
    inference: InferenceArguments,
    /// What to do with rules between questions that hold in every row.
    #[arg(long, value_enum, value_name = "ACTION", default_value_t = RulesAction::Propose)]
    rules: RulesAction,
    #[command(flatten)]
    split: SplitArguments,
    /// Schema file to check against the table, instead of proposing one.
    #[arg(long, value_name = "SCHEMA.toml", conflicts_with_all = PROPOSING)]
    check: Option<PathBuf>,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "SCHEMA.toml")]
    output: Option<PathBuf>,
    #[command(flatten)]
    writing: WritingArguments,
}

/// What to do with rules that hold in every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RulesAction {
    /// Write them into the schema as comments.
    Propose,
    /// Write them into the schema as rules to follow.
    Accept,
    /// Do not look for them.
    None,
}

/// The most rules that are proposed.
const MOST_RULES: usize = 50;

/// The options of proposing a schema.
const PROPOSING: [&str; 13] = [
    "label",
    "output",
    "sensitive",
    "public",
    "ignore",
    "together",
    "encoding",
    "rare",
    "missing_numbers",
    "missing",
    "rules",
    "holdout",
    "seed",
];

impl SchemaCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.output {
            self.writing.check(path, &[&self.table])?;
        }
        let table = self.reading.table(&self.table)?;
        if let Some(schema) = &self.check {
            let misfits = check(table, &schema_file::read(schema)?)?;
            say(&in_words(table, &misfits))?;
            return Ok(ExitCode::from(u8::from(!misfits.is_empty())));
        }
        let label = self.label.as_ref().expect("it is required without --check");
        let training = self.split.of(table)?;
        let inferred = infer_schema(table, &self.inference.options(label), &training)?;
        let notes = notes(&inferred);
        notes.iter().for_each(|note| remark(note));
        let found = self.rules.find(table, &inferred.schema, &training)?;
        let is_followed = self.rules == RulesAction::Accept;
        let text = schema_file::to_text(&inferred.schema, &notes) + &found_rules::as_text(&found, is_followed);
        let about_rules = found_rules::in_words(&found, is_followed);
        if !about_rules.is_empty() {
            remark(&about_rules);
        }
        match &self.output {
            Some(path) => {
                output::write_whole(path, text.as_bytes(), output::Readers::Anyone)?;
                let mut split = String::new();
                if self.split.holdout > 0.0 {
                    split = format!(" --holdout {} --seed {}", self.split.holdout, self.split.seed);
                }
                remark(&format!(
                    "Schema written to {0}. Edit it, then: mindrel fit {1} --schema {0}{split} -o PLAN",
                    path.display(),
                    self.table.display()
                ));
            }
            None => say(&text)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl RulesAction {
    /// The rules that hold in every row to train on.
    fn find(self, table: &Table, schema: &Schema, training: &Training) -> anyhow::Result<FoundRules> {
        if self == RulesAction::None {
            return Ok(FoundRules::default());
        }
        let bar = progress::spinner("looking for rules");
        let found = find_rules(table, schema, MOST_RULES, |line| !training.is_held_out(line));
        bar.finish_and_clear();
        Ok(found?)
    }
}

fn in_words(table: &Table, misfits: &[Misfit]) -> String {
    if misfits.is_empty() {
        return format!("{}: every row fits the schema.\n", table.name());
    }
    let mut text = String::new();
    for Misfit { column, problem, rows, first_line } in misfits {
        let place = match rows {
            0 => String::new(),
            1 => format!(" (line {first_line})"),
            rows => {
                let rows = grouped(usize::try_from(*rows).unwrap_or(usize::MAX));
                format!(" ({rows} rows, the first on line {first_line})")
            }
        };
        text += &format!("\"{column}\" {problem}{place}\n");
    }
    text
}
