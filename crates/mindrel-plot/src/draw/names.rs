//! Names of series: at the ends of their lines where there is room, else in a legend.

use std::collections::BTreeSet;

use super::cell::{PanelCell, Spot};
use super::frame::words;
use super::layout::{FigureLayout, Paper, TEXT, plot_height};
use super::marks::{circle, line_class};
use crate::colour::{Colour, Hue};
use crate::figure::{Figure, Mark, Panel, Series};
use crate::place::spread;
use crate::text;
use crate::xml::{Xml, length};

/// The distance between the baselines of two names.
const LINE: f64 = 15.0;

/// From the edge of a panel to the sample of a line, the sample, and from there to its name.
const LEADER: f64 = 14.0;
const SAMPLE: f64 = 14.0;
const SPACE: f64 = 5.0;

/// A name longer than this is better told in a legend.
const WIDEST_END: f64 = 170.0;

/// The height of a line of a legend.
const LEGEND_LINE: f64 = 20.0;

/// One name of a legend and its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LegendEntry {
    pub name: String,
    pub colour: Colour,
    pub mark: Mark,
    pub at: (f64, f64),
}

/// Where the series of a figure are named.
#[derive(Debug)]
pub(super) struct Naming {
    /// For each panel, whether its lines are named at their ends.
    pub ends: Vec<bool>,
    /// The names told at the top instead.
    pub legend: Vec<LegendEntry>,
}

/// Decides where series are named.
///
/// The last panel of a row names the lines of the whole row if it has all of them. Where rows name too many lines or
/// too long names, or bars of several kinds stand side by side or a panel lies on its side, a legend names everything
/// once.
///
/// On slim paper there is no room at the ends of lines.
pub(super) fn naming(figure: &Figure, paper: Paper) -> Naming {
    let columns = figure.n_columns();
    let mut ends = vec![];
    let mut fits = paper == Paper::Roomy;
    for row in figure.panels.chunks(columns) {
        let last: BTreeSet<&str> = row.last().map(names_of).unwrap_or_default();
        let last_tells_all = row.iter().all(|panel| names_of(panel).is_subset(&last));
        for (place, panel) in row.iter().enumerate() {
            let told_here = !names_of(panel).is_empty() && (!last_tells_all || place + 1 == row.len());
            ends.push(told_here);
            let room = plot_height(figure, row) / LINE;
            // A line from a point to its name would run where the points of a panel on its side have their own.
            let in_the_way = (panel.has_bars() || panel.is_sideways()) && !names_of(panel).is_empty();
            fits &= !in_the_way && (!told_here || ends_fit(panel, room));
        }
        fits &= last_tells_all || columns <= 2;
    }
    if fits {
        Naming { ends, legend: vec![] }
    } else {
        Naming { ends: vec![false; ends.len()], legend: entries(figure) }
    }
}

fn ends_fit(panel: &Panel, most: f64) -> bool {
    let names = names_of(panel);
    names.len() as f64 <= most && names.iter().all(|name| text::width(name, TEXT) <= WIDEST_END)
}

/// The series that need a name: a panel's title says what a single one is, and what was chosen is named where it is.
fn named(panel: &Panel) -> impl Iterator<Item = &Series> {
    let has_name =
        |series: &&Series| !series.mark.is_named_in_place() && series.points.iter().any(|point| point.is_finite());
    let several = panel.series.iter().filter(has_name).count() > 1;
    panel.series.iter().filter(move |series| several && has_name(series))
}

fn names_of(panel: &Panel) -> BTreeSet<&str> {
    named(panel).map(|series| series.name.as_str()).collect()
}

/// Every name once. What has one name in several hues is told in grey: there the panel's title says the hue.
fn entries(figure: &Figure) -> Vec<LegendEntry> {
    let mut entries: Vec<LegendEntry> = vec![];
    for series in figure.panels.iter().flat_map(named) {
        match entries.iter_mut().find(|entry| entry.name == series.name) {
            Some(entry) if entry.colour.hue != series.colour.hue => entry.colour.hue = Hue::Grey,
            Some(_) => {}
            None => entries.push(LegendEntry {
                name: series.name.clone(),
                colour: series.colour,
                mark: series.mark,
                at: (0.0, 0.0),
            }),
        }
    }
    entries
}

