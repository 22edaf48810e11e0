//! `mindrel man`: manual pages.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::generate_to;

use crate::terminal::output::summarise;

/// Write manual pages, one for each command.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  mindrel man ~/.local/share/man/man1 && man mindrel-ask")]
pub struct Man {
    /// Folder to write them to; it is made if it does not exist.
    folder: PathBuf,
}

impl Man {
    pub fn run(self, program: Command) -> anyhow::Result<ExitCode> {
        let failed = || format!("{}: the folder cannot be written", self.folder.display());
        std::fs::create_dir_all(&self.folder).with_context(failed)?;
        generate_to(program, &self.folder).with_context(failed)?;
        summarise(&format!("Manual pages written to {}.\n", self.folder.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
