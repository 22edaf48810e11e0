//! An audit in brief: what was found, and the figures of the run it is about.

use mindrel_audit::{AuditOutcome, CONFIDENCE, Rule, RunOutcome, TOO_FEW, binomial};
use mindrel_report::ReportFindings;

use super::audit_tables::{
    calibrated_table, calibration_table, classes_table, legend, only, plans_key, questions_table, run_name, runs_table,
};
use super::burden::{burden_figures, sentences};
use super::giveaway::giveaway_tables;
use super::output::bold;
use super::tables::{WIDTH, wrapped};
use super::words::percent;

/// The findings, then the figures of the chosen run; all runs in one table if several were `named`.
pub fn audit_summary(outcome: &AuditOutcome, findings: &ReportFindings, chosen: usize, named: bool) -> String {
    let alone = only(outcome, &[chosen]);
    let run = &outcome.runs[chosen];
    let comparison = if named { format!("{}\n{}\n", runs_table(outcome), legend(outcome)) } else { String::new() };
    let promising = if named { outcome } else { &alone };
    let classes = if run.flips > 0.0 { classes_table(&alone) } else { String::new() };
    let sections = [
        plans_key(outcome),
        findings_text(outcome, findings, chosen),
        format!("{}\n{}", bold(&run_name(outcome, run)), figures(outcome, run)),
        comparison,
        calibration_table(promising),
        calibrated_table(promising),
        classes,
        questions_table(&alone),
        burden_figures(outcome, chosen),
        giveaway_tables(&alone),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
}

/// The headline, and a line for everything else that matters.
fn findings_text(outcome: &AuditOutcome, findings: &ReportFindings, chosen: usize) -> String {
    // Pages keep numbers and their units on one line.
    let plain = |text: &str| text.replace('\u{a0}', " ");
    let headline: Vec<String> = wrapped(&plain(&findings.headline), WIDTH).lines().map(bold).collect();
    let mut text = headline.join("\n") + "\n";
    for warning in &findings.warnings {
        text += &item("!", &plain(warning));
    }
    let groupings = outcome.burden.iter().flat_map(|burden| &burden.groupings);
    for grouping in groupings {
        let by = grouping.by.join(" and ");
        for (place, (name, sentence)) in sentences(&grouping.runs[chosen]).into_iter().enumerate() {
            // The groups too small to be compared are the same for all sentences: name them once.
            let told = if place == 0 { sentence } else { sentence.split(TOO_FEW).next().unwrap_or(sentence) };
            text += &item("-", &format!("By {by}, {name}: {told}"));
        }
    }
    text
}

fn item(mark: &str, text: &str) -> String {
    format!("{mark} {}\n", wrapped(text, WIDTH - 2).replace('\n', "\n  "))
}

/// The figures of a run, one a line.
fn figures(outcome: &AuditOutcome, run: &RunOutcome) -> String {
    let optimal = outcome.runs.iter().find(|run| run.rule == Rule::Optimal);
    let mut lines = vec![("asked", asked(outcome, run, optimal))];
    if let Some(implied) = run.mean_implied.filter(|implied| *implied > 0.0) {
        lines.push(("implied", format!("{implied:.2} more followed from other answers, by the schema's rules")));
    }
    if let (Some(cost), Some(all)) = (run.mean_cost, outcome.cost_all) {
        let least = optimal.and_then(|optimal| optimal.least_cost);
        let least = least.map_or(String::new(), |least| format!("; knowing all answers, {least:.2} would do"));
        lines.push(("cost", format!("{cost:.2} of {all:.2} on average ({}){least}", percent(cost / all))));
    }
    lines.push(("unchanged", within(1.0 - run.flips, outcome.people) + " of decisions"));
    lines.push(("right", right(outcome, run)));
    lines.push(("rest on", rests_on(run)));
    if run.outside_domain > 0.0 {
        let whom = if outcome.rules.iter().any(|rule| rule.people > 0) {
            "of people have a value outside its declared range, or break a rule: nothing is proved about them"
        } else {
            "of people have a value outside its declared range: nothing is proved about them"
        };
        lines.push(("outside", format!("{} {whom}", percent(run.outside_domain))));
    }
    for broken in outcome.rules.iter().filter(|rule| rule.people > 0) {
        let people = if broken.people == 1 { "1 person breaks" } else { &format!("{} people break", broken.people) };
        lines.push(("broken rule", format!("{people} it: {}", broken.rule)));
    }
    if run.undecided_budget > 0.0 {
        let whom = "of people had a test that ended without a result; raise --budget or --deadline to ask them less";
        lines.push(("out of budget", format!("{} {whom}", percent(run.undecided_budget))));
    }
    let line = |(name, text): (&str, String)| {
        let text = wrapped(&text, WIDTH - 17).replace('\n', &format!("\n{}", " ".repeat(17)));
        format!("  {name:<15}{text}\n")
    };
    lines.into_iter().map(line).collect()
}

fn asked(outcome: &AuditOutcome, run: &RunOutcome, optimal: Option<&RunOutcome>) -> String {
    let fewest = optimal.map_or(String::new(), |optimal| {
        format!("; knowing all answers, {:.2} would prove each decision", optimal.mean_asked)
    });
    let share = percent(run.leakage);
    format!("{:.2} of {} questions on average ({share}){fewest}", run.mean_asked, outcome.questions)
}

fn right(outcome: &AuditOutcome, run: &RunOutcome) -> String {
    match (run.accuracy, outcome.accuracy_all) {
        (Some(accuracy), Some(all)) => {
            format!("{} of decisions; {} with all answers", within(accuracy, outcome.people), percent(all))
        }
        _ => "- (the table has no labels)".to_owned(),
    }
}

fn rests_on(run: &RunOutcome) -> String {
    let shares = [
        (run.guarantees.proved, "proof"),
        (run.guarantees.probable, "probability"),
        (run.guarantees.sampled, "no counterexample found"),
        (run.guarantees.complete, "all answers"),
    ];
    let shares = shares.into_iter().filter(|(share, _)| *share > 0.0);
    shares.map(|(share, basis)| format!("{basis} {}", percent(share))).collect::<Vec<String>>().join(", ")
}

/// A share of people with its exact interval.
fn within(share: f64, people: u64) -> String {
    let (lower, upper) = binomial::interval((share * people as f64).round() as u64, people, CONFIDENCE);
    format!("{} ({:.1} to {:.1})", percent(share), 100.0 * lower, 100.0 * upper)
}
