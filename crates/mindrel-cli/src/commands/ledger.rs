//! `mindrel ledger`: what a service has recorded.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use mindrel_io::input::{LONGEST_TEXT, read_whole};
use mindrel_io::output::Readers;
use mindrel_serve::ledger::{self, LedgerSummary, PlanSummary, Receipt};

use super::json_output::JsonArguments;
use super::tables::WritingArguments;
use crate::exit_code::ExitCode;
use crate::terminal::output::say_line;
use crate::terminal::words::{grouped, percent};

/// Check and summarise the ledger of `mindrel serve`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  mindrel ledger verify sqlite:mindrel-ledger.db
  mindrel ledger verify sqlite:mindrel-ledger.db --receipt receipt.json   {\"entry\": 17, \"hash\": \"…\"}
  mindrel ledger summary postgres://mindrel@db/ledger

Exit codes: 0 the ledger is intact, 1 it is not, 2 bad input.")]
pub struct LedgerCommand {
    #[command(subcommand)]
    command: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Check that no entry was changed or removed.
    ///
    /// The chain of hashes reveals every change and removal, except that of the last entries. Their removal is found
    /// with a receipt of one of them, or with the number and hash that an earlier check printed.
    Verify {
        /// sqlite:FILE or postgres://USER@HOST/DATABASE.
        ledger: String,
        /// Receipt to check against the ledger: {"entry": NUMBER, "hash": "HEXADECIMAL"}; may be repeated.
        #[arg(long, value_name = "FILE.json")]
        receipt: Vec<PathBuf>,
        #[command(flatten)]
        json: JsonArguments,
        #[command(flatten)]
        writing: WritingArguments,
    },
    /// Show how many decisions there were, how little was asked, and the guarantees of the decisions.
    Summary {
        /// sqlite:FILE or postgres://USER@HOST/DATABASE.
        ledger: String,
        #[command(flatten)]
        json: JsonArguments,
        #[command(flatten)]
        writing: WritingArguments,
    },
}

impl LedgerCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (summary, text, json) = match self.command {
            Which::Verify { ledger, receipt, json, writing } => {
                json.check(&writing, &receipt.iter().map(PathBuf::as_path).collect::<Vec<&Path>>())?;
                let receipts =
                    receipt.iter().map(|path| read_receipt(path)).collect::<anyhow::Result<Vec<Receipt>>>()?;
                let summary = read(&ledger, &receipts)?;
                let text = verdict(&summary);
                (summary, text, json)
            }
            Which::Summary { ledger, json, writing } => {
                json.check(&writing, &[])?;
                let summary = read(&ledger, &[])?;
                let plans = summary
                    .plans
                    .iter()
                    .map(|(fingerprint, plan)| format!("\n\nPlan {fingerprint}\n  {}", lines(plan).join("\n  ")));
                let text = verdict(&summary) + &plans.collect::<String>();
                (summary, text, json)
            }
        };
        json.write(&summary, Readers::Anyone)?;
        if !json.replaces_text() {
            say_line(&text)?;
        }
        Ok(if summary.broken.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

/// Checks and sums up a ledger, which must exist already.
fn read(address: &str, receipts: &[Receipt]) -> anyhow::Result<LedgerSummary> {
    if let Some(path) = address.strip_prefix("sqlite:")
        && !Path::new(path).exists()
    {
        bail!("{path}: there is no ledger");
    }
    Ok(ledger::verify(&mut *ledger::open(address)?, receipts)?)
}

fn read_receipt(path: &Path) -> anyhow::Result<Receipt> {
    let receipt = serde_json::from_slice(&read_whole(path, LONGEST_TEXT)?);
    receipt.with_context(|| {
        format!("{}: not a receipt, which is {{\"entry\": NUMBER, \"hash\": \"HEXADECIMAL\"}}", path.display())
    })
}

fn verdict(summary: &LedgerSummary) -> String {
    match (&summary.broken, &summary.head) {
        (Some(what), _) => format!("BROKEN: {what}."),
        (None, None) => "Intact. There are no entries yet.".to_owned(),
        (None, Some(head)) => format!("Intact. Entries: {}. Last hash: {head}.", grouped(summary.entries as usize)),
    }
}

fn lines(plan: &PlanSummary) -> Vec<String> {
    let possible = plan.entries * plan.questions as u64;
    let share = if possible == 0 { 0.0 } else { plan.asked as f64 / possible as f64 };
    let mean = plan.asked as f64 / plan.entries as f64;
    let mut lines = vec![
        format!("Sessions: {}", grouped(plan.entries as usize)),
        format!(
            "Answered on average: {mean:.2} of {} questions ({} of what could have been asked)",
            plan.questions,
            percent(share)
        ),
        format!("Declined in total: {}", grouped(plan.declined as usize)),
    ];
    lines.extend(plan.guarantees.iter().map(|(name, count)| format!("Guarantee {name}: {}", grouped(*count as usize))));
    let asked = |(name, count): (&String, &u64)| {
        format!("Question {name}: answered in {} of sessions", percent(*count as f64 / plan.entries as f64))
    };
    lines.extend(plan.by_question.iter().map(asked));
    lines
}
