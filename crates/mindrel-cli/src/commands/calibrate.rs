//! `mindrel calibrate`: choose how early a plan may stop.

use std::path::PathBuf;

use anyhow::{bail, ensure};
use clap::Args;
use mindrel::plan::{Calibration, Evidence, check_promise, levels_of};
use mindrel::{People, Plan, Rules, Schema, Selector};
use mindrel_audit::{CalibrationOptions, THRESHOLDS, binomial, calibrate, group_confidence};
use mindrel_io::output::Readers;
use mindrel_io::plan_file;
use mindrel_io::table::{Decoder, LabelColumn, Unfit};
use serde::Serialize;

use super::json_output::JsonArguments;
use super::rules::RuleArguments;
use super::tables::{ReadingArguments, WritingArguments, tell_skipped};
use super::{numbers, plans};
use crate::exit_code::ExitCode;
use crate::terminal::audit_tables::{threshold_name, thresholds_table};
use crate::terminal::output::summarise;
use crate::terminal::progress;
use crate::terminal::words::{grouped, short_percent};

/// Limit how many decisions differ from those made with all answers.
///
/// Everyone in the table is decided at one threshold (delta) after another, from strict to loose. The last threshold at
/// which an exact binomial bound on the differing decisions ("flips") meets the limit is kept in the plan, for
/// `mindrel ask --calibrated` and `mindrel audit --calibrated`. If none meets it, delta is 0 and every decision is
/// proved; a black box, of which nothing can be proved, is then refused. The limit holds with the given confidence,
/// however wrong the plan's belief may be.
///
/// Use people the plan was not fitted on. If the table is the one it was fitted on, only the rows held out by
/// `mindrel fit --holdout` are used. The promise covers people from the same population who answer what they are
/// asked.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel calibrate people.plan others.csv --flips 0.01 --confidence 0.95 -o calibrated.plan
  mindrel calibrate people.plan others.csv --flips 0.02 --by region -o calibrated.plan
  mindrel ask calibrated.plan --calibrated")]
pub struct Calibrate {
    /// Plan file.
    plan: PathBuf,
    /// Table with the plan's columns, such as a CSV file, or `-` for standard input; the label column is optional.
    table: PathBuf,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Share of decisions that may differ from those made with all answers; 0.01 is one in a hundred.
    #[arg(long, value_name = "SHARE", value_parser = numbers::flips, allow_hyphen_values = true)]
    flips: f64,
    /// Confidence of the promise, for all groups together.
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    #[arg(value_parser = numbers::confidence, allow_hyphen_values = true)]
    confidence: f64,
    /// Make the promise to each group: a public question, either a category or yes/no, whose answers each get a
    /// threshold.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Rule that chooses the next question: decisive, f-score, f-score-mc, importance, importance-logistic or random.
    #[arg(long)]
    selector: Option<Selector>,
    #[command(flatten)]
    rules: RuleArguments,
    /// File to write the calibrated plan to.
    #[arg(short, long, value_name = "PLAN")]
    output: PathBuf,
    #[command(flatten)]
    json: JsonArguments,
    #[command(flatten)]
    writing: WritingArguments,
}

/// What was calibrated, for `--json`.
#[derive(Serialize)]
struct CalibrateResult<'a> {
    /// The fingerprint of the calibrated plan.
    plan: String,
    people: u64,
    /// As in the plan.
    calibration: &'a Calibration,
}

