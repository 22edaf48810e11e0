//! Groups of people beside each other: what is asked of them, and how well they are decided about.

use mindrel_audit::Rule;
use mindrel_audit::{
    AuditOutcome, BurdenComparison, GroupDifference, GroupingComparison, IntervalEstimate, RunBurden, RunOutcome,
};

use super::audit_tables::{WIDTH, delta, finish, new_table, rule, wrapped};
use super::words::{grouped, percent};

/// The groups by each column, then by both: a table, and what was found in sentences. Empty where nobody is told apart.
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

/// One line for each run and group; where everybody is asked everything there is nothing to see.
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

/// What was found, run by run.
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
        "A difference is found by Welch's test and analysis of variance (questions), by chi-square or Fisher's exact test (flips, accuracy), at 5 % for all {} \
         tests together (Holm); of several groups the two are named that differ most surely. That none is found does not say that there \
         is none. ",
        burden.tests
    );
    if few {
        text += &format!("†: fewer than {} people, shown but not compared. ", burden.fewest_people);
    }
    text + "docs/equal-burden.md says what this can tell and what not."
}
