//! One file per command.

mod ask;
mod audit;
mod calibrate;
mod clock;
mod completions;
mod cut;
mod data;
mod demo;
mod experiment;
mod fit;
mod frontier;
mod import;
mod inspect;
mod json_output;
mod ledger;
mod man;
pub mod numbers;
mod onnx_runtime;
mod plans;
mod public;
mod rules;
mod schema;
mod serve;
mod tables;
mod verify;

use clap::Subcommand;

use crate::exit_code::ExitCode;

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    Demo(demo::Demo),
    Schema(schema::SchemaCommand),
    Fit(fit::Fit),
    Import(import::Import),
    Inspect(inspect::Inspect),
    Ask(ask::Ask),
    Audit(audit::AuditArguments),
    Calibrate(calibrate::Calibrate),
    Frontier(frontier::FrontierArguments),
    Verify(verify::Verify),
    Serve(serve::Serve),
    Ledger(ledger::LedgerCommand),
    Keys(serve::KeysCommand),
    Data(data::Data),
    Experiment(experiment::Experiment),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    /// Runs the command; `program` describes all of them.
    pub fn run(self, program: fn() -> clap::Command) -> anyhow::Result<ExitCode> {
        match self {
            Command::Demo(command) => command.run(),
            Command::Schema(command) => command.run(),
            Command::Fit(command) => command.run(),
            Command::Import(command) => command.run(),
            Command::Inspect(command) => command.run(),
            Command::Ask(command) => command.run(),
            Command::Audit(command) => command.run(),
            Command::Calibrate(command) => command.run(),
            Command::Frontier(command) => command.run(),
            Command::Verify(command) => command.run(),
            Command::Serve(command) => command.run(),
            Command::Ledger(command) => command.run(),
            Command::Keys(command) => command.run(),
            Command::Data(command) => command.run(),
            Command::Experiment(command) => command.run(),
            Command::Completions(command) => command.run(program()),
            Command::Man(command) => command.run(program()),
        }
    }
}
