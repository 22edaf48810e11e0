//! `mindrel audit`: what a plan asks of many people.

mod moment;
mod page;
mod people;
mod runs;
mod show;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::Args;
use mindrel::core_test::Test;
use mindrel::plan::Calibration;
use mindrel::{Plan, Selector};
use mindrel_audit::AuditOutcome;
use mindrel_io::output;
use mindrel_io::table::SkippedRows;
use mindrel_report::ReportFacts;
use serde::Serialize;

use super::json_output::JsonArguments;
use super::plans;
use super::rules::{NOT_CALIBRATED, RuleArguments};
use super::tables::{ReadingArguments, WritingArguments};
use crate::exit_code::ExitCode;
use crate::terminal::audit_tables::in_words;
use crate::terminal::interrupt::clean_up_when_stopped;
use crate::terminal::output::say;

/// Audit a plan on a table of people: what would each be asked?
///
/// Tells how many questions people are asked on average, how many decisions differ from those made with all answers
/// (flips), and how many are right. The text is about one run: the first --delta and --selector, or else the plan's own
/// rules; other runs are compared in the page (--report), in the JSON and with --verbose. At delta 0 a certified test
/// has no flips among people within the declared ranges; a sampled test only finds no counterexample, and may have
/// some. The table is streamed: it may have any length, needs little memory and uses all cores.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel audit people.plan people.csv --delta 0,0.05 --selector decisive,f-score --json audit.json
  mindrel audit network.plan people.csv --delta 0 --test certified,sampled
  mindrel audit people.plan people.csv --compare other.plan       # same model, different belief
  mindrel audit calibrated.plan others.csv --calibrated
  mindrel audit people.plan people.csv --by sex,region            # are some groups asked more?
  mindrel audit people.plan people.csv --giveaway --people-csv everybody.csv
  mindrel audit people.plan people.csv --held-out --by sex --giveaway --report audit.html
  mindrel audit people.plan people.csv --held-out --delta 0.05,0,0.01 --report audit.html   # report on delta 0.05")]
pub struct AuditArguments {
    /// Plan file.
    plan: PathBuf,
    /// Table with the plan's columns, such as a CSV file, or `-` for standard input; the label column is optional.
    table: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    writing: WritingArguments,
    /// Also audit these plans, which must have the same questions and model, to see what a different belief changes.
    #[arg(long, value_name = "PLAN", num_args = 1..)]
    compare: Vec<PathBuf>,
    /// Audit the rules that `mindrel calibrate` stored in the plan: do as few decisions differ as promised?
    #[arg(long, conflicts_with_all = NOT_CALIBRATED)]
    calibrated: bool,
    /// Failure probabilities; 0 requires a proof [default: the plan's among 0,0.01,0.05,0.1].
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true)]
    delta: Option<Vec<f64>>,
    /// Rules that choose the next question: decisive, f-score, f-score-mc, importance, importance-logistic, random
    /// [default: the plan's].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    selector: Option<Vec<Selector>>,
    /// Tests at delta 0: certified (a proof) and, for models that are not linear, sampled (no proof) [default: the
    /// plan's].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    test: Option<Vec<Test>>,
    /// Baselines: all (every question is asked), optimal (the fewest answers that prove the decision, found by
    /// knowing them all), none [default: all,optimal; for a black box: all].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    baseline: Option<Vec<String>>,
    /// Audit only N people, drawn at random from the whole table; --seed draws others.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Audit only the first N people of the table.
    #[arg(long, value_name = "N", conflicts_with = "limit")]
    first: Option<usize>,
    /// Audit only the rows held out by `mindrel fit --holdout`; the table must be the one the plan was fitted on.
    #[arg(long)]
    held_out: bool,
    /// Compare groups of people by one or two columns of the table, whether or not the plan uses them; by two, also
    /// by both at once. Are some groups asked more, or decided less accurately? Columns with many different numbers
    /// are split at their quartiles.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    by: Vec<String>,
    /// Also measure how well the unasked answers can be inferred from the others; takes about twice as long.
    #[arg(long)]
    giveaway: bool,
    #[command(flatten)]
    rules: RuleArguments,
    /// Write a one-page report in plain words, for whoever answers for the decisions. It opens in any browser, offline.
    ///
    /// The report is about the first --delta and --selector, or by default about the plan's own rules (with
    /// --calibrated, the calibrated ones). By default it also compares a few other deltas and, at the same delta, the
    /// rules importance and, where it is fast, f-score. SOURCE_DATE_EPOCH, if set, is the time shown.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Write a row for each person and run: what was asked, in which order, and what was decided. The file contains
    /// no answers except the groups of --by. It is still about individuals, so only you can read it.
    #[arg(long, value_name = "FILE")]
    people_csv: Option<PathBuf>,
    /// Merge groups and classes with fewer people than this, or leave them out if together they still have fewer.
    #[arg(long, value_name = "N", default_value_t = mindrel_audit::SMALLEST_GROUP)]
    smallest_group: u64,
    /// Show the figures of all runs, not only of the one that the audit is about.
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    json: JsonArguments,
}

