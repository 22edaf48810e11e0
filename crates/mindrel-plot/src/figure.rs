//! What is drawn: figures, panels, series, points.

use serde::Serialize;

use crate::axis::Axis;
use crate::colour::Colour;

/// Small multiples: panels in a grid, row by row.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Figure {
    /// What the figure shows, in a few words.
    pub title: String,
    /// What there is to see, for those who read it aloud and for the caption.
    pub description: String,
    /// How many panels stand side by side; 0 counts as 1.
    pub columns: usize,
    /// Which panels have their ranges in common.
    pub sharing: Sharing,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// Which panels have in common the range of axes that bear the same label, so that they can be compared by eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Sharing {
    /// Those of one row.
    #[default]
    Rows,
    /// All of the figure.
    Figure,
    /// None.
    Nothing,
}

/// One pair of axes and what is drawn on it.
///
/// Where the vertical axis has categories, the panel lies on its side: bars run to the right, `y` is the place of a
/// category, and an interval is one of `x`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Panel {
    /// What sets this panel apart from the others; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the later over the earlier.
    pub series: Vec<Series>,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// What the points are about.
    pub name: String,
    /// In which colour.
    pub colour: Colour,
    /// How they are drawn.
    pub mark: Mark,
    /// In the order in which lines join them.
    pub points: Vec<DataPoint>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Mark {
    /// A line; intervals are a band around it.
    Line,
    /// A dashed line.
    Dashed,
    /// A dotted line.
    Dotted,
    /// Steps that hold a value until the next point, as cumulative counts do.
    Steps,
    /// Bars from zero; intervals are whiskers. Those of several series stand side by side.
    Bars,
    /// Dots; intervals are whiskers.
    Points,
    /// Dots with the name beside the first; intervals are whiskers.
    Named,
    /// Points that were chosen among others: ringed, with the name beside the first.
    Chosen,
}

/// One value, with how sure of it one is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DataPoint {
    /// The horizontal place; on an axis with categories, the index of one.
    pub x: f64,
    /// The vertical place; on an axis with categories, the index of one.
    pub y: f64,
    /// The ends of an interval around the value.
    pub interval: Option<(f64, f64)>,
}

impl Figure {
    /// A figure without panels, in one column.
    pub fn new(title: impl Into<String>, description: impl Into<String>) -> Self {
        Self { title: title.into(), description: description.into(), columns: 1, ..Self::default() }
    }

    /// With this many panels side by side.
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = columns;
        self
    }

    /// With ranges shared in another way than within rows.
    pub fn sharing(mut self, sharing: Sharing) -> Self {
        self.sharing = sharing;
        self
    }

    /// With one panel more.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.columns.clamp(1, self.panels.len().max(1))
    }
}

impl Panel {
    /// A panel with nothing on it.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// With this horizontal axis.
    pub fn x(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// With this vertical axis.
    pub fn y(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// With one series more.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Whether the values run to the right and the categories downwards.
    pub(crate) fn is_sideways(&self) -> bool {
        !self.y.categories.is_empty()
    }

    pub(crate) fn has_bars(&self) -> bool {
        self.series.iter().any(|series| series.mark == Mark::Bars)
    }
}

impl Series {
    /// A series drawn by any mark.
    pub fn new<P: Into<DataPoint>>(
        name: impl Into<String>,
        colour: Colour,
        mark: Mark,
        points: impl IntoIterator<Item = P>,
    ) -> Self {
        Self { name: name.into(), colour, mark, points: points.into_iter().map(Into::into).collect() }
    }

    /// A line.
    pub fn line<P: Into<DataPoint>>(
        name: impl Into<String>,
        colour: Colour,
        points: impl IntoIterator<Item = P>,
    ) -> Self {
        Self::new(name, colour, Mark::Line, points)
    }
}

impl DataPoint {
    /// A value of which nothing more is known.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None }
    }

    /// With the ends of an interval around the value.
    pub const fn within(mut self, low: f64, high: f64) -> Self {
        self.interval = Some((low, high));
        self
    }

    /// Whether it has a place at all.
    pub(crate) fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// The interval, the lower end first, if both ends are numbers.
    pub(crate) fn ends(&self) -> Option<(f64, f64)> {
        self.interval
            .filter(|(low, high)| low.is_finite() && high.is_finite())
            .map(|(low, high)| (low.min(high), low.max(high)))
    }
}

impl From<(f64, f64)> for DataPoint {
    fn from((x, y): (f64, f64)) -> Self {
        Self::new(x, y)
    }
}

impl Mark {
    /// Whether the name stands beside the point.
    pub(crate) fn is_named_in_place(self) -> bool {
        matches!(self, Self::Named | Self::Chosen)
    }

    /// Whether points are joined, and an interval is a band.
    pub(crate) fn joins(self) -> bool {
        matches!(self, Self::Line | Self::Dashed | Self::Dotted | Self::Steps)
    }
}
