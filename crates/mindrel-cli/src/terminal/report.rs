//! An audit as a table: aligned and framed on a terminal, plain when piped.

use std::collections::BTreeMap;

use comfy_table::{Attribute, Cell, CellAlignment, Table, presets};
use mindrel::core_test::Test;
use mindrel::plan::{Calibration, Evidence};
use mindrel_audit::{Agreement, AuditReport, FlipRate, RunReport};

use super::output::is_colourful;
use super::words::{grouped, percent, short_percent};

/// One line for each run.
pub fn runs_table(report: &AuditReport) -> String {
    let mut headings = vec!["delta", "rule", "asked", "leakage", "accuracy", "with all", "flips", "outside"];
    if has_run_out(report) {
        headings.push("out of budget");
    }
    let mut table = new_table(&headings);
    for run in &report.runs {
        table.add_row(run_row(report, run));
    }
    finish(table)
}

fn run_row(report: &AuditReport, run: &RunReport) -> Vec<Cell> {
    let accuracy = |value: Option<f64>| value.map_or("-".to_owned(), percent);
    let mut texts = vec![
        delta(run),
        rule(report, run),
        format!("{:.2} of {}", run.mean_asked, report.questions),
        percent(run.leakage),
        accuracy(run.accuracy),
        accuracy(report.accuracy_all),
        flips(run),
        percent(run.outside_domain),
    ];
    if has_run_out(report) {
        texts.push(percent(run.undecided_budget));
    }
    let ours = run.selector == "decisive" && is_colourful();
    let style = |text: String| {
        if ours { Cell::new(text).add_attribute(Attribute::Bold) } else { Cell::new(text) }
    };
    texts.into_iter().map(style).collect()
}

/// The failure probability of a run; that of calibrated groups, where it is not the same for all.
pub(super) fn delta(run: &RunReport) -> String {
    let groups = run.calibrated.as_ref().map_or(&[][..], |calibrated| &calibrated.groups);
    let varies = groups.iter().any(|group| group.delta != run.delta);
    if varies { format!("up to {}", run.delta) } else { run.delta.to_string() }
}

/// What chooses the questions of a run, and what else tells it from the others.
pub(super) fn rule(report: &AuditReport, run: &RunReport) -> String {
    let mut text = run.selector.clone();
    if run.calibrated.is_some() {
        text += ", calibrated";
    }
    if let Some(test) = test_name(report, run) {
        text += &format!(", {test}");
    }
    if let Some(belief) = belief(report, run) {
        text += &format!(", {belief}");
    }
    text
}

/// The belief of a run, where there are several plans, told apart by a number where some are of the same kind.
fn belief(report: &AuditReport, run: &RunReport) -> Option<String> {
    let file = run.name.as_deref()?;
    compared(report).into_iter().find(|plan| plan.file == file).map(|plan| plan.short)
}

/// A plan among several: what the tables call it, and its file.
struct Compared<'a> {
    short: String,
    file: &'a str,
}

/// The plans that are compared, in order.
fn compared(report: &AuditReport) -> Vec<Compared<'_>> {
    let mut plans: Vec<(&str, &str)> = Vec::new();
    for run in &report.runs {
        match &run.name {
            Some(file) if plans.iter().all(|(_, other)| other != file) => plans.push((run.belief, file)),
            _ => (),
        }
    }
    let alike = |plans: &[(&str, &str)], belief: &str| plans.iter().filter(|(other, _)| *other == belief).count();
    let places = plans.iter().enumerate();
    let name = |(place, &(belief, file))| {
        let number = alike(&plans[..=place], belief);
        let short = if alike(&plans, belief) == 1 { belief.to_owned() } else { format!("{belief} {number}") };
        Compared { short, file }
    };
    places.map(name).collect()
}

/// What the tables call each of several plans: a line for each, short name and file. A file's own name may be of any length.
pub fn plans_key(report: &AuditReport) -> String {
    let plans = compared(report);
    let longest = plans.iter().map(|plan| plan.short.len()).max().unwrap_or(0);
    plans
        .iter()
        .map(|plan| format!("{:<width$}  {}\n", format!("{}:", plan.short), plan.file, width = longest + 1))
        .collect()
}

/// How a run tests, where the runs of a report do not all test by proof.
fn test_name(report: &AuditReport, run: &RunReport) -> Option<Test> {
    run.test.filter(|_| has_samples(report) && !is_baseline(run))
}

fn has_samples(report: &AuditReport) -> bool {
    report.runs.iter().any(|run| run.test == Some(Test::Sampled))
}

fn has_run_out(report: &AuditReport) -> bool {
    report.runs.iter().any(|run| run.undecided_budget > 0.0)
}

pub(super) fn is_baseline(run: &RunReport) -> bool {
    run.selector == "all" || run.selector == "optimal"
}

/// What the columns of the runs mean.
pub fn legend(report: &AuditReport) -> String {
    let mut text = String::from(
        "asked: sensitive questions on average. leakage: their share. with all: accuracy with everything revealed. flips: \
         decisions that differ from those with everything revealed; ",
    );
    text += if has_samples(report) {
        "at delta 0 a certified test has none among people within the declared domains, while a sampled one proves nothing \
         and may have some. "
    } else {
        "at delta 0 there are none among people within the declared domains. "
    };
    text += "outside: people with an unasked value outside its declared domain, for whom nothing is proved. ";
    if has_run_out(report) {
        text += "out of budget: people for whom a test ended before it was sure, so that more may have been asked than \
                 needed; raise --budget or --deadline. ";
    }
    if report.runs.iter().any(|run| run.selector == "optimal") {
        text += "optimal: the least that proves the decision (delta 0), which takes all answers to find. ";
    }
    if report.runs.iter().any(|run| run.delta > 0.0) {
        text += "*: more flips than delta, or than promised; the belief does not fit these people. ";
    }
    wrapped(text.trim_end(), WIDTH)
}

/// As wide as tables and their legend may become.