/// What was found, for `--json`.
#[derive(Serialize)]
struct AuditResult<'a> {
    #[serde(flatten)]
    outcome: &'a AuditOutcome,
    /// Rows that the plan could not read.
    left_out: &'a [SkippedRows],
}

impl AuditArguments {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        self.check_outputs()?;
        let when = self.report.is_some().then(moment::now).transpose()?;
        clean_up_when_stopped()?;
        let plan = plans::read(&self.plan)?;
        let mut runs = self.asking_runs(&plan, &self.plan)?;
        let chosen = self.chosen(&plan, &runs);
        runs.extend(self.rivals(&plan, &runs[chosen])?);
        let mut calibrated = vec![(self.plan_name(&self.plan), plan.calibration().cloned())];
        for path in &self.compare {
            let other = read_alike(path, &plan)?;
            runs.extend(self.asking_runs(&other, path)?);
            calibrated.push((self.plan_name(path), other.calibration().cloned()));
        }
        runs.extend(self.baseline_runs(&plan)?);
        let (report, skipped) = self.audit(&plan, &runs)?;
        let about = self.about(when.unwrap_or_default(), chosen, report.people, &skipped)?;
        if let Some(path) = &self.report {
            let page = mindrel_report::page(&report, &plan, &about);
            output::write_whole(path, page.as_bytes(), output::Readers::Anyone)?;
        }
        self.json.write(&AuditResult { outcome: &report, left_out: &skipped }, output::Readers::Anyone)?;
        if self.json.replaces_text() {
            return Ok(ExitCode::SUCCESS);
        }
        let mut findings = mindrel_report::findings(&report, &plan, &about);
        if !self.compare.is_empty() {
            findings.warnings.extend(self.on_own_table(&calibrated, &about));
        }
        self.show(&in_words(&report, plan.schema()), &findings, chosen)?;
        if let Some(path) = &self.report {
            say(&format!("\nReport written to {}.\n", path.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses outputs that cannot be written or would replace something that is read, before the work that leads up
    /// to them.
    fn check_outputs(&self) -> anyhow::Result<()> {
        let inputs: Vec<&Path> =
            [&self.plan, &self.table].into_iter().chain(&self.compare).map(PathBuf::as_path).collect();
        let outputs = [
            ("--json", self.json.file()),
            ("--people-csv", self.people_csv.as_deref()),
            ("--report", self.report.as_deref()),
        ];
        let outputs: Vec<(&str, &Path)> =
            outputs.into_iter().filter_map(|(option, path)| Some((option, path?))).collect();
        for (place, &(option, path)) in outputs.iter().enumerate() {
            self.writing.check(path, &inputs)?;
            if let Some((earlier, _)) = outputs[..place].iter().find(|(_, other)| *other == path) {
                bail!("{earlier} and {option} name the same file; give each its own");
            }
            ensure!(
                option == "--json" || path != Path::new("-"),
                "{option} needs the name of a file, such as /dev/stdout"
            );
        }
        Ok(())
    }

    /// What a sentence calls a plan.
    fn plan_name(&self, path: &Path) -> String {
        if self.compare.is_empty() { "The plan".to_owned() } else { path.display().to_string() }
    }

    /// A sentence for each plan whose calibrated rules are audited on the table they were calibrated on.
    fn on_own_table(&self, plans: &[(String, Option<Calibration>)], about: &ReportFacts) -> Vec<String> {
        let is_own = |calibration: &Calibration| self.calibrated && about.digest.as_ref() == Some(&calibration.table);
        let own = plans.iter().filter(|(_, calibration)| calibration.as_ref().is_some_and(is_own));
        own.map(|(name, _)| format!("{name} was calibrated on this table, so its flips here say nothing new."))
            .collect()
    }
}

/// Reads a plan to compare with another: the same questions and the same model.
fn read_alike(path: &Path, plan: &Plan) -> anyhow::Result<Plan> {
    let other = plans::read(path)?;
    let differs = if other.schema() != plan.schema() {
        "its questions are"
    } else if other.model() != plan.model() {
        "its model is"
    } else {
        return Ok(other);
    };
    bail!(
        "{}: {differs} different from the first plan's, so the two cannot be compared; audit it separately",
        path.display()
    )
}
