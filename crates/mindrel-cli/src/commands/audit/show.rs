//! An audit on the terminal.

use mindrel_audit::AuditReport;

use crate::terminal::burden::burden_tables;
use crate::terminal::giveaway::giveaway_tables;
use crate::terminal::output::{say, say_line};
use crate::terminal::report::{
    calibrated_table, calibration_table, classes_table, legend, plans_key, questions_table, runs_table,
};

/// Shows a report, with a remark where a promise is audited on the people it was made on.
pub fn show(report: &AuditReport, on_own_table: &str) -> anyhow::Result<()> {
    say_line(&format!("{} people, {} sensitive questions", report.people, report.questions))?;
    say_line(&plans_key(report))?;
    say(&runs_table(report))?;
    say_line(&format!("\n{}\n", legend(report)))?;
    for part in [&calibration_table(report), &calibrated_table(report), on_own_table] {
        if !part.is_empty() {
            say_line(part)?;
        }
    }
    say(&classes_table(report))?;
    say_line("")?;
    say(&questions_table(report))?;
    for part in [burden_tables(report), giveaway_tables(report)] {
        if !part.is_empty() {
            say_line("")?;
            say(&part)?;
        }
    }
    Ok(())
}
