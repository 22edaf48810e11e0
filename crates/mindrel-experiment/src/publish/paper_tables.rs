//! The paper's tables 1 and 2, with its own numbers beside ours.

use crate::claims::PAPER_MINUTES;
use crate::summaries::{SettingSummary, Summaries};
use mindrel::Selector;
use mindrel_audit::Rule;

/// A table of words.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperTable {
    /// What it shows.
    pub title: &'static str,
    /// The heads of its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// The tables of an experiment, if it times beliefs.
pub fn tables(found: &Summaries<'_>) -> Vec<PaperTable> {
    let design = found.measured().design;
    if !design.timed || design.beliefs.len() == 1 {
        return Vec::new();
    }
    let fitting = |row: &SettingSummary| row.seconds_fitting.expect("it is timed").mean;
    // All of the test set, as the paper has it.
    let deciding = |row: &SettingSummary| row.seconds_per_person.expect("it is timed").mean * row.people as f64;
    vec![
        minutes(found, "Table 1: minutes to fit", fitting, PAPER_MINUTES.map(|(_, training, _)| training)),
        minutes(
            found,
            "Table 2: minutes to decide about the people tested",
            deciding,
            PAPER_MINUTES.map(|(_, _, inference)| inference),
        ),
    ]
}

fn minutes(
    found: &Summaries<'_>,
    title: &'static str,
    seconds: impl Fn(&SettingSummary) -> f64,
    paper: [[f64; 2]; 4],
) -> PaperTable {
    let design = found.measured().design;
    let head = std::iter::once("belief".to_owned()).chain(design.data_sets.iter().map(|&name| name.to_owned()));
    let ours = design.beliefs.iter().map(|kind| {
        let rows = found.filter(|it| it.belief == *kind && it.rule == Rule::Asking(Selector::FScore));
        let cells = rows.map(|row| format!("{:.5}", seconds(row) / 60.0));
        std::iter::once(kind.name().to_owned()).chain(cells).collect()
    });
    let theirs = ["the paper's Bayesian NN", "the paper's Gaussian"].into_iter().enumerate().map(|(place, name)| {
        let cells = paper.iter().map(|minutes| minutes[place].to_string());
        std::iter::once(name.to_owned()).chain(cells).collect()
    });
    PaperTable { title, head: head.collect(), rows: ours.chain(theirs).collect() }
}
