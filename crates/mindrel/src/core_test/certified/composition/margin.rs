//! What the difference of two values is at least, over all models at once.
//!
//! Going back from the two values, every value that is made of others is replaced by what it is made of, or by a line
//! on the safe side for the sign of its coefficient, until only scores are left. Scores of linear models then add up
//! to one smooth sum of the columns, whose minimum over intervals and levels is exact; of the trees of one ensemble,
//! each takes its least leaf.
//!
//! # Numerics
//! Plain arithmetic. A relation between values as computed differs from the one as meant by what rounding does in it,
//! which is added up; [`CUSHION`] times the size of all terms covers the arithmetic here, with much to spare, so that
//! a verifier with other arithmetic arrives at a larger bound.

use super::folded_part::{FoldedPart, ScoresInRegion};
use super::lines::SafeLine;
use super::ranges::ValueRange;
use super::smooth::SmoothSum;
use crate::core_test::certified::trees::TreesInRegion;
use crate::model::ComposedValue;
use crate::region::Region;
use crate::region::open::OpenColumns;

/// By how much a bound is lowered, as a share of the size of its terms.
const CUSHION: f64 = 1e-9;

/// What single precision does to a number, as a share of it.
const SINGLE: f64 = f32::EPSILON as f64;

/// Everything known of a region.
pub(super) struct RegionView<'a> {
    pub values: &'a [ComposedValue],
    pub ranges: &'a [ValueRange],
    pub scores: &'a [ScoresInRegion],
    pub folded: &'a [FoldedPart],
    pub left: &'a [TreesInRegion],
    pub open: &'a OpenColumns,
    pub region: &'a Region,
}

/// Buffers for one difference.
#[derive(Default)]
pub(super) struct MarginBound {
    coefficients: Vec<f64>,
    /// For each ensemble of trees, the coefficients of its scores.
    of_trees: Vec<Vec<f64>>,
    sum: SmoothSum,
    slack: f64,
    size: f64,
    /// Where the smooth sum is least: a point of the region.
    pub lowest: Vec<f64>,
}

impl MarginBound {
    /// What `own − rival` is at least, both as computed.
    pub fn least(&mut self, view: &RegionView<'_>, own: usize, rival: usize) -> f64 {
        let apart = view.ranges[own].low - view.ranges[rival].high;
        self.begin(view, own, rival);
        for place in (0..=own.max(rival)).rev() {
            let factor = std::mem::replace(&mut self.coefficients[place], 0.0);
            if factor != 0.0 {
                self.replace(view, place, factor);
            }
        }
        for (part, coefficients) in self.of_trees.iter().enumerate() {
            if let (FoldedPart::Trees(folded), true) = (&view.folded[part], coefficients.iter().any(|c| *c != 0.0)) {
                let least = folded.least(&view.left[part], coefficients);
                self.sum.constant += least;
                self.size += least.abs();
            }
        }
        let least = self.sum.least(view.open, view.region, &mut self.lowest);
        let size = self.size + self.sum.size();
        let joint = least - self.slack - CUSHION * size;
        if joint > apart { joint } else { apart }
    }

    fn begin(&mut self, view: &RegionView<'_>, own: usize, rival: usize) {
        self.coefficients.clear();
        self.coefficients.resize(own.max(rival) + 1, 0.0);
        self.coefficients[own] += 1.0;
        self.coefficients[rival] -= 1.0;
        self.of_trees.resize(view.folded.len(), Vec::new());
        for (coefficients, scores) in self.of_trees.iter_mut().zip(view.scores) {
            coefficients.clear();
            coefficients.resize(scores.ranges.len(), 0.0);
        }
        self.sum.clear(view.open);
        (self.slack, self.size) = (0.0, 0.0);
        self.lowest.clear();
        self.lowest.resize(view.open.width, 0.0);
    }

