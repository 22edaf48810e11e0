//! What the report says of the audit itself.

use std::path::Path;

use mindrel_io::table::SkippedRows;
use mindrel_report::{PeopleTaken, ReportFacts};

use super::AuditArguments;

impl AuditArguments {
    /// What the report says of the audit itself.
    pub(super) fn about(
        &self,
        when: String,
        chosen: usize,
        people: u64,
        skipped: &[SkippedRows],
    ) -> anyhow::Result<ReportFacts> {
        let rows = people + skipped.iter().map(|row| row.rows).sum::<u64>();
        let digest = self.reading.table(&self.table)?.digest()?;
        Ok(ReportFacts {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command(crate::words()),
            when,
            plan: file_name(&self.plan),
            table: file_name(&self.table),
            digest: Some(digest),
            held_out: self.held_out,
            taken: self.taken(rows),
            left_out: skipped.iter().map(|row| (row.rows, format!("“{}” {}", row.column, row.reason))).collect(),
            chosen,
        })
    }

    /// Which rows were audited. A limit that none of them reached left nobody out.
    fn taken(&self, rows: u64) -> PeopleTaken {
        let reached = |limit: Option<usize>| limit.is_some_and(|limit| limit as u64 <= rows);
        if reached(self.limit) {
            PeopleTaken::Sample
        } else if reached(self.first) {
            PeopleTaken::First
        } else {
            PeopleTaken::Everyone
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The words of a command as they are typed in a shell.
fn command(words: impl Iterator<Item = String>) -> String {
    std::iter::once("mindrel".to_owned()).chain(words.map(|word| quoted(&word))).collect::<Vec<String>>().join(" ")
}

/// A word in quotes, where a shell would read something else without.
fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./=,:+@%".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let words = ["audit", "my plan", "a.csv", "--by", "it's", ""].map(str::to_owned);
        assert_eq!(command(words.into_iter()), r"mindrel audit 'my plan' a.csv --by 'it'\''s' ''");
    }
}
