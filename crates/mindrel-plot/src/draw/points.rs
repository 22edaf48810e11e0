//! Points, some with their names beside them; what was chosen among others is ringed.

use super::cell::{PanelCell, Rectangle, Spot};
use super::frame::words;
use super::layout::TEXT;
use super::marks::{circle, dot, whisker};
use crate::figure::{Mark, Series};
use crate::text;
use crate::xml::Xml;

/// The points, ringed if they were chosen.
pub(super) fn draw(xml: &mut Xml, cell: &PanelCell<'_>, series: &Series) {
    let colour = series.colour.class();
    let radius = if series.mark.is_named_in_place() { 4.5 } else { 4.0 };
    for point in series.points.iter().filter(|point| point.is_finite()) {
        whisker(xml, cell, point, &format!("mp-stroke {colour}"));
        xml.open("g", &[]);
        xml.leaf("title", &[], &cell.told(series, point));
        if series.mark == Mark::Chosen {
            circle(xml, &format!("mp-ring mp-stroke {colour}"), cell.spot_of(point), 8.0);
        }
        dot(xml, series, cell.spot_of(point), radius);
        xml.close("g");
    }
}

/// The names of points, what was chosen first; each beside the first point of its series.
pub(super) fn names(xml: &mut Xml, cell: &PanelCell<'_>) {
    let mut series: Vec<&Series> = cell.panel.series.iter().filter(|series| series.mark.is_named_in_place()).collect();
    series.sort_by_key(|series| series.mark != Mark::Chosen);
    let mut written: Vec<Rectangle> = Vec::new();
    for series in series {
        if let Some(point) = series.points.iter().find(|point| point.is_finite()) {
            written.push(name(xml, cell, &series.name, cell.spot_of(point), &written));
        }
    }
}

/// Writes the name where it covers the least of the other data and names and is not taken for that of another point:
/// at a corner of its point, or above or below it.
fn name(xml: &mut Xml, cell: &PanelCell<'_>, name: &str, spot: Spot, written: &[Rectangle]) -> Rectangle {
    let room = cell.plot.width() - 20.0;
    let shown = text::fitted(name, TEXT, room);
    let width = text::width(&shown, TEXT);
    let centred = (spot.x - width / 2.0).min(cell.plot.right - width).max(cell.plot.left);
    let lefts = [spot.x + 10.0, spot.x - 10.0 - width, centred];
    let baselines = [spot.y - 9.0, spot.y + 18.0, spot.y - 9.0 - LINE, spot.y + 18.0 + LINE];
    let areas = baselines.into_iter().flat_map(|baseline| {
        lefts.map(|left| Rectangle { left, right: left + width, top: baseline - TEXT, bottom: baseline + 3.0 })
    });
    let cost = |area: &Rectangle| {
        let overlapping = written.iter().filter(|other| overlap(area, other)).count();
        covered(cell, area) + 10 * nearer_points(cell, area, spot) + 1000 * overlapping
    };
    let best = areas.min_by_key(cost).expect("there are corners");
    words(xml, "mp-halo mp-text", "start", (best.left, best.bottom - 3.0), name, room);
    best
}

/// The distance to a name one line further away.
const LINE: f64 = 16.0;

fn overlap(one: &Rectangle, other: &Rectangle) -> bool {
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}

/// How many other named points are nearer to a text than the point it names.
fn nearer_points(cell: &PanelCell<'_>, area: &Rectangle, named: Spot) -> usize {
    let away = |spot: Spot| {
        let across = (area.left - spot.x).max(spot.x - area.right).max(0.0);
        across.hypot((area.top - spot.y).max(spot.y - area.bottom).max(0.0))
    };
    let series = cell.panel.series.iter().filter(|series| series.mark.is_named_in_place());
    let points = series.flat_map(|series| &series.points).filter(|point| point.is_finite());
    points.filter(|point| away(cell.spot_of(point)) < away(named)).count()
}

/// How much of the data a text would cover; leaving the panel is worse than anything.
fn covered(cell: &PanelCell<'_>, area: &Rectangle) -> usize {
    let plot = &cell.plot;
    let leaves = area.left < plot.left || area.right > plot.right || area.top < plot.top || area.bottom > plot.bottom;
    let crossings: usize = cell
        .panel
        .series
        .iter()
        .map(|series| {
            let spots: Vec<Spot> =
                series.points.iter().filter(|point| point.is_finite()).map(|point| cell.spot_of(point)).collect();
            let alone = spots.iter().filter(|spot| holds(area, spot.x, spot.y)).count();
            let between =
                spots.windows(2).filter(|pair| series.mark.joins() && crosses(area, pair[0], pair[1])).count();
            let ends = series.points.iter().filter(|point| point.is_finite()).filter_map(|point| cell.ends_of(point));
            let whiskers = ends.filter(|[low, high]| !series.mark.joins() && crosses(area, *low, *high)).count();
            alone + between + whiskers
        })
        .sum();
    crossings + if leaves { 1_000_000 } else { 0 }
}

fn holds(area: &Rectangle, x: f64, y: f64) -> bool {
    (area.left..=area.right).contains(&x) && (area.top..=area.bottom).contains(&y)
}

/// Whether a stretch of a line runs through an area, looked at in sixteen places.
fn crosses(area: &Rectangle, from: Spot, to: Spot) -> bool {
    (0..=16)
        .map(|step| f64::from(step) / 16.0)
        .any(|share| holds(area, from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share))
}
