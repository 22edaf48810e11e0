//! What the difference of two values is at least in a part, over all models at once.
//!
//! Going back from the two values, every value is replaced by what it is made of, or by a line on the safe side;
//! scores of linear models add up to one function of the columns, and trees take their least leaves. All in
//! intervals.

use super::quadratics::Quadratics;
use super::scores::{KnownModel, PartScores, least_of_trees};
use super::sigmoid_line::line_below_sigmoid;
use crate::model::ComposedValue;
use crate::model::functions::table;
use crate::verify::interval::Interval;
use crate::verify::part::{DomainPart, OpenQuestions};

/// Everything known of a part.
pub(super) struct PartView<'a> {
    pub values: &'a [ComposedValue],
    pub ranges: &'a [Interval],
    pub models: &'a [KnownModel],
    pub scores: &'a [PartScores],
    pub open: &'a OpenQuestions<'a>,
    pub part: &'a DomainPart,
}

/// What has been replaced so far.
struct ReplacedValues {
    coefficients: Vec<Interval>,
    of_trees: Vec<Vec<Interval>>,
    sum: Quadratics,
    /// What rounding can do.
    slack: f64,
}

impl PartView<'_> {
    /// What `own − rival` is at least, both as computed.
    pub fn least(&self, own: usize, rival: usize) -> f64 {
        let apart = self.ranges[own].low - self.ranges[rival].high;
        let joint = self.joint_least(own, rival);
        if joint > apart { joint } else { apart }
    }

    /// What the difference of two scores of one model is at least, if they are that; of any values by their ranges.
    pub fn lead(&self, own: usize, rival: usize) -> f64 {
        let apart = self.ranges[own].low - self.ranges[rival].high;
        let score_of = |place: usize| match &self.values[place] {
            ComposedValue::Score { model, score } => Some((*model, *score)),
            _ => None,
        };
        let (Some((model, own)), Some((other, rival))) = (score_of(own), score_of(rival)) else { return apart };
        let KnownModel::Smooth(sums) = &self.models[model] else { return apart };
        if model != other {
            return apart;
        }
        let mut difference = sums[own].0.clone();
        difference.add(-Interval::ONE, &sums[rival].0);
        let rounding = Interval::point(sums[own].1) + Interval::point(sums[rival].1);
        let lead = (Interval::point(difference.least(self.open, self.part)) + -rounding).low;
        lead.max(apart)
    }

    fn joint_least(&self, own: usize, rival: usize) -> f64 {
        let n_columns = self.open.columns.len();
        let mut replaced = ReplacedValues {
            coefficients: vec![Interval::ZERO; own.max(rival) + 1],
            of_trees: self.scores.iter().map(|scores| vec![Interval::ZERO; scores.ranges.len()]).collect(),
            sum: Quadratics::zero(n_columns),
            slack: 0.0,
        };
        replaced.coefficients[own] = replaced.coefficients[own] + Interval::ONE;
        replaced.coefficients[rival] = replaced.coefficients[rival] + -Interval::ONE;
        for place in (0..=own.max(rival)).rev() {
            let factor = replaced.coefficients[place];
            if factor != Interval::ZERO {
                self.replace(&mut replaced, place, factor);
            }
        }
        let mut least = Interval::point(replaced.sum.least(self.open, self.part));
        for ((model, scores), factors) in self.models.iter().zip(self.scores).zip(&replaced.of_trees) {
            if let (KnownModel::Trees(parts), true) = (model, factors.iter().any(|factor| *factor != Interval::ZERO)) {
                least = least + Interval::point(least_of_trees(parts, &scores.leaves, factors));
            }
        }
        (least + -Interval::point(replaced.slack)).low
    }

    fn replace(&self, replaced: &mut ReplacedValues, place: usize, factor: Interval) {
        let range = self.ranges[place];
        match &self.values[place] {
            ComposedValue::Score { model, score } => self.replace_score(replaced, *model, *score, factor, range),
            _ if range.low == range.high => replaced.add_constant(factor * range.low),
            ComposedValue::Sum { start, terms, divisor } => {
                let divisor = Interval::point(*divisor);
                replaced.add_constant((factor * *start).over(divisor));
                let mut size = start.abs();
                for (operand, weight) in terms {
                    let share = (factor * *weight).over(divisor);
                    replaced.coefficients[*operand] = replaced.coefficients[*operand] + share;
                    size += weight.abs() * largest(self.ranges[*operand]);
                }
                let roundings = (terms.len() + 2) as f64 * f64::EPSILON;
                replaced.allow(factor, roundings * size / divisor.low);
            }
            ComposedValue::Sigmoid { of } if is_one_sided(factor) => {
                let Interval { low, high } = self.ranges[*of];
                replaced.allow(factor, 4.0 * f64::EPSILON);
                let (slope, intercept) = if factor.low >= 0.0 {
                    let line = line_below_sigmoid(low, high);
                    (line.slope, Interval::point(line.intercept))
                } else {
                    // σ(x) = 1 − σ(−x).
                    let line = line_below_sigmoid(-high, -low);
                    (line.slope, Interval::ONE + -Interval::point(line.intercept))
                };
                replaced.replace_by(slope, intercept, *of, factor);
            }
            ComposedValue::Table { of, at, heights } if is_one_sided(factor) => {
                let most = heights[0].abs().max(heights[heights.len() - 1].abs());
                replaced.allow(factor, 4.0 * f64::EPSILON * most);
                let (slope, intercept) = line_beside_table(at, heights, self.ranges[*of], factor.low >= 0.0);
                replaced.replace_by(slope, intercept, *of, factor);
            }
            ComposedValue::Single { of } if largest(self.ranges[*of]) < f64::from(f32::MAX) => {
                replaced.coefficients[*of] = replaced.coefficients[*of] + factor;
                let off = f64::from(f32::EPSILON) * largest(self.ranges[*of]) + f64::from(f32::MIN_POSITIVE);
                replaced.allow(factor, off);
            }
            _ => replaced.add_constant(factor * range),
        }
    }

    fn replace_score(
        &self,
        replaced: &mut ReplacedValues,
        model: usize,
        score: usize,
        factor: Interval,
        range: Interval,
    ) {
        match &self.models[model] {
            KnownModel::Smooth(sums) => {
                replaced.sum.add(factor, &sums[score].0);
                replaced.allow(factor, sums[score].1);
            }
            KnownModel::Network(..) if factor.low >= 0.0 => replaced.sum.add(factor, &self.scores[model].below[score]),
            KnownModel::Network(..) if factor.high <= 0.0 => replaced.sum.add(factor, &self.scores[model].above[score]),
            KnownModel::Network(..) => replaced.add_constant(factor * range),
            KnownModel::Trees(_) => replaced.of_trees[model][score] = factor,
        }
    }
}

