//! An audit on the terminal.

use mindrel_audit::AuditOutcome;
use mindrel_report::ReportFindings;

use super::AuditArguments;
use crate::terminal::audit_summary::audit_summary;
use crate::terminal::audit_tables::{
    calibrated_table, calibration_table, classes_table, first_alike, legend, only, questions_table, run_name,
    runs_table,
};
use crate::terminal::burden::burden_tables;
use crate::terminal::giveaway::giveaway_tables;
use crate::terminal::output::{say, say_line};
use crate::terminal::tables::{WIDTH, wrapped};
use crate::terminal::words::grouped;

impl AuditArguments {
    /// Shows what was found, and the figures of the chosen run or, with `--verbose`, of all.
    pub(super) fn show(&self, outcome: &AuditOutcome, findings: &ReportFindings, chosen: usize) -> anyhow::Result<()> {
        let people = grouped(outcome.people as usize);
        say_line(&format!("{people} people, {} sensitive questions\n", outcome.questions))?;
        say(&audit_summary(outcome, findings, chosen, self.names_several() && !self.verbose))?;
        if self.verbose { all_runs(outcome) } else { say_line(&self.more(outcome)) }
    }

    /// Whether the command line names runs to be compared.
    fn names_several(&self) -> bool {
        let several = |count: Option<usize>| count.is_some_and(|count| count > 1);
        let counts =
            [self.delta.as_ref().map(Vec::len), self.selector.as_ref().map(Vec::len), self.test.as_ref().map(Vec::len)];
        !self.compare.is_empty() || counts.into_iter().any(several)
    }

    /// What else can be seen, and how.
    fn more(&self, outcome: &AuditOutcome) -> String {
        let others = outcome.runs.len() - 1;
        let mut ways = vec![format!("--verbose shows all figures of the {others} other runs")];
        if self.by.is_empty() {
            ways.push("--by COLUMN compares groups".to_owned());
        }
        if !self.giveaway {
            ways.push("--giveaway measures what unasked answers give away".to_owned());
        }
        if self.report.is_none() {
            ways.push("--report FILE.html writes all this as a page with charts".to_owned());
        }
        format!("\n{}", wrapped(&format!("More: {}.", ways.join("; ")), WIDTH))
    }
}

/// Every run, in tables. A rule that does the same as one before it is named, and its long tables are left out.
fn all_runs(outcome: &AuditOutcome) -> anyhow::Result<()> {
    say_line("\nAll runs\n")?;
    say(&runs_table(outcome))?;
    say_line(&format!("\n{}\n", legend(outcome)))?;
    let alike = first_alike(outcome);
    let mut distinct = Vec::new();
    for (place, &first) in alike.iter().enumerate() {
        if first == place {
            distinct.push(place);
        } else {
            let [run, other] = [place, first].map(|place| run_name(outcome, &outcome.runs[place]));
            say_line(&format!("{run} does the same as {other}."))?;
        }
    }
    let outcome = &only(outcome, &distinct);
    for part in [
        calibration_table(outcome),
        calibrated_table(outcome),
        classes_table(outcome),
        questions_table(outcome),
        burden_tables(outcome),
        giveaway_tables(outcome),
    ] {
        if !part.is_empty() {
            say(&format!("\n{part}"))?;
        }
    }
    Ok(())
}
