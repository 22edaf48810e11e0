//! `mindrel man`: manual pages.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::generate_to;

use super::tables::WritingArguments;
use crate::exit_code::ExitCode;
use crate::terminal::output::summarise;

/// Write manual pages, one for each command.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  mindrel man ~/.local/share/man/man1 && man mindrel-ask")]
pub struct Man {
    /// Folder to write them to; it is made if it does not exist.
    folder: PathBuf,
    #[command(flatten)]
    writing: WritingArguments,
}

impl Man {
    pub fn run(self, program: Command) -> anyhow::Result<ExitCode> {
        let failed = || format!("{}: the folder cannot be written", self.folder.display());
        std::fs::create_dir_all(&self.folder).with_context(failed)?;
        let files = std::fs::read_dir(&self.folder).with_context(failed)?;
        for page in files.flatten().map(|file| file.path()).filter(|path| is_page(path)) {
            self.writing.check(&page, &[])?;
        }
        generate_to(program, &self.folder).with_context(failed)?;
        summarise(&format!("Manual pages written to {}.\n", self.folder.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Whether a file has the name of one of our pages.
fn is_page(path: &Path) -> bool {
    let is_ours = path.file_stem().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("mindrel"));
    is_ours && path.extension().is_some_and(|extension| extension == "1")
}
