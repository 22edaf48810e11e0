//! Bars, standing or lying.

use super::cell::{PanelCell, Spot};
use super::columns::tells_bar_values;
use super::frame::words;

use super::marks::{dot, whisker};
use crate::figure::{DataPoint, Mark, Series};
use crate::xml::{Xml, length};

/// The share of the distance between neighbours that bars take up.
const FULLNESS: f64 = 0.72;
const THICKEST: f64 = 44.0;

/// The bars of all series of a panel, side by side.
pub(super) fn draw(xml: &mut Xml, cell: &PanelCell<'_>) {
    let all: Vec<&Series> = cell.panel.series.iter().filter(|series| series.mark == Mark::Bars).collect();
    let thickness = (distance(cell, &all) * FULLNESS / all.len().max(1) as f64).clamp(1.0, THICKEST);
    for (place, series) in all.iter().enumerate() {
        let offset = (place as f64 - (all.len() - 1) as f64 / 2.0) * thickness;
        for point in series.points.iter().filter(|point| point.is_finite()) {
            bar(xml, cell, series, point, offset, thickness);
        }
    }
}

fn bar(xml: &mut Xml, cell: &PanelCell<'_>, series: &Series, point: &DataPoint, offset: f64, thickness: f64) {
    let sideways = cell.panel.is_sideways();
    let spot = cell.spot_of(point);
    let gap = if thickness > 6.0 { 1.0 } else { 0.0 };
    let half = (thickness - gap) / 2.0;
    let (x, y, width, height) = if sideways {
        let base = cell.horizontal(cell.x.place(0.0));
        (spot.x.min(base), spot.y + offset - half, (spot.x - base).abs(), 2.0 * half)
    } else {
        let base = cell.vertical(cell.y.place(0.0));
        (spot.x + offset - half, spot.y.min(base), 2.0 * half, (spot.y - base).abs())
    };
    let [x, y, width, height] = [x, y, width, height].map(length);
    let class = format!("mp-bar mp-fill {}", series.colour.class());
    let place = [("class", class.as_str()), ("x", &x), ("y", &y), ("width", &width), ("height", &height)];
    xml.titled("rect", &place, &cell.told(series, point));
    xml.open("g", &[("transform", &shift(sideways, offset))]);
    whisker(xml, cell, point, "mp-error");
    if !spot.inside {
        dot(xml, series, spot, 3.0);
    }
    xml.close("g");
    if tells_bar_values(cell.panel) {
        let end = cell.ends_of(point).map_or(spot.x, |ends: [Spot; 2]| spot.x.max(ends[1].x));
        words(xml, "mp-muted mp-number", "start", (end + 6.0, spot.y + 4.0), &cell.x.text(point.x), f64::INFINITY);
    }
}

fn shift(sideways: bool, offset: f64) -> String {
    if sideways { format!("translate(0 {})", length(offset)) } else { format!("translate({} 0)", length(offset)) }
}

/// The least distance between neighbouring bars in pixels.
fn distance(cell: &PanelCell<'_>, all: &[&Series]) -> f64 {
    let (axis, size) =
        if cell.panel.is_sideways() { (&cell.y, cell.plot.height()) } else { (&cell.x, cell.plot.width()) };
    if axis.is_named() {
        return size / axis.categories.len() as f64;
    }
    let points = all.iter().flat_map(|series| &series.points).filter(|point| point.is_finite());
    let mut places: Vec<f64> = points.map(|point| cell.spot_of(point).x).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places.windows(2).map(|pair| pair[1] - pair[0]).reduce(f64::min).unwrap_or(size / 2.0)
}
