//! The Lagrangian bound: what the trees give a margin at least when all of them must speak of one person.
//!
//! The sum of each tree's least leaf is loose, since each may be reached by somebody else. *Prices* that cancel out
//! over the trees make them agree:
//!
//! ```text
//! margin ≥ start + Σ_t min over leaves ℓ of t [ gain_ℓ + Σ_q min over the cells of ℓ of price_{t,q} ],
//!          where Σ_t price_{t,q}(cell) ≤ 0 for every question q and every cell
//! ```
//!
//! All prices start at zero and are set question after question. With `least_{t,q}(cell)` what tree t gives at least if
//! q lies in a cell, prices on q left out,
//!
//! ```text
//! price_{t,q} := ⌊ Σ_s least_{s,q} / n ⌋ − least_{t,q}      s and t among the n trees that split on q
//! ```
//!
//! is the best choice for q, given the prices on all others: block coordinate ascent. One *sweep* sets the prices of
//! every question once.
//!
//! # Numerics
//! Gains and prices are whole numbers, so that sums are exact in any order, whoever computes them; and how many sweeps
//! were made is all that has to be written down of the prices. Any prices that add up to zero or less are sound.

use super::bounds::Contest;
use super::cells::{AxisCells, CellSet};
use super::leaf_boxes::LeafBoxes;
use super::residual::ResidualLayout;
use super::{NODE_WORK, TreePart};
use crate::math::range_minima::RangeMinima;
use crate::region::open::OpenColumns;
use crate::rules::Budget;

/// Prices, and what leaves cost with them. It has no `Debug`: leaves tell of answers.
#[derive(Default)]
pub(super) struct Lagrangian {
    boxes: LeafBoxes,
    /// What the margin starts from.
    start: i64,
    /// Gain and prices of each leaf.
    costs: Vec<i64>,
    /// What the prices of a side add to each leaf, in the order of the boxes.
    added: Vec<i64>,
    /// For each side, what its tree gives at least in each own cell.
    least: Vec<i64>,
    /// The same, added up over the sides of a question, cell by cell.
    sums: Vec<i64>,
    prices: Vec<i64>,
    ranges: RangeMinima,
}

impl Lagrangian {
    /// Takes on a part of the domain, with all prices zero.
    pub fn begin(
        &mut self,
        contest: &Contest<'_>,
        layout: &ResidualLayout,
        open: &OpenColumns,
        part: &TreePart,
        budget: &mut Budget,
    ) {
        budget.spend(4 * NODE_WORK * part.residual.nodes.len() as u64);
        self.boxes.set(contest, layout, open, &part.region, &part.residual);
        self.start = contest.start_units();
        self.costs.clone_from(&self.boxes.gains);
        self.added.clear();
        self.added.resize(self.boxes.n_boxes(), 0);
    }

    /// Sets the prices of every question.
    pub fn sweep(&mut self, budget: &mut Budget) {
        for axis in 0..self.boxes.axes.len() {
            self.sum_least(axis);
            self.set_prices(axis);
        }
        budget.spend(4 * (self.boxes.n_boxes() + self.boxes.n_cells()) as u64);
    }

    /// What the margin is at least, in units.
    pub fn bound(&self) -> i64 {
        let least = |tree| self.costs[self.boxes.leaves(tree)].iter().copied().min().expect("a tree has leaves");
        self.start.saturating_add((0..self.boxes.n_trees()).map(least).sum())
    }

    /// Finds what each tree gives at least in each cell of a question, and adds it up.
    fn sum_least(&mut self, axis: usize) {
        let Lagrangian { boxes, costs, added, least, sums, ranges, .. } = self;
        let axis = &boxes.axes[axis];
        let is_number = matches!(axis.cells, AxisCells::Numbers(_));
        sums.clear();
        sums.resize(axis.cells.len(), 0);
        least.clear();
        for side in &boxes.sides[axis.sides.clone()] {
            let from = least.len();
            least.resize(from + side.n_own, i64::MAX);
            let own = &mut least[from..];
            let rests = costs[boxes.leaves(side.tree)].iter().zip(&added[side.boxes..]);
            let rests = rests.map(|(cost, added)| cost - added);
            if is_number {
                ranges.reset(side.n_own);
            }
            for (cells, rest) in boxes.boxes(side).iter().zip(rests) {
                match *cells {
                    CellSet::Numbers { first, last } => ranges.lower(first.into(), last.into(), rest),
                    CellSet::Levels(_) => cells.levels().for_each(|cell| own[cell] = own[cell].min(rest)),
                }
            }
            if is_number {
                ranges.spread(own);
            }
            sums.iter_mut().zip(boxes.own_cells(side)).for_each(|(sum, &cell)| *sum += own[usize::from(cell)]);
        }
    }

    /// Sets the prices of a question by what its trees give at least.
    fn set_prices(&mut self, axis: usize) {
        let Lagrangian { boxes, costs, added, least, sums, prices, ranges, .. } = self;
        let axis = &boxes.axes[axis];
        let n_sides = axis.sides.len() as i64;
        sums.iter_mut().for_each(|sum| *sum = sum.div_euclid(n_sides));
        let mut least = &least[..];
        for side in &boxes.sides[axis.sides.clone()] {
            let (own, rest) = least.split_at(side.n_own);
            least = rest;
            prices.clear();
            prices.resize(side.n_own, i64::MAX);
            for (share, &cell) in sums.iter().zip(boxes.own_cells(side)) {
                let cell = usize::from(cell);
                prices[cell] = prices[cell].min(share - own[cell]);
            }
            if matches!(axis.cells, AxisCells::Numbers(_)) {
                ranges.build(prices);
            }
            let leaves = costs[boxes.leaves(side.tree)].iter_mut().zip(&mut added[side.boxes..]);
            for (cells, (cost, added)) in boxes.boxes(side).iter().zip(leaves) {
                let price = match *cells {
                    CellSet::Numbers { first, last } => ranges.least(first.into(), last.into()),
                    CellSet::Levels(_) => cells.levels().map(|cell| prices[cell]).min().expect("a box has cells"),
                };
                *cost += price - *added;
                *added = price;
            }
        }
    }
}
