//! `mindrel experiment`: the paper's evaluation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use mindrel_data::{DataFolder, DataSet};
use mindrel_experiment::{
    DESIGNS, DataSetLine, Design, ExperimentFacts, ExperimentProgress, ExperimentSettings, PreparedTable, Recipe,
    Summaries, TrialStore, publish, run,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::numbers;
use crate::exit_code::ExitCode;
use crate::terminal::experiments::{designs_table, verdicts};
use crate::terminal::output::{say, say_line, warn};
use crate::terminal::progress;

/// Reproduce the paper's evaluation, with a report.
///
/// Measures every figure and table, with our rule next to the paper's.
///
/// The report is one page (report.html) with every plot, what the paper claims about it, and whether the claim holds.
/// Plots are also written as SVG, and all numbers as CSV and JSON. Finished parts are kept in the output folder, so a
/// run can be stopped and resumed, or repeated with more repetitions.
///
/// The same seed gives the same numbers on any number of threads, except for times.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mindrel experiment list                                  list the experiments
  mindrel experiment all --repetitions 3 --people 300      everything, roughly; some minutes
  mindrel experiment linear figure-10 --out results        two of them in full: 100 repetitions, all test people

The data sets are read from --data, otherwise from MINDREL_DATA, otherwise from where `mindrel data fetch` puts them.")]
pub struct Experiment {
    /// Experiments, by name or by the paper's figure or table (linear, figure-5, table-1); `all`; or `list` to list
    /// them.
    #[arg(value_name = "NAME|all|list", default_value = "list")]
    names: Vec<String>,
    /// Folder of the data sets.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Repetitions, each with its own split, classifier and sensitive features [default: depends on the experiment].
    #[arg(long, value_name = "N", value_parser = numbers::repetitions)]
    repetitions: Option<usize>,
    /// Maximum number of test people, spread over the table [default: depends on the experiment, mostly all].
    #[arg(long, value_name = "N", value_parser = numbers::people)]
    people: Option<usize>,
    /// Seed for everything random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder to write to; finished parts in it are reused.
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    out: PathBuf,
}

impl Experiment {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if self.names.iter().any(|name| name == "list") {
            say(&designs_table())?;
            return Ok(ExitCode::SUCCESS);
        }
        let designs = self.designs()?;
        let (tables, lines) = read_tables(&designs, &DataFolder::find(self.data.as_deref()))?;
        let store = TrialStore::open(&self.out.join("parts")).context("--out")?;
        for line in lines.iter().filter(|line| !line.as_catalogued) {
            warn(&format!(
                "{}.csv differs from the catalogued file (different SHA-256); the report says so",
                line.name
            ));
        }
        let settings = ExperimentSettings { seed: self.seed, repetitions: self.repetitions, people: self.people };
        let bar = progress::parts();
        let tell = |at: ExperimentProgress<'_>| {
            bar.set_length(at.whole);
            bar.set_position(at.done);
            bar.set_message(format!("{} on {}", at.last.0, at.last.1));
        };
        let measured = run(&designs, &tables, &settings, &store, &tell)?;
        bar.finish_and_clear();
        let found: Vec<Summaries<'_>> = measured.iter().map(Summaries::of).collect();
        let version = env!("CARGO_PKG_VERSION");
        let about = ExperimentFacts { command: self.command(), seed: self.seed, version, tables: lines };
        let page = publish(&self.out, &about, &found)?;
        say(&verdicts(&found))?;
        say_line(&format!("Report written to {}, with its numbers beside it.", page.display()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The experiments named, each once, in the paper's order.
    fn designs(&self) -> anyhow::Result<Vec<&'static Design>> {
        if self.names.iter().any(|name| name == "all") {
            return Ok(DESIGNS.iter().collect());
        }
        let known = || DESIGNS.iter().map(|design| design.name).collect::<Vec<_>>().join(", ");
        let unknown = |name: &str| anyhow!("there is no experiment `{name}`; choose from {}, or all", known());
        let find = |name: &String| Design::named(name).ok_or_else(|| unknown(name));
        let wanted = self.names.iter().map(find).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(DESIGNS.iter().filter(|design| wanted.contains(design)).collect())
    }

    /// The command that makes the same report again.
    fn command(&self) -> String {
        let mut words = vec!["mindrel experiment".to_owned()];
        words.extend(self.names.iter().cloned());
        words.extend(self.repetitions.map(|count| format!("--repetitions {count}")));
        words.extend(self.people.map(|count| format!("--people {count}")));
        words.push(format!("--seed {}", self.seed));
        words.join(" ")
    }
}

type Tables = BTreeMap<&'static str, PreparedTable>;

/// Reads the tables that some experiments need; fails early if any is missing.
fn read_tables(designs: &[&'static Design], folder: &DataFolder) -> anyhow::Result<(Tables, Vec<DataSetLine>)> {
    let needed = |name: &str| designs.iter().any(|design| design.data_sets.contains(&name));
    let recipes = mindrel_experiment::RECIPES.iter().filter(|recipe| needed(recipe.name));
    let sets = recipes.map(|recipe| Ok((recipe, DataSet::named(recipe.name)?))).collect::<anyhow::Result<Vec<_>>>()?;
    let missing: Vec<&str> =
        sets.iter().filter(|(_, set)| folder.file(set).is_err()).map(|(recipe, _)| recipe.name).collect();
    if !missing.is_empty() {
        bail!(
            "{} not found in {}; download with `mindrel data fetch {}`, or name the folder with --data or MINDREL_DATA",
            missing.iter().map(|name| format!("{name}.csv")).collect::<Vec<_>>().join(", "),
            folder.path().display(),
            missing.join(" ")
        );
    }
    let bar = progress::spinner("reading the data sets");
    let read = sets.into_par_iter().map(|(recipe, set)| read_table(recipe, set, folder));
    let read = read.collect::<anyhow::Result<Vec<_>>>()?;
    bar.finish_and_clear();
    let lines = read.iter().map(|(prepared, as_catalogued)| DataSetLine::new(prepared, *as_catalogued)).collect();
    Ok((read.into_iter().map(|(prepared, _)| (prepared.recipe.name, prepared)).collect(), lines))
}

fn read_table(recipe: &'static Recipe, set: &DataSet, folder: &DataFolder) -> anyhow::Result<(PreparedTable, bool)> {
    let path: &Path = &folder.file(set)?;
    let prepared = PreparedTable::read(path, recipe)
        .with_context(|| format!("{} is not the data set {} of the catalogue", path.display(), recipe.name))?;
    let as_catalogued = prepared.digest == set.sha256;
    Ok((prepared, as_catalogued))
}
