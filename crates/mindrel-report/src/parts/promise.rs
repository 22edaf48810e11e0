//! What was promised against what happened, and who is decided about otherwise.

use mindrel::Schema;
use mindrel_audit::{Agreement, FlipRate, IntervalEstimate, PromisedFlips, RunOutcome};
use mindrel_plot::{Axis, Colour, DataPoint, Figure, Mark, NumberFormat, Panel, Series};

use crate::reading::Reading;
use crate::section::{ReportCell, ReportSection, ReportTable};
use crate::words::{colour, delta, group_name, grouped, percent, share_within, short_percent, untold_groups, verdict};

pub(super) fn section(reading: &Reading<'_>) -> Option<ReportSection> {
    let run = reading.chosen();
    let promising: Vec<&RunOutcome> = reading.ladder().into_iter().filter(|run| run.calibration.is_some()).collect();
    if promising.is_empty() && run.calibrated.is_none() && run.flips == 0.0 {
        return None;
    }
    let mut section = ReportSection::new("promise", "What was promised, and what happened");
    if let Some(calibrated) = &run.calibrated {
        section = in_words(section, calibrated).table(groups(reading.plan.schema(), calibrated));
    } else if let Some(calibration) = &run.calibration {
        let (mood, said) = verdict(calibration.everybody.verdict);
        section = section.finding(
            mood,
            format!(
                "Promised: at least {} of decisions unchanged from full data. Observed: {}. The promise is {said}.",
                short_percent(calibration.promised),
                observed(&calibration.everybody)
            ),
        );
    } else if run.delta == 0.0 {
        section = section.text(
            "The chosen rule promises nothing by probability. What looser rules promise, and whether they keep it, is shown for comparison.",
        );
    }
    if !promising.is_empty() {
        section = section
            .text(
                "A promise is kept or not kept only where the whole 95 % interval lies on one side of it; otherwise it is too close to tell. One that is not kept \
                 means that the plan’s belief does not fit these people.",
            )
            .figure(figure(reading, &promising))
            .table(table(reading, &promising));
    }
    let untold = run.calibrated.as_ref().map_or(0, |calibrated| calibrated.groups_untold);
    let section = section.table(classes(reading));
    Some(untold_groups(untold, reading.outcome.smallest_group).into_iter().fold(section, ReportSection::text))
}

fn in_words(section: ReportSection, calibrated: &PromisedFlips) -> ReportSection {
    let (mood, said) = verdict(calibrated.everybody.verdict);
    let share = calibrated.everybody.observed.map_or_else(|| "nobody".to_owned(), percent);
    section.finding(
        mood,
        format!(
            "Promised: at most {} of decisions differ from those with all data. Observed: {share} ({:.1} to {:.1} with 95 % confidence). The promise is {said}.",
            short_percent(calibrated.promised),
            100.0 * calibrated.everybody.lower,
            100.0 * calibrated.everybody.upper,
        ),
    )
}

/// A share of people that agree, with its interval.
fn observed(agreement: &Agreement) -> String {
    match agreement.observed {
        None => "nobody".to_owned(),
        Some(value) => share_within(&IntervalEstimate { value, lower: agreement.lower, upper: agreement.upper }),
    }
}

fn groups(schema: &Schema, calibrated: &PromisedFlips) -> ReportTable {
    let mut table = ReportTable::new(
        "Calibrated, by group",
        ["group", "δ", "people", "differ from all data (95 % interval)", "promise"],
    );
    for group in &calibrated.groups {
        let name = group_name(schema, calibrated, group);
        let (mood, said) = verdict(group.flips.verdict);
        let share = group.flips.observed.map_or_else(
            || "nobody".to_owned(),
            |share| {
                format!("{} ({:.1} to {:.1})", percent(share), 100.0 * group.flips.lower, 100.0 * group.flips.upper)
            },
        );
        table.row(
            false,
            [
                ReportCell::words(name),
                ReportCell::number(group.delta.to_string()),
                ReportCell::number(grouped(group.flips.people)),
                ReportCell::number(share),
                ReportCell::Verdict(mood, said.to_owned()),
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
        "Whiskers are exact 95 % intervals. Observed at or to the right of promised is as it should be. The axis spans at least 10 percentage points.",
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
        ["δ", "promised, at least", "observed (95 % interval)", "promise", "the unproved alone", "promise to them"];
    let mut table = ReportTable::new("By δ", head);
    for run in promising {
        let calibration = run.calibration.as_ref().expect("only those that promise come here");
        let said = |agreement: &Agreement| {
            let (mood, said) = verdict(agreement.verdict);
            ReportCell::Verdict(mood, said.to_owned())
        };
        table.row(
            std::ptr::eq(*run, reading.chosen()),
            [
                ReportCell::number(run.delta.to_string()),
                ReportCell::number(short_percent(calibration.promised)),
                ReportCell::number(observed(&calibration.everybody)),
                said(&calibration.everybody),
                ReportCell::number(observed(&calibration.probable)),
                said(&calibration.probable),
            ],
        );
    }
    table
}

/// Decisions that differ, for each class.
fn classes(reading: &Reading<'_>) -> ReportTable {
    let caption = "Decided differently, by the decision with all data";
    let (run, words) = (reading.chosen(), &reading.plan.schema().target().words);
    if run.promised_by_class.is_empty() {
        let mut table = ReportTable::new(caption, ["with all data", "decided differently"]);
        for (class, share) in &run.flips_by_class {
            table.row(false, [ReportCell::words(words.of(class).to_owned()), ReportCell::number(percent(*share))]);
        }
        return table;
    }
    let head = ["with all data", "people", "decided differently (95 % interval)", "as few as promised"];
    let mut table = ReportTable::new(caption, head);
    for class in &run.promised_by_class {
        let FlipRate { people, observed, lower, upper, .. } = class.flips;
        let share = observed.map(|value| share_within(&IntervalEstimate { value, lower, upper }));
        let (mood, said) = verdict(class.flips.verdict);
        let cells = [
            ReportCell::words(words.of(&class.class).to_owned()),
            ReportCell::number(grouped(people)),
            ReportCell::number(share.unwrap_or_else(|| "nobody".to_owned())),
            ReportCell::Verdict(mood, said.to_owned()),
        ];
        table.row(false, cells);
    }
    table
}
