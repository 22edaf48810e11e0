//! Axes with their ranges and ticks, shared between panels that are to be compared.

use super::range::{self, Span, Wish};
use super::{Axis, Scale};
use crate::figure::{Figure, Mark, Panel, Sharing};
use crate::format::NumberFormat;

/// An axis that knows from where to where it goes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResolvedAxis {
    pub label: String,
    pub format: NumberFormat,
    pub ticks: Vec<f64>,
    pub categories: Vec<String>,
    scale: Scale,
    lower: f64,
    upper: f64,
}

/// Where a value is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    /// From 0, the lower end of the axis, to 1, the upper.
    pub share: f64,
    /// Whether the value itself is there, or beyond the end at which it is drawn.
    pub inside: bool,
}

impl ResolvedAxis {
    /// Where a finite value is drawn: at the nearer end if it lies outside the axis, at the lower end if it has no
    /// logarithm.
    pub fn place(&self, value: f64) -> Placed {
        let share = match self.scale {
            Scale::Linear => (value - self.lower) / (self.upper - self.lower),
            Scale::Log if value <= 0.0 => f64::NEG_INFINITY,
            Scale::Log => (value.ln() - self.lower.ln()) / (self.upper.ln() - self.lower.ln()),
        };
        Placed { share: share.clamp(0.0, 1.0), inside: (-1e-9..=1.0 + 1e-9).contains(&share) }
    }

    pub fn tick_text(&self, tick: f64) -> String {
        if self.is_named() { self.text(tick) } else { self.format.tick(tick) }
    }

    pub fn text(&self, value: f64) -> String {
        match self.category(value) {
            Some(name) => name.into(),
            None => self.format.text(value),
        }
    }

    pub fn category(&self, value: f64) -> Option<&str> {
        category(&self.categories, value)
    }

    pub fn is_named(&self) -> bool {
        !self.categories.is_empty()
    }
}

/// The name that a whole number stands for.
pub(crate) fn category(names: &[String], value: f64) -> Option<&str> {
    let is_place = value >= 0.0 && value.fract() == 0.0;
    names.get(value as usize).filter(|_| is_place).map(String::as_str)
}

/// Both axes of every panel.
pub(crate) fn resolve(figure: &Figure) -> Vec<[ResolvedAxis; 2]> {
    let columns = figure.n_columns();
    let beside = |place: usize| match figure.sharing {
        Sharing::Rows => {
            let start = place / columns * columns;
            &figure.panels[start..(start + columns).min(figure.panels.len())]
        }
        Sharing::Figure => &figure.panels[..],
        Sharing::Nothing => &figure.panels[place..=place],
    };
    (0..figure.panels.len())
        .map(|place| [Direction::Across, Direction::Up].map(|way| resolved(&figure.panels[place], beside(place), way)))
        .collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Across,
    Up,
}

impl Direction {
    fn axis(self, panel: &Panel) -> &Axis {
        if self == Self::Across { &panel.x } else { &panel.y }
    }

    /// Whether values are read off this axis, not places.
    fn tells_values(self, panel: &Panel) -> bool {
        panel.is_sideways() == (self == Self::Across)
    }

    /// Everything that is drawn along this axis.
    fn values(self, panel: &Panel) -> impl Iterator<Item = f64> + Clone {
        let with_intervals = self.tells_values(panel);
        let points = panel.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite());
        let drawn = points.flat_map(move |point| {
            let (low, high) = point.ends().filter(|_| with_intervals).unzip();
            [Some(if self == Self::Across { point.x } else { point.y }), low, high].into_iter().flatten()
        });
        let ticks = self.axis(panel).ticks.iter().flatten().copied().filter(|tick| tick.is_finite());
        drawn.chain(ticks)
    }
}

fn resolved(panel: &Panel, beside: &[Panel], way: Direction) -> ResolvedAxis {
    let axis = way.axis(panel);
    let span = match (axis.categories.len(), axis.wanted_range()) {
        (0, Some((lower, upper))) => range::asked(axis, lower, upper),
        (0, None) => {
            let alike: Vec<&Panel> = beside.iter().filter(|other| is_alike(panel, other, way)).collect();
            let from_zero = alike.iter().any(|panel| way.tells_values(panel) && panel.has_bars());
            let margin = alike.iter().map(|panel| half_a_bar(panel, way)).fold(0.0, f64::max);
            let wish = Wish { rounded: way.tells_values(panel), from_zero, margin };
            range::following(axis, alike.iter().flat_map(|panel| way.values(panel)), wish)
        }
        (count, _) => {
            Span { lower: -0.5, upper: count as f64 - 0.5, ticks: (0..count).map(|place| place as f64).collect() }
        }
    };
    let (lower, upper) = (span.lower, span.upper);
    let ticks = axis.ticks.as_ref().filter(|_| axis.categories.is_empty()).map_or(span.ticks, |wanted| {
        let mut ticks: Vec<f64> = wanted.iter().copied().filter(|tick| (lower..=upper).contains(tick)).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        ticks
    });
    ResolvedAxis {
        label: axis.label.clone(),
        format: axis.format,
        ticks,
        categories: axis.categories.clone(),
        scale: axis.scale_in_use(),
        lower,
        upper,
    }
}

impl Axis {
    /// Names stand at equal distances, whatever else was asked for.
    fn scale_in_use(&self) -> Scale {
        if self.categories.is_empty() { self.scale } else { Scale::Linear }
    }
}

fn is_alike(panel: &Panel, other: &Panel, way: Direction) -> bool {
    let (one, two) = (way.axis(panel), way.axis(other));
    let free = two.wanted_range().is_none() && two.categories.is_empty();
    let bits = |axis: &Axis| {
        let (span, limits) = (axis.least_span, axis.limits);
        (span.map(f64::to_bits), limits.map(|(lower, upper)| [lower, upper].map(f64::to_bits)))
    };
    let same = one.label == two.label && one.scale == two.scale && one.format == two.format && bits(one) == bits(two);
    free && same && way.tells_values(panel) == way.tells_values(other)
}

/// Half the distance between neighbouring bars along the axis they stand on; `None` on a logarithmic one, where it is
/// no length.
fn half_a_bar(panel: &Panel, way: Direction) -> f64 {
    if way.tells_values(panel) || way.axis(panel).scale == Scale::Log || !panel.has_bars() {
        return 0.0;
    }
    bar_distance(panel) / 2.0
}

/// The distance between neighbouring bars of a panel in units of its axis.
fn bar_distance(panel: &Panel) -> f64 {
    let bars = panel.series.iter().filter(|series| series.mark == Mark::Bars).flat_map(|series| &series.points);
    let mut places: Vec<f64> = bars
        .filter(|point| point.is_finite())
        .map(|point| if panel.is_sideways() { point.y } else { point.x })
        .filter(|place| place.abs() < 1e50)
        .collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let named = !panel.x.categories.is_empty() || panel.is_sideways();
    let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
    if named { 1.0 } else { gaps.reduce(f64::min).unwrap_or(1.0) }
}
