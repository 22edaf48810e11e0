//! `mindrel fit`: train a classifier and make a plan.

mod belief;
mod network;
mod quality;
mod questions;
mod roles;
mod training;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use mindrel::plan::PlanParts;
use mindrel::schema::Visibility;
use mindrel::{People, Plan};
use mindrel_io::output::Readers;
use mindrel_io::plan_file;
use mindrel_train::Learner;
use mindrel_train::logistic::LogisticOptions;
use serde::Serialize;

pub use belief::BeliefArguments;
use network::NetworkArguments;
pub use quality::Quality;
pub use questions::{InferenceArguments, QuestionArguments, infer_schema, notes};
pub use roles::{EncodingName, RoleArguments};
pub use training::{divide, plan_around, read_people, train};

use crate::commands::cut::CutArguments;
use crate::commands::json_output::JsonArguments;
use crate::commands::numbers;
use crate::commands::tables::{ReadingArguments, SplitArguments, WritingArguments};
use crate::exit_code::ExitCode;
use crate::terminal::output::summarise;
use crate::terminal::words::grouped;

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
  mindrel fit people.csv --schema people.toml --error-costs no=1,yes=5 -o people.plan
  mindrel fit people.csv --schema people.toml --belief copula -o people.plan
  mindrel fit people.csv --schema people.toml --private-moments 1 -o people.plan")]
pub struct Fit {
    /// Table with a header line, such as a CSV file; `-` for standard input.
    table: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
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
    cut: CutArguments,
    #[command(flatten)]
    belief: BeliefArguments,
    #[command(flatten)]
    split: SplitArguments,
    /// Plan file to write.
    #[arg(short, long, value_name = "PLAN")]
    output: PathBuf,
    #[command(flatten)]
    json: JsonArguments,
    #[command(flatten)]
    writing: WritingArguments,
}

/// What was fitted, for `--json`.
#[derive(Serialize)]
struct FitResult<'a> {
    /// The fingerprint of the plan.
    plan: String,
    model: String,
    belief: String,
    public: Vec<&'a str>,
    sensitive: Vec<&'a str>,
    /// On the rows it was trained on.
    training: Quality,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<Quality>,
}

/// The second class of a model that is trained here.
const SECOND: usize = 1;

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
        let learner = self.learner()?;
        let believer = self.belief.believer(self.split.seed)?;
        let inputs = [Some(&self.table), self.questions.schema()].into_iter().flatten();
        let inputs: Vec<&Path> = inputs.map(PathBuf::as_path).collect();
        self.writing.check(&self.output, &inputs)?;
        self.json.check(&self.writing, &inputs)?;
        let table = self.reading.table(&self.table)?;
        let split = self.split.of(table)?;
        let schema = self.questions.find_schema(table, &split)?;
        let people = read_people(table, &schema, &split)?;
        let (kept, held_out, training) = divide(&people, split);
        let plan = train(&schema, &kept, &learner, &believer, training).with_context(|| table.name().to_owned())?;
        let plan = self.cut(plan)?;
        plan_file::write(&self.output, &plan)?;
        let result = FitResult::new(&plan, &kept, &held_out);
        self.json.write(&result, Readers::Anyone)?;
        if !self.json.replaces_text() {
            summarise(&self.summary(&plan, &result))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The plan, with its model cut at the threshold or by the costs of errors, if they are given.
    fn cut(&self, plan: Plan) -> anyhow::Result<Plan> {
        let Some(costs) = self.cut.costs(plan.schema().target(), SECOND)? else { return Ok(plan) };
        let model = plan.model().with_error_costs(&costs)?.expect("what is trained here is logistic");
        Ok(Plan::try_from(PlanParts { model, ..plan.to_parts() })?)
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
                Ok(Learner::Network(self.network.options(self.split.seed)))
            }
        }
    }

    fn summary(&self, plan: &Plan, result: &FitResult<'_>) -> String {
        let names = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let FitResult { training, held_out, .. } = result;
        let mut text = format!("Trained on {} rows: {}.\n", grouped(training.people), training.figures());
        if let Some(held_out) = held_out {
            text += &format!("Held out {} rows: {}.\n", grouped(held_out.people), held_out.figures());
        }
        text += &held_out.as_ref().unwrap_or(training).table(plan.schema().target());
        text += &format!("Model:     {}\n", result.model);
        text += &self.cut.summary(plan.schema().target(), SECOND);
        text += &format!("Belief:    {}\n", result.belief);
        text += &format!("Public:    {}\n", names(&result.public));
        text += &format!("Sensitive: {}\n", names(&result.sensitive));
        if let Some(private) = plan.training().and_then(|training| training.private_moments) {
            text += &format!(
                "The belief's mean and covariance were released with ({}, {:e})-differential privacy for the content \
                 of each row. This covers neither the model nor any bounds and levels inferred from the table.\n",
                private.epsilon, private.delta
            );
        }
        text += &format!("Plan written to {} ({}).\n", self.output.display(), plan.fingerprint());
        let (plan, table) = (self.output.display(), self.table.display());
        text += &if held_out.is_none() {
            format!(
                "Next: mindrel ask {plan}\nAudit it on people it was not trained on, or hold some out with --holdout.\n"
            )
        } else {
            format!("Next: mindrel audit {plan} {table} --held-out\n")
        };
        text
    }
}

impl<'a> FitResult<'a> {
    fn new(plan: &'a Plan, kept: &People, held_out: &People) -> Self {
        let schema = plan.schema();
        let names = |visibility| schema.ids_with(visibility).map(|id| schema.question(id).name.as_str()).collect();
        FitResult {
            plan: plan.fingerprint().to_string(),
            model: plan.model().describe(),
            belief: plan.belief().describe(),
            public: names(Visibility::Public),
            sensitive: names(Visibility::Sensitive),
            training: Quality::of(plan, kept),
            held_out: (!held_out.is_empty()).then(|| Quality::of(plan, held_out)),
        }
    }
}
