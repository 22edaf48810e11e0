//! What each leaf of a tree needs of the open questions, within a part of the domain.
//!
//! Thresholds cut a number into *cells*; the levels of a category are cells by themselves. A leaf is reached from some
//! cells of each *axis*: a question, or each of the columns of a number that may be missing. A split on several
//! questions at once, or on a number as a member of a set, narrows nothing down.

use std::collections::HashMap;

use super::joined_trees::{JoinedNode, JoinedTree};
use super::reached_leaves::ReachedLeaves;
use crate::model::Condition;
use crate::schema::Domain;
use crate::verify::part::{DomainPart, LARGEST_BESIDE_MISSING, MISSING, OpenQuestions, Possible};

/// A tree that tells more cells of a number apart has no prices on it, and neither has one that tells more levels of a
/// category apart, the others counted as one.
const MOST_NUMBER_CELLS: usize = 1 << 16;
const MOST_LEVEL_CELLS: usize = 32;

/// Some cells of a question.
#[derive(Clone)]
pub(super) enum NeededCells {
    /// From the first to the last, and none if the last comes before the first.
    Between(usize, usize),
    /// The levels marked.
    Levels(Vec<bool>),
}

/// A leaf that somebody in the part can end in.
pub(super) struct LeafInPart {
    /// The place of its first value.
    pub value: usize,
    /// What it needs of each axis, in the order of [`TreeInPart::axes`].
    pub cells: Vec<NeededCells>,
}

/// A tree within a part.
pub(super) struct TreeInPart {
    /// The axes it has prices on.
    pub axes: Vec<usize>,
    pub leaves: Vec<LeafInPart>,
}

/// All trees within a part.
pub(super) struct LeavesInPart {
    pub trees: Vec<TreeInPart>,
    /// How many cells each axis has: numbers first, then those that may be missing, then categories.
    pub n_cells: Vec<usize>,
}

/// A split as it cuts one axis: up to the end of a cell, or some levels.
enum AxisCut {
    UpTo(usize, f64),
    Levels(usize, Vec<usize>),
}

/// What walks through trees need.
struct PartWalk<'a> {
    open: &'a OpenQuestions<'a>,
    part: &'a DomainPart,
    reach: &'a ReachedLeaves<'a>,
    /// The question of each axis.
    axes: Vec<usize>,
    /// The axis of each open column, and which of its question's columns it is.
    axis_of: HashMap<usize, (usize, usize)>,
    /// The ends of the cells of each number's axis but the last, in order.
    ends: Vec<Vec<f64>>,
}

