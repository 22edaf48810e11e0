//! A panel and its place on the paper.

use crate::axis::{Placed, ResolvedAxis};
use crate::figure::{DataPoint, Panel, Series};

/// A rectangle on the paper, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Rectangle {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rectangle {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// A place on the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    pub x: f64,
    pub y: f64,
    /// Whether the values are there, or beyond the edge of the panel at which the spot lies.
    pub inside: bool,
}

/// A panel with all that is needed to draw it.
#[derive(Debug, Clone)]
pub(super) struct PanelCell<'a> {
    pub panel: &'a Panel,
    pub x: ResolvedAxis,
    pub y: ResolvedAxis,
    /// Where the data are drawn.
    pub plot: Rectangle,
    /// Where the line of the title and that of the vertical axis's label stand.
    pub title_at: f64,
    pub label_at: f64,
    /// Whether the vertical axis has its numbers and its label, or has those of the panel to the left.
    pub tells_y: bool,
    /// The room for the numbers or names at the left.
    pub left_room: f64,
    /// Whether the lines are named at their ends.
    pub names_ends: bool,
    /// The width up to which its texts may go.
    pub text_room: f64,
    /// Where the paper ends.
    pub paper_right: f64,
}

/// Points do not sit on the very edge.
const INSET: f64 = 8.0;

impl PanelCell<'_> {
    pub fn horizontal(&self, placed: Placed) -> f64 {
        let bare = self.x.is_named() || self.panel.is_sideways() || self.panel.has_bars();
        let inset = if bare { 0.0 } else { INSET };
        self.plot.left + inset + placed.share * (self.plot.width() - 2.0 * inset)
    }

    pub fn vertical(&self, placed: Placed) -> f64 {
        // Names are read from the top down.
        let share = if self.y.is_named() { placed.share } else { 1.0 - placed.share };
        self.plot.top + share * self.plot.height()
    }

    pub fn spot(&self, x: f64, y: f64) -> Spot {
        let (across, up) = (self.x.place(x), self.y.place(y));
        Spot { x: self.horizontal(across), y: self.vertical(up), inside: across.inside && up.inside }
    }

    pub fn spot_of(&self, point: &DataPoint) -> Spot {
        self.spot(point.x, point.y)
    }

    /// The spots of the ends of an interval.
    pub fn ends_of(&self, point: &DataPoint) -> Option<[Spot; 2]> {
        let (low, high) = point.ends()?;
        Some([low, high].map(
            |end| {
                if self.panel.is_sideways() { self.spot(end, point.y) } else { self.spot(point.x, end) }
            },
        ))
    }

    /// What a point says when pointed at.
    pub fn told(&self, series: &Series, point: &DataPoint) -> String {
        let sideways = self.panel.is_sideways();
        let with_label = |axis: &ResolvedAxis, value: f64| match (axis.is_named(), axis.label.as_str()) {
            (true, _) | (_, "") => axis.text(value),
            (false, label) => format!("{label} {}", axis.text(value)),
        };
        let (place, value) = if sideways {
            (with_label(&self.y, point.y), with_label(&self.x, point.x))
        } else {
            (with_label(&self.x, point.x), with_label(&self.y, point.y))
        };
        let axis = if sideways { &self.x } else { &self.y };
        let interval =
            point.ends().map_or(String::new(), |(low, high)| format!(" ({} to {})", axis.text(low), axis.text(high)));
        let beyond = if self.spot_of(point).inside { "" } else { "; beyond the axis, drawn at its edge" };
        let name = if series.name.is_empty() { String::new() } else { format!("{}: ", series.name) };
        format!("{name}{place}, {value}{interval}{beyond}")
    }
}
