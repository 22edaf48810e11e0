//! Tables that a command reads, and files that it writes.

use std::path::Path;
use std::sync::OnceLock;

use clap::Args;
use mindrel::plan::Training;
use mindrel_io::output;
use mindrel_io::table::{Delimiter, SkippedRows, Table};

use super::numbers;
use crate::terminal::output::remark;
use crate::terminal::words::grouped;

/// How to read a table.
#[derive(Debug, Args)]
pub struct ReadingArguments {
    /// What separates cells: comma, semicolon, tab or bar [default: as the first lines suggest].
    #[arg(long, value_name = "DELIMITER")]
    delimiter: Option<Delimiter>,
    /// Standard input can be read only once.
    #[arg(skip)]
    opened: OnceLock<Table>,
}

impl ReadingArguments {
    /// The table at a path, or standard input for `-`.
    pub fn table(&self, path: &Path) -> mindrel_io::Result<&Table> {
        if self.opened.get().is_none() {
            let table = Table::at(path)?.with_delimiter(self.delimiter);
            return Ok(self.opened.get_or_init(|| table));
        }
        Ok(self.opened.get().expect("it was just there"))
    }
}

/// Which rows of a table everything is learnt from.
#[derive(Debug, Clone, Copy, Args)]
pub struct SplitArguments {
    /// Share of rows to hold out for testing: nothing is learnt from them, and `mindrel audit --held-out` audits only
    /// these. Use the same share and seed in `mindrel schema` and `mindrel fit`.
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0)]
    #[arg(value_parser = numbers::holdout, allow_hyphen_values = true)]
    pub holdout: f64,
    /// Seed for holding out rows, and for training networks and beliefs.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

impl SplitArguments {
    /// The split of a table.
    pub fn of(self, table: &Table) -> mindrel_io::Result<Training> {
        let SplitArguments { holdout, seed } = self;
        Ok(Training { rows: 0, holdout, seed, table: table.digest()?, private_moments: None })
    }
}

/// Whether files may be replaced.
#[derive(Debug, Clone, Copy, Args)]
pub struct WritingArguments {
    /// Replace files that already exist.
    #[arg(long)]
    force: bool,
}

impl WritingArguments {
    /// Checks that a file can be written, before the work of producing it.
    pub fn check(self, path: &Path, inputs: &[&Path]) -> anyhow::Result<()> {
        output::check_writable(path, inputs)?;
        anyhow::ensure!(
            self.force || !path.is_file(),
            "{}: this file already exists; choose another name, or replace it with --force",
            path.display()
        );
        Ok(())
    }
}

/// Tells how many rows of a table were skipped, and why.
pub fn tell_skipped(skipped: &[SkippedRows]) {
    for SkippedRows { column, reason, rows } in skipped {
        let (people, were) = if *rows == 1 { ("person", "was") } else { ("people", "were") };
        remark(&format!("{} {people} {were} left out because \"{column}\" {reason}.", grouped(*rows as usize)));
    }
}
