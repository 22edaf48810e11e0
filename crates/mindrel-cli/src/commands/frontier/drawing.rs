//! Accuracy against questions, drawn.

use mindrel_experiment::frontier::{self, Frontier, FrontierModel, Measure, ModelKind};
use mindrel_plot::{Axis, Colour, DataPoint, Figure, Hue, Mark, NumberFormat, Panel, Series, Sharing};

use crate::terminal::frontier::{conclusion, model_rows};

/// The part of the held-out people, as panels name it, and its figures of a model.
type HeldOutPart = (&'static str, fn(&FrontierModel) -> &Measure);

const PARTS: [HeldOutPart; 2] =
    [("people used to choose (validation)", |model| &model.validation), ("other people (test)", |model| &model.test)];

pub fn figure(found: &Frontier) -> Figure {
    let description = "Each point is a model: how many sensitive questions it asks per person, on average, until its \
                       decision is proved, and how often it is right. Higher and further left is better. Whiskers \
                       are exact 95 % intervals; the axes span at least one question and 10 percentage points. The \
                       model was chosen on the people used to choose; the others had no part in it.";
    let figure = Figure::new("Accuracy against questions asked", description).columns(2).sharing(Sharing::Figure);
    PARTS.iter().fold(figure, |figure, part| figure.panel(panel(found, part)))
}

/// A page with the chart, the conclusion and the numbers.
pub fn page(found: &Frontier, figure: &Figure) -> String {
    let (head, rows) = model_rows(found);
    let head: Vec<String> = head.iter().map(|head| head.replace('\n', ", ")).collect();
    frontier::page(&conclusion(found), figure, &head, &rows)
}

fn panel(found: &Frontier, (title, part): &HeldOutPart) -> Panel {
    let point = |model: &FrontierModel| DataPoint::new(part(model).mean_asked, part(model).accuracy);
    let within = |model: &FrontierModel| point(model).within(part(model).lower, part(model).upper);
    let of = |is: &dyn Fn(&FrontierModel) -> bool| {
        found.models.iter().filter(|model| is(model)).map(within).collect::<Vec<_>>()
    };
    let is_network = |model: &FrontierModel| matches!(model.kind, ModelKind::Network { .. });
    let fewer = |model: &FrontierModel| !model.left_out.is_empty();
    let all = |model: &FrontierModel| !is_network(model) && !fewer(model);
    let chosen = &found.models[found.choice.chosen];
    let mut frontier: Vec<DataPoint> = found.models.iter().filter(|model| model.on_frontier).map(point).collect();
    frontier.sort_by(|left, right| left.x.total_cmp(&right.x));
    let mut panel = Panel::new(*title)
        .x(Axis::new("questions asked per person").format(NumberFormat::Decimal).at_least(1.0))
        .y(Axis::new("accuracy").format(NumberFormat::Percent).at_least(0.1).limits(0.0, 1.0));
    if *title == PARTS[0].0 {
        panel = panel.series(Series::new("frontier", Colour::new(Hue::Grey), Mark::Dashed, frontier));
    }
    let series = [
        ("logistic, all questions", Hue::Blue, of(&all)),
        ("logistic, some left out", Hue::Green, of(&fewer)),
        ("network", Hue::Orange, of(&is_network)),
    ];
    for (name, hue, points) in series {
        if !points.is_empty() {
            panel = panel.series(Series::new(name, Colour::new(hue), Mark::Points, points));
        }
    }
    panel.series(Series::new("chosen", Colour::new(Hue::Vermillion), Mark::Chosen, [within(chosen)]))
}
