//! An audit as a table: aligned and framed on a terminal, plain when piped.

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
        percent(run.flips),
        percent(run.outside_domain),
    ];
    let ours = run.selector == "decisive" && is_colourful();
    let style = |text: String| {
        if ours { Cell::new(text).add_attribute(Attribute::Bold) } else { Cell::new(text) }
    };
    texts.into_iter().map(style).collect()
}

/// One line for each sensitive question: how many are asked it, under each asking rule.
pub fn questions_table(report: &AuditReport) -> String {
    let runs: Vec<&RunReport> =
        report.runs.iter().filter(|run| run.selector != "all" && run.selector != "optimal").collect();
    let mut headings = vec!["asked how often".to_owned()];
    headings.extend(runs.iter().map(|run| format!("{} {}", run.selector, run.delta)));
    let mut table = new_table(&headings.iter().map(String::as_str).collect::<Vec<&str>>());
    let Some(first) = runs.first() else {
        return String::new();
    };
    let mut questions: Vec<&String> = first.asked.keys().collect();
    questions.sort_by(|left, right| first.asked[*right].total_cmp(&first.asked[*left]));
    for question in questions {
        let shares = runs.iter().map(|run| Cell::new(percent(run.asked[question])));
        table.add_row(std::iter::once(Cell::new(question)).chain(shares).collect::<Vec<Cell>>());
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
