//! Bounds on margins over a region: intervals, then backward linear bounds.
//!
//! ```text
//! interval   z ∈ b + Σ w · [y_lower, y_upper]
//! linear     α z ≤ max(z, 0) ≤ u (z − l) / (u − l)   for l < 0 < u,   α = 1 if u > −l, else 0
//! ```
//!
//! A margin is a combination of the last hidden layer. Going down layer by layer, each rectified unit is replaced by
//! the line that is on the safe side for the sign of its coefficient, until the margin is bounded by a linear function
//! of the open columns, whose minimum over intervals and levels is exact [Zhang 2018; Singh 2019].
//!
//! # Numerics
//! Plain arithmetic; every bound is moved outwards by more than all roundings of it can add up to
//! ([`PaddedNetwork::pads`]).

use super::folded::{FoldedNetwork, PaddedNetwork, add_rows};
use crate::region::Region;
use crate::region::open::LANES;

/// Buffers for the bounds of one region.
#[derive(Default)]
pub(crate) struct Bounds {
    pub layers: Vec<UnitBounds>,
    /// Middle and half width of every open column of a plain number; zero for all others.
    middle: Vec<f64>,
    radius: Vec<f64>,
    inputs: Vec<f64>,
    input_radii: Vec<f64>,
    middles: Vec<f64>,
    radii: Vec<f64>,
    coefficients: Vec<f64>,
    next: Vec<f64>,
    constants: Vec<f64>,
    /// The coefficients of the margin worked out last on each hidden layer.
    on_units: Vec<Vec<f64>>,
}

/// What the units of a hidden layer can be, and the lines they are replaced by.
#[derive(Default)]
pub(crate) struct UnitBounds {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    pub lower_slope: Vec<f64>,
    pub upper_slope: Vec<f64>,
    pub intercept: Vec<f64>,
    /// Row of a unit: the coefficients of its lower linear bound on the open columns.
    pub sensitivity: Vec<f64>,
    /// The units whose interval has zero inside.
    unsure: Vec<usize>,
}

/// A linear lower bound of a margin: coefficients on the open columns, and its minimum over the region.
#[derive(Default, Clone)]
pub(crate) struct LinearBound {
    pub coefficients: Vec<f64>,
    pub minimum: f64,
    /// The coefficients on each hidden layer that were met on the way down.
    pub on_units: Vec<Vec<f64>>,
}

impl Bounds {
    /// Works out what every hidden unit can be over a region.
    pub fn set_region(&mut self, network: &PaddedNetwork, open: &FoldedNetwork, region: &Region) {
        self.middle.clear();
        self.radius.clear();
        for column in 0..open.width {
            let number = column < open.n_plain;
            let (lower, upper) = (region.lower[column], region.upper[column]);
            self.middle.push(if number { f64::midpoint(lower, upper) } else { 0.0 });
            self.radius.push(if number { (upper - lower) / 2.0 } else { 0.0 });
        }
        self.layers.resize_with(network.n_hidden(), UnitBounds::default);
        for layer in 0..network.n_hidden() {
            if layer == 0 {
                self.bound_first(network, open, region);
            } else {
                self.bound_hidden(network, open, region, layer);
            }
            self.layers[layer].relax();
        }
    }

    /// Chooses the usual lines: from below a unit by itself where it is more often on than off, by zero elsewhere.
    pub fn relax(&mut self) {
        for units in &mut self.layers {
            let bounds = units.lower.iter().zip(&units.upper);
            units.lower_slope.clear();
            units
                .lower_slope
                .extend(bounds.map(|(&lower, &upper)| lower_slope(lower, upper, is_mostly_on(lower, upper))));
        }
    }

    /// Chooses other lines: from below a unit by itself where it is on at a point, by zero where it is off. At the
    /// point where a bound is least, these are the lines that would have made it larger.
    pub fn relax_at(&mut self, sums: &[Vec<f64>]) {
        for (units, sums) in self.layers.iter_mut().zip(sums) {
            let bounds = units.lower.iter().zip(&units.upper).zip(sums);
            units.lower_slope.clear();
            units.lower_slope.extend(bounds.map(|((&lower, &upper), &sum)| lower_slope(lower, upper, sum > 0.0)));
        }
    }

