//! `mindrel completions`: what a shell completes after `mindrel`.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::exit_code::ExitCode;
use crate::terminal::output::say;

/// Print a script that completes commands and options in your shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel completions bash > ~/.local/share/bash-completion/completions/mindrel
  mindrel completions zsh > ~/.zfunc/_mindrel                 # a folder in $fpath
  mindrel completions fish > ~/.config/fish/completions/mindrel.fish")]
pub struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub fn run(self, mut program: Command) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        generate(self.shell, &mut program, "mindrel", &mut script);
        say(&String::from_utf8(script)?)?;
        Ok(ExitCode::SUCCESS)
    }
}
