//! Forests' votes, taken back to the fractions they were before they were rounded to single precision.
//!
//! A forest of `T` trees is written with leaves of `p / T`, in single precision, where `p` is the share of a class
//! among those who reach the leaf. Summed up, half of the votes may come out as more or less than a half, and a tie be
//! decided by rounding. scikit-learn adds up the shares `p` in double precision and divides by `T`; so do we, with the
//! simplest fraction that is written the same.

use crate::pipeline::{RawNode, RawTree};

/// The most people in a leaf whose shares can still be told apart.
const LARGEST_DENOMINATOR: f64 = 1e6;

/// Single precision is off by no more than this share.
const SINGLE: f64 = 6.0e-8;

fn leaves(trees: &[RawTree]) -> impl Iterator<Item = &Vec<f64>> {
    trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
        RawNode::Leaf(values) => Some(values),
        RawNode::Split { .. } => None,
    })
}

/// Whether every leaf holds shares: one between 0 and 1, or several that add up to 1, divided by the number of trees.
pub(super) fn are_votes(trees: &[RawTree], n_trees: f64) -> bool {
    /// Of a sum of a few numbers of single precision.
    const CLOSE: f64 = 1e-5;
    leaves(trees).all(|values| {
        let shares = values.iter().all(|value| (0.0..=1.0 + CLOSE).contains(&(value * n_trees)));
        shares && (values.len() == 1 || (values.iter().sum::<f64>() * n_trees - 1.0).abs() < CLOSE)
    })
}

/// Puts the shares back, for both classes where only the second one's was written.
pub(super) fn restore(trees: &mut [RawTree], n_trees: f64) {
    for node in trees.iter_mut().flat_map(|tree| &mut tree.nodes) {
        let RawNode::Leaf(values) = node else { continue };
        let share = |value: f64| simplest(value * n_trees, value * n_trees * SINGLE);
        *values = match values[..] {
            [second] => {
                let (numerator, denominator) = share(second);
                vec![(denominator - numerator) / denominator, numerator / denominator]
            }
            _ => values
                .iter()
                .map(|value| share(*value))
                .map(|(numerator, denominator)| numerator / denominator)
                .collect(),
        };
    }
}

/// The fraction with the smallest denominator within a distance of a number, by continued fractions, or the number.
fn simplest(value: f64, within: f64) -> (f64, f64) {
    let (mut before, mut last) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = value;
    for _ in 0..40 {
        let whole = rest.floor();
        let next = (whole * last.0 + before.0, whole * last.1 + before.1);
        if next.1 > LARGEST_DENOMINATOR {
            break;
        }
        if (next.0 / next.1 - value).abs() <= within {
            return smaller(before, last, whole, value, within);
        }
        (before, last) = (last, next);
        rest = 1.0 / (rest - whole);
    }
    (value, 1.0)
}

/// The first fraction on the way to the next convergent that is near enough.
fn smaller(before: (f64, f64), last: (f64, f64), whole: f64, value: f64, within: f64) -> (f64, f64) {
    let at = |step: f64| (step * last.0 + before.0, step * last.1 + before.1);
    let (mut far, mut near) = (0.0, whole);
    while near - far > 1.0 {
        let middle = f64::midpoint(far, near).floor();
        let (numerator, denominator) = at(middle);
        if denominator > 0.0 && (numerator / denominator - value).abs() <= within {
            near = middle;
        } else {
            far = middle;
        }
    }
    at(near)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{SINGLE, simplest};

    proptest! {
        /// Fractions of which two different ones are further apart than single precision rounds.
        #[test]
        fn a_share_comes_back_from_single_precision(denominator in 1u32..1500, numerator in 0u32..1500, n_trees in 1u32..500) {
            let (numerator, n_trees) = (f64::from(numerator % (denominator + 1)), f64::from(n_trees));
            let share = numerator / f64::from(denominator);
            let written = f64::from((share / n_trees) as f32);
            let (top, bottom) = simplest(written * n_trees, written * n_trees * SINGLE);
            prop_assert_eq!(top / bottom, share);
        }
    }
}
