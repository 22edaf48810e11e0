//! `mindrel fit`: train a classifier and make a plan.

mod belief;
mod network;
mod questions;
mod roles;
mod training;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use mindrel::plan::Training;
use mindrel::schema::Visibility;
use mindrel::{People, Plan};
use mindrel_io::table::Table;
use mindrel_io::{output, plan_file};
use mindrel_train::Learner;
use mindrel_train::logistic::LogisticOptions;

pub use belief::BeliefArguments;
use network::NetworkArguments;
pub use questions::{QuestionArguments, infer_schema};
pub use roles::{EncodingName, RoleArguments};
pub use training::{accuracy, divide, plan_around, read_people, train};

use crate::commands::numbers;
use crate::terminal::output::say;
use crate::terminal::words::{self, percent};

/// Train a classifier on a table and make a plan.
///
/// A plan holds the questions, the model, and a belief about unknown answers.
///
/// Say which columns are sensitive (asked only when needed) with --sensitive or --public, or create a schema first with
/// `mindrel schema` and pass it with --schema.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel fit people.csv --label outcome --sensitive income,health -o people.plan
  mindrel fit people.csv --schema people.toml --holdout 0.3 -o people.plan
  mindrel fit people.csv --schema people.toml --model mlp --hidden 20,10 -o people.plan
  mindrel fit people.csv --schema people.toml --belief copula -o people.plan
  mindrel fit people.csv --schema people.toml --private-moments 1 -o people.plan")]
pub struct Fit {
    /// CSV file with a header line.
    table: PathBuf,
    #[command(flatten)]
    questions: QuestionArguments,
    /// Kind of classifier.
    #[arg(long, value_enum, default_value_t = ModelName::Logistic)]
    model: ModelName,
    /// Strength of the L2 penalty of logistic regression: 1/C in scikit-learn [default: 1].
    #[arg(long, value_name = "STRENGTH", allow_hyphen_values = true)]
    regularization: Option<f64>,
    /// Iterations after which a logistic regression that has not converged stops, with a warning [default: 100].
    #[arg(long, value_name = "N", value_parser = numbers::iterations, allow_hyphen_values = true)]
    max_iterations: Option<usize>,
    #[command(flatten)]
    network: NetworkArguments,
    #[command(flatten)]
    belief: BeliefArguments,
    /// Seed for holding out rows, and for training networks and beliefs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Share of rows to hold out for testing; `mindrel audit --held-out` audits only these.
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, allow_hyphen_values = true)]
    holdout: f64,
    /// Plan file to write.
    #[arg(short, long, value_name = "PLAN")]
    output: PathBuf,
}

/// Kinds of classifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModelName {
    /// Logistic regression: binary, or multinomial for three classes and more.
    Logistic,
    /// Network of rectified linear units, whose decisions are proved by branching.
    Mlp,
}

impl Fit {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        ensure!(
            (0.0..1.0).contains(&self.holdout),
            "--holdout must be at least 0 and below 1, not {}; 0.3 holds out 30 % of the rows",
            self.holdout
        );
        let learner = self.learner()?;
        let believer = self.belief.believer(self.seed)?;
        let inputs = [Some(&self.table), self.questions.schema()].into_iter().flatten();
        output::check_writable(&self.output, &inputs.map(PathBuf::as_path).collect::<Vec<&Path>>())?;
        let table = Table::file(&self.table);
        let schema = self.questions.find_schema(&table)?;
        let people = read_people(&table, &schema)?;
        let split =
            Training { rows: 0, holdout: self.holdout, seed: self.seed, table: table.digest()?, private_moments: None };
        let (kept, held_out, training) = divide(&people, split);
        let plan = train(&schema, &kept, &learner, &believer, training).with_context(|| table.name())?;
        plan_file::write(&self.output, &plan)?;
        say(&self.summary(&plan, &kept, &held_out))?;
        Ok(ExitCode::SUCCESS)
    }

    fn learner(&self) -> anyhow::Result<Learner> {
        match self.model {
            ModelName::Logistic => {
                if let Some(option) = self.network.given() {
                    bail!("{option} applies to networks only; add --model mlp, or leave it out");
                }
                let default = LogisticOptions::default();
                let regularization = self.regularization.unwrap_or(default.regularization);
                let max_iterations = self.max_iterations.unwrap_or(default.max_iterations);
                Ok(Learner::Logistic(LogisticOptions { regularization, max_iterations, ..default }))
            }
            ModelName::Mlp => {
                let given = [
                    ("--regularization", self.regularization.is_some()),
                    ("--max-iterations", self.max_iterations.is_some()),
                ];
                if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
                    bail!("{option} applies to logistic regression only; leave it out with --model mlp");
                }
                Ok(Learner::Network(self.network.options(self.seed)))
            }
        }
    }

    fn summary(&self, plan: &Plan, kept: &People, held_out: &People) -> String {
        let schema = plan.schema();
        let names = |visibility| {
            let names = words::names(schema, schema.ids_with(visibility));
            if names.is_empty() { "none".to_owned() } else { names }
        };
        let mut text =
            format!("Trained on {} rows; accuracy on them: {}.\n", kept.len(), percent(accuracy(plan, kept)));
        if !held_out.is_empty() {
            let accuracy = percent(accuracy(plan, held_out));
            text += &format!("Held out {} rows; accuracy on them: {accuracy}.\n", held_out.len());
        }
        text += &format!("Model:     {}\n", plan.model().describe());
        text += &format!("Belief:    {}\n", plan.belief().describe());
        text += &format!("Public:    {}\n", names(Visibility::Public));
        text += &format!("Sensitive: {}\n", names(Visibility::Sensitive));
        if let Some(private) = plan.training().and_then(|training| training.private_moments) {
            text += &format!(
                "The belief's mean and covariance were released with ({}, {:e})-differential privacy for the content \
                 of each row. This covers neither the model nor any bounds and levels inferred from the table.\n",
                private.epsilon, private.delta
            );
        }
        text += &format!("Plan written to {} ({}).\n", self.output.display(), plan.fingerprint());
        text += &format!("Next: mindrel ask {}\n", self.output.display());
        text
    }
}
