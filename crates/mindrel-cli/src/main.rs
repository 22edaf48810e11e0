//! `mindrel`: decide about a person while asking for as little as possible.

mod commands;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;
use terminal::output::say_error;

/// Decide about a person with a trained classifier while asking for as little as possible.
///
/// Some of what a classifier needs is known beforehand (public); the rest is sensitive. mindrel asks for the sensitive
/// answers one at a time, always for the one that settles the decision best, and stops as soon as nothing that is still
/// unknown can change it: with a proof (delta 0), or with a probability of at least 1 - delta.
#[derive(Parser)]
#[command(name = "mindrel", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "\
A first tour:
  mindrel demo                                             see it at work on embedded data
  mindrel schema people.csv --label outcome -o people.toml  propose the questions; edit the file
  mindrel fit people.csv --schema people.toml -o people.plan
  mindrel import model.onnx --table people.csv --schema people.toml -o people.plan
                                                           or bring a model of your own
  mindrel inspect people.plan                              see what it asks, typically and at most
  mindrel ask people.plan                                  be asked
  mindrel audit people.plan people.csv                     see what many people would be asked
  mindrel calibrate people.plan others.csv --flips 0.01 -o calibrated.plan
                                                           promise that few decisions differ
  mindrel frontier people.csv --schema people.toml         find which questions to have at all
  mindrel serve people.plan                                put it on the web: an API and a form

Exit codes: 0 done, 1 a certificate or a ledger does not hold, 2 bad input.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command.run() {
        Ok(code) => code,
        Err(error) => {
            say_error(&error);
            ExitCode::from(2)
        }
    }
}
