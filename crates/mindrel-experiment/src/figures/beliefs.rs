//! The Gaussian belief next to a Bayesian network.

use mindrel_plot::{Axis, Colour, Figure, NumberFormat, Panel, Series};

use super::{basis, data_set_title, point};
use crate::design::BeliefKind;
use crate::repeated_mean::RepeatedMean;
use crate::summaries::{SettingSummary, Summaries};
use mindrel::Selector;
use mindrel_audit::Rule;

/// The colour of a belief.
pub fn colour(kind: BeliefKind) -> Colour {
    match kind {
        BeliefKind::Gaussian => Colour::GAUSSIAN,
        BeliefKind::Copula => Colour::COPULA,
        BeliefKind::Bayesian => Colour::BAYESIAN,
        BeliefKind::BayesianPerSet => Colour::BAYESIAN.shaded(0.5),
    }
}

/// Figures 3 and 9: accuracy above leakage, one column a data set.
pub fn by_delta(found: &Summaries<'_>) -> Figure {
    let design = found.measured().design;
    let words =
        "Accuracy (above) and leakage (below, logarithmic) by failure probability, 5 sensitive features, f-score.";
    let title = "Gaussian against Bayesian NN, logistic regression";
    let mut figure = Figure::new(title, format!("{words} {}", basis(found))).columns(design.data_sets.len());
    for &data_set in design.data_sets {
        let panel = Panel::new(data_set_title(data_set)).y(Axis::new("accuracy").format(NumberFormat::Percent));
        figure = figure.panel(with_beliefs(panel, found, data_set, |row| &row.accuracy));
    }
    for &data_set in design.data_sets {
        let panel = Panel::new("").y(Axis::new("leakage").format(NumberFormat::Percent).log());
        figure = figure.panel(with_beliefs(panel, found, data_set, |row| &row.leakage));
    }
    figure
}

fn with_beliefs(
    panel: Panel,
    found: &Summaries<'_>,
    data_set: &str,
    figure: impl Fn(&SettingSummary) -> &RepeatedMean + Copy,
) -> Panel {
    let design = found.measured().design;
    // At the width of a panel, 0 and 0.01 are too close for two numbers.
    let ticks = design.deltas.iter().copied().filter(|&delta| delta != 0.01);
    let mut panel = panel.x(Axis::new("failure probability δ").ticks(ticks));
    for &kind in design.beliefs {
        let rows = found
            .filter(|it| it.data_set == data_set && it.belief == kind && it.rule == Rule::Asking(Selector::FScore));
        let name = if kind == BeliefKind::Gaussian { "Gaussian" } else { "Bayesian NN" };
        panel = panel.series(Series::line(name, colour(kind), rows.map(|row| point(row.setting.delta, figure(row)))));
    }
    panel
}
