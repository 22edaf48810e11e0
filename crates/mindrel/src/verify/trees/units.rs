//! Margins counted in whole units, rounded down.

use super::leaf_check::largest_sum;
use crate::Label;
use crate::model::{Combine, TreeEnsembleParts};

/// No sum has more units, as a power of two.
const UNIT_BITS: i32 = 46;

/// How the share of a leaf in the margin of a label over a rival is counted.
///
/// ```text
/// units(p, m) = ⌊p u⌋ + ⌊−m u⌋   of what a leaf gives the label, p, and the rival, m;   u = 2^(46 − e),  2^(e−1) ≤ M < 2^e
/// ```
pub(super) struct Units<'a> {
    parts: &'a TreeEnsembleParts,
    label: Label,
    rival: Label,
    per_one: f64,
}

impl<'a> Units<'a> {
    pub fn new(parts: &'a TreeEnsembleParts, label: Label, rival: Label) -> Self {
        let exponent = libm::frexp(largest_sum(parts)).1;
        let per_one = libm::ldexp(1.0, (UNIT_BITS - exponent).min(1023));
        Units { parts, label, rival, per_one }
    }

    /// Whether a tree adds to the label or the rival.
    pub fn is_moved_by(&self, tree: usize) -> bool {
        let is_either = |class: usize| class == self.label.index() || class == self.rival.index();
        self.parts.n_outputs == 1 || self.parts.trees[tree].class.is_none_or(is_either)
    }

    /// What a leaf of a tree gives the margin, known by the place of its first value.
    pub fn of_leaf(&self, tree: usize, value: usize) -> i64 {
        let (label, rival) = (self.label.index(), self.rival.index());
        let tree = &self.parts.trees[tree];
        let only = tree.values[value];
        match tree.class {
            _ if self.parts.n_outputs == 1 => self.only_output(only, 0.0),
            Some(class) if class == label => self.between(only, 0.0),
            Some(class) if class == rival => self.between(0.0, only),
            Some(_) => 0,
            None => self.between(tree.values[value + label], tree.values[value + rival]),
        }
    }

    /// What the margin starts from. A threshold times the number of trees is rounded against the label.
    pub fn of_start(&self) -> i64 {
        let start = &self.parts.start;
        if self.parts.n_outputs > 1 {
            return self.between(start[self.label.index()], start[self.rival.index()]);
        }
        let product = self.parts.threshold * self.n_shares();
        let is_exact = self.parts.threshold.mul_add(self.n_shares(), -product) == 0.0;
        let threshold = match (is_exact, self.label == Label::POSITIVE) {
            (true, _) => product,
            (false, true) => product.next_up(),
            (false, false) => product.next_down(),
        };
        self.only_output(start[0], threshold)
    }

    /// A sum of units as the margin it means, of sums that are not divided yet.
    pub fn margin(&self, units: i64) -> f64 {
        units as f64 / self.per_one
    }

    /// What sums are divided by.
    pub fn n_shares(&self) -> f64 {
        match self.parts.combine {
            Combine::Sum => 1.0,
            Combine::Mean => self.parts.trees.len() as f64,
        }
    }

    /// Of one output, which speaks for label 1, and what is taken from it.
    fn only_output(&self, output: f64, taken: f64) -> i64 {
        if self.label == Label::POSITIVE { self.between(output, taken) } else { self.between(taken, output) }
    }

    fn between(&self, plus: f64, minus: f64) -> i64 {
        let below = |value: f64| (value * self.per_one).floor() as i64;
        below(plus).saturating_add(below(-minus))
    }
}
