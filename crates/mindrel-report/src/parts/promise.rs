//! Promises compared with what was observed, and decisions that differ, by class.

use mindrel::Schema;
use mindrel_audit::{Agreement, FlipRate, IntervalEstimate, PromiseVerdict, PromisedFlips, RunOutcome};
use mindrel_plot::{Axis, Colour, DataPoint, Figure, Mark, NumberFormat, Panel, Series};

use crate::reading::Reading;
use crate::section::{Mood, ReportCell, ReportSection, ReportTable};
use crate::words::{colour, delta, group_name, grouped, percent, share_within, short_percent, untold_groups, verdict};

pub(super) fn section(reading: &Reading<'_>) -> Option<ReportSection> {
    let run = reading.chosen();
    let promising: Vec<&RunOutcome> = reading.ladder().into_iter().filter(|run| run.calibration.is_some()).collect();
    if promising.is_empty() && run.calibrated.is_none() && run.flips == 0.0 {
        return None;
    }
    let mut section = ReportSection::new("promise", "What was promised, and what was observed");
    if let Some(calibrated) = &run.calibrated {
        section = in_words(section, calibrated).table(groups(reading.plan.schema(), calibrated));
    } else if let Some(calibration) = &run.calibration {
        let (mood, said) = verdict_sentence(calibration.everybody.verdict);
        section = section.finding(
            mood,
            format!(
                "Promised: at least {} of decisions unchanged from full data. Observed: {}. {said}",
                short_percent(calibration.promised),
                agreeing(&calibration.everybody)
            ),
        );
    } else if run.delta == 0.0 {
        section = section
            .text("The chosen rule rests on no probability. The promises of looser rules are shown for comparison.");
    }
    if !promising.is_empty() {
        section = section
            .text(
                "A promise counts as kept or not kept only if the whole 95 % interval lies on one side of it; \
                 otherwise it is too close to tell. If it is not kept, the plan’s belief does not fit these people.",
            )
            .figure(figure(reading, &promising))
            .table(table(reading, &promising));
    }
    let untold = run.calibrated.as_ref().map_or(0, |calibrated| calibrated.groups_untold);
    let section = section.table(classes(reading));
    Some(untold_groups(untold, reading.outcome.smallest_group).into_iter().fold(section, ReportSection::text))
}

fn in_words(section: ReportSection, calibrated: &PromisedFlips) -> ReportSection {
    let (mood, said) = verdict_sentence(calibrated.everybody.verdict);
    section.finding(
        mood,
        format!(
            "Promised: at most {} of decisions differ from those with all data. Observed: {} with 95 % confidence. \
             {said}",
            short_percent(calibrated.promised),
            flipped(&calibrated.everybody),
        ),
    )
}

/// Whether a promise is kept, in a sentence.
fn verdict_sentence(kept: PromiseVerdict) -> (Mood, String) {
    let (mood, said) = verdict(kept);
    match kept {
        PromiseVerdict::Kept | PromiseVerdict::Broken => (mood, format!("The promise is {said}.")),
        PromiseVerdict::Unclear => (mood, format!("Whether the promise is kept is {said}.")),
    }
}

/// The share of decisions that agree, with its interval.
fn agreeing(Agreement { observed, lower, upper, .. }: &Agreement) -> String {
    observed_within(*observed, *lower, *upper)
}

/// The share of decisions that differ, with its interval.
fn flipped(FlipRate { observed, lower, upper, .. }: &FlipRate) -> String {
    observed_within(*observed, *lower, *upper)
}

fn observed_within(observed: Option<f64>, lower: f64, upper: f64) -> String {
    observed.map_or_else(|| "nobody".to_owned(), |value| share_within(&IntervalEstimate { value, lower, upper }))
}

/// Whether a promise is kept, as a cell.
fn verdict_cell(kept: PromiseVerdict) -> ReportCell {
    let (mood, said) = verdict(kept);
    ReportCell::Verdict(mood, said.to_owned())
}

fn groups(schema: &Schema, calibrated: &PromisedFlips) -> ReportTable {
    let mut table = ReportTable::new(
        "Calibrated, by group",
        ["group", "δ", "people", "differ from all data (95 % interval)", "promise"],
    );
    for group in &calibrated.groups {
        table.row(
            false,
            [
                ReportCell::words(group_name(schema, calibrated, group)),
                ReportCell::number(group.delta.to_string()),
                ReportCell::number(grouped(group.flips.people)),
                ReportCell::number(flipped(&group.flips)),
                verdict_cell(group.flips.verdict),
            ],
        );
    }
    table
}

fn figure(reading: &Reading<'_>, promising: &[&RunOutcome]) -> Figure {
    let reports = || promising.iter().filter_map(|run| run.calibration.as_ref()).enumerate();
    let promised = reports().map(|(place, it)| (it.promised, place as f64));
    let observed = reports().filter_map(|(place, it)| {
        let Agreement { observed, lower, upper, .. } = it.everybody;
        Some(DataPoint::new(observed?, place as f64).within(lower, upper))
    });
    Figure::new(
        "Decisions unchanged from full data: promised and observed",
        "Whiskers are exact 95 % intervals. The observed share should be at or to the right of the promised one. The \
         axis spans at least 10 percentage points.",
    )
    .panel(
        Panel::new("")
            .x(Axis::new("decisions unchanged from full data")
                .format(NumberFormat::Percent)
                .at_least(0.1)
                .limits(0.0, 1.0))
            .y(Axis::new("δ").categories(promising.iter().map(|run| delta(run.delta))))
            .series(Series::new("promised, at least", Colour::ALL_FEATURES, Mark::Points, promised))
            .series(Series::new("observed", colour(reading.chosen().rule), Mark::Points, observed)),
    )
}

fn table(reading: &Reading<'_>, promising: &[&RunOutcome]) -> ReportTable {
    let head =
        ["δ", "promised, at least", "observed (95 % interval)", "promise", "unproved decisions only", "their promise"];
    let mut table = ReportTable::new("By δ", head);
    for run in promising {
        let calibration = run.calibration.as_ref().expect("only runs with a promise are listed");
        table.row(
            std::ptr::eq(*run, reading.chosen()),
            [
                ReportCell::number(run.delta.to_string()),
                ReportCell::number(short_percent(calibration.promised)),
                ReportCell::number(agreeing(&calibration.everybody)),
                verdict_cell(calibration.everybody.verdict),
                ReportCell::number(agreeing(&calibration.probable)),
                verdict_cell(calibration.probable.verdict),
            ],
        );
    }
    table
}

/// Decisions that differ, by class.
fn classes(reading: &Reading<'_>) -> ReportTable {
    let caption = "Decisions that differ, by the decision with all data";
    let (run, words) = (reading.chosen(), &reading.plan.schema().target().words);
    if run.promised_by_class.is_empty() {
        let mut table = ReportTable::new(caption, ["with all data", "differ"]);
        for (class, share) in &run.flips_by_class {
            table.row(false, [ReportCell::words(words.of(class).to_owned()), ReportCell::number(percent(*share))]);
        }
        return table;
    }
    let head = ["with all data", "people", "differ (95 % interval)", "promise"];
    let mut table = ReportTable::new(caption, head);
    for class in &run.promised_by_class {
        let cells = [
            ReportCell::words(words.of(&class.class).to_owned()),
            ReportCell::number(grouped(class.flips.people)),
            ReportCell::number(flipped(&class.flips)),
            verdict_cell(class.flips.verdict),
        ];
        table.row(false, cells);
    }
    table
}
