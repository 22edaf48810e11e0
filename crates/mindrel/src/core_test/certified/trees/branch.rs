//! Where to cut a part of the domain that no bound settles.
//!
//! The bound rests on one leaf of each tree, the least. A cut helps in the half that leaves this leaf out: a split on
//! the way to it promises to lift the tree's least leaf to the next best that does not lie on the same side. Promises
//! are added up for each way to cut, and the cut is taken whose two halves are both promised much.

use super::bounds::Contest;
use super::residual::{Look, Residual, ResidualLayout};
use crate::region::open::OpenColumns;
use crate::region::{Region, RegionCut};
use crate::schema::{Domain, MISSING};

/// What a split on the way to a tree's least leaf promises.
#[derive(Clone, Copy)]
struct CutPromise {
    look: Look,
    threshold: f64,
    /// Whether the least leaf lies to the left, so that the right half is lifted.
    least_is_left: bool,
    lift: f64,
}

/// Buffers for choosing a cut.
#[derive(Default)]
pub(super) struct Branching {
    least: Vec<f64>,
    promises: Vec<CutPromise>,
}

impl Branching {
    /// The cut that promises most for a contest; some split is left that can go both ways.
    pub fn choose(
        &mut self,
        contest: &Contest<'_>,
        layout: &ResidualLayout,
        open: &OpenColumns,
        region: &Region,
        residual: &Residual,
    ) -> RegionCut {
        self.promises.clear();
        for tree in 0..residual.n_trees() {
            self.promise(contest, residual, tree);
        }
        // Promises about one thing side by side, those about a number by threshold.
        self.promises
            .sort_unstable_by(|one, other| one.look.cmp(&other.look).then(one.threshold.total_cmp(&other.threshold)));
        let mut best: Option<(f64, Look, f64)> = None;
        for group in self.promises.chunk_by(|one, other| one.look == other.look) {
            let (worth, threshold) = worth_of(group);
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, group[0].look, threshold));
            }
        }
        let (_, look, threshold) = best.expect("some split can go both ways");
        cut(layout, open, region, look, threshold)
    }

    /// Walks down to the least leaf of a tree.
    fn promise(&mut self, contest: &Contest<'_>, residual: &Residual, tree: usize) {
        let nodes = residual.tree(tree);
        if nodes.len() == 1 {
            return;
        }
        let start = residual.starts[tree];
        let share = contest.share(tree);
        self.least.clear();
        self.least.resize(nodes.len(), 0.0);
        for (place, node) in nodes.iter().enumerate().rev() {
            self.least[place] = match node.look {
                Look::Leaf => share.of(node),
                _ => self.least[place + 1].min(self.least[(node.right - start) as usize]),
            };
        }
        let least = self.least[0];
        let mut place = 0;
        let mut next_best = f64::INFINITY;
        while !nodes[place].is_leaf() {
            let node = &nodes[place];
            let (left, right) = (place + 1, (node.right - start) as usize);
            let least_is_left = self.least[left] <= self.least[right];
            let other = if least_is_left { right } else { left };
            next_best = next_best.min(self.least[other]);
            let lift = next_best - least;
            self.promises.push(CutPromise { look: node.look, threshold: node.value, least_is_left, lift });
            place = if least_is_left { left } else { right };
        }
    }
}

/// What the best cut by one thing is worth, and its threshold: mostly what the half promised less is promised.
fn worth_of(group: &[CutPromise]) -> (f64, f64) {
    let total = |least_is_left: bool| -> f64 {
        group.iter().filter(|promise| promise.least_is_left == least_is_left).map(|promise| promise.lift).sum()
    };
    if !matches!(group[0].look, Look::Number(_)) {
        return (worth(total(true), total(false)), 0.0);
    }
    // Numbers up to a threshold are promised what lies to the right of it, numbers above what lies to the left.
    let (mut above, mut up_to) = (0.0, total(false));
    let mut best = (f64::NEG_INFINITY, 0.0);
    for same in group.chunk_by(|one, other| one.threshold == other.threshold) {
        above += same.iter().filter(|promise| promise.least_is_left).map(|promise| promise.lift).sum::<f64>();
        let worth = worth(above, up_to);
        if worth > best.0 {
            best = (worth, same[0].threshold);
        }
        up_to -= same.iter().filter(|promise| !promise.least_is_left).map(|promise| promise.lift).sum::<f64>();
    }
    best
}

fn worth(one: f64, other: f64) -> f64 {
    one.min(other) + 0.25 * one.max(other)
}

/// Cuts a region by what a split looks at, so that it can go one way only in each half.
pub(super) fn cut(
    layout: &ResidualLayout,
    open: &OpenColumns,
    region: &Region,
    look: Look,
    threshold: f64,
) -> RegionCut {
    match look {
        Look::Number(column) => number_cut(layout, open, region, column as usize, threshold),
        Look::Level(column) => level_cut(layout, open, region, &[column]),
        Look::Set(set) => {
            let set = layout.set(set);
            let is_between = |&&column: &&u32| {
                let place = column as usize;
                region.lower[place] < 0.5 && region.upper[place] >= 0.5
            };
            let column = *set.iter().find(is_between).expect("a column of the set can be on both sides") as usize;
            if column < open.n_numbers {
                number_cut(layout, open, region, column, 0.5f64.next_down())
            } else {
                let question = layout.question_of[column];
                let columns: Vec<u32> =
                    set.iter().copied().filter(|&other| layout.question_of[other as usize] == question).collect();
                level_cut(layout, open, region, &columns)
            }
        }
        Look::Leaf => unreachable!("a leaf is not cut"),
    }
}

/// What a column is up to a threshold, and above it: numbers up to it and from the next one on, or the next point of a
/// grid; missing lies above all numbers in the first of its columns, and below them in the second.
pub(super) fn number_cut(
    layout: &ResidualLayout,
    open: &OpenColumns,
    region: &Region,
    column: usize,
    threshold: f64,
) -> RegionCut {
    let question = layout.question_of[column] as usize;
    let columns = &open.questions[question].columns;
    let (low, high) = numbers_beside(layout, open, column, threshold);
    if columns.len() == 2 {
        let possible = region.numbers(columns);
        if possible.missing {
            let numbers =
                possible.numbers.filter(|(lower, upper)| *lower <= low && high <= *upper).map(|_| (low, high));
            return RegionCut::OrMissing { question, numbers, missing_first: column > columns.start };
        }
    }
    RegionCut::Number { question, low, high }
}

/// The last value of a number's column up to a threshold, and the first above it.
pub(super) fn numbers_beside(layout: &ResidualLayout, open: &OpenColumns, column: usize, threshold: f64) -> (f64, f64) {
    let question = &open.questions[layout.question_of[column] as usize];
    let numbers = question.domain.numbers().expect("only numbers have thresholds");
    if let Domain::OrMissing { .. } = question.domain {
        if threshold >= numbers.scale {
            return (numbers.scale, MISSING[0]);
        }
        if threshold < -numbers.scale {
            return (MISSING[1], -numbers.scale);
        }
    }
    numbers.beside(threshold)
}

/// The possible levels among some columns of one question, and its other levels.
fn level_cut(layout: &ResidualLayout, open: &OpenColumns, region: &Region, columns: &[u32]) -> RegionCut {
    let question = layout.question_of[columns[0] as usize] as usize;
    let start = open.questions[question].columns.start;
    let possible = columns.iter().map(|&column| column as usize).filter(|&column| region.allows(column));
    RegionCut::Levels { question, first: possible.map(|column| column - start).collect() }
}
