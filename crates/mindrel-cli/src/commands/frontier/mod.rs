//! `mindrel frontier`: which sensitive questions are worth having.

mod drawing;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use mindrel::Plan;
use mindrel::plan::Training;
use mindrel_experiment::frontier::{Frontier, FrontierOptions, frontier};
use mindrel_io::output::{Readers, write_whole};
use mindrel_io::plan_file;
use mindrel_train::mlp::MlpOptions;

use super::fit::{QuestionArguments, read_people};
use super::json_output::JsonArguments;
use super::numbers;
use super::tables::{ReadingArguments, WritingArguments};
use crate::exit_code::ExitCode;
use crate::terminal::frontier::frontier_text;
use crate::terminal::output::{remark, say};
use crate::terminal::progress;

/// Find out which sensitive questions are worth having.
///
/// Trains logistic regressions with several strengths of regularization, one with fewer and fewer sensitive questions
/// (dropping first the question that affects its scores least), and a network. For each, decides the held-out people at
/// delta 0: how often correctly, and after how many questions on average?
///
/// Half of the held-out rows serve to choose: among the models within --within of the best accuracy, the one that asks
/// least. Results are reported on the other half, because a choice looks better on the rows it was made on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel frontier people.csv --label outcome --sensitive income,health -o frontier.html
  mindrel frontier people.csv --schema people.toml --within 0.01 --plan people.plan
  mindrel audit people.plan people.csv --held-out         # more about the chosen plan, on both halves")]
pub struct FrontierArguments {
    /// Table with a header line, such as a CSV file; `-` for standard input.
    table: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    writing: WritingArguments,
    #[command(flatten)]
    questions: QuestionArguments,
    /// How far the accuracy of the chosen model may be below the best; 0.005 is half a percentage point.
    #[arg(long, value_name = "SHARE", default_value_t = 0.005)]
    #[arg(value_parser = numbers::within, allow_hyphen_values = true)]
    within: f64,
    /// Share of rows to hold out: half to choose on, half to report on.
    #[arg(long, value_name = "FRACTION", default_value_t = 0.4)]
    #[arg(value_parser = numbers::held_out_for_choice, allow_hyphen_values = true)]
    holdout: f64,
    /// Seed for the split and for training the network.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Skip the network, which takes longest.
    #[arg(long)]
    no_network: bool,
    /// Work that one step with the network may take, in elementary operations [default: 100000000].
    #[arg(long, value_name = "OPERATIONS", value_parser = numbers::budget, allow_hyphen_values = true)]
    budget: Option<u64>,
    /// Maximum number of people to decide in each half, spread over the table [default: all].
    #[arg(long, value_name = "N", value_parser = numbers::people, allow_hyphen_values = true)]
    people: Option<usize>,
    /// Also write an HTML page with the chart and its numbers.
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    /// Also write the chart alone as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArguments,
    /// Also write the plan of the chosen model.
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,
}

impl FrontierArguments {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let inputs = [Some(&self.table), self.questions.schema()].into_iter().flatten();
        let inputs: Vec<&Path> = inputs.map(PathBuf::as_path).collect();
        self.json.check(&self.writing, &inputs)?;
        for path in [&self.output, &self.svg, &self.plan].into_iter().flatten() {
            self.writing.check(path, &inputs)?;
        }
        let (report, plan) = self.measure()?;
        self.write(&report, &plan)?;
        if !self.json.replaces_text() {
            say(&frontier_text(&report))?;
        }
        for path in [&self.output, &self.svg, &self.plan].into_iter().flatten() {
            remark(&format!("Written to {}", path.display()));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn measure(&self) -> anyhow::Result<(Frontier, Plan)> {
        let table = self.reading.table(&self.table)?;
        let training =
            Training { rows: 0, holdout: self.holdout, seed: self.seed, table: table.digest()?, private_moments: None };
        let schema = self.questions.find_schema(table, &training)?;
        let people = read_people(table, &schema, &training)?;
        let defaults = FrontierOptions::default();
        let network = MlpOptions { seed: self.seed, ..MlpOptions::default() };
        let options = FrontierOptions {
            within: self.within,
            network: (!self.no_network).then_some(network),
            budget: self.budget.unwrap_or(defaults.budget),
            people: self.people,
            ..defaults
        };
        let bar = progress::parts();
        let found = frontier(&schema, &people, &training, &options, &|done, all, doing| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            bar.set_message(doing.to_owned());
        });
        bar.finish_and_clear();
        found.with_context(|| table.name().to_owned())
    }

    fn write(&self, report: &Frontier, plan: &Plan) -> anyhow::Result<()> {
        let whole = |path: &Path, text: &str| write_whole(path, text.as_bytes(), Readers::Anyone);
        let figure = drawing::figure(report);
        if let Some(path) = &self.svg {
            whole(path, &figure.to_svg())?;
        }
        if let Some(path) = &self.output {
            whole(path, &drawing::page(report, &figure))?;
        }
        if let Some(path) = &self.plan {
            plan_file::write(path, plan)?;
        }
        self.json.write(report, Readers::Anyone)
    }
}
