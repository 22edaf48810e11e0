//! How long things take.

use mindrel_plot::{Axis, Figure, Mark, NumberFormat, Panel, Series, Sharing};

use super::{basis, beliefs, data_set_title, point, rule, sizes};
use crate::repeated_mean::RepeatedMean;
use crate::summaries::{SettingSummary, Summaries};
use mindrel::Selector;
use mindrel_audit::Rule;

/// Tables 1 and 2, drawn.
pub fn of_beliefs(found: &Summaries<'_>) -> Figure {
    let words = "Seconds to fit each belief (left, by the clock, all cores) and to decide about one person by the f-score at δ = 0 (right, one \
                 core). Logarithmic.";
    let title = "Fitting a belief and deciding with it, 5 sensitive features";
    let figure = Figure::new(title, format!("{words} {}", basis(found))).columns(2).sharing(Sharing::Nothing);
    let fitting = with_beliefs(found, "fitting", |row| row.seconds_fitting);
    let deciding = with_beliefs(found, "deciding, a person", |row| row.seconds_per_person);
    figure.panel(fitting).panel(deciding)
}

fn with_beliefs(found: &Summaries<'_>, title: &str, figure: impl Fn(&SettingSummary) -> Option<RepeatedMean>) -> Panel {
    let design = found.measured().design;
    let mut panel = Panel::new(title).x(Axis::new("").categories(design.data_sets.iter().copied())).y(seconds());
    for &kind in design.beliefs {
        let rows = found.filter(|it| it.belief == kind && it.rule == Rule::Asking(Selector::FScore));
        let place = |row: &SettingSummary| design.data_sets.iter().position(|&name| name == row.setting.data_set);
        let points = rows.filter_map(|row| Some(point(place(row)? as f64, &figure(row)?)));
        panel = panel.series(Series::new(kind.name(), beliefs::colour(kind), Mark::Points, points));
    }
    panel
}

/// Figure 11.
pub fn of_decisions(found: &Summaries<'_>) -> Figure {
    let design = found.measured().design;
    let words = "Seconds to decide about one person at δ = 0 on one core, by the number of sensitive features. Logarithmic; the paper's scale \
                 ends above 1 s.";
    let title = "Time for a decision, logistic regression";
    let mut figure = Figure::new(title, format!("{words} {}", basis(found))).columns(4);
    for &data_set in design.data_sets {
        let mut panel = Panel::new(data_set_title(data_set)).x(sizes(found, data_set)).y(seconds());
        for selector in design.selectors {
            let rows = found.filter(|it| it.data_set == data_set && it.rule == Rule::Asking(*selector));
            let (colour, name) = rule(Rule::Asking(*selector));
            let points = rows.filter_map(|row| Some(point(row.setting.sensitive as f64, &row.seconds_per_person?)));
            panel = panel.series(Series::line(name, colour, points));
        }
        figure = figure.panel(panel);
    }
    figure
}

fn seconds() -> Axis {
    Axis::new("time").format(NumberFormat::Seconds).log()
}
