//! Axes: what a caller says of one, and what is made of it when the data are known.

mod range;
mod resolved;
mod ticks;

use serde::Serialize;

use crate::format::NumberFormat;

pub(crate) use resolved::{Placed, ResolvedAxis, category, resolve};

/// One axis of a panel.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Axis {
    /// What is measured; may be empty.
    pub label: String,
    /// How values become lengths.
    pub scale: Scale,
    /// How values become text.
    pub format: NumberFormat,
    /// From where to where, if it is not to follow the data.
    pub range: Option<(f64, f64)>,
    /// How far apart its ends are at least, where it follows the data: small differences are then not drawn large.
    pub least_span: Option<f64>,
    /// The smallest and the largest value there can be; a wider span than the data have stays within.
    pub limits: Option<(f64, f64)>,
    /// The values that are marked, if they are not to follow the range.
    pub ticks: Option<Vec<f64>>,
    /// Names in place of numbers: the value k stands for the k-th of them, counted from 0.
    pub categories: Vec<String>,
}

/// How values become lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Scale {
    /// Equal differences are equal lengths.
    #[default]
    Linear,
    /// Equal ratios are equal lengths.
    Log,
}

impl Axis {
    /// A linear axis of plain numbers that follows the data.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// On a logarithmic scale.
    pub fn log(mut self) -> Self {
        self.scale = Scale::Log;
        self
    }

    /// With numbers written in this way.
    pub fn format(mut self, format: NumberFormat) -> Self {
        self.format = format;
        self
    }

    /// From one value to another.
    pub fn range(mut self, lower: f64, upper: f64) -> Self {
        self.range = Some((lower, upper));
        self
    }

    /// With ends at least so far apart, where it follows the data.
    pub fn at_least(mut self, span: f64) -> Self {
        self.least_span = Some(span);
        self
    }

    /// Of values that lie between these.
    pub fn limits(mut self, lower: f64, upper: f64) -> Self {
        self.limits = Some((lower, upper));
        self
    }

    /// Marked at these values.
    pub fn ticks(mut self, ticks: impl IntoIterator<Item = f64>) -> Self {
        self.ticks = Some(ticks.into_iter().collect());
        self
    }

    /// With names in place of numbers.
    pub fn categories<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.categories = names.into_iter().map(Into::into).collect();
        self
    }

    /// The range a caller asked for, if an axis can have it.
    fn wanted_range(&self) -> Option<(f64, f64)> {
        let (lower, upper) = self.range?;
        let (lower, upper) = (lower.min(upper), lower.max(upper));
        let positive = self.scale == Scale::Linear || lower > 0.0;
        (range::is_drawable(lower, upper) && positive).then_some((lower, upper))
    }
}
