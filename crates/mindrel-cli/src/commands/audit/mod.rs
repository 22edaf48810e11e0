//! `mindrel audit`: what a plan asks of many people.

mod people;
mod show;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail, ensure};
use clap::Args;
use mindrel::core_test::Test;
use mindrel::plan::Calibration;
use mindrel::session::StartError;
use mindrel::{Plan, Rules, Selector};
use mindrel_audit::{Rule, Run};
use mindrel_io::table::Table;
use mindrel_io::{output, plan_file};

use super::rules::{NOT_CALIBRATED, RuleArguments};
use crate::terminal::output::say;

/// Audit a plan on a table of people: what would each be asked, and would the decision be the same?
///
/// For every delta and selector: questions asked on average, leakage (asked / all sensitive questions), accuracy, and
/// flips (decisions that differ from the model's with everything revealed). At delta 0 the certified test flips nobody
/// within the declared domains; the sampled test of a network proves nothing and may. The table streams through: any length, little memory, all cores.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel audit people.plan people.csv --delta 0,0.05 --selector decisive,f-score --json audit.json
  mindrel audit network.plan people.csv --delta 0 --test certified,sampled
  mindrel audit people.plan people.csv --compare other.plan       # the same model, another belief
  mindrel audit calibrated.plan others.csv --calibrated
  mindrel audit people.plan people.csv --by sex,region            # are some groups asked more than others?
  mindrel audit people.plan people.csv --giveaway --people-csv everybody.csv")]
