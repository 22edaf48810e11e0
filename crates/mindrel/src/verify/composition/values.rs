//! What every value can be in a part, as it is computed.
//!
//! Sums, tables and comparisons never fall where their operands rise, as computed too; their ends are worked out as
//! the model does. What exponentials are in is moved outwards by more than they can be off.

use super::scores::tree_scores;
use crate::model::functions::{confidence, sigmoid, single, table};
use crate::model::{ComposedValue, Composition, Condition, Node, Tree};
use crate::verify::interval::Interval;

/// What exponentials, and divisions by sums of them, can be off by, as a share of them.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// What a value that is no score can be. `lead` is what the first of two values exceeds the second by, at least.
pub(super) fn range_of(
    composition: &Composition,
    value: &ComposedValue,
    ranges: &[Interval],
    lead: impl Fn(usize, usize) -> f64,
) -> Interval {
    let operands = value.operands();
    if operands.iter().all(|&place| ranges[place].low == ranges[place].high) {
        let known: Vec<f64> = ranges.iter().map(|range| range.low).collect();
        return Interval::point(composition.function_of(value, &known));
    }
    match value {
        ComposedValue::Score { .. } => unreachable!("a score is not made of values"),
        ComposedValue::Sum { start, terms, divisor } => {
            let (mut low, mut high) = (*start, *start);
            for (place, weight) in terms {
                let ends = [weight * ranges[*place].low, weight * ranges[*place].high];
                low += ends[0].min(ends[1]);
                high += ends[0].max(ends[1]);
            }
            known_or_anything(low / divisor, high / divisor)
        }
        ComposedValue::Sigmoid { of } => outwards(sigmoid(ranges[*of].low), sigmoid(ranges[*of].high), ROUNDING, 0.0),
        ComposedValue::Table { of, at, heights } => {
            known_or_anything(table(at, heights, ranges[*of].low), table(at, heights, ranges[*of].high))
        }
        ComposedValue::Softmax { of, class } => {
            let own = of[*class];
            let rest = |difference: &dyn Fn(usize) -> f64| {
                let others = of.iter().enumerate().filter(|(place, _)| place != class);
                others.map(|(_, &other)| libm::exp(difference(other))).sum::<f64>()
            };
            let low = 1.0 / (1.0 + rest(&|other| -lead(own, other)));
            let high = 1.0 / (1.0 + rest(&|other| lead(other, own)));
            let size = |range: &Interval| range.low.abs().max(range.high.abs());
            let largest = of.iter().map(|&place| size(&ranges[place])).fold(1.0, f64::max);
            outwards(low, high, (of.len() as f64 + 4.0) * ROUNDING * largest, 0.0)
        }
        ComposedValue::Share { of, class } => {
            let (mut least, mut most) = (0.0, 0.0);
            for (_, &other) in of.iter().enumerate().filter(|(place, _)| place != class) {
                least += ranges[other].low.max(0.0);
                most += ranges[other].high.max(0.0);
            }
            let own = ranges[of[*class]].positive();
            let part = |own: f64, rest: f64| if own + rest > 0.0 { own / (own + rest) } else { 0.0 };
            let (mut low, mut high) = (part(own.low, most), part(own.high, least));
            if own.low == 0.0 && least == 0.0 {
                // If all are zero, each is given the same.
                let equal = 1.0 / of.len() as f64;
                (low, high) = (low.min(equal), high.max(equal));
            }
            outwards(low, high, (of.len() as f64 + 4.0) * ROUNDING, 0.0)
        }
        ComposedValue::AtLeast { of, bound } => {
            let holds = |end: f64| f64::from(u8::from(end >= *bound));
            Interval { low: holds(ranges[*of].low), high: holds(ranges[*of].high) }
        }
        ComposedValue::Largest { of, class } => {
            let own = of[*class];
            let others = || of.iter().enumerate().filter(|(place, _)| place != class);
            let beats = |ahead: f64, wins_ties: bool| ahead > 0.0 || (ahead >= 0.0 && wins_ties);
            let always = others().all(|(place, &other)| beats(lead(own, other), *class < place));
            let never = others().any(|(place, &other)| beats(lead(other, own), place < *class));
            Interval { low: f64::from(u8::from(always)), high: f64::from(u8::from(!never)) }
        }
        ComposedValue::Confidence { of } => {
            let end = |value: f64| if value.is_finite() { confidence(value) } else { value.signum() / 3.0 };
            outwards(end(ranges[*of].low), end(ranges[*of].high), ROUNDING, -1.0)
        }
        ComposedValue::Single { of } => known_or_anything(single(ranges[*of].low), single(ranges[*of].high)),
        ComposedValue::Trees { of, ensemble, score } => {
            let parts = ensemble.to_parts();
            let columns: Vec<Interval> = of.iter().map(|&place| ranges[place]).collect();
            let leaves: Vec<Vec<usize>> = parts.trees.iter().map(|tree| leaves_within(tree, &columns)).collect();
            tree_scores(&parts, &leaves)[*score]
        }
    }
}

fn known_or_anything(low: f64, high: f64) -> Interval {
    if low.is_nan() || high.is_nan() {
        return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    Interval { low, high }
}

/// Moved outwards by a share of itself, between a least number and 1.
fn outwards(low: f64, high: f64, share: f64, least: f64) -> Interval {
    let low = (low - share * low.abs()).next_down().max(least);
    let high = (high + share * high.abs()).next_up().min(1.0);
    known_or_anything(low, high)
}

/// The places of the first values of all leaves that can be reached.
fn leaves_within(tree: &Tree, columns: &[Interval]) -> Vec<usize> {
    let mut leaves = Vec::new();
    let mut pending = vec![0];
    while let Some(node) = pending.pop() {
        match &tree.nodes[node] {
            Node::Leaf { value } => leaves.push(*value),
            Node::Split { condition: Condition::AtMost { column, threshold }, left, right } => {
                pending.extend((columns[*column].low <= *threshold).then_some(*left));
                pending.extend((columns[*column].high > *threshold).then_some(*right));
            }
            // No composition has such trees over values.
            Node::Split { left, right, .. } => pending.extend([*left, *right]),
        }
    }
    leaves
}
