//! Experiments and their claims on the terminal.

use comfy_table::{CellAlignment, ColumnConstraint};
use mindrel_experiment::{CheckedClaim, ClaimVerdict, DESIGNS, Summaries, claims};

use super::output::{bold, faint};
use super::tables::{finish, new_table};

/// The list of experiments.
pub fn designs_table() -> String {
    let mut table = new_table(&["name", "in the paper", "repetitions", "subject", "data sets"]);
    for place in [1, 3, 4] {
        let column = table.column_mut(place).expect("the table has five columns");
        column.set_cell_alignment(CellAlignment::Left);
    }
    // A name that is typed is not broken.
    table.column_mut(0).expect("the table has five columns").set_constraint(ColumnConstraint::ContentWidth);
    for design in &DESIGNS {
        table.add_row(vec![
            design.name.to_owned(),
            design.items.join(", "),
            design.repetitions.to_string(),
            design.title.to_owned(),
            design.data_sets.join(", "),
        ]);
    }
    let how = "Run some with mindrel experiment NAME…, using either name, or all with mindrel experiment all.";
    format!("{}\n{how}\n", finish(table))
}

/// The claims of every experiment, with the findings.
pub fn verdicts(found: &[Summaries<'_>]) -> String {
    let mut text = String::new();
    for summaries in found {
        let design = summaries.measured().design;
        text += &format!("{}  {}\n", bold(design.title), faint(&design.items.join(", ")));
        for claim in claims(summaries) {
            text += &format!("  {} {} ({})\n", mark(&claim), claim.claim, claim.source);
            text += &format!("    {}\n", faint(&claim.finding));
        }
        text += "\n";
    }
    text
}

fn mark(claim: &CheckedClaim) -> String {
    let sign = match claim.verdict {
        ClaimVerdict::Holds => "✓",
        ClaimVerdict::Partly => "~",
        ClaimVerdict::Fails => "✗",
        ClaimVerdict::Unclear => "?",
    };
    bold(&format!("{sign} {}:", claim.verdict))
}
