//! An audit on the terminal.

use mindrel_audit::AuditOutcome;

use crate::terminal::audit_tables::{
    calibrated_table, calibration_table, classes_table, legend, plans_key, questions_table, runs_table,
};
use crate::terminal::burden::burden_tables;
use crate::terminal::giveaway::giveaway_tables;
use crate::terminal::output::{say, say_line};

/// Shows a report, with a remark where a promise is audited on the people it was made on.
pub fn show(outcome: &AuditOutcome, on_own_table: &str) -> anyhow::Result<()> {
    say_line(&format!("{} people, {} sensitive questions", outcome.people, outcome.questions))?;
    say_line(&plans_key(outcome))?;
    say(&runs_table(outcome))?;
    say_line(&format!("\n{}\n", legend(outcome)))?;
    for part in [&calibration_table(outcome), &calibrated_table(outcome), on_own_table] {
        if !part.is_empty() {
            say_line(part)?;
        }
    }
    say(&classes_table(outcome))?;
    say_line("")?;
    say(&questions_table(outcome))?;
    for part in [burden_tables(outcome), giveaway_tables(outcome)] {
        if !part.is_empty() {
            say_line("")?;
            say(&part)?;
        }
    }
    Ok(())
}