    /// The units, by layer and place, that are bounded from below by themselves although they can be off.
    pub fn bounded_by_themselves(&self) -> Vec<(usize, usize)> {
        let units = self.layers.iter().enumerate().flat_map(|(layer, units)| {
            (0..units.lower.len())
                .filter(|&unit| units.lower[unit] < 0.0 && units.lower_slope[unit] == 1.0)
                .map(move |unit| (layer, unit))
        });
        units.collect()
    }

    /// The first layer is linear in the columns: its interval is exact.
    fn bound_first(&mut self, network: &PaddedNetwork, open: &FoldedNetwork, region: &Region) {
        let pad = network.pads[0] * open.largest;
        let mut units = std::mem::take(&mut self.layers[0]);
        units.clear();
        let n_units = open.base.len();
        self.middles.clear();
        self.middles.extend_from_slice(&open.base);
        self.radii.clear();
        self.radii.resize(n_units, 0.0);
        add_intervals(&self.middle, &self.radius, &open.transposed, &mut self.middles, &mut self.radii);
        units.lower.extend(self.middles.iter().zip(&self.radii).map(|(middle, radius)| middle - radius - pad));
        units.upper.extend(self.middles.iter().zip(&self.radii).map(|(middle, radius)| middle + radius + pad));
        for question in open.numbers_or_missing() {
            let possible = region.numbers(&question.columns);
            for unit in 0..n_units {
                let row = &open.weights[unit * open.width..(unit + 1) * open.width];
                let (low, high) = possible.extremes(&row[question.columns.clone()]);
                units.lower[unit] += low;
                units.upper[unit] += high;
            }
        }
        for category in open.categories() {
            for unit in 0..n_units {
                let row = &open.weights[unit * open.width..(unit + 1) * open.width];
                let possible =
                    category.columns.clone().filter(|&column| region.allows(column)).map(|column| row[column]);
                let (low, high) = possible.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), weight| {
                    (low.min(weight), high.max(weight))
                });
                units.lower[unit] += low;
                units.upper[unit] += high;
            }
        }
        units.sensitivity.extend_from_slice(&open.weights);
        self.layers[0] = units;
    }

    /// A deeper layer: intervals, and backward linear bounds for the units whose interval has zero inside.
    fn bound_hidden(&mut self, network: &PaddedNetwork, open: &FoldedNetwork, region: &Region, layer: usize) {
        let pad = network.pads[layer] * open.largest;
        let above = &network.layers[layer];
        let mut units = std::mem::take(&mut self.layers[layer]);
        units.clear();
        units.unsure.clear();
        self.coefficients.clear();
        self.constants.clear();
        self.layers[layer - 1].rectified_intervals(&mut self.inputs, &mut self.input_radii);
        self.middles.clear();
        self.middles.extend_from_slice(&above.biases);
        self.radii.clear();
        self.radii.resize(above.n_units, 0.0);
        add_intervals(&self.inputs, &self.input_radii, &above.transposed, &mut self.middles, &mut self.radii);
        units.lower.extend(self.middles.iter().zip(&self.radii).map(|(middle, radius)| middle - radius - pad));
        units.upper.extend(self.middles.iter().zip(&self.radii).map(|(middle, radius)| middle + radius + pad));
        for unit in 0..above.n_real_units {
            if units.lower[unit] < 0.0 && units.upper[unit] > 0.0 {
                units.unsure.push(unit);
                self.coefficients.extend_from_slice(above.row(unit));
                self.coefficients.extend(above.row(unit).iter().map(|weight| -weight));
                self.constants.extend([above.biases[unit], -above.biases[unit]]);
            }
        }
        let n_rows = self.constants.len();
        self.descend(network, open, layer - 1, n_rows, false);
        units.sensitivity.resize(above.n_units * open.width, 0.0);
        for (place, &unit) in units.unsure.iter().enumerate() {
            let row = |row: usize| &self.coefficients[row * open.width..(row + 1) * open.width];
            let side = |place: usize| self.constants[place] + self.minimum(open, region, row(place)) - pad;
            units.lower[unit] = units.lower[unit].max(side(2 * place));
            units.upper[unit] = units.upper[unit].min(-side(2 * place + 1));
            units.sensitivity[unit * open.width..(unit + 1) * open.width].copy_from_slice(row(2 * place));
        }
        self.layers[layer] = units;
    }

    /// The linear lower bound of a combination of the scores.
    pub fn margin(
        &mut self,
        network: &PaddedNetwork,
        open: &FoldedNetwork,
        region: &Region,
        margin: &ScoreMargin,
        bound: &mut LinearBound,
    ) {
        let last = network.last();
        self.constants.clear();
        self.constants.push(margin.constant);
        self.coefficients.clear();
        if network.n_hidden() == 0 {
            // Without hidden layers the scores are the folded first layer.
            self.constants[0] = margin.of(&open.base);
            let row = |score: Option<usize>, column: usize| {
                score.map_or(0.0, |score| open.weights[score * open.width + column])
            };
            self.coefficients
                .extend((0..open.width).map(|column| row(margin.plus, column) - row(margin.minus, column)));
        } else {
            self.coefficients.extend_from_slice(&margin.weights);
            debug_assert_eq!(margin.weights.len(), last.n_inputs);
            self.descend(network, open, network.n_hidden() - 1, 1, true);
        }
        let pad = 2.0 * network.pads[network.n_hidden()] * open.largest;
        std::mem::swap(&mut self.on_units, &mut bound.on_units);
        bound.coefficients.clear();
        bound.coefficients.extend_from_slice(&self.coefficients[..open.width]);
        bound.minimum = self.constants[0] + self.minimum(open, region, &bound.coefficients) - pad;
        if bound.minimum.is_nan() {
            bound.minimum = f64::NEG_INFINITY;
        }
    }

    /// Replaces rectified units by lines and sums by their terms, from a hidden layer down to the open columns.
    fn descend(&mut self, network: &PaddedNetwork, open: &FoldedNetwork, top: usize, n_rows: usize, remember: bool) {
        for layer in (0..=top).rev() {
            let units = &self.layers[layer];
            let n_units = units.lower.len();
            if remember {
                self.on_units.resize(network.n_hidden(), Vec::new());
                self.on_units[layer].clear();
                self.on_units[layer].extend_from_slice(&self.coefficients[..n_units]);
            }
            let (biases, weights, width) = if layer == 0 {
                (&open.base, &open.weights, open.width)
            } else {
                (&network.layers[layer].biases, &network.layers[layer].weights, network.layers[layer].n_inputs)
            };
            let rows = self.coefficients.chunks_exact_mut(n_units);
            for (row, constant) in rows.zip(&mut self.constants) {
                *constant += units.replace(row, biases);
            }
            self.next.clear();
            self.next.resize(n_rows * width, 0.0);
            multiply(&self.coefficients, weights, n_units, width, &mut self.next);
            std::mem::swap(&mut self.coefficients, &mut self.next);
        }
    }

    /// The minimum of `coefficients · x` over the region, without constant.
    fn minimum(&self, open: &FoldedNetwork, region: &Region, coefficients: &[f64]) -> f64 {
        let mut sums = [0.0; LANES];
        let columns =
            coefficients.chunks_exact(LANES).zip(self.middle.chunks_exact(LANES)).zip(self.radius.chunks_exact(LANES));
        for ((coefficients, middle), radius) in columns {
            for lane in 0..LANES {
                sums[lane] += coefficients[lane] * middle[lane] - coefficients[lane].abs() * radius[lane];
            }
        }
        let mut sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
        if open.n_plain < open.len() {
            for question in open.numbers_or_missing() {
                sum += region.numbers(&question.columns).extremes(&coefficients[question.columns.clone()]).0;
            }
            for category in open.categories() {
                let possible = category.columns.clone().filter(|&column| region.allows(column));
                sum += possible.map(|column| coefficients[column]).fold(f64::INFINITY, f64::min);
            }
        }
        sum
    }
}

