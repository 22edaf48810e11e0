//! What every value can be, from what it is made of.
//!
//! Additions and products with constants, rounded to nearest, never fall where their operands rise. So the ends of a
//! sum's range are added up as the model adds, and nothing has to be kept clear of: votes are counted exactly. Only
//! exponentials are moved outwards.

use crate::model::functions::{confidence, sigmoid, single, table};
use crate::model::{ComposedValue, Composition, NodeKind, TreeEnsemble};

/// From `low` to `high`, both computed by the model somewhere or beyond anything it computes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct ValueRange {
    pub low: f64,
    pub high: f64,
}

/// What exponentials, and divisions by sums of them, are moved outwards by, as a share of themselves.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl ValueRange {
    pub const ANYTHING: ValueRange = ValueRange { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub fn new(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() { ValueRange::ANYTHING } else { ValueRange { low, high } }
    }

    pub fn is_point(self) -> bool {
        self.low == self.high
    }

    pub fn width(self) -> f64 {
        self.high - self.low
    }

    pub fn largest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Moved outwards by a share of itself, and kept between two ends.
    fn within(self, share: f64, least: f64, most: f64) -> Self {
        let low = self.low - share * self.low.abs() - f64::MIN_POSITIVE;
        let high = self.high + share * self.high.abs() + f64::MIN_POSITIVE;
        ValueRange::new(low.max(least), high.min(most))
    }
}

/// What a value made of others can be. `lead` bounds the difference of two operands from below, and from above by the
/// other order.
pub(super) fn range_of(
    composition: &Composition,
    value: &ComposedValue,
    ranges: &[ValueRange],
    lead: impl Fn(usize, usize) -> f64,
) -> ValueRange {
    let operands = value.operands();
    if !matches!(value, ComposedValue::Score { .. }) && operands.iter().all(|&place| ranges[place].is_point()) {
        let known: Vec<f64> = ranges.iter().map(|range| range.low).collect();
        let known = composition.function_of(value, &known);
        return ValueRange::new(known, known);
    }
    match value {
        ComposedValue::Score { .. } => ValueRange::ANYTHING,
        ComposedValue::Sum { start, terms, divisor } => {
            let (mut low, mut high) = (*start, *start);
            for (place, weight) in terms {
                let ValueRange { low: least, high: most } = ranges[*place];
                let (least, most) = if *weight < 0.0 { (most, least) } else { (least, most) };
                low += weight * least;
                high += weight * most;
            }
            ValueRange::new(low / divisor, high / divisor)
        }
        ComposedValue::Sigmoid { of } => {
            let ValueRange { low, high } = ranges[*of];
            ValueRange { low: sigmoid(low), high: sigmoid(high) }.within(ROUNDING, 0.0, 1.0)
        }
        ComposedValue::Table { of, at, heights } => {
            let ValueRange { low, high } = ranges[*of];
            ValueRange::new(table(at, heights, low), table(at, heights, high))
        }
        ComposedValue::Softmax { of, class } => {
            let others = || of.iter().enumerate().filter(|(place, _)| place != class).map(|(_, &place)| place);
            let own = of[*class];
            let low = 1.0 / (1.0 + others().map(|other| libm::exp(-lead(own, other))).sum::<f64>());
            let high = 1.0 / (1.0 + others().map(|other| libm::exp(lead(other, own))).sum::<f64>());
            let largest = of.iter().map(|&place| ranges[place].largest()).fold(1.0, f64::max);
            let moved = (of.len() as f64 + 4.0) * ROUNDING * largest;
            ValueRange { low, high }.within(moved, 0.0, 1.0)
        }
        ComposedValue::Share { of, class } => share_range(of, *class, ranges),
        ComposedValue::AtLeast { of, bound } => {
            let is_so = |end: f64| f64::from(u8::from(end >= *bound));
            ValueRange::new(is_so(ranges[*of].low), is_so(ranges[*of].high))
        }
        ComposedValue::Largest { of, class } => {
            let own = of[*class];
            let others = || of.iter().enumerate().filter(|(place, _)| place != class);
            // Of equals, the first is the largest.
            let surely_below = |place: usize, other: usize| {
                let ahead = lead(other, own);
                ahead > 0.0 || (place < *class && ahead >= 0.0)
            };
            let surely_above = |place: usize, other: usize| {
                let ahead = lead(own, other);
                ahead > 0.0 || (place > *class && ahead >= 0.0)
            };
            let always = others().all(|(place, &other)| surely_above(place, other));
            let never = others().any(|(place, &other)| surely_below(place, other));
            ValueRange { low: f64::from(u8::from(always)), high: f64::from(u8::from(!never)) }
        }
        ComposedValue::Confidence { of } => {
            let ValueRange { low, high } = ranges[*of];
            let third: f64 = 1.0 / 3.0;
            let end = |value: f64| if value.is_finite() { confidence(value) } else { third.copysign(value) };
            ValueRange { low: end(low), high: end(high) }.within(ROUNDING, -1.0, 1.0)
        }
        ComposedValue::Single { of } => {
            let ValueRange { low, high } = ranges[*of];
            ValueRange::new(single(low), single(high))
        }
        ComposedValue::Trees { of, ensemble, score } => trees_range(ensemble, of, *score, ranges),
    }
}

