//! The Lagrangian bound, worked out again: prices on the open questions, set axis after axis.
//!
//! ```text
//! margin ≥ start + Σ_t min over leaves ℓ of t [ gain_ℓ + Σ_q min over the cells of ℓ of price_{t,q} ]
//! price_{t,q}(cell) := ⌊ Σ_s least_{s,q}(cell) / n ⌋ − least_{t,q}(cell)
//! ```
//!
//! Everything is a whole number of units, rounded down. The prices on a question add up to zero or less in every cell,
//! so that nobody's margin is overstated, however often they are set.

use super::leaves_in_part::{LeavesInPart, NeededCells, TreeInPart};
use crate::math::range_minima::RangeMinima;

/// Prices set so often are as good as they get; a proof that says more is refused.
pub(super) const MOST_SWEEPS: u32 = 100;

/// Trees with prices on the open questions, zero at first.
pub(super) struct PricedTrees<'a> {
    leaves: &'a LeavesInPart,
    /// For each tree and leaf, its gain.
    gains: Vec<Vec<i64>>,
    /// For each tree, leaf and axis of the tree, the least price over the leaf's cells.
    prices: Vec<Vec<Vec<i64>>>,
}

impl<'a> PricedTrees<'a> {
    /// The gain of a leaf is told by its tree and the place of its first value.
    pub fn new(leaves: &'a LeavesInPart, gain: impl Fn(usize, usize) -> i64) -> Self {
        let trees = leaves.trees.iter().enumerate();
        let gains = trees.map(|(place, tree)| tree.leaves.iter().map(|leaf| gain(place, leaf.value)).collect());
        let prices = leaves.trees.iter().map(|tree| vec![vec![0; tree.axes.len()]; tree.leaves.len()]);
        PricedTrees { leaves, gains: gains.collect(), prices: prices.collect() }
    }

    /// Sets the prices on every axis so often, in their order.
    pub fn sweep(&mut self, n_sweeps: u32) {
        for _ in 0..n_sweeps {
            (0..self.leaves.n_cells.len()).for_each(|axis| self.set_prices(axis));
        }
    }

    /// What all trees give the margin at least.
    pub fn least_sum(&self) -> i64 {
        let least = |tree: usize| (0..self.gains[tree].len()).map(|leaf| self.cost(tree, leaf)).min();
        (0..self.gains.len()).map(|tree| least(tree).expect("some leaf is reached")).sum()
    }

    /// The gain of a leaf and its prices.
    fn cost(&self, tree: usize, leaf: usize) -> i64 {
        self.gains[tree][leaf] + self.prices[tree][leaf].iter().sum::<i64>()
    }

    fn set_prices(&mut self, axis: usize) {
        let side = |(place, tree): (usize, &TreeInPart)| {
            tree.axes.iter().position(|other| *other == axis).map(|index| (place, index))
        };
        let sides: Vec<(usize, usize)> = self.leaves.trees.iter().enumerate().filter_map(side).collect();
        let least: Vec<Vec<i64>> = sides.iter().map(|&(tree, index)| self.least(tree, index, axis)).collect();
        let mut shares = vec![0; self.leaves.n_cells[axis]];
        least.iter().for_each(|own| shares.iter_mut().zip(own).for_each(|(sum, least)| *sum += least));
        shares.iter_mut().for_each(|sum| *sum = sum.div_euclid(sides.len().max(1) as i64));
        for ((tree, index), own) in sides.into_iter().zip(least) {
            let prices: Vec<i64> = shares.iter().zip(own).map(|(share, least)| share - least).collect();
            let mut ranges = RangeMinima::default();
            ranges.build(&prices);
            for (leaf, leaf_prices) in self.leaves.trees[tree].leaves.iter().zip(&mut self.prices[tree]) {
                leaf_prices[index] = match &leaf.cells[index] {
                    NeededCells::Between(first, last) => ranges.least(*first, *last),
                    NeededCells::Levels(levels) => {
                        let prices = prices.iter().zip(levels).filter(|(_, is_in)| **is_in);
                        prices.map(|(price, _)| *price).min().expect("a leaf is reached from some cell")
                    }
                };
            }
        }
    }

    /// What a tree gives at least in each cell of an axis, prices on it left out; zero where nobody can be.
    fn least(&self, tree: usize, index: usize, axis: usize) -> Vec<i64> {
        let mut ranges = RangeMinima::default();
        ranges.reset(self.leaves.n_cells[axis]);
        for (place, leaf) in self.leaves.trees[tree].leaves.iter().enumerate() {
            let rest = self.cost(tree, place) - self.prices[tree][place][index];
            match &leaf.cells[index] {
                NeededCells::Between(first, last) => ranges.lower(*first, *last, rest),
                NeededCells::Levels(levels) => {
                    let marked = (0..levels.len()).filter(|&level| levels[level]);
                    marked.for_each(|level| ranges.lower(level, level, rest));
                }
            }
        }
        let mut least = vec![0; self.leaves.n_cells[axis]];
        ranges.spread(&mut least);
        least.iter_mut().filter(|least| **least == i64::MAX).for_each(|least| *least = 0);
        least
    }
}
