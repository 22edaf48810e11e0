//! What can still be inferred about unasked answers.

use mindrel_audit::{AuditOutcome, BeforeAfter, Giveaway, Inferred, RunOutcome};

use super::audit_tables::by_run;
use super::tables::{WIDTH, wrapped};

/// A table for numbers, one for choices, and a legend. Empty if this was not measured.
pub fn giveaway_tables(outcome: &AuditOutcome) -> String {
    if outcome.runs.iter().all(|run| run.giveaway.is_none()) {
        return String::new();
    }
    let mut text = String::new();
    if has_any(outcome, number) {
        text += &by_run(outcome, "not asked, but explained", |run| rows(run, number, |it| it.variance_explained));
        text.push('\n');
    }
    if has_any(outcome, choice) {
        text += &by_run(outcome, "not asked, but guessed right", |run| rows(run, choice, |it| it.guessed_right));
        text.push('\n');
    }
    text + &wrapped(LEGEND, WIDTH) + "\n"
}

const LEGEND: &str = "Fewer questions are not all there is to privacy: an unasked answer may follow from the given \
     ones. explained: for numbers, the share of their variance that can be predicted among people not asked; below \
     zero, the belief fits them badly. guessed right: for choices, how often the most likely answer is the true one. \
     Before the arrow from public answers alone, after it with the answers given. This uses the plan's belief; a \
     better one may infer more. The order of the questions, their number and the decision follow from the answers \
     and reveal nothing further.";

type Shares = Option<Option<BeforeAfter>>;

fn number(inferred: &Inferred) -> Shares {
    match inferred {
        Inferred::Number { variance_explained, .. } => Some(*variance_explained),
        Inferred::Choice { .. } => None,
    }
}

fn choice(inferred: &Inferred) -> Shares {
    match inferred {
        Inferred::Choice { guessed_right, .. } => Some(*guessed_right),
        Inferred::Number { .. } => None,
    }
}

/// Whether any question has such figures.
fn has_any(outcome: &AuditOutcome, figures: fn(&Inferred) -> Shares) -> bool {
    let questions =
        outcome.runs.iter().filter_map(|run| run.giveaway.as_ref()).flat_map(|giveaway| &giveaway.questions);
    questions.map(|question| &question.inferred).any(|inferred| figures(inferred).is_some())
}

fn rows(
    run: &RunOutcome,
    figures: impl Fn(&Inferred) -> Shares,
    total: impl Fn(&Giveaway) -> Option<BeforeAfter>,
) -> Vec<(String, String)> {
    let giveaway = run.giveaway.as_ref().expect("looked at in every run or in none");
    let questions = giveaway.questions.iter();
    let mut rows: Vec<(String, String)> =
        questions.filter_map(|it| Some((it.question.clone(), both(figures(&it.inferred)?)))).collect();
    rows.push(("(all)".to_owned(), both(total(giveaway))));
    rows
}

fn both(figures: Option<BeforeAfter>) -> String {
    match figures {
        None => "-".to_owned(),
        Some(BeforeAfter { before, after }) => format!("{:.1} → {:.1} %", 100.0 * before, 100.0 * after),
    }
}
