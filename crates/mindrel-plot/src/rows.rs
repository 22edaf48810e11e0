//! The numbers behind a figure.

use serde::Serialize;

use crate::axis::category;
use crate::figure::Figure;

/// One point of a figure with all that tells it from the others: one line of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeriesRow<'a> {
    /// The title of its panel.
    pub panel: &'a str,
    /// The name of its series.
    pub series: &'a str,
    /// What is measured: the label of the axis of values.
    pub measure: &'a str,
    /// What its place stands for, where the panel has names in place of numbers.
    pub category: Option<&'a str>,
    /// The horizontal place.
    pub x: f64,
    /// The vertical place.
    pub y: f64,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
}

impl Figure {
    /// All points as they were given, those included that cannot be drawn.
    pub fn rows(&self) -> Vec<SeriesRow<'_>> {
        let mut rows = vec![];
        for panel in &self.panels {
            for series in &panel.series {
                rows.extend(series.points.iter().map(|point| SeriesRow {
                    panel: &panel.title,
                    series: &series.name,
                    measure: if panel.is_sideways() { &panel.x.label } else { &panel.y.label },
                    category: if panel.is_sideways() {
                        category(&panel.y.categories, point.y)
                    } else {
                        category(&panel.x.categories, point.x)
                    },
                    x: point.x,
                    y: point.y,
                    low: point.interval.map(|(low, _)| low),
                    high: point.interval.map(|(_, high)| high),
                }));
            }
        }
        rows
    }

    /// How many points and intervals are no numbers, and so are not drawn.
    pub(crate) fn not_drawn(&self) -> usize {
        let points = self.panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
        points.filter(|point| !point.is_finite() || (point.interval.is_some() && point.ends().is_none())).count()
    }
}