impl LeavesInPart {
    /// Trees that move no margin in question have no prices.
    pub fn new(
        joined: &[JoinedTree<'_>],
        open: &OpenQuestions<'_>,
        part: &DomainPart,
        reach: &ReachedLeaves<'_>,
        moves_margin: impl Fn(usize) -> bool,
    ) -> Self {
        let (axes, axis_of) = axes(open);
        let mut walk = PartWalk { open, part, reach, ends: vec![Vec::new(); axes.len()], axes, axis_of };
        let cuts = |(place, tree)| if moves_margin(place) { walk.cuts(tree) } else { Vec::new() };
        let cuts: Vec<Vec<AxisCut>> = joined.iter().enumerate().map(cuts).collect();
        for cut in cuts.iter().flatten() {
            if let AxisCut::UpTo(axis, end) = cut {
                walk.ends[*axis].push(*end);
            }
        }
        walk.ends.iter_mut().for_each(|ends| {
            ends.sort_unstable_by(f64::total_cmp);
            ends.dedup();
        });
        let n_cells = (0..walk.axes.len()).map(|axis| walk.n_cells(axis)).collect();
        let tree = |(tree, cuts): (&JoinedTree<'_>, &Vec<AxisCut>)| walk.tree(tree, cuts);
        LeavesInPart { trees: joined.iter().zip(&cuts).map(tree).collect(), n_cells }
    }
}

impl PartWalk<'_> {
    /// How a tree cuts the axes.
    fn cuts(&self, tree: &JoinedTree<'_>) -> Vec<AxisCut> {
        let mut cuts = Vec::new();
        let mut pending = vec![tree.root()];
        while let Some(place) = pending.pop() {
            let JoinedNode::Split(condition, left, right) = tree.node(place) else { continue };
            let (goes_left, goes_right) = self.reach.ways(condition);
            pending.extend(goes_left.then_some(left));
            pending.extend(goes_right.then_some(right));
            if goes_left && goes_right {
                cuts.extend(self.cut(condition));
            }
        }
        cuts
    }

    /// What can be on an axis.
    fn possible(&self, axis: usize) -> &Possible {
        &self.part.0[self.axes[axis]]
    }

    /// What a split that can go both ways tells apart, if it is one question.
    fn cut(&self, condition: &Condition) -> Option<AxisCut> {
        match condition {
            Condition::AtMost { column, threshold } => {
                let (axis, level) = *self.axis_of.get(column)?;
                Some(match self.open.domain(self.open.questions[self.axes[axis]].0) {
                    Domain::OneOf { .. } => AxisCut::Levels(axis, vec![level]),
                    Domain::Interval => AxisCut::UpTo(axis, *threshold),
                    Domain::Grid { points } => AxisCut::UpTo(axis, last_up_to(*threshold, points)),
                    Domain::OrMissing { points } => AxisCut::UpTo(axis, last_beside_missing(*threshold, points)),
                })
            }
            Condition::Missing { column } => {
                let (axis, _) = *self.axis_of.get(column)?;
                let Domain::OrMissing { points } = self.open.domain(self.open.questions[self.axes[axis]].0) else {
                    return None;
                };
                Some(AxisCut::UpTo(axis, last_beside_missing(LARGEST_BESIDE_MISSING, points)))
            }
            Condition::AnyOf { columns } => {
                let open: Vec<(usize, usize)> =
                    columns.iter().filter_map(|column| self.axis_of.get(column).copied()).collect();
                let axis = open.first()?.0;
                let Possible::Levels(possible) = self.possible(axis) else { return None };
                if open.iter().any(|(other, _)| *other != axis) {
                    return None;
                }
                let levels = open.iter().map(|(_, level)| *level).filter(|&level| possible[level]).collect();
                Some(AxisCut::Levels(axis, levels))
            }
        }
    }

    fn n_cells(&self, axis: usize) -> usize {
        match self.possible(axis) {
            Possible::Between(..) | Possible::OrMissing(..) => self.ends[axis].len() + 1,
            Possible::Levels(possible) => possible.len(),
        }
    }

    /// Whether a tree that cuts an axis in these ways has prices on it.
    fn has_prices(&self, axis: usize, cuts: &[AxisCut]) -> bool {
        let (mut ends, mut levels) = (Vec::new(), Vec::new());
        for cut in cuts {
            match cut {
                AxisCut::UpTo(other, end) if *other == axis => ends.push(end.to_bits()),
                AxisCut::Levels(other, some) if *other == axis => levels.extend(some),
                _ => {}
            }
        }
        let n_different = |values: &mut Vec<u64>| {
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        let n_ends = n_different(&mut ends);
        let n_levels = n_different(&mut levels.iter().map(|&level: &usize| level as u64).collect());
        match self.possible(axis) {
            Possible::Between(..) | Possible::OrMissing(..) => n_ends > 0 && n_ends < MOST_NUMBER_CELLS,
            Possible::Levels(possible) => {
                let has_others = possible.iter().filter(|level| **level).count() > n_levels;
                n_levels > 0 && n_levels + usize::from(has_others) <= MOST_LEVEL_CELLS
            }
        }
    }

    fn tree(&self, tree: &JoinedTree<'_>, cuts: &[AxisCut]) -> TreeInPart {
        let axes: Vec<usize> = (0..self.axes.len()).filter(|&axis| self.has_prices(axis, cuts)).collect();
        let whole = |axis: &usize| match self.possible(*axis) {
            Possible::Between(..) | Possible::OrMissing(..) => NeededCells::Between(0, self.n_cells(*axis) - 1),
            Possible::Levels(possible) => NeededCells::Levels(possible.clone()),
        };
        let mut leaves = Vec::new();
        let mut pending = vec![(tree.root(), axes.iter().map(whole).collect::<Vec<NeededCells>>())];
        while let Some((place, cells)) = pending.pop() {
            match tree.node(place) {
                JoinedNode::Leaf(value) if cells.iter().all(NeededCells::is_some) => {
                    leaves.push(LeafInPart { value, cells })
                }
                JoinedNode::Leaf(_) => {}
                JoinedNode::Split(condition, left, right) => {
                    let (goes_left, goes_right) = self.reach.ways(condition);
                    let (mut one, mut other) = (cells.clone(), cells);
                    if goes_left && goes_right {
                        self.narrow(condition, &axes, &mut one, &mut other);
                    }
                    pending.extend(goes_left.then_some((left, one)));
                    pending.extend(goes_right.then_some((right, other)));
                }
            }
        }
        TreeInPart { axes, leaves }
    }

    /// Keeps the cells that go left in the one, and those that go right in the other.
    fn narrow(&self, condition: &Condition, axes: &[usize], one: &mut [NeededCells], other: &mut [NeededCells]) {
        let Some(cut) = self.cut(condition) else { return };
        let (AxisCut::UpTo(axis, _) | AxisCut::Levels(axis, _)) = cut;
        let Some(index) = axes.iter().position(|other| *other == axis) else { return };
        // A missing number goes left where it lies above all others.
        let (one, other) = if matches!(condition, Condition::Missing { .. }) { (other, one) } else { (one, other) };
        match (&cut, &mut one[index], &mut other[index]) {
            (AxisCut::UpTo(_, end), NeededCells::Between(_, last), NeededCells::Between(first, _)) => {
                let cell = self.ends[axis].partition_point(|other| other < end);
                *last = (*last).min(cell);
                *first = (*first).max(cell + 1);
            }
            (AxisCut::Levels(_, named), NeededCells::Levels(one), NeededCells::Levels(other)) => {
                // Trees are left where an indicator is at most a threshold below 1: where the level is not the one.
                let is_named_left = matches!(condition, Condition::AnyOf { .. });
                for level in 0..one.len() {
                    let goes_left = named.contains(&level) == is_named_left;
                    one[level] &= goes_left;
                    other[level] &= !goes_left;
                }
            }
            _ => {}
        }
    }
}

impl NeededCells {
    fn is_some(&self) -> bool {
        match self {
            NeededCells::Between(first, last) => first <= last,
            NeededCells::Levels(levels) => levels.contains(&true),
        }
    }
}

/// The question of every axis, numbers first, then those that may be missing, then categories; and the axis of each
/// open column, with its place among the columns of its question.
fn axes(open: &OpenQuestions<'_>) -> (Vec<usize>, HashMap<usize, (usize, usize)>) {
    let (mut axes, mut axis_of) = (Vec::new(), HashMap::new());
    let rank = |question: &usize| match open.domain(open.questions[*question].0) {
        Domain::Interval | Domain::Grid { .. } => 0,
        Domain::OrMissing { .. } => 1,
        Domain::OneOf { .. } => 2,
    };
    let mut questions: Vec<usize> = (0..open.questions.len()).collect();
    questions.sort_by_key(rank);
    for question in questions {
        for (place, &column) in open.columns[open.questions[question].1.clone()].iter().enumerate() {
            if place == 0 || rank(&question) == 1 {
                axes.push(question);
            }
            axis_of.insert(column, (axes.len() - 1, place));
        }
    }
    (axes, axis_of)
}

/// The last value up to a threshold in a column of a number that may be missing; on a grid, by its place. Missing comes
/// after all numbers in the first column, and before them in the second.
fn last_beside_missing(threshold: f64, points: Option<usize>) -> f64 {
    let all = LARGEST_BESIDE_MISSING;
    match points {
        None if threshold >= all => all,
        None if threshold < -all => MISSING[1],
        None => threshold,
        Some(points) if threshold >= all => (points - 1) as f64,
        Some(_) if threshold < -all => -1.0,
        Some(points) => last_up_to(threshold / all, points),
    }
}

/// The last point of a grid up to a threshold, by its place.
fn last_up_to(threshold: f64, points: usize) -> f64 {
    let is_up_to = |place: usize| -1.0 + 2.0 * (place as f64 / (points - 1) as f64) <= threshold;
    let (mut below, mut above) = (0, points - 1);
    while above - below > 1 {
        let middle = usize::midpoint(below, above);
        if is_up_to(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    below as f64
}