/// Places the entries in lines and gives their height.
pub(super) fn lay_out_legend(entries: &mut [LegendEntry], left: f64, top: f64, right: f64) -> f64 {
    if entries.is_empty() {
        return 0.0;
    }
    let (mut x, mut y) = (left, top + LEGEND_LINE / 2.0);
    for entry in entries {
        let needed = SAMPLE + 6.0 + SPACE + text::width(&entry.name, TEXT).min(right - left);
        if x > left && x + needed > right {
            (x, y) = (left, y + LEGEND_LINE);
        }
        entry.at = (x, y);
        x += needed + 16.0;
    }
    y - top + LEGEND_LINE / 2.0 + 8.0
}

/// The legend.
pub(super) fn legend(xml: &mut Xml, layout: &FigureLayout<'_>) {
    for entry in &layout.legend {
        let (x, y) = entry.at;
        sample(xml, entry.mark, entry.colour, x, x + SAMPLE + 6.0, y);
        let name_left = x + SAMPLE + 6.0 + SPACE;
        words(xml, "mp-text", "start", (name_left, y + 4.0), &entry.name, layout.width - name_left);
    }
}

/// The room that names need at the right of a panel.
pub(super) fn room_for_ends(panel: &Panel) -> f64 {
    let widest = names_of(panel).iter().map(|name| text::width(name, TEXT)).fold(0.0, f64::max);
    LEADER + SAMPLE + SPACE + widest
}

/// A name and the spot it belongs to.
struct End<'a> {
    series: &'a Series,
    spot: Spot,
    /// The mean height of the line, by which lines that end at one spot are told in the order in which one sees them.
    mean: f64,
}

/// The names beside a panel, each with a sample of its line and a leader to its end.
pub(super) fn beside(xml: &mut Xml, cell: &PanelCell<'_>) {
    if !cell.names_ends {
        return;
    }
    let mut ends: Vec<End<'_>> = vec![];
    for series in named(cell.panel) {
        let told = ends.iter().any(|end| end.series.name == series.name);
        ends.extend(end_of(cell, series).filter(|_| !told));
    }
    ends.sort_by(|one, other| one.spot.y.total_cmp(&other.spot.y).then(one.mean.total_cmp(&other.mean)));
    let wanted: Vec<f64> = ends.iter().map(|end| end.spot.y).collect();
    let half = LINE / 2.0;
    let places = spread(&wanted, LINE, cell.plot.top + half - 2.0, cell.plot.bottom - half + 2.0);
    for (end, at) in ends.iter().zip(places.unwrap_or(wanted)) {
        let (edge, series) = (cell.plot.right, end.series);
        let leader = format!(
            "M{} {}H{}L{} {}",
            length(end.spot.x + 5.0),
            length(end.spot.y),
            length(edge),
            length(edge + LEADER - 2.0),
            length(at)
        );
        let class = format!("mp-thin mp-stroke {}", series.colour.class());
        xml.empty("path", &[("class", &class), ("d", &leader)]);
        let start = edge + LEADER;
        sample(xml, series.mark, series.colour, start, start + SAMPLE, at);
        let name_left = start + SAMPLE + SPACE;
        words(xml, "mp-text", "start", (name_left, at + 4.0), &series.name, cell.paper_right - name_left);
    }
}

fn end_of<'a>(cell: &PanelCell<'_>, series: &'a Series) -> Option<End<'a>> {
    let spots: Vec<Spot> =
        series.points.iter().filter(|point| point.is_finite()).map(|point| cell.spot_of(point)).collect();
    let spot = *spots.iter().max_by(|one, other| one.x.total_cmp(&other.x))?;
    let mean = spots.iter().map(|spot| spot.y).sum::<f64>() / spots.len() as f64;
    Some(End { series, spot, mean })
}

/// What a series looks like, in small.
fn sample(xml: &mut Xml, mark: Mark, colour: Colour, left: f64, right: f64, y: f64) {
    let middle = Spot { x: (left + right) / 2.0, y, inside: true };
    match mark {
        Mark::Bars => {
            let (x, y) = (length(middle.x - 5.0), length(y - 5.0));
            let class = format!("mp-bar mp-fill {}", colour.class());
            xml.empty("rect", &[("class", &class), ("x", &x), ("y", &y), ("width", "10"), ("height", "10")]);
        }
        Mark::Points | Mark::Named | Mark::Chosen => {
            circle(xml, &format!("mp-dot mp-fill {}", colour.class()), middle, 4.0)
        }
        Mark::Line | Mark::Dashed | Mark::Dotted | Mark::Steps => {
            let class = format!("{} mp-stroke {}", line_class(mark), colour.class());
            let path = format!("M{} {}H{}", length(left), length(y), length(right));
            xml.empty("path", &[("class", &class), ("d", &path)]);
        }
    }
}
