//! Results as JSON, for commands that have one.

use std::path::{Path, PathBuf};

use clap::Args;
use mindrel_io::output::{Readers, write_whole};
use serde::Serialize;

use super::tables::WritingArguments;
use crate::terminal::output::{Channel, say};

/// `--json`.
#[derive(Debug, Args)]
pub struct JsonArguments {
    /// Also write the result as JSON; without a file name, or with `-`, print it instead of the text.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
}

impl JsonArguments {
    /// Whether the JSON takes the place of the text.
    pub fn replaces_text(&self) -> bool {
        self.json.as_deref().is_some_and(|path| path == Path::new("-"))
    }

    /// Where the text goes, if it must not be mixed with the JSON.
    pub fn channel(&self) -> Channel {
        if self.replaces_text() { Channel::Error } else { Channel::Output }
    }

    /// Refuses a file that cannot be written, or that is one of those read.
    pub fn check(&self, writing: &WritingArguments, inputs: &[&Path]) -> anyhow::Result<()> {
        self.file().map_or(Ok(()), |path| writing.check(path, inputs))
    }

    /// Writes the result, if that is asked for.
    pub fn write(&self, result: &impl Serialize, readers: Readers) -> anyhow::Result<()> {
        let Some(path) = &self.json else { return Ok(()) };
        let text = serde_json::to_string_pretty(result)? + "\n";
        if self.replaces_text() { say(&text) } else { Ok(write_whole(path, text.as_bytes(), readers)?) }
    }

    /// The file to write, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.json.as_deref().filter(|_| !self.replaces_text())
    }
}