impl ReplacedValues {
    fn add_constant(&mut self, constant: Interval) {
        self.sum.constant = self.sum.constant + constant;
    }

    fn replace_by(&mut self, slope: f64, intercept: Interval, of: usize, factor: Interval) {
        self.add_constant(factor * intercept);
        self.coefficients[of] = self.coefficients[of] + factor * slope;
    }

    /// Allows for a value to be off by a distance.
    fn allow(&mut self, factor: Interval, distance: f64) {
        self.slack = (self.slack + (largest(factor) * distance).next_up()).next_up();
    }
}

fn largest(range: Interval) -> f64 {
    range.low.abs().max(range.high.abs())
}

fn is_one_sided(factor: Interval) -> bool {
    factor.low >= 0.0 || factor.high <= 0.0
}

/// A line below a table over a range, or above: the chord, moved so far that no corner is on the other side.
fn line_beside_table(at: &[f64], heights: &[f64], range: Interval, below: bool) -> (f64, Interval) {
    let Interval { low, high } = range;
    let (first, last) = (table(at, heights, low), table(at, heights, high));
    let slope = (last - first) / (high - low);
    if !slope.is_finite() {
        return (0.0, Interval::point(if below { first } else { last }));
    }
    let gap = |x: f64, height: f64| Interval::point(height) + -(Interval::point(x) * slope);
    let corners = at.iter().zip(heights).filter(|(corner, _)| low < **corner && **corner < high);
    let gaps = corners.map(|(&corner, &height)| gap(corner, height)).chain([gap(low, first), gap(high, last)]);
    let all = gaps.reduce(Interval::or).expect("a range has ends");
    (slope, Interval::point(if below { all.low } else { all.high }))
}
