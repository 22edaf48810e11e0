//! `mindrel ledger`: what a service recorded.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use mindrel_serve::ledger::{self, PlanSummary, Receipt, Summary};

use crate::terminal::output::say_line;
use crate::terminal::words::{grouped, percent};

/// Check and sum up the ledger that `mindrel serve` keeps.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  mindrel ledger verify sqlite:mindrel-ledger.db
  mindrel ledger verify sqlite:mindrel-ledger.db --receipt receipt.json   {\"entry\": 17, \"hash\": \"…\"}
  mindrel ledger summary postgres://mindrel@db/ledger

Exit codes: 0 the chain is whole, 1 it is not, 2 bad input.")]
pub struct LedgerCommand {
    #[command(subcommand)]
    command: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Check that no entry was changed or removed.
    ///
    /// The chain shows every change and removal but that of the last entries; those show against a receipt given out
    /// for one of them, or against the number and hash that an earlier check printed.
    Verify {
        /// sqlite:FILE or postgres://USER@HOST/DATABASE.
        ledger: String,
        /// Receipt that must be of an entry: {"entry": NUMBER, "hash": "HEXADECIMAL"}; may be repeated.
        #[arg(long, value_name = "FILE.json")]
        receipt: Vec<PathBuf>,
    },
    /// Say how many decisions there were, how little was asked, and what they rest on.
    Summary {
        /// sqlite:FILE or postgres://USER@HOST/DATABASE.
        ledger: String,
    },
}

impl LedgerCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Which::Verify { ledger, receipt } => {
                let receipts = receipt.iter().map(read_receipt).collect::<anyhow::Result<Vec<Receipt>>>()?;
                let summary = read(&ledger, &receipts)?;
                say_line(&verdict(&summary))?;
                Ok(if summary.broken.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS })
            }
            Which::Summary { ledger } => {
                let summary = read(&ledger, &[])?;
                say_line(&verdict(&summary))?;
                for (fingerprint, plan) in &summary.plans {
                    say_line(&format!("\nPlan {fingerprint}"))?;
                    for line in lines(plan) {
                        say_line(&format!("  {line}"))?;
                    }
                }
                Ok(if summary.broken.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS })
            }
        }
    }
}

/// A ledger that is only read must be there already.
fn read(address: &str, receipts: &[Receipt]) -> anyhow::Result<Summary> {
    if let Some(path) = address.strip_prefix("sqlite:")
        && !std::path::Path::new(path).exists()
    {
        bail!("{path}: there is no ledger");
    }
    Ok(ledger::verify(&mut *ledger::open(address)?, receipts)?)
}

fn read_receipt(path: &PathBuf) -> anyhow::Result<Receipt> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let receipt = serde_json::from_str(&text);
    receipt
        .with_context(|| format!("{}: is no receipt: {{\"entry\": NUMBER, \"hash\": \"HEXADECIMAL\"}}", path.display()))
}

fn verdict(summary: &Summary) -> String {
    match (&summary.broken, &summary.head) {
        (Some(what), _) => format!("BROKEN: {what}."),
        (None, None) => "Whole: no entries yet.".to_owned(),
        (None, Some(head)) => {
            format!("Whole: {} entries; the last has the hash {head}.", grouped(summary.entries as usize))
        }
    }
}

fn lines(plan: &PlanSummary) -> Vec<String> {
    let possible = plan.entries * plan.questions as u64;
    let share = if possible == 0 { 0.0 } else { plan.asked as f64 / possible as f64 };
    let mean = plan.asked as f64 / plan.entries as f64;
    let mut lines = vec![
        format!("{} ends of sessions", grouped(plan.entries as usize)),
        format!(
            "{mean:.2} of {} questions answered on average: {} of what could have been asked",
            plan.questions,
            percent(share)
        ),
        format!("{} declined", grouped(plan.declined as usize)),
    ];
    lines.extend(plan.guarantees.iter().map(|(name, count)| format!("{name}: {}", grouped(*count as usize))));
    let asked = |(name, count): (&String, &u64)| {
        format!("asked {name}: {} of sessions", percent(*count as f64 / plan.entries as f64))
    };
    lines.extend(plan.by_question.iter().map(asked));
    lines
}
