//! An audit as a table: aligned and framed on a terminal, plain when piped.

use std::collections::BTreeMap;

use comfy_table::{Attribute, Cell, CellAlignment, Table, presets};
use mindrel_audit::{AuditReport, RunReport};

use super::output::is_colourful;
use super::words::percent;

/// One line for each run.
pub fn runs_table(report: &AuditReport) -> String {
    let mut table = new_table(&["delta", "rule", "asked", "leakage", "accuracy", "with all", "flips", "outside"]);
    for run in &report.runs {
        table.add_row(run_row(report, run));
    }
    finish(table)
}

fn run_row(report: &AuditReport, run: &RunReport) -> Vec<Cell> {
    let accuracy = |value: Option<f64>| value.map_or("-".to_owned(), percent);
    let texts = [
        run.delta.to_string(),
        run.selector.clone(),
        format!("{:.2} of {}", run.mean_asked, report.questions),
        percent(run.leakage),
        accuracy(run.accuracy),
        accuracy(report.accuracy_all),
        flips(run),
        percent(run.outside_domain),
    ];
    let ours = run.selector == "decisive" && is_colourful();
    let style = |text: String| {
        if ours { Cell::new(text).add_attribute(Attribute::Bold) } else { Cell::new(text) }
    };
    texts.into_iter().map(style).collect()
}

/// What the columns of the runs mean.
pub const LEGEND: &str = "\
asked: sensitive questions on average. leakage: their share. with all: accuracy with everything revealed. flips: decisions
that differ from those with everything revealed; at delta 0 there are none among people within the declared domains.
outside: people with an unasked value outside its declared domain, for whom nothing is proved. optimal: the least that
proves the decision (delta 0), which takes all answers to find. *: more flips than delta; the belief does not fit these people.";

/// Flips, with a star where there are more than δ allows for.
fn flips(run: &RunReport) -> String {
    let star = if run.delta > 0.0 && run.flips > run.delta { " *" } else { "" };
    percent(run.flips) + star
}

/// One line for each class: how many of those to whom the model gives it with everything revealed are flipped.
pub fn classes_table(report: &AuditReport) -> String {
    by_run(report, "flips among", |run| {
        run.flips_by_class.iter().map(|(class, share)| (class.clone(), *share)).collect()
    })
}

/// One line for each sensitive question: how many are asked it, under each asking rule.
pub fn questions_table(report: &AuditReport) -> String {
    by_run(report, "asked how often", |run| {
        let mut asked: Vec<(String, f64)> = run.asked.iter().map(|(name, share)| (name.clone(), *share)).collect();
        asked.sort_by(|left, right| right.1.total_cmp(&left.1));
        asked
    })
}

/// A column for each asking rule, in the order of the first one's rows.
fn by_run(report: &AuditReport, heading: &str, shares: impl Fn(&RunReport) -> Vec<(String, f64)>) -> String {
    let is_baseline = |run: &&RunReport| run.selector == "all" || run.selector == "optimal";
    let runs: Vec<&RunReport> = report.runs.iter().filter(|run| !is_baseline(run)).collect();
    let Some(first) = runs.first() else {
        return String::new();
    };
    let mut headings = vec![heading.to_owned()];
    headings.extend(runs.iter().map(|run| format!("{} {}", run.selector, run.delta)));
    let mut table = new_table(&headings.iter().map(String::as_str).collect::<Vec<&str>>());
    let columns: Vec<BTreeMap<String, f64>> = runs.iter().map(|run| shares(run).into_iter().collect()).collect();
    for (name, _) in shares(first) {
        let cells = columns.iter().map(|column| Cell::new(percent(column[&name])));
        table.add_row(std::iter::once(Cell::new(&name)).chain(cells).collect::<Vec<Cell>>());
    }
    finish(table)
}

fn new_table(headings: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(if is_colourful() { presets::UTF8_BORDERS_ONLY } else { presets::NOTHING });
    table.set_header(headings.iter().map(|heading| Cell::new(*heading)).collect::<Vec<Cell>>());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn finish(table: Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}
