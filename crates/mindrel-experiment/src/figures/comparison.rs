//! Rules of choosing questions, next to each other: as the paper shows them, and all of them in one panel.

use mindrel_plot::{Axis, Figure, Mark, NumberFormat, Panel, Series, Sharing};

use super::{basis, data_set_title, point, rule, sizes};
use crate::design::{Design, DesignClassifier};
use crate::repeated_mean::RepeatedMean;
use crate::summaries::{SettingSummary, Summaries};
use mindrel_audit::Rule;

/// One figure over all data sets at δ = 0, then one for each data set with every δ.
pub fn figures(found: &Summaries<'_>) -> Vec<(&'static str, Figure)> {
    let design = found.measured().design;
    let overview = [("rules", rules_at_zero(found))];
    overview.into_iter().chain(design.data_sets.iter().map(|&name| (name, by_delta(found, name)))).collect()
}

fn model(design: &Design) -> &'static str {
    match design.family {
        DesignClassifier::Logistic => "logistic regression",
        DesignClassifier::Network => "2×10 network",
    }
}

/// Leakage at δ = 0: one panel a data set, one line a rule.
fn rules_at_zero(found: &Summaries<'_>) -> Figure {
    let design = found.measured().design;
    let title = format!("Leakage of proved decisions (δ = 0), {}", model(design));
    let words = "Share of the sensitive features that people reveal, rule by rule.";
    let mut figure = Figure::new(title, format!("{words} {}", basis(found)));
    figure = figure.columns(design.data_sets.len().min(4)).sharing(Sharing::Rows);
    for &data_set in design.data_sets {
        let mut panel = Panel::new(data_set_title(data_set)).x(sizes(found, data_set)).y(leakage());
        let rules = design.selectors.iter().copied().map(Rule::Asking);
        for rule in rules.chain([Rule::Optimal]) {
            panel = panel.series(line(found, data_set, rule, 0.0, |row| &row.leakage));
        }
        figure = figure.panel(panel);
    }
    figure
}

/// The paper's layout: one column a rule, accuracy above leakage, one line a δ.
fn by_delta(found: &Summaries<'_>, data_set: &str) -> Figure {
    let design = found.measured().design;
    let title = format!("{}, {}", data_set_title(data_set), model(design));
    let words = "Accuracy (above) and leakage (below, logarithmic) against the number of sensitive features, for each rule and δ.";
    let mut figure = Figure::new(title, format!("{words} {}", basis(found))).columns(design.selectors.len());
    for selector in design.selectors.iter().copied().map(Rule::Asking) {
        let panel = Panel::new(rule(selector).1).x(sizes(found, data_set));
        let panel = panel.y(Axis::new("accuracy").format(NumberFormat::Percent));
        let panel = with_deltas(panel, found, data_set, selector, |row| &row.accuracy);
        figure = figure.panel(panel.series(line(found, data_set, Rule::All, 0.0, |row| &row.accuracy)));
    }
    for selector in design.selectors.iter().copied().map(Rule::Asking) {
        let panel = Panel::new("").x(sizes(found, data_set)).y(leakage());
        let panel = with_deltas(panel, found, data_set, selector, |row| &row.leakage);
        let panel = panel.series(line(found, data_set, Rule::Optimal, 0.0, |row| &row.leakage));
        figure = figure.panel(panel.series(line(found, data_set, Rule::All, 0.0, |row| &row.leakage)));
    }
    figure
}

fn with_deltas(
    mut panel: Panel,
    found: &Summaries<'_>,
    data_set: &str,
    rule: Rule,
    figure: impl Fn(&SettingSummary) -> &RepeatedMean + Copy,
) -> Panel {
    let deltas = found.measured().design.deltas;
    for (place, &delta) in deltas.iter().enumerate() {
        let series = line(found, data_set, rule, delta, figure);
        let colour = series.colour.graded(place, deltas.len() + 1);
        panel = panel.series(Series { name: format!("δ = {delta}"), colour, ..series });
    }
    panel
}

/// One rule at one δ, by the number of sensitive features.
fn line(
    found: &Summaries<'_>,
    data_set: &str,
    shown: Rule,
    delta: f64,
    figure: impl Fn(&SettingSummary) -> &RepeatedMean,
) -> Series {
    let rows = found.filter(|it| it.data_set == data_set && it.rule == shown && it.delta == delta);
    let (colour, words) = rule(shown);
    let mark = match shown {
        Rule::Optimal => Mark::Dashed,
        Rule::All => Mark::Dotted,
        Rule::Asking(_) => Mark::Line,
    };
    Series::new(words, colour, mark, rows.map(|row| point(row.setting.sensitive as f64, figure(row))))
}

fn leakage() -> Axis {
    Axis::new("leakage").format(NumberFormat::Percent).log()
}
