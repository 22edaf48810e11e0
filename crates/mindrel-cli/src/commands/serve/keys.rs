//! `mindrel keys`: the keys sessions are sealed with.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use mindrel_serve::token::Keys;

use crate::terminal::output::say_line;

/// Make and rotate the keys that `mindrel serve` seals sessions with.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  mindrel keys new keys.txt       make a file with one key
  mindrel keys rotate keys.txt    put a new one in front; it seals from the next start on, the others still open
  mindrel keys retire keys.txt    take out all but the newest, once sessions of the others have expired")]
pub struct KeysCommand {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Make a file with one key; only its owner may read it.
    New {
        /// File to write; it must not exist.
        file: PathBuf,
    },
    /// Put a new key in front of those of a file.
    Rotate {
        /// File of keys.
        file: PathBuf,
    },
    /// Take out all keys but the newest.
    Retire {
        /// File of keys.
        file: PathBuf,
    },
}

impl KeysCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            KeyCommand::New { file } => {
                if file.exists() {
                    bail!("{}: is there already; rotate its keys, or name another file", file.display());
                }
                write(&file, &[Keys::random_text()])?;
                say_line(&format!(
                    "{}: one key. Whoever has it can read sessions; keep it as you keep a password.",
                    file.display()
                ))?;
            }
            KeyCommand::Rotate { file } => {
                let mut keys = lines(&file)?;
                keys.insert(0, Keys::random_text());
                write(&file, &keys)?;
                say_line(&format!(
                    "{}: {} keys; the new one seals once every replica has been started again.",
                    file.display(),
                    keys.len()
                ))?;
            }
            KeyCommand::Retire { file } => {
                let keys = lines(&file)?;
                write(&file, &keys[..1])?;
                say_line(&format!("{}: one key; {} taken out.", file.display(), keys.len() - 1))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The keys of a file.
pub fn read(path: &Path) -> anyhow::Result<Keys> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Keys::parse(&text).with_context(|| path.display().to_string())
}

/// The lines of a file that are keys.
fn lines(path: &Path) -> anyhow::Result<Vec<String>> {
    read(path)?;
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// Writes keys whole, readable by their owner alone.
fn write(path: &Path, keys: &[String]) -> anyhow::Result<()> {
    let beside = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside).with_context(|| format!("{}: cannot be written", beside.display()))?;
    let text = format!("# Keys that seal mindrel sessions, the newest first.\n{}\n", keys.join("\n"));
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all())?;
    std::fs::rename(&beside, path).with_context(|| format!("{}: cannot be written", path.display()))?;
    Ok(())
}
