//! The report on disk: the page, every figure as SVG, every number as CSV and JSON.

use std::path::{Path, PathBuf};

use mindrel_audit::Rule;
use mindrel_io::output::{Readers, write_whole};
use serde::Serialize;

use super::experiment_page::{ExperimentFacts, page};
use crate::claims::{CheckedClaim, claims};
use crate::design::BeliefKind;
use crate::figures::figures;
use crate::repeated_mean::RepeatedMean;
use crate::store::make_folder;
use crate::summaries::{SettingSummary, Summaries};

/// One experiment, as it is written to JSON.
#[derive(Serialize)]
struct Results<'a> {
    experiment: &'static str,
    paper: &'static [&'static str],
    repetitions: usize,
    people: Option<usize>,
    seed: u64,
    claims: Vec<CheckedClaim>,
    settings: &'a [SettingSummary],
}

/// Writes the whole report into a folder and returns the path of its page.
///
/// ```text
/// report.html
/// figures/NAME.svg, NAME.csv, NAME.json      one for each plot
/// results/EXPERIMENT.csv, EXPERIMENT.json    every setting with its means and intervals; claims in the JSON
/// ```
///
/// # Errors
/// When a file cannot be written.
pub fn publish(folder: &Path, about: &ExperimentFacts, found: &[Summaries<'_>]) -> mindrel_io::Result<PathBuf> {
    let (figure_folder, result_folder) = (folder.join("figures"), folder.join("results"));
    make_folder(&figure_folder)?;
    make_folder(&result_folder)?;
    let write = |path: PathBuf, text: &[u8]| write_whole(&path, text, Readers::Anyone);
    for summaries in found {
        let measured = summaries.measured();
        for named in figures(summaries) {
            let file = |ending: &str| figure_folder.join(format!("{}.{ending}", named.name));
            write(file("svg"), named.figure.to_svg().as_bytes())?;
            write(file("csv"), &csv_of(&named.figure.rows()))?;
            write(file("json"), &json_of(&named.figure))?;
        }
        let results = Results {
            experiment: measured.design.name,
            paper: measured.design.items,
            repetitions: measured.repetitions,
            people: measured.people,
            seed: about.seed,
            claims: claims(summaries),
            settings: summaries.rows(),
        };
        let file = |ending: &str| result_folder.join(format!("{}.{ending}", measured.design.name));
        write(file("json"), &json_of(&results))?;
        write(file("csv"), &csv_of(&summaries.rows().iter().map(Line::new).collect::<Vec<_>>()))?;
    }
    let path = folder.join("report.html");
    write(path.clone(), page(about, found).as_bytes())?;
    Ok(path)
}

/// A summary in one line.
#[derive(Serialize)]
struct Line<'a> {
    data_set: &'a str,
    belief: BeliefKind,
    sensitive: usize,
    rule: Rule,
    delta: f64,
    repetitions: usize,
    people: u64,
    leakage: f64,
    leakage_low: Option<f64>,
    leakage_high: Option<f64>,
    accuracy: f64,
    accuracy_low: Option<f64>,
    accuracy_high: Option<f64>,
    accuracy_lost: f64,
    flips: f64,
    out_of_budget: f64,
    seconds_fitting: Option<f64>,
    seconds_per_person: Option<f64>,
}

impl<'a> Line<'a> {
    fn new(row: &'a SettingSummary) -> Self {
        let low = |it: &RepeatedMean| it.interval.map(|(low, _)| low);
        let high = |it: &RepeatedMean| it.interval.map(|(_, high)| high);
        Line {
            data_set: &row.setting.data_set,
            belief: row.setting.belief,
            sensitive: row.setting.sensitive,
            rule: row.setting.rule,
            delta: row.setting.delta,
            repetitions: row.repetitions,
            people: row.people,
            leakage: row.leakage.mean,
            leakage_low: low(&row.leakage),
            leakage_high: high(&row.leakage),
            accuracy: row.accuracy.mean,
            accuracy_low: low(&row.accuracy),
            accuracy_high: high(&row.accuracy),
            accuracy_lost: row.accuracy_lost.mean,
            flips: row.flips.mean,
            out_of_budget: row.out_of_budget,
            seconds_fitting: row.seconds_fitting.map(|it| it.mean),
            seconds_per_person: row.seconds_per_person.map(|it| it.mean),
        }
    }
}

fn csv_of<T: Serialize>(rows: &[T]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("rows are plain numbers and names");
    }
    writer.into_inner().expect("memory takes everything")
}

fn json_of<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec_pretty(value).expect("plain numbers and names")
}