pub struct Audit {
    /// Plan file.
    plan: PathBuf,
    /// Comma-separated table with the plan's columns; the label column may be missing.
    table: PathBuf,
    /// Audit these plans as well, which must have the same questions and the same model: what does another belief change?
    #[arg(long, value_name = "PLAN", num_args = 1..)]
    compare: Vec<PathBuf>,
    /// Audit the rules that `mindrel calibrate` put into the plan: are as few flipped as they promise?
    #[arg(long, conflicts_with_all = NOT_CALIBRATED)]
    calibrated: bool,
    /// Failure probabilities; 0 asks for a proof.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "0,0.01,0.05,0.1",
        allow_hyphen_values = true
    )]
    delta: Vec<f64>,
    /// Selectors: decisive, f-score, f-score-mc, importance, importance-logistic, random.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "decisive")]
    selector: Vec<Selector>,
    /// How sets are tested at delta 0: certified (proved) and, for networks only, sampled (no proof) [default: certified].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    test: Option<Vec<Test>>,
    /// Baselines: all (everything is revealed), optimal (a smallest core set, chosen with all answers known), none.
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all,optimal")]
    baseline: Vec<String>,
    /// Only the first N people.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Only the rows that `mindrel fit --holdout` kept aside; takes the table the plan was fitted on.
    #[arg(long)]
    held_out: bool,
    /// Compare groups of people by one or two columns of the table, whether the plan uses them or not; of two, also by both at
    /// once. Are some asked more, or decided about less well? Many different numbers are cut at their quartiles.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    by: Vec<String>,
    /// Also measure how well answers that were not asked for can be inferred from those that were; takes about twice the time.
    #[arg(long)]
    giveaway: bool,
    #[command(flatten)]
    rules: RuleArguments,
    /// Write a row for each person and run: what was asked in which order, and what was decided. No answers are in it but the
    /// groups of --by; it is about single people all the same, and only you may read it.
    #[arg(long, value_name = "FILE")]
    people_csv: Option<PathBuf>,
    /// Also write the result as JSON; `-` writes it to standard output instead of the tables.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Audit {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let to_stdout = self.json.as_deref().is_some_and(|path| path.as_os_str() == "-");
        self.check_outputs(to_stdout)?;
        let plan = plan_file::read(&self.plan)?;
        let mut runs = self.asking_runs(&plan, &self.plan)?;
        let mut calibrated = vec![(self.plan_name(&self.plan), plan.calibration().cloned())];
        for path in &self.compare {
            let other = read_alike(path, &plan)?;
            runs.extend(self.asking_runs(&other, path)?);
            calibrated.push((self.plan_name(path), other.calibration().cloned()));
        }
        runs.extend(self.baseline_runs(&plan)?);
        let report = self.audit(&plan, &runs)?;
        let json = serde_json::to_string_pretty(&report)? + "\n";
        if to_stdout {
            say(&json)?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(path) = &self.json {
            output::write_whole(path, json.as_bytes(), output::Readers::Anyone)?;
        }
        show::show(&report, &self.on_own_table(&calibrated)?)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses outputs that cannot be written or would replace something that is read, before the work that leads up to them.
    fn check_outputs(&self, to_stdout: bool) -> anyhow::Result<()> {
        let inputs: Vec<&Path> =
            [&self.plan, &self.table].into_iter().chain(&self.compare).map(PathBuf::as_path).collect();
        let json = self.json.as_deref().filter(|_| !to_stdout);
        for path in json.into_iter().chain(self.people_csv.as_deref()) {
            output::check_writable(path, &inputs)?;
        }
        ensure!(
            json.is_none() || json != self.people_csv.as_deref(),
            "--json and --people-csv name the same file; write each to its own"
        );
        ensure!(
            self.people_csv.as_deref() != Some(Path::new("-")),
            "--people-csv writes a file of its own; name one, such as /dev/stdout"
        );
        Ok(())
    }

    /// The runs of one plan, named by its file where there are others.
    fn asking_runs(&self, plan: &Plan, path: &Path) -> anyhow::Result<Vec<Run>> {
        let runs = if self.calibrated {
            let run = Run::calibrated(plan);
            vec![run.ok_or_else(|| anyhow!("{}: {}", path.display(), StartError::NotCalibrated))?]
        } else {
            self.runs(plan)?
        };
        let name = |run: Run| if self.compare.is_empty() { run } else { run.named(path.display().to_string()) };
        Ok(runs.into_iter().map(name).collect())
    }

    fn runs(&self, plan: &Plan) -> anyhow::Result<Vec<Run>> {
        let own = self.rules.over(plan.rules());
        let tests = self.test.clone().unwrap_or_else(|| vec![own.test]);
        // What the model cannot serve is refused even where no delta is 0.
        for &test in &tests {
            plan.with_rules(Rules { test, ..own })?;
        }
        let mut runs = Vec::new();
        for &delta in &self.delta {
            let tests = if delta == 0.0 { &tests[..] } else { &[own.test] };
            for &selector in &self.selector {
                for &test in tests {
                    let run = Run::asking(plan, Rules { delta, selector, test, ..own })?;
                    runs.push(match self.rules.each_test() {
                        Some(each) => run.within(each),
                        None => run,
                    });
                }
            }
        }
        Ok(runs)
    }

    fn baseline_runs(&self, plan: &Plan) -> anyhow::Result<Vec<Run>> {
        let plan = plan.with_rules(self.rules.over(plan.rules()))?;
        let mut runs = Vec::new();
        for name in self.baseline.iter().filter(|name| *name != "none") {
            runs.push(match name.parse::<Rule>()? {
                Rule::Optimal => Run::optimal(&plan),
                _ => Run::all(&plan),
            });
        }
        Ok(runs)
    }

    /// What a sentence calls a plan.
    fn plan_name(&self, path: &Path) -> String {
        if self.compare.is_empty() { "The plan".to_owned() } else { path.display().to_string() }
    }

    /// A line for each plan whose calibrated rules are audited on the table they were calibrated on.
    fn on_own_table(&self, plans: &[(String, Option<Calibration>)]) -> anyhow::Result<String> {
        if !self.calibrated {
            return Ok(String::new());
        }
        let digest = Table::file(&self.table).digest()?;
        let is_own = |calibration: &Calibration| calibration.table == digest;
        let own = plans.iter().filter(|(_, calibration)| calibration.as_ref().is_some_and(is_own));
        let line = |name: &str| {
            format!("{name} was calibrated on this table: its flips here are those the threshold was chosen by.\n")
        };
        Ok(own.map(|(name, _)| line(name)).collect())
    }
}

/// Reads a plan to compare with another: the same questions and the same model.
fn read_alike(path: &Path, plan: &Plan) -> anyhow::Result<Plan> {
    let other = plan_file::read(path)?;
    let differs = if other.schema() != plan.schema() {
        "its questions are"
    } else if other.model() != plan.model() {
        "its model is"
    } else {
        return Ok(other);
    };
    bail!(
        "{}: {differs} not the first plan's, so their decisions cannot be compared; audit it by itself",
        path.display()
    )
}
