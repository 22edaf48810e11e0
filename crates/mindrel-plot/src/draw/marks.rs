//! The data: bands, lines, dots and whiskers.

use std::fmt::Write;

use super::cell::{PanelCell, Spot};
use super::frame::line;
use super::{bars, points};
use crate::figure::{DataPoint, Mark, Series};
use crate::xml::{Xml, length};

/// Lines through more points than this have no dots on them.
const DOTS: usize = 12;

/// Lines through more points than this do not say the value of each.
const TOLD: usize = 200;

/// All series of a panel: bands at the back, what was chosen and what says values in front.
pub(super) fn draw(xml: &mut Xml, cell: &PanelCell<'_>) {
    let series = || cell.panel.series.iter();
    series().filter(|series| series.mark.joins()).for_each(|series| band(xml, cell, series));
    bars::draw(xml, cell);
    for series in series() {
        match series.mark {
            Mark::Bars => {}
            Mark::Points | Mark::Named | Mark::Chosen => points::draw(xml, cell, series),
            Mark::Line | Mark::Dashed | Mark::Dotted | Mark::Steps => joined(xml, cell, series),
        }
    }
    series().filter(|series| series.mark.joins()).for_each(|series| hits(xml, cell, series));
    points::names(xml, cell);
}

/// The stretches of a line between points that are no numbers.
fn stretches(series: &Series) -> impl Iterator<Item = &[DataPoint]> {
    series.points.split(|point| !point.is_finite()).filter(|points| !points.is_empty())
}

fn joined(xml: &mut Xml, cell: &PanelCell<'_>, series: &Series) {
    let class = format!("{} mp-stroke {}", line_class(series.mark), series.colour.class());
    for points in stretches(series) {
        let spots: Vec<Spot> = points.iter().map(|point| cell.spot_of(point)).collect();
        xml.empty("path", &[("class", &class), ("d", &path(&spots, series.mark))]);
    }
    let drawn = series.points.iter().filter(|point| point.is_finite());
    let lonely = drawn.clone().count() == 1;
    let dotted = lonely || (drawn.clone().count() <= DOTS && series.mark == Mark::Line);
    for point in drawn {
        let spot = cell.spot_of(point);
        if dotted || !spot.inside {
            dot(xml, series, spot, 3.0);
        }
    }
}

/// The classes of a line.
pub(super) fn line_class(mark: Mark) -> &'static str {
    match mark {
        Mark::Dashed => "mp-line mp-dashed",
        Mark::Dotted => "mp-line mp-dotted",
        _ => "mp-line",
    }
}

/// The path through spots, in steps or straight.
fn path(spots: &[Spot], mark: Mark) -> String {
    let mut path = String::new();
    for (place, spot) in spots.iter().enumerate() {
        let (x, y) = (length(spot.x), length(spot.y));
        let _ = match (place, mark) {
            (0, _) => write!(path, "M{x} {y}"),
            (_, Mark::Steps) => write!(path, "H{x}V{y}"),
            _ => write!(path, "L{x} {y}"),
        };
    }
    path
}

/// The area between the ends of neighbouring intervals.
fn band(xml: &mut Xml, cell: &PanelCell<'_>, series: &Series) {
    let class = format!("mp-band mp-fill {}", series.colour.class());
    for points in series.points.split(|point| !point.is_finite() || point.ends().is_none()) {
        let ends: Vec<[Spot; 2]> = points.iter().filter_map(|point| cell.ends_of(point)).collect();
        if ends.len() < 2 {
            continue;
        }
        let lower: Vec<Spot> = ends.iter().map(|[low, _]| *low).collect();
        let upper: Vec<Spot> = ends.iter().map(|[_, high]| *high).collect();
        // The way back, in steps, turns its corners the other way round.
        let mut outline = path(&upper, series.mark);
        for (place, spot) in lower.iter().enumerate().rev() {
            let (x, y) = (length(spot.x), length(spot.y));
            let _ = match series.mark {
                Mark::Steps if place + 1 < lower.len() => write!(outline, "V{y}H{x}"),
                _ => write!(outline, "L{x} {y}"),
            };
        }
        outline.push('Z');
        xml.empty("path", &[("class", &class), ("d", &outline)]);
    }
}

/// A dot, hollow where the value lies beyond the axis.
pub(super) fn dot(xml: &mut Xml, series: &Series, spot: Spot, radius: f64) {
    let colour = series.colour.class();
    let class = if spot.inside { format!("mp-dot mp-fill {colour}") } else { format!("mp-hollow mp-stroke {colour}") };
    circle(xml, &class, spot, radius);
}

pub(super) fn circle(xml: &mut Xml, class: &str, spot: Spot, radius: f64) {
    let (x, y) = (length(spot.x), length(spot.y));
    xml.empty("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", &length(radius))]);
}

/// The interval of a point that stands alone, set off from what lies behind it.
pub(super) fn whisker(xml: &mut Xml, cell: &PanelCell<'_>, point: &DataPoint, paint: &str) {
    let Some([low, high]) = cell.ends_of(point) else { return };
    line(xml, "mp-gap", (low.x, low.y), (high.x, high.y));
    let class = format!("mp-whisker {paint}");
    line(xml, &class, (low.x, low.y), (high.x, high.y));
    let (across, up) = if cell.panel.is_sideways() { (0.0, 3.0) } else { (3.0, 0.0) };
    for end in [low, high].iter().filter(|end| end.inside) {
        line(xml, &class, (end.x - across, end.y - up), (end.x + across, end.y + up));
    }
}

/// Discs that are not seen but say what lies under them.
fn hits(xml: &mut Xml, cell: &PanelCell<'_>, series: &Series) {
    let drawn = || series.points.iter().filter(|point| point.is_finite());
    if drawn().count() > TOLD {
        return;
    }
    for point in drawn() {
        let spot = cell.spot_of(point);
        let (x, y) = (length(spot.x), length(spot.y));
        xml.titled("circle", &[("class", "mp-hit"), ("cx", &x), ("cy", &y), ("r", "7")], &cell.told(series, point));
    }
}
