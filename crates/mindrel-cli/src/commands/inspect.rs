//! `mindrel inspect`: look at a plan before anyone is asked.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use mindrel::inspect::Inspection;
use mindrel_io::output::{Readers, write_whole};

use super::json_output::JsonArguments;
use super::public::given_public;
use super::rules::SessionRules;
use super::tables::WritingArguments;
use super::{numbers, plans};
use crate::exit_code::ExitCode;
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
    /// Public answers of the person to look at: name=value,…; may be repeated. The others take their expected values.
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    public: Vec<String>,
    /// Maximum depth of the tree.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::depth, allow_hyphen_values = true)]
    depth: usize,
    #[command(flatten)]
    json: JsonArguments,
    /// Also draw the tree of the first questions as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    writing: WritingArguments,
    #[command(flatten)]
    rules: SessionRules,
}

impl Inspect {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        self.json.check(&self.writing, &[&self.plan])?;
        if let Some(path) = &self.svg {
            self.writing.check(path, &[&self.plan])?;
        }
        let inspection = self.inspect()?;
        if let Some(path) = &self.svg {
            write_whole(path, mindrel_report::question_tree(&inspection).to_svg().as_bytes(), Readers::Anyone)?;
        }
        self.json.write(&inspection, Readers::Anyone)?;
        if !self.json.replaces_text() {
            say(&inspection_text(&inspection))?;
        }
        if let Some(path) = &self.svg {
            remark(&format!("Tree written to {}.", path.display()));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn inspect(&self) -> anyhow::Result<Inspection> {
        let plan = self.rules.applied_to(&plans::read(&self.plan)?)?;
        let public = given_public(&plan, &self.public)?;
        let bar = progress::spinner("inspecting the plan");
        let inspection = Inspection::of(&plan, &public, self.depth).context("--public");
        bar.finish_and_clear();
        inspection
    }
}