fn share_range(of: &[usize], class: usize, ranges: &[ValueRange]) -> ValueRange {
    let own = ranges[of[class]];
    let others = || of.iter().enumerate().filter(|(place, _)| *place != class).map(|(_, &place)| ranges[place]);
    let (least, most): (f64, f64) =
        others().fold((0.0, 0.0), |(least, most), other| (least + other.low.max(0.0), most + other.high.max(0.0)));
    let part = |own: f64, rest: f64| if own + rest > 0.0 { own / (own + rest) } else { 0.0 };
    let mut range = ValueRange::new(part(own.low.max(0.0), most), part(own.high.max(0.0), least));
    if own.low <= 0.0 && least <= 0.0 {
        // All can be zero: then each has the same share.
        let equal = 1.0 / of.len() as f64;
        range = ValueRange::new(range.low.min(equal), range.high.max(equal));
    }
    range.within((of.len() as f64 + 4.0) * ROUNDING, 0.0, 1.0)
}

/// By the leaves that can be reached, added up as the trees add.
fn trees_range(ensemble: &TreeEnsemble, of: &[usize], score: usize, ranges: &[ValueRange]) -> ValueRange {
    let output = |output: usize| {
        let mut sum = ValueRange { low: ensemble.start()[output], high: ensemble.start()[output] };
        for tree in ensemble.trees() {
            let offset = match tree.class {
                Some(class) if class != output => continue,
                Some(_) => 0,
                None => output,
            };
            let leaves = leaves_within(ensemble, tree.root, of, ranges, offset);
            sum.low = ensemble.arithmetic().add(sum.low, leaves.low);
            sum.high = ensemble.arithmetic().add(sum.high, leaves.high);
        }
        (ensemble.finish(sum.low), ensemble.finish(sum.high))
    };
    match ensemble.n_outputs() {
        1 => {
            let (low, high) = output(0);
            let threshold = ensemble.threshold();
            ValueRange::new(ensemble.marked(low - threshold), ensemble.marked(high - threshold))
        }
        2 => {
            let (no, yes) = (output(0), output(1));
            ValueRange::new(ensemble.marked(yes.0 - no.1), ensemble.marked(yes.1 - no.0))
        }
        _ => {
            let (low, high) = output(score);
            ValueRange::new(low, high)
        }
    }
}

/// The least and the largest of the leaves of a tree that can be reached.
fn leaves_within(ensemble: &TreeEnsemble, root: u32, of: &[usize], ranges: &[ValueRange], offset: usize) -> ValueRange {
    let nodes = ensemble.nodes();
    let mut found = ValueRange { low: f64::INFINITY, high: f64::NEG_INFINITY };
    let mut pending = vec![root as usize];
    while let Some(node) = pending.pop() {
        match nodes.kinds[node] {
            NodeKind::Leaf => {
                let value = ensemble.values()[nodes.left[node] as usize + offset];
                found = ValueRange { low: found.low.min(value), high: found.high.max(value) };
            }
            NodeKind::Column(column) => {
                let ValueRange { low, high } = ranges[of[column as usize]];
                if low <= nodes.thresholds[node] {
                    pending.push(nodes.left[node] as usize);
                }
                if high > nodes.thresholds[node] {
                    pending.push(nodes.right[node] as usize);
                }
            }
            NodeKind::Set(_) | NodeKind::Missing(_) => {
                unreachable!("trees over values compare one value with a threshold")
            }
        }
    }
    found
}
