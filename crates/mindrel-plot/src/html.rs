//! Figures on a page: the drawing, its caption and its numbers.

use crate::axis::{Axis, category};
use crate::figure::{DataPoint, Figure, Panel};
use crate::xml::Xml;

/// The class of cells with numbers.
const VALUE: &str = "mindrel-value";

impl Figure {
    /// A `<figure>` for a page that holds [`stylesheet`](crate::stylesheet): the caption, the drawing (another one on
    /// narrow screens), and all its numbers in a table that can be unfolded.
    pub fn to_html(&self) -> String {
        let mut html = Xml::default();
        html.open("figure", &[("class", "mindrel-figure")]);
        html.open("figcaption", &[]);
        html.leaf("strong", &[], &self.title);
        html.leaf("span", &[], &self.told());
        html.close("figcaption");
        let scrolled =
            [("class", "mindrel-scroll mindrel-roomy"), ("role", "region"), ("aria-label", self.title.as_str())];
        html.open("div", &[&scrolled[..], &[("tabindex", "0")]].concat());
        html.append(&self.to_inline_svg());
        html.close("div");
        html.open("div", &[("class", "mindrel-slim")]);
        html.append(&self.to_slim_svg());
        html.close("div");
        html.open("details", &[]);
        html.leaf("summary", &[], "The numbers");
        html.open("div", &[("class", "mindrel-scroll")]);
        html.append(&self.to_html_table());
        html.close("div");
        html.close("details");
        html.close("figure");
        html.finish()
    }

    /// The numbers as HTML tables, written as the axes write them: one for each run of panels that measure the same.
    pub fn to_html_table(&self) -> String {
        let mut html = Xml::default();
        for panels in self.panels.chunk_by(|one, other| heads(one) == heads(other)) {
            table(&mut html, panels);
        }
        html.finish()
    }
}

/// The axis that says where a point is, and the one that says its value.
fn place_and_value(panel: &Panel) -> (&Axis, &Axis) {
    if panel.is_sideways() { (&panel.y, &panel.x) } else { (&panel.x, &panel.y) }
}

fn heads(panel: &Panel) -> [&str; 2] {
    let (place, value) = place_and_value(panel);
    [place, value].map(|axis| axis.label.as_str())
}

/// Names stand at the left of a column, numbers at its right.
fn place_class(panel: &Panel) -> &'static str {
    if place_and_value(panel).0.categories.is_empty() { VALUE } else { "" }
}

fn table(html: &mut Xml, panels: &[Panel]) {
    let titled = panels.iter().any(|panel| !panel.title.is_empty());
    let points = || panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
    let intervals = points().any(|point| point.interval.is_some());
    let [place, value] = heads(&panels[0]);
    html.open("table", &[]);
    html.open("thead", &[]);
    html.open("tr", &[]);
    let columns = [
        ("panel", titled, ""),
        ("series", true, ""),
        (place, true, place_class(&panels[0])),
        (value, true, VALUE),
        ("interval", intervals, VALUE),
    ];
    for (head, _, class) in columns.into_iter().filter(|(_, shown, _)| *shown) {
        html.leaf("th", &[("scope", "col"), ("class", class)], head);
    }
    html.close("tr");
    html.close("thead");
    html.open("tbody", &[]);
    for panel in panels {
        for series in &panel.series {
            for point in &series.points {
                let [place, value, interval] = numbers(panel, point);
                html.open("tr", &[]);
                if titled {
                    html.leaf("td", &[], &panel.title);
                }
                html.leaf("td", &[], &series.name);
                html.leaf("td", &[("class", place_class(panel))], &place);
                html.leaf("td", &[("class", VALUE)], &value);
                if intervals {
                    html.leaf("td", &[("class", VALUE)], &interval);
                }
                html.close("tr");
            }
        }
    }
    html.close("tbody");
    html.close("table");
}

/// The place, the value and the interval of a point as text.
fn numbers(panel: &Panel, point: &DataPoint) -> [String; 3] {
    let (place_axis, value_axis) = place_and_value(panel);
    let (place, value) = if panel.is_sideways() { (point.y, point.x) } else { (point.x, point.y) };
    let place = category(&place_axis.categories, place).map_or_else(|| place_axis.format.text(place), Into::into);
    let text = |value: f64| value_axis.format.text(value);
    let interval = point.interval.map_or(String::new(), |(low, high)| format!("{} to {}", text(low), text(high)));
    [place, text(value), interval]
}