impl Calibrate {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        ensure!(
            self.rules.each_step().is_none(),
            "--deadline would make the promise depend on how busy this machine is; omit it, or lower --budget"
        );
        self.writing.check(&self.output, &[&self.plan, &self.table])?;
        self.json.check(&self.writing, &[&self.plan, &self.table, &self.output])?;
        let plan = plans::read(&self.plan)?;
        let options = self.options(&plan)?;
        let (people, whose) = self.people(&plan, &options.table)?;
        let bar = progress::decisions("calibrating", (people.len() * THRESHOLDS.len()) as u64);
        let calibration = calibrate(&plan, &people, &options, &|decisions| bar.inc(decisions as u64));
        bar.finish_and_clear();
        let calibration = calibration?;
        let calibrated = plan.with_calibration(calibration.clone())?;
        plan_file::write_with_notes(&self.output, &calibrated, plan_file::notes(&self.plan)?)?;
        let (plan, people) = (calibrated.fingerprint().to_string(), calibration.people());
        self.json.write(&CalibrateResult { plan, people, calibration: &calibration }, Readers::Anyone)?;
        if !self.json.replaces_text() {
            summarise(&self.summary(&calibrated, &calibration, whose))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The options, checked against the plan before the table is read.
    fn options(&self, plan: &Plan) -> anyhow::Result<CalibrationOptions> {
        check_promise(self.flips, self.confidence)?;
        if let Some(name) = &self.by {
            levels_of(plan.schema(), name)?;
        }
        let own = self.rules.over(plan.rules());
        let rules = Rules { selector: self.selector.unwrap_or(own.selector), ..own };
        plan.with_rules(rules)?;
        let table = self.reading.table(&self.table)?.digest()?;
        let Self { flips, confidence, by, .. } = self;
        let (flips, confidence, by) = (*flips, *confidence, by.clone());
        Ok(CalibrationOptions { flips, confidence, by, rules, table, stopped_by: None })
    }

    /// The people to calibrate on, and what to call them.
    fn people(&self, plan: &Plan, digest: &str) -> anyhow::Result<(People, &'static str)> {
        let table = self.reading.table(&self.table)?;
        let training = plan.training().filter(|training| training.table == digest);
        if training.is_some_and(|training| training.holdout == 0.0) {
            bail!(
                "{}: the plan was fitted on the whole of this table, which says nothing about other people; use \
                 another table, or fit again with --holdout",
                table.name()
            );
        }
        let bar = progress::bytes("reading", table.size());
        let blocks = table.open()?;
        let decoder = Decoder::new(&blocks, plan.schema(), LabelColumn::Optional, Unfit::Skip)?;
        let mut people = People::new(plan.schema().n_columns());
        for block in blocks {
            let block = block?;
            let is_kept = |line| training.is_none_or(|training| training.is_held_out(line));
            people.append(&decoder.decode_kept(&block, is_kept)?);
            bar.inc(block.size() as u64);
        }
        bar.finish_and_clear();
        tell_skipped(&decoder.skipped());
        ensure!(
            !people.is_empty(),
            "{}: no one in this table can be used for calibration; use another table",
            table.name()
        );
        Ok((people, if training.is_some() { "held-out people" } else { "people" }))
    }

    fn summary(&self, plan: &Plan, calibration: &Calibration, whose: &str) -> String {
        let n_people = grouped(calibration.people() as usize);
        let everywhere = if calibration.by.is_some() { ", in every group" } else { "" };
        let mut text = format!(
            "Calibrated on {n_people} {whose}. Promise: at most {} of decisions differ from those made with all answers\
             {everywhere}, with {} confidence.\n\n",
            short_percent(calibration.flips),
            short_percent(calibration.confidence),
        );
        text += &thresholds_table(calibration, plan.schema());
        text += "\n";
        text += &shortage(calibration, plan.schema());
        if calibration.groups.iter().any(|group| group.evidence == Evidence::Proof) {
            text += "At delta 0 every decision is proved: with answers within the declared ranges, none differs.\n";
        }
        text += &format!("Plan written to {} ({}).\n", self.output.display(), plan.fingerprint());
        text += &format!("Next: mindrel ask {} --calibrated\n", self.output.display());
        text
    }
}

/// Which groups are too small for the promise, and how many people it needs; empty if none is.
fn shortage(calibration: &Calibration, schema: &Schema) -> String {
    let occurring = calibration.groups.iter().filter(|group| group.people.is_some_and(|people| people > 0)).count();
    let needed = binomial::people_needed(calibration.flips, group_confidence(calibration.confidence, occurring));
    let small = calibration.groups.iter().filter(|group| group.people.is_none_or(|people| people < needed));
    let names: Vec<String> = small.map(|group| threshold_name(calibration, group, schema)).collect();
    if names.is_empty() {
        return String::new();
    }
    let needs = format!("Too few people: this promise needs at least {}", grouped(needed as usize));
    if calibration.by.is_none() {
        let people = grouped(calibration.people() as usize);
        return format!("{needs}, even if no decision differs, and there are {people}.\n");
    }
    format!("{needs} in each group, even if no decision differs; there are fewer in: {}.\n", names.join(", "))
}
