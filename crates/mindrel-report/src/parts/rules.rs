//! The chosen rule compared with others.

use mindrel_audit::{IntervalEstimate, RunOutcome};
use mindrel_plot::{Axis, Colour, DataPoint, Figure, Mark, NumberFormat, Panel, Series};

use crate::reading::Reading;
use crate::section::{ReportCell, ReportSection, ReportTable};
use crate::words::{colour, percent, questions, rule};

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let beside = beside(reading);
    let mut section = ReportSection::new("rules", "Compared with other ways of asking").text(
        "A rule chooses the next question from the answers so far. All rules were run on the same people with \
         the same classifier. “all” asks everything. “optimal” is not a rule but a bound: the fewest questions \
         that prove each decision. Only a rule that stops at a probability (δ > 0) can ask fewer.",
    );
    if beside.len() > 1 {
        section = section.figure(figure(reading, &beside));
    }
    section.table(table(reading))
}

/// The runs that differ from the chosen one in their rule only, and the baselines; the fewest questions first.
fn beside<'a>(reading: &Reading<'a>) -> Vec<&'a RunOutcome> {
    let chosen = reading.chosen();
    let alike = |run: &RunOutcome| run.rule.is_baseline() || (run.delta == chosen.delta && run.test == chosen.test);
    let mut runs: Vec<&RunOutcome> =
        reading.runs().filter(|(is_chosen, run)| *is_chosen || alike(run)).map(|(_, run)| run).collect();
    runs.sort_by(|left, right| left.mean_asked.total_cmp(&right.mean_asked));
    runs
}

fn figure(reading: &Reading<'_>, beside: &[&RunOutcome]) -> Figure {
    let names = beside.iter().map(|run| {
        let name = reading.name(run);
        if std::ptr::eq(*run, reading.chosen()) { format!("{name} (chosen)") } else { name }
    });
    let mut panel = Panel::new("")
        .x(Axis::new("sensitive questions asked, on average")
            .format(NumberFormat::Decimal)
            .range(0.0, reading.outcome.questions as f64))
        .y(Axis::new("rule").categories(names));
    // One series, so that each bar has the full height of its row.
    let bars = beside.iter().enumerate().map(|(place, run)| {
        let IntervalEstimate { value, lower, upper } = IntervalEstimate::of_counts(&run.histogram);
        DataPoint::new(value, place as f64).within(lower, upper)
    });
    let colour = if reading.chosen().rule.is_baseline() { Colour::DECISIVE } else { colour(reading.chosen().rule) };
    panel = panel.series(Series::new("asked", colour, Mark::Bars, bars));
    Figure::new(
        "Questions asked by each rule",
        "The mean for each rule that stops as the chosen one does, and for the baselines. Whiskers are 95 % intervals.",
    )
    .panel(panel)
}

fn table(reading: &Reading<'_>) -> ReportTable {
    let labelled = reading.outcome.accuracy_all.is_some();
    let regretted = reading.optimal().is_some();
    let mut head = vec!["rule", "questions asked"];
    head.extend(reading.outcome.cost_all.map(|_| "cost"));
    head.extend(["leakage", "unchanged"]);
    head.extend(labelled.then_some("correct"));
    head.extend(regretted.then_some("beyond the optimum"));
    head.push("what it does");
    let mut table = ReportTable::new("Every run of this audit", head);
    for (is_chosen, run) in reading.runs() {
        let mut cells = vec![ReportCell::words(reading.name(run)), ReportCell::number(questions(run.mean_asked))];
        cells.extend(run.mean_cost.map(|cost| ReportCell::number(questions(cost))));
        cells.extend([percent(run.leakage), percent(1.0 - run.flips)].map(ReportCell::number));
        cells.extend(labelled.then(|| ReportCell::number(run.accuracy.map_or(String::new(), percent))));
        cells.extend(regretted.then(|| {
            ReportCell::number(run.regret.as_ref().map_or(String::new(), |regret| questions(regret.mean.value)))
        }));
        cells.push(ReportCell::words(rule(run.rule)));
        table.row(is_chosen, cells);
    }
    table
}
