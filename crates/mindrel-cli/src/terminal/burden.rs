//! Groups of people side by side: what they are asked, and how accurately they are decided.

use mindrel_audit::Rule;
use mindrel_audit::{AuditOutcome, BurdenComparison, GroupingComparison, IntervalEstimate, RunBurden, RunOutcome};

use super::audit_tables::run_name;
use super::tables::{WIDTH, finish, new_table, wrapped};
use super::words::{grouped, percent};

/// The groups by each column, then by both, run by run: a table, and the findings as sentences. Empty without groups.
pub fn burden_tables(outcome: &AuditOutcome) -> String {
    let each = |grouping: &GroupingComparison| {
        let mut text = format!("equal burden, by {}\n", grouping.by.join(" and "));
        for (run, burden) in outcome.runs.iter().zip(&grouping.runs) {
            let sentences = sentences(burden);
            let is_shown = run.rule != Rule::All;
            if is_shown || !sentences.is_empty() {
                text += &format!("\n{}\n", run_name(outcome, run));
            }
            if is_shown {
                text += &figures_table(run, grouping, burden);
            }
            for (name, sentence) in sentences {
                let line = wrapped(&format!("{name}: {sentence}"), WIDTH - 4);
                text += &format!("  {}\n", line.replace('\n', "\n    "));
            }
        }
        text
    };
    with_legend(outcome, each)
}

/// The groups of one run, its findings being told elsewhere. Empty without groups.
pub fn burden_figures(outcome: &AuditOutcome, run: usize) -> String {
    with_legend(outcome, |grouping| {
        let heading = format!("equal burden, by {}\n", grouping.by.join(" and "));
        heading + &figures_table(&outcome.runs[run], grouping, &grouping.runs[run])
    })
}

fn with_legend(outcome: &AuditOutcome, each: impl Fn(&GroupingComparison) -> String) -> String {
    let Some(burden) = &outcome.burden else {
        return String::new();
    };
    let untold = |grouping: &GroupingComparison| match grouping.groups_untold {
        0 => String::new(),
        1 => format!("One group has fewer than {} people and is not shown.\n", outcome.smallest_group),
        count => format!("{count} groups together have fewer than {} people: not shown.\n", outcome.smallest_group),
    };
    let texts = burden.groupings.iter().map(|grouping| each(grouping) + &untold(grouping) + "\n");
    texts.collect::<String>() + &wrapped(&legend(outcome, burden), WIDTH) + "\n"
}

/// One line for each group. Empty if none is shown.
fn figures_table(run: &RunOutcome, grouping: &GroupingComparison, burden: &RunBurden) -> String {
    if grouping.groups.is_empty() {
        return String::new();
    }
    let mut headings = vec!["group", "people", "asked", "flips, %"];
    let is_labelled = burden.groups.iter().any(|figures| figures.accuracy.is_some());
    headings.extend(is_labelled.then_some("accuracy, %"));
    let has_run_out = run.undecided_budget > 0.0;
    headings.extend(has_run_out.then_some("out of budget, %"));
    let mut table = new_table(&headings);
    for (members, figures) in grouping.groups.iter().zip(&burden.groups) {
        let few = if members.too_few && members.merged == 0 { "\u{a0}†" } else { "" };
        let asked = figures.mean_asked;
        let mut row = vec![
            members.name() + few,
            grouped(members.people as usize),
            format!("{:.2} ({:.2}–{:.2})", asked.value, asked.lower, asked.upper),
            share(&figures.flips),
        ];
        row.extend(figures.accuracy.as_ref().map(share));
        row.extend(has_run_out.then(|| share(&figures.undecided_budget)));
        table.add_row(row);
    }
    finish(table)
}

/// A share in percent, with its interval.
fn share(figure: &IntervalEstimate) -> String {
    let value = percent(figure.value).replace(" %", "");
    format!("{value} ({:.1}–{:.1})", 100.0 * figure.lower, 100.0 * figure.upper)
}

/// What was found in a run, with what it is about.
pub fn sentences(burden: &RunBurden) -> Vec<(&'static str, &str)> {
    let differences = [("questions", &burden.asked), ("flips", &burden.flips), ("accuracy", &burden.accuracy)];
    let told = differences.into_iter().filter_map(|(name, difference)| Some((name, difference.as_ref()?)));
    told.map(|(name, difference)| (name, difference.sentence.as_str())).collect()
}

fn legend(outcome: &AuditOutcome, burden: &BurdenComparison) -> String {
    let groups = || burden.groupings.iter().flat_map(|grouping| &grouping.groups);
    let mut text = "In brackets: 95 % intervals. ".to_owned();
    if burden.tests > 0 {
        text += &format!(
            "Differences are tested by Welch's test and analysis of variance (questions) and by chi-square or Fisher's \
             exact test (flips, accuracy), at 5 % for all {} tests together (Holm). Among several groups, the two with \
             the clearest difference are named. If no difference is found, there may still be one. ",
            burden.tests
        );
    }
    if groups().any(|members| members.too_few && members.merged == 0) {
        text += &format!("†: fewer than {} people; shown but not compared. ", burden.fewest_people);
    }
    let is_untold = burden.groupings.iter().any(|grouping| grouping.groups_untold > 0);
    if is_untold || groups().any(|members| members.merged > 0) {
        text += &format!(
            "Groups with fewer than {} people are not shown on their own (--smallest-group). ",
            outcome.smallest_group
        );
    }
    text + "docs/equal-burden.md explains what this can and cannot show."
}