impl UnitBounds {
    fn clear(&mut self) {
        self.lower.clear();
        self.upper.clear();
        self.sensitivity.clear();
    }

    /// Writes the middle and the half width of every unit's value.
    fn rectified_intervals(&self, middles: &mut Vec<f64>, radii: &mut Vec<f64>) {
        middles.clear();
        radii.clear();
        for (lower, upper) in self.lower.iter().zip(&self.upper) {
            let (lower, upper) = (lower.max(0.0), upper.max(0.0));
            middles.push((lower + upper) / 2.0);
            radii.push((upper - lower) / 2.0);
        }
    }

    /// Works out the lines each unit is replaced by.
    fn relax(&mut self) {
        self.lower_slope.clear();
        self.upper_slope.clear();
        self.intercept.clear();
        for (&lower, &upper) in self.lower.iter().zip(&self.upper) {
            let (low, high, intercept) = if lower >= 0.0 {
                (1.0, 1.0, 0.0)
            } else if upper <= 0.0 {
                (0.0, 0.0, 0.0)
            } else {
                let slope = upper / (upper - lower);
                // Above the unit at both ends, but for rounding, which the pad covers.
                let intercept = (-slope * lower).max(upper - slope * upper) * (1.0 + 8.0 * f64::EPSILON);
                (lower_slope(lower, upper, is_mostly_on(lower, upper)), slope, intercept)
            };
            self.lower_slope.push(low);
            self.upper_slope.push(high);
            self.intercept.push(intercept);
        }
    }

