//! From where to where an axis goes.

use super::{Axis, Scale, ticks};
use crate::format::NumberFormat;

/// Beyond this size, or below its inverse on a logarithmic axis, a value lies outside every axis: differences and
/// ratios of what lies within stay finite.
const LARGEST: f64 = 1e100;

/// A range narrower than this share of its ends has no room for ticks that can be told apart.
const NARROWEST: f64 = 1e-8;

/// Where an axis begins and ends, and what is marked on it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub lower: f64,
    pub upper: f64,
    pub ticks: Vec<f64>,
}

/// Whether an axis can be drawn between two values.
pub(super) fn is_drawable(lower: f64, upper: f64) -> bool {
    let size = lower.abs().max(upper.abs());
    size <= LARGEST && upper - lower > size * NARROWEST && upper - lower > 1.0 / LARGEST
}

/// What the values on an axis want of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish {
    /// Values are read off it, so that it begins and ends at round values.
    pub rounded: bool,
    /// Bars begin at zero.
    pub from_zero: bool,
    /// Room on both sides for what is drawn around a place, in units of the axis.
    pub margin: f64,
}

/// The range of an axis that follows its values.
pub(super) fn following(axis: &Axis, values: impl Iterator<Item = f64> + Clone, wish: Wish) -> Span {
    match axis.scale {
        Scale::Linear => linear(axis, values, wish),
        Scale::Log => logarithmic(values, wish),
    }
}

/// The ticks of a range that was asked for.
pub(super) fn asked(axis: &Axis, lower: f64, upper: f64) -> Span {
    let ticks = match axis.scale {
        Scale::Linear => ticks::linear(lower, upper, axis.format == NumberFormat::Count),
        Scale::Log => ticks::logarithmic(lower, upper),
    };
    Span { lower, upper, ticks }
}

fn linear(axis: &Axis, values: impl Iterator<Item = f64>, wish: Wish) -> Span {
    let whole = axis.format == NumberFormat::Count;
    let (mut lower, mut upper) = extent(values.filter(|value| value.abs() <= LARGEST)).unwrap_or((0.0, 1.0));
    let near_zero = lower > 0.0 && lower < 0.4 * upper && wish.rounded;
    if wish.from_zero || near_zero {
        (lower, upper) = (lower.min(0.0), upper.max(0.0));
    }
    (lower, upper) = with_least_span(axis, lower, upper);
    (lower, upper) = widened(lower - wish.margin, upper + wish.margin);
    if !wish.rounded {
        return asked(axis, lower, upper);
    }
    let ticks = ticks::rounded(lower, upper, whole);
    Span { lower: ticks[0], upper: ticks[ticks.len() - 1], ticks }
}

fn logarithmic(values: impl Iterator<Item = f64> + Clone, wish: Wish) -> Span {
    let drawable = values.clone().filter(|value| (1.0 / LARGEST..=LARGEST).contains(value));
    let (mut lower, mut upper) = extent(drawable).unwrap_or((0.1, 1.0));
    if values.clone().any(|value| value <= 0.0) {
        // What has no logarithm is drawn at the edge, clear of the smallest value that has one.
        lower /= 2.0;
    }
    if wish.rounded {
        (lower, upper) = ticks::rounded_logarithmic(lower, upper);
    }
    if !is_drawable(lower, upper) {
        (lower, upper) = (lower / 10.0, upper * 10.0);
    }
    Span { lower, upper, ticks: ticks::logarithmic(lower, upper) }
}

/// Both ends moved apart evenly until they span what the axis asks for, within its limits.
fn with_least_span(axis: &Axis, lower: f64, upper: f64) -> (f64, f64) {
    let missing = axis.least_span.filter(|span| *span <= LARGEST).unwrap_or(0.0) - (upper - lower);
    if missing <= 0.0 {
        return (lower, upper);
    }
    let (lower, upper) = (lower - missing / 2.0, upper + missing / 2.0);
    let (smallest, largest) = axis.limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let shift = (smallest - lower).max(0.0) - (upper - largest).max(0.0);
    (lower + shift, upper + shift)
}

/// Both ends moved apart by half their size where they are the same.
fn widened(lower: f64, upper: f64) -> (f64, f64) {
    if is_drawable(lower, upper) {
        return (lower, upper);
    }
    let half = lower.abs().max(upper.abs()) / 2.0;
    if half * 2.0 > 1.0 / LARGEST { (lower - half, upper + half) } else { (0.0, 1.0) }
}

fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |extent, value| {
        let (lower, upper) = extent.unwrap_or((value, value));
        Some((value.min(lower), value.max(upper)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WISH: Wish = Wish { rounded: true, from_zero: false, margin: 0.0 };

    /// Six of 1,000 people more are decided rightly: a slope that fills the panel would look like a trend.
    #[test]
    fn small_differences_do_not_fill_an_axis() {
        let axis = Axis::new("right").format(NumberFormat::Percent).at_least(0.1).limits(0.0, 1.0);
        let span = |values: [f64; 2]| {
            let Span { lower, upper, .. } = following(&axis, values.into_iter(), WISH);
            (lower, upper)
        };
        let (lower, upper) = span([0.791, 0.797]);
        assert!(upper - lower >= 0.1 && lower <= 0.75 && upper >= 0.84, "{lower} to {upper}");
        let (lower, upper) = span([0.994, 1.0]);
        assert!(upper == 1.0 && lower <= 0.9, "{lower} to {upper} ends at 100 %");
        let (lower, upper) = span([0.2, 0.9]);
        assert!(lower <= 0.2 && upper >= 0.9);
    }
}
