//! The trade-off between fewer questions and unchanged decisions.

use mindrel_audit::{IntervalEstimate, RunOutcome};
use mindrel_plot::{Axis, Colour, DataPoint, Figure, Mark, NumberFormat, Panel, Series};

use super::front::interval;
use crate::reading::Reading;
use crate::section::{ReportCell, ReportSection, ReportTable};
use crate::words::{colour, delta, percent, questions};

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let ladder = reading.ladder();
    let mut section = ReportSection::new("trade", "Fewer questions against the same decisions").text(
        "δ (delta) sets when to stop asking: it is the accepted chance, under the plan’s belief, that the unasked \
         answers would have changed the decision. At δ = 0 asking stops only at a proof. With a larger δ fewer \
         questions are asked, and more decisions may differ from those with all data.",
    );
    if ladder.len() > 1 || reading.chosen().calibrated.is_some() {
        section = section.figure(figure(reading, &ladder));
    }
    section.table(table(reading, &ladder))
}

/// Axes of shares span at least ten percentage points, so that a few people do not look like a trend.
const LEAST_SPAN: f64 = 0.1;

/// What asking less may cost: correct decisions or, without labels, unchanged decisions.
fn kept(reading: &Reading<'_>, run: &RunOutcome) -> f64 {
    if reading.outcome.accuracy_all.is_some() { run.accuracy.unwrap_or(f64::NAN) } else { 1.0 - run.flips }
}

fn figure(reading: &Reading<'_>, ladder: &[&RunOutcome]) -> Figure {
    let chosen = reading.chosen();
    let place = |run: &RunOutcome| {
        let IntervalEstimate { value, lower, upper } = interval(kept(reading, run), reading.outcome.people);
        DataPoint::new(run.leakage, value).within(lower, upper)
    };
    let colour = colour(chosen.rule);
    let labelled = reading.outcome.accuracy_all.is_some();
    let mut panel = Panel::new("")
        .x(Axis::new("sensitive questions asked (leakage)")
            .format(NumberFormat::Percent)
            .at_least(LEAST_SPAN)
            .limits(0.0, 1.0))
        .y(Axis::new(if labelled { "correct decisions" } else { "decisions unchanged from full data" })
            .format(NumberFormat::Percent)
            .at_least(LEAST_SPAN)
            .limits(0.0, 1.0))
        .series(Series::new(
            chosen.rule.name(),
            colour.shaded(0.4),
            Mark::Line,
            ladder.iter().map(|run| (run.leakage, kept(reading, run))),
        ));
    for (step, run) in ladder.iter().enumerate().filter(|(_, run)| !std::ptr::eq(**run, chosen)) {
        let shade = colour.graded(step, ladder.len() + 1);
        panel = panel.series(Series::new(delta(run.delta), shade, Mark::Named, [place(run)]));
    }
    let baselines = [("optimal", Colour::OPTIMAL, reading.optimal()), ("all", Colour::ALL_FEATURES, reading.all())];
    for (name, colour, run) in baselines {
        panel = panel.series(Series::new(name, colour, Mark::Named, run.map(place)));
    }
    panel.series.retain(|series| !series.points.is_empty());
    let name = if chosen.calibrated.is_some() {
        "chosen: calibrated".to_owned()
    } else {
        format!("chosen: {}", delta(chosen.delta))
    };
    let panel = panel.series(Series::new(name, colour, Mark::Chosen, [place(chosen)]));
    let what =
        if labelled { "How many decisions are correct" } else { "How many decisions are unchanged from full data" };
    Figure::new(
        format!("{what}, by how much is asked"),
        "Points further to the left ask less. “optimal” is the fewest questions that prove each decision, and \
         “all” is every question. Whiskers are exact 95 % intervals. The vertical axis does not start at zero and \
         spans at least 10 percentage points.",
    )
    .panel(panel)
}

fn table(reading: &Reading<'_>, ladder: &[&RunOutcome]) -> ReportTable {
    let labelled = reading.outcome.accuracy_all.is_some();
    let right = labelled.then_some("correct");
    let head = ["δ", "questions asked", "leakage", "unchanged"].into_iter().chain(right);
    let mut table = ReportTable::new("By δ, with the other settings as chosen", head);
    let chosen = reading.chosen();
    let calibrated = chosen.calibrated.is_some().then_some(chosen);
    for run in ladder.iter().copied().chain(calibrated) {
        let name = if run.calibrated.is_some() { "calibrated".to_owned() } else { run.delta.to_string() };
        let cells = [name, questions(run.mean_asked), percent(run.leakage), percent(1.0 - run.flips)];
        let right = labelled.then(|| run.accuracy.map_or(String::new(), percent));
        table.row(std::ptr::eq(run, chosen), cells.into_iter().chain(right).map(ReportCell::number));
    }
    table
}
