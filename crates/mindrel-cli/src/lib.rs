//! The command `mindrel`: decide about a person while asking for as little as possible.
//!
//! A library, so that the wheel of the Python package brings the command too; the binary only calls [`run`].

mod commands;
mod exit_code;
mod terminal;

use std::ffi::OsString;
use std::sync::OnceLock;

use clap::{CommandFactory, Parser};

use commands::{Command, numbers};
use exit_code::ExitCode;
use terminal::output::{be_quiet, say_error};

/// Decide about a person with a trained classifier while asking as little as possible.
///
/// Some of what a classifier needs is already known (public); the rest is sensitive. mindrel asks for the sensitive
/// answers one at a time and stops as soon as nothing that is still unknown can change the decision: with a proof
/// (delta 0), or with probability at least 1 - delta.
#[derive(Parser)]
#[command(name = "mindrel", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
Getting started:
  mindrel demo                                              see it work on embedded data
  mindrel schema people.csv --label outcome -o people.toml  propose questions; then edit the file
  mindrel fit people.csv --schema people.toml -o people.plan
                                                            train a model
  mindrel import model.onnx --table people.csv --schema people.toml -o people.plan
                                                            or bring your own
  mindrel inspect people.plan                               see what it asks, typically and at most
  mindrel ask people.plan                                   answer the questions yourself
  mindrel audit people.plan people.csv                      see what many people would be asked
  mindrel calibrate people.plan others.csv --flips 0.01 -o calibrated.plan
                                                            limit how many decisions differ
  mindrel frontier people.csv --schema people.toml          find the questions worth having
  mindrel serve people.plan                                 offer a web form and an API

Exit codes: 0 success, 1 a certificate or ledger is not valid, 2 bad input; of `ask` also 3 undecided, 4 stopped.")]
struct Arguments {
    /// Print results, warnings and errors only: no progress, no remarks, no summary of files written.
    #[arg(long, global = true, help_heading = "Options of every command")]
    quiet: bool,
    /// Number of threads to work on [default: all cores].
    #[arg(long, value_name = "N", global = true, help_heading = "Options of every command")]
    #[arg(value_parser = numbers::threads, allow_hyphen_values = true)]
    threads: Option<usize>,
    #[command(subcommand)]
    command: Command,
}

impl Arguments {
    fn run(self) -> anyhow::Result<ExitCode> {
        if self.quiet {
            be_quiet();
        }
        if let Some(threads) = self.threads {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        }
        self.command.run(Arguments::command)
    }
}

/// Runs the command that the words of a command line name, the program's own name first, and returns its exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nothing can be done about a terminal that is gone.
            drop(error.print());
            return error.exit_code() as u8;
        }
    };
    // Nobody runs two commands in one process but tests, to which the first one will do.
    COMMAND_LINE.get_or_init(|| words);
    match arguments.run() {
        Ok(code) => code.number(),
        Err(error) => {
            say_error(&error);
            2
        }
    }
}

/// The words of the command line, for a report to repeat.
static COMMAND_LINE: OnceLock<Vec<OsString>> = OnceLock::new();

/// The words of the command line after the program's name.
fn words() -> impl Iterator<Item = String> {
    let words = COMMAND_LINE.get().into_iter().flatten();
    words.skip(1).map(|word| word.to_string_lossy().into_owned())
}
