//! People by how many answers they give.

use mindrel_plot::{Axis, Colour, DataPoint, Figure, Hue, Mark, NumberFormat, Panel, Series, Sharing};

use super::{basis, rule};
use crate::summaries::{SettingSummary, Summaries};
use mindrel_audit::Rule;

/// Figure 2.
pub fn smallest(found: &Summaries<'_>) -> Figure {
    let rows: Vec<&SettingSummary> = found.filter(|it| it.rule == Rule::Optimal).collect();
    let hue = Colour::new(Hue::Blue);
    let mut panel = Panel::new("").x(answers("size of the smallest pure core set", &rows)).y(people(&rows));
    for (place, row) in rows.iter().enumerate() {
        let name = format!("|S| = {}", row.setting.sensitive);
        panel = panel.series(Series::new(name, hue.graded(place, rows.len() + 1), Mark::Steps, counts(row)));
    }
    let words = "People whose smallest pure core set is at most so large: so few answers would prove the decision.";
    Figure::new("Smallest pure core sets, credit, logistic regression", format!("{words} {}", basis(found)))
        .panel(panel)
}

/// Figure 4.
pub fn by_delta(found: &Summaries<'_>) -> Figure {
    let words = "People who gave at most so many of 7 sensitive answers until the decision was settled.";
    let title = "Answers given, bank, logistic regression";
    let mut figure = Figure::new(title, format!("{words} {}", basis(found))).columns(2).sharing(Sharing::Figure);
    for selector in found.measured().design.selectors {
        let rows: Vec<&SettingSummary> = found.filter(|it| it.rule == Rule::Asking(*selector)).collect();
        let (colour, name) = rule(Rule::Asking(*selector));
        let mut panel = Panel::new(name).x(answers("answers given", &rows)).y(people(&rows));
        for (place, row) in rows.iter().enumerate() {
            let name = format!("δ = {}", row.setting.delta);
            panel = panel.series(Series::new(name, colour.graded(place, rows.len() + 1), Mark::Steps, counts(row)));
        }
        figure = figure.panel(panel);
    }
    figure
}

fn answers(label: &str, rows: &[&SettingSummary]) -> Axis {
    let most = rows.iter().map(|row| row.setting.sensitive).max().unwrap_or(0);
    Axis::new(label).format(NumberFormat::Count).ticks((0..=most).map(|count| count as f64))
}

fn people(rows: &[&SettingSummary]) -> Axis {
    let most = rows.iter().map(|row| people_each(row)).fold(1.0, f64::max);
    Axis::new("test people, cumulative").format(NumberFormat::Count).range(0.0, most)
}

/// People of one repetition, on average.
fn people_each(row: &SettingSummary) -> f64 {
    row.people as f64 / row.repetitions as f64
}

/// Those of one repetition, on average, with at most so many answers.
fn counts(row: &SettingSummary) -> Vec<DataPoint> {
    let people = people_each(row);
    let one = |(count, share): (usize, &crate::repeated_mean::RepeatedMean)| {
        let point = DataPoint::new(count as f64, people * share.mean);
        share.drawn_interval().map_or(point, |(low, high)| point.within(people * low, people * high))
    };
    row.cumulative.iter().enumerate().map(one).collect()
}
