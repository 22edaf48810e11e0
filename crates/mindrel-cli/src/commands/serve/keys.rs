//! `mindrel keys`: the keys that encrypt sessions.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use mindrel_io::input::read_text;
use mindrel_io::output::{Readers, write_whole};
use mindrel_serve::token::Keys;
use zeroize::Zeroizing;

use crate::exit_code::ExitCode;
use crate::terminal::output::say_line;

/// Make and rotate the keys that `mindrel serve` encrypts sessions with.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  mindrel keys new keys.txt       make a file with one key
  mindrel keys rotate keys.txt    add a new key, which is used after the next start; older sessions remain valid
  mindrel keys retire keys.txt    remove all keys but the newest, once the sessions of the others have expired")]
pub struct KeysCommand {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Make a file with one key that only its owner may read.
    New {
        /// File to create.
        file: PathBuf,
    },
    /// Add a new key to a file.
    Rotate {
        /// Key file.
        file: PathBuf,
    },
    /// Remove all keys but the newest.
    Retire {
        /// Key file.
        file: PathBuf,
    },
}

impl KeysCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            KeyCommand::New { file } => {
                if file.exists() {
                    bail!("{}: the file already exists; rotate its keys, or name another file", file.display());
                }
                write(&file, &[Keys::random_text()])?;
                say_line(&format!(
                    "{}: one key. Anyone who has it can read sessions, so keep it as safe as a password.",
                    file.display()
                ))?;
            }
            KeyCommand::Rotate { file } => {
                let mut keys = lines(&file)?;
                keys.insert(0, Keys::random_text());
                write(&file, &keys)?;
                say_line(&format!(
                    "{}: {} keys. Restart every replica to use the new one.",
                    file.display(),
                    keys.len()
                ))?;
            }
            KeyCommand::Retire { file } => {
                let keys = lines(&file)?;
                write(&file, &keys[..1])?;
                say_line(&format!("{}: one key left, {} removed.", file.display(), keys.len() - 1))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The keys in a file.
pub fn read(path: &Path) -> anyhow::Result<Keys> {
    let text = Zeroizing::new(read_text(path)?);
    let remedy = || format!("{}: make a key file with `mindrel keys new FILE`", path.display());
    Keys::parse(&text).with_context(remedy)
}

/// The lines with the keys of a file.
fn lines(path: &Path) -> anyhow::Result<Vec<String>> {
    read(path)?;
    let text = Zeroizing::new(read_text(path)?);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// Replaces the file in one step. Only its owner may read it.
fn write(path: &Path, keys: &[String]) -> anyhow::Result<()> {
    let text = format!("# Keys that encrypt mindrel sessions, the newest first.\n{}\n", keys.join("\n"));
    Ok(write_whole(path, Zeroizing::new(text).as_bytes(), Readers::Owner)?)
}
