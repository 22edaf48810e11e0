//! A point that was chosen among others, and its name beside it.

use super::cell::{PanelCell, Rectangle, Spot};
use super::frame::words;
use super::layout::TEXT;
use super::marks::{circle, dot, whisker};
use crate::figure::Series;
use crate::text;
use crate::xml::Xml;

/// The ringed points, and the name beside the first.
pub(super) fn draw(xml: &mut Xml, cell: &PanelCell<'_>, series: &Series) {
    let colour = series.colour.class();
    for point in series.points.iter().filter(|point| point.is_finite()) {
        whisker(xml, cell, point, &format!("mp-stroke {colour}"));
        xml.open("g", &[]);
        xml.leaf("title", &[], &cell.told(series, point));
        circle(xml, &format!("mp-ring mp-stroke {colour}"), cell.spot_of(point), 8.0);
        dot(xml, series, cell.spot_of(point), 4.5);
        xml.close("g");
    }
    if let Some(point) = series.points.iter().find(|point| point.is_finite()) {
        name(xml, cell, &series.name, cell.spot_of(point));
    }
}

/// Writes the name at that corner of the point where it covers the least of the other data.
fn name(xml: &mut Xml, cell: &PanelCell<'_>, name: &str, spot: Spot) {
    let room = cell.plot.width() - 20.0;
    let shown = text::fitted(name, TEXT, room);
    let width = text::width(&shown, TEXT);
    let boxes = [(1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0)].map(|(side, rise)| {
        let left = if side > 0.0 { spot.x + 10.0 } else { spot.x - 10.0 - width };
        let baseline = if rise < 0.0 { spot.y - 9.0 } else { spot.y + 18.0 };
        Rectangle { left, right: left + width, top: baseline - TEXT, bottom: baseline + 3.0 }
    });
    let best = boxes.into_iter().min_by_key(|area| covered(cell, area)).expect("there are four corners");
    words(xml, "mp-halo mp-text", "start", (best.left, best.bottom - 3.0), name, room);
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
            alone + between
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
