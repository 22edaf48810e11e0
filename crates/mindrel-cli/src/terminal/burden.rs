//! Groups of people side by side: what they are asked, and how accurately they are decided.

use mindrel_audit::Rule;
use mindrel_audit::{
    AuditOutcome, BurdenComparison, GroupDifference, GroupingComparison, IntervalEstimate, RunBurden, RunOutcome,
};

use super::audit_tables::{WIDTH, delta, finish, new_table, rule, wrapped};
use super::words::{grouped, percent};

/// The groups by each column, then by both: a table, and the findings as sentences. Empty without groups.
pub fn burden_tables(outcome: &AuditOutcome) -> String {
    let Some(burden) = &outcome.burden else {
        return String::new();
    };
    let mut text = String::new();
    for grouping in &burden.groupings {
        text += &format!("equal burden, by {}\n", grouping.by.join(" and "));
        text += &figures_table(outcome, grouping);
        text.push('\n');
        text += &sentences(outcome, grouping);
        text.push('\n');
    }
    text + &wrapped(&legend(burden), WIDTH) + "\n"
}

/// One line for each run and group, except where everyone is asked everything.
fn figures_table(outcome: &AuditOutcome, grouping: &GroupingComparison) -> String {
    let mut headings = vec!["delta", "rule", "group", "people", "asked (95 % interval)", "flips", "accuracy"];
    let has_run_out = outcome.runs.iter().any(|run| run.undecided_budget > 0.0);
    if has_run_out {
        headings.push("out of budget");
    }
    let mut table = new_table(&headings);
    for (run, burden) in runs(outcome, grouping) {
        for (members, figures) in grouping.groups.iter().zip(&burden.groups) {
            let few = if members.too_few { " †" } else { "" };
            let asked = figures.mean_asked;
            let mut row = vec![
                delta(run),
                rule(outcome, run),
                members.levels.join(", ") + few,
                grouped(members.people as usize),
                format!("{:.2} ({:.2} to {:.2})", asked.value, asked.lower, asked.upper),
                share(&figures.flips),
                figures.accuracy.as_ref().map_or("-".to_owned(), share),
            ];
            if has_run_out {
                row.push(share(&figures.undecided_budget));
            }
            table.add_row(row);
        }
    }
    finish(table)
}

/// The runs whose groups are shown.
fn runs<'a>(
    outcome: &'a AuditOutcome,
    grouping: &'a GroupingComparison,
) -> impl Iterator<Item = (&'a RunOutcome, &'a RunBurden)> {
    outcome.runs.iter().zip(&grouping.runs).filter(|(run, _)| run.rule != Rule::All)
}

fn share(figure: &IntervalEstimate) -> String {
    format!("{} ({:.1} to {:.1})", percent(figure.value), 100.0 * figure.lower, 100.0 * figure.upper)
}

/// The findings, run by run.
fn sentences(outcome: &AuditOutcome, grouping: &GroupingComparison) -> String {
    let mut text = String::new();
    for (run, burden) in outcome.runs.iter().zip(&grouping.runs) {
        let parts: Vec<(&str, &GroupDifference)> =
            [("questions", &burden.asked), ("flips", &burden.flips), ("accuracy", &burden.accuracy)]
                .into_iter()
                .filter_map(|(name, difference)| Some((name, difference.as_ref()?)))
                .collect();
        if !parts.is_empty() {
            text += &format!("delta {}, {}\n", delta(run), rule(outcome, run));
        }
        for (name, difference) in parts {
            let line = wrapped(&format!("{name}: {}", difference.sentence), WIDTH - 4);
            text += &format!("  {}\n", line.replace('\n', "\n    "));
        }
    }
    text
}

fn legend(burden: &BurdenComparison) -> String {
    let few = burden.groupings.iter().flat_map(|grouping| &grouping.groups).any(|members| members.too_few);
    let mut text = format!(
        "Differences are tested by Welch's test and analysis of variance (questions) and by chi-square or Fisher's \
         exact test (flips, accuracy), at 5 % for all {} tests together (Holm). Among several groups, the two with \
         the clearest difference are named. If no difference is found, there may still be one. ",
        burden.tests
    );
    if few {
        text += &format!("†: fewer than {} people; shown but not compared. ", burden.fewest_people);
    }
    text + "docs/equal-burden.md explains what this can and cannot show."
}