    /// Replaces coefficients on the units by coefficients on their sums; returns what falls to the constant.
    fn replace(&self, coefficients: &mut [f64], biases: &[f64]) -> f64 {
        let mut constants = [0.0; LANES];
        let slopes = self.lower_slope.chunks_exact(LANES).zip(self.upper_slope.chunks_exact(LANES));
        let rest = self.intercept.chunks_exact(LANES).zip(biases.chunks_exact(LANES));
        for ((row, (low, high)), (intercept, bias)) in coefficients.chunks_exact_mut(LANES).zip(slopes).zip(rest) {
            for lane in 0..LANES {
                let (positive, negative) = (row[lane].max(0.0), row[lane].min(0.0));
                row[lane] = positive * low[lane] + negative * high[lane];
                constants[lane] += negative * intercept[lane] + row[lane] * bias[lane];
            }
        }
        (constants[0] + constants[2]) + (constants[1] + constants[3])
    }
}

/// Whether a unit's range reaches further above zero than below. A range that is even but for rounding counts as not: a
/// checker with other roundings must come to the same.
fn is_mostly_on(lower: f64, upper: f64) -> bool {
    upper + lower > 1e-6 * (upper - lower)
}

/// The slope of the line from below: that of the unit itself where it is always on or always off.
fn lower_slope(lower: f64, upper: f64, on: bool) -> f64 {
    if lower >= 0.0 || (upper > 0.0 && on) { 1.0 } else { 0.0 }
}

/// By how much one label's score exceeds a rival's, as a combination of the last hidden layer.
#[derive(Debug)]
pub(crate) struct ScoreMargin {
    /// The score counted for the label; `None` stands for zero.
    pub plus: Option<usize>,
    /// The score counted for the rival.
    pub minus: Option<usize>,
    /// On each unit of the last hidden layer, whole lanes.
    pub weights: Vec<f64>,
    pub constant: f64,
}

impl ScoreMargin {
    pub fn new(network: &PaddedNetwork, plus: Option<usize>, minus: Option<usize>) -> Self {
        let last = network.last();
        let side = |score: Option<usize>, input: usize| score.map_or(0.0, |score| last.row(score)[input]);
        let weights = (0..last.n_inputs).map(|input| side(plus, input) - side(minus, input)).collect();
        let mut margin = ScoreMargin { plus, minus, weights, constant: 0.0 };
        margin.constant = margin.of(&last.biases);
        margin
    }

    /// The margin among some scores.
    pub fn of(&self, scores: &[f64]) -> f64 {
        self.plus.map_or(0.0, |score| scores[score]) - self.minus.map_or(0.0, |score| scores[score])
    }
}

/// `middles += W · middle`, `radii += |W| · radius`, by the rows of Wᵀ.
fn add_intervals(middle: &[f64], radius: &[f64], transposed: &[f64], middles: &mut [f64], radii: &mut [f64]) {
    for ((middle, radius), row) in middle.iter().zip(radius).zip(transposed.chunks_exact(middles.len())) {
        let sums = middles.chunks_exact_mut(LANES).zip(radii.chunks_exact_mut(LANES));
        for ((middles, radii), row) in sums.zip(row.chunks_exact(LANES)) {
            for lane in 0..LANES {
                middles[lane] += middle * row[lane];
                radii[lane] += radius * row[lane].abs();
            }
        }
    }
}

/// `left · right` for row-major matrices, `right` having `inner` rows of `width`, a whole number of lanes.
fn multiply(left: &[f64], right: &[f64], inner: usize, width: usize, product: &mut [f64]) {
    if width > 0 {
        for (row, sums) in left.chunks_exact(inner).zip(product.chunks_exact_mut(width)) {
            add_rows(row.iter().copied(), right, sums);
        }
    }
}
