//! `mindrel inspect`: look at a plan before anyone is asked.

mod drawing;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use mindrel::core_test::Test;
use mindrel::inspect::Inspection;
use mindrel::{Rules, Selector};
use mindrel_io::output;

use super::public::given_public;
use super::rules::RuleArguments;
use super::tables::WritingArguments;
use super::{numbers, plans};
use crate::terminal::inspection::inspection_text;
use crate::terminal::output::{remark, say};
use crate::terminal::progress;

/// Look at a plan before anyone is asked.
///
/// Shows the questions with their possible answers and costs, the model and the belief, the guarantees a decision can
/// have, what the average person is asked, the most anyone can be asked (exactly, or as a bound), questions that no
/// one is asked or that no decision depends on, and the first questions as a tree. The average person comes from the
/// plan's belief: the answers shown are no one's.
#[derive(Args)]
#[command(after_help = "\
Examples:
  mindrel inspect people.plan
  mindrel inspect people.plan --public age=40,region=north --delta 0.05 --depth 4
  mindrel inspect people.plan --svg tree.svg --json inspection.json")]
pub struct Inspect {
    /// Plan file.
    plan: PathBuf,
    /// Failure probability; 0 requires a proof [default: the plan's].
    #[arg(long, allow_hyphen_values = true)]
    delta: Option<f64>,
    /// Rule that chooses the next question: decisive, f-score, f-score-mc, importance, importance-logistic or random
    /// [default: the plan's].
    #[arg(long)]
    selector: Option<Selector>,
    /// Test at delta 0: certified (a proof) or, for models that are not linear, sampled (no proof) [default: the
    /// plan's].
    #[arg(long)]
    test: Option<Test>,
    /// Public answers of the person to look at: name=value,…; may be repeated. The others take their expected values.
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    public: Vec<String>,
    /// Maximum depth of the tree.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::depth, allow_hyphen_values = true)]
    depth: usize,
    /// Also write everything as JSON; without a file name, or with `-`, print it instead of the text.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Also draw the tree of the first questions as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    writing: WritingArguments,
    #[command(flatten)]
    rules: RuleArguments,
}

impl Inspect {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let to_stdout = self.json.as_deref().is_some_and(|path| path.as_os_str() == "-");
        let json = self.json.as_deref().filter(|_| !to_stdout);
        for path in [json, self.svg.as_deref()].into_iter().flatten() {
            self.writing.check(path, &[&self.plan])?;
        }
        let inspection = self.inspect()?;
        let text = serde_json::to_string_pretty(&inspection)? + "\n";
        if let Some(path) = &self.svg {
            write(path, &drawing::tree(&inspection).to_svg())?;
        }
        if let Some(path) = json {
            write(path, &text)?;
        }
        say(&if to_stdout { text } else { inspection_text(&inspection) })?;
        if let Some(path) = &self.svg {
            remark(&format!("Tree written to {}.", path.display()));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn inspect(&self) -> anyhow::Result<Inspection> {
        let plan = plans::read(&self.plan)?;
        let own = *plan.rules();
        let plan = plan.with_rules(Rules {
            delta: self.delta.unwrap_or(own.delta),
            selector: self.selector.unwrap_or(own.selector),
            test: self.test.unwrap_or(own.test),
            ..self.rules.over(&own)
        })?;
        let public = given_public(&plan, &self.public)?;
        let bar = progress::spinner("inspecting the plan");
        let inspection = Inspection::of(&plan, &public, self.depth).context("--public");
        bar.finish_and_clear();
        inspection
    }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    Ok(output::write_whole(path, text.as_bytes(), output::Readers::Anyone)?)
}