    fn replace(&mut self, view: &RegionView<'_>, place: usize, factor: f64) {
        let range = view.ranges[place];
        match &view.values[place] {
            ComposedValue::Score { model, score } => self.replace_score(view, *model, *score, factor),
            _ if range.is_point() => self.add_constant(factor, range.low),
            ComposedValue::Sum { start, terms, divisor } => {
                self.add_constant(factor, start / divisor);
                let mut size = start.abs();
                for (operand, weight) in terms {
                    self.coefficients[*operand] += factor * (weight / divisor);
                    size += weight.abs() * view.ranges[*operand].largest();
                }
                let roundings = (terms.len() + 4) as f64 * f64::EPSILON;
                self.slack += factor.abs() * (roundings * size / divisor + f64::MIN_POSITIVE);
                self.size += factor.abs() * size / divisor;
            }
            ComposedValue::Sigmoid { of } => {
                let ValueRange { low, high } = view.ranges[*of];
                let line =
                    if factor > 0.0 { SafeLine::below_sigmoid(low, high) } else { SafeLine::above_sigmoid(low, high) };
                self.slack += 8.0 * f64::EPSILON * factor.abs();
                self.replace_by(line, *of, view.ranges[*of], factor);
            }
            ComposedValue::Table { of, at, heights } => {
                let ValueRange { low, high } = view.ranges[*of];
                let line = if factor > 0.0 {
                    SafeLine::below_table(at, heights, low, high)
                } else {
                    SafeLine::above_table(at, heights, low, high)
                };
                let most = heights[0].abs().max(heights[heights.len() - 1].abs());
                self.slack += 8.0 * f64::EPSILON * factor.abs() * most;
                self.replace_by(line, *of, view.ranges[*of], factor);
            }
            ComposedValue::Single { of } if view.ranges[*of].largest() < f64::from(f32::MAX) => {
                self.coefficients[*of] += factor;
                self.slack += factor.abs() * (SINGLE * view.ranges[*of].largest() + f64::from(f32::MIN_POSITIVE));
            }
            _ => self.add_constant(factor, if factor > 0.0 { range.low } else { range.high }),
        }
    }

    fn replace_by(&mut self, line: SafeLine, of: usize, range: ValueRange, factor: f64) {
        self.add_constant(factor, line.intercept);
        if line.slope != 0.0 {
            self.coefficients[of] += factor * line.slope;
            self.size += (factor * line.slope).abs() * range.largest();
        }
    }

    fn replace_score(&mut self, view: &RegionView<'_>, model: usize, score: usize, factor: f64) {
        match &view.folded[model] {
            FoldedPart::Smooth { sums, rounding } => {
                self.sum.add(factor, &sums[score]);
                self.slack += factor.abs() * rounding;
                self.size += factor.abs() * sums[score].size();
            }
            FoldedPart::Network { .. } => {
                let lines = if factor > 0.0 { &view.scores[model].below } else { &view.scores[model].above };
                self.sum.add(factor, &lines[score]);
                self.size += factor.abs() * lines[score].size();
            }
            FoldedPart::Trees(_) => self.of_trees[model][score] += factor,
        }
    }

    fn add_constant(&mut self, factor: f64, value: f64) {
        let product = factor * value;
        self.sum.constant += product;
        self.size += product.abs();
    }
}

/// What the difference of two scores of one smooth model is at least; `None` if they are not that.
pub(super) fn smooth_lead(
    view: &RegionView<'_>,
    own: usize,
    rival: usize,
    sum: &mut SmoothSum,
    place: &mut [f64],
) -> Option<f64> {
    let score_of = |place: usize| match &view.values[place] {
        ComposedValue::Score { model, score } => Some((*model, *score)),
        _ => None,
    };
    let ((model, own), (other, rival)) = (score_of(own)?, score_of(rival)?);
    let FoldedPart::Smooth { sums, rounding } = &view.folded[model] else { return None };
    if model != other {
        return None;
    }
    sum.clear(view.open);
    sum.add(1.0, &sums[own]);
    sum.add(-1.0, &sums[rival]);
    let size = sums[own].size() + sums[rival].size();
    Some(sum.least(view.open, view.region, place) - 2.0 * rounding - CUSHION * size)
}
