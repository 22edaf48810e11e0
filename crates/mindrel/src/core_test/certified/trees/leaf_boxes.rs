//! The leaves of a residual as boxes over cells.
//!
//! The splits on a question cut what it can be into *cells*: the numbers between two neighbouring thresholds, a level,
//! or all levels that no split tells apart. A leaf is reached from a box: some cells of each question. A split on
//! several questions at once bounds no box, so a box may be larger than what reaches its leaf, but never smaller. A
//! number that may be missing has two columns, and cells in each as if they were two questions: a box is larger there,
//! too.

use std::ops::Range;

use super::bounds::Contest;
use super::branch::numbers_beside;
use super::cells::{AxisCells, CellSet, MOST_LEVEL_CELLS, MOST_NUMBER_CELLS};
use super::residual::{Look, Residual, ResidualLayout, ResidualNode};
use crate::region::Region;
use crate::region::open::OpenColumns;

/// What a leaf that nobody reaches gives: more than any other, whatever it is priced.
const UNREACHED: i64 = 1 << 60;

/// The leaves of all trees of a residual.
#[derive(Default)]
pub(super) struct LeafBoxes {
    /// What each leaf gives the margin, in units.
    pub gains: Vec<i64>,
    /// The questions, or columns of a number that may be missing, that at least two trees split on.
    pub axes: Vec<CellAxis>,
    /// The trees that split on them, axis by axis.
    pub sides: Vec<Side>,
    /// Where the leaves of each tree begin, and one entry past the last.
    starts: Vec<usize>,
    own_cells: Vec<u16>,
    own_splits: Vec<f64>,
    boxes: Vec<CellSet>,
    splits: Vec<CellSplit>,
    sides_of_tree: Vec<Vec<usize>>,
    pending: Vec<usize>,
    pending_boxes: Vec<CellSet>,
}

/// A question that trees split on.
pub(super) struct CellAxis {
    pub cells: AxisCells,
    /// The trees, by their places among the sides.
    pub sides: Range<usize>,
}

/// A tree that splits on a question. It tells *own cells* apart, each made of cells of the axis.
pub(super) struct Side {
    pub tree: usize,
    pub n_own: usize,
    /// Where the boxes of its tree's leaves begin.
    pub boxes: usize,
    /// The number's column, or the first of a category.
    axis: usize,
    is_number: bool,
    own_splits: Range<usize>,
    own_cells: Range<usize>,
}

/// A split of a tree on a question.
#[derive(Clone, Copy, PartialEq)]
struct CellSplit {
    axis: usize,
    tree: usize,
    /// The last number to the left, or the column of a level.
    at: f64,
}

impl LeafBoxes {
    /// Takes on what is left of the trees in a region.
    pub fn set(
        &mut self,
        contest: &Contest<'_>,
        layout: &ResidualLayout,
        open: &OpenColumns,
        region: &Region,
        residual: &Residual,
    ) {
        self.collect_splits(contest, layout, open, region, residual);
        self.make_axes(layout, open, region, residual.n_trees());
        self.starts.clear();
        self.gains.clear();
        self.boxes.clear();
        for tree in 0..residual.n_trees() {
            self.starts.push(self.gains.len());
            self.box_leaves(contest, layout, open, residual, tree);
        }
        self.starts.push(self.gains.len());
    }

    /// The leaves of a tree.
    pub fn leaves(&self, tree: usize) -> Range<usize> {
        self.starts[tree]..self.starts[tree + 1]
    }

    /// How many trees there are.
    pub fn n_trees(&self) -> usize {
        self.starts.len() - 1
    }

    /// The boxes of the leaves of a side's tree.
    pub fn boxes(&self, side: &Side) -> &[CellSet] {
        &self.boxes[side.boxes..side.boxes + self.leaves(side.tree).len()]
    }

    /// How many cells there are, each counted for every tree that has to agree on it.
    pub fn n_cells(&self) -> usize {
        self.axes.iter().map(|axis| axis.cells.len() * axis.sides.len()).sum()
    }

    /// How many boxes there are.
    pub fn n_boxes(&self) -> usize {
        self.boxes.len()
    }

    /// The own cell of a side that each cell of its axis is part of.
    pub fn own_cells(&self, side: &Side) -> &[u16] {
        &self.own_cells[side.own_cells.clone()]
    }

    /// Notes what each tree splits on, question by question and tree by tree.
    fn collect_splits(
        &mut self,
        contest: &Contest<'_>,
        layout: &ResidualLayout,
        open: &OpenColumns,
        region: &Region,
        residual: &Residual,
    ) {
        self.splits.clear();
        for tree in (0..residual.n_trees()).filter(|&tree| contest.is_moved_by(tree)) {
            for node in residual.tree(tree) {
                match node.look {
                    Look::Leaf => {}
                    Look::Number(column) => {
                        let (last, _) = numbers_beside(layout, open, column as usize, node.value);
                        self.splits.push(CellSplit { axis: column as usize, tree, at: last });
                    }
                    Look::Level(_) | Look::Set(_) => {
                        let levels = layout.levels(&node.look);
                        let possible = levels.iter().filter(|&&column| region.allows(column as usize));
                        self.splits.extend(possible.map(|&column| CellSplit {
                            axis: axis_of(layout, open, column),
                            tree,
                            at: f64::from(column),
                        }));
                    }
                }
            }
        }
        let by_place = |split: &CellSplit| (split.axis, split.tree);
        self.splits
            .sort_unstable_by(|one, other| by_place(one).cmp(&by_place(other)).then(one.at.total_cmp(&other.at)));
        self.splits.dedup();
    }

    /// Finds the questions on which trees have to agree, and what each tree tells apart of them.
    fn make_axes(&mut self, layout: &ResidualLayout, open: &OpenColumns, region: &Region, n_trees: usize) {
        self.axes.clear();
        self.sides.clear();
        self.own_cells.clear();
        self.own_splits.clear();
        self.sides_of_tree.iter_mut().for_each(Vec::clear);
        self.sides_of_tree.resize_with(n_trees, Vec::new);
        let splits = std::mem::take(&mut self.splits);
        for group in splits.chunk_by(|one, other| one.axis == other.axis) {
            let axis = group[0].axis;
            let mut ends: Vec<f64> = group.iter().map(|split| split.at).collect();
            ends.sort_unstable_by(f64::total_cmp);
            ends.dedup();
            let cells = if axis < open.n_numbers {
                AxisCells::Numbers(ends)
            } else {
                let columns = open.questions[layout.question_of[axis] as usize].columns.clone();
                let has_others = columns.filter(|&column| region.allows(column)).count() > ends.len();
                AxisCells::Levels { columns: ends.iter().map(|&column| column as u32).collect(), has_others }
            };
            let first = self.sides.len();
            for of_tree in group.chunk_by(|one, other| one.tree == other.tree) {
                self.push_side(&cells, of_tree);
            }
            if self.sides.len() < first + 2 {
                self.sides.truncate(first);
                continue;
            }
            for side in first..self.sides.len() {
                self.sides_of_tree[self.sides[side].tree].push(side);
            }
            self.axes.push(CellAxis { cells, sides: first..self.sides.len() });
        }
        self.splits = splits;
    }

    /// What a tree tells apart of a question.
    fn push_side(&mut self, cells: &AxisCells, splits: &[CellSplit]) {
        let is_number = matches!(cells, AxisCells::Numbers(_));
        let n_own = splits.len() + usize::from(is_number || cells.len() > splits.len());
        let most = if is_number { MOST_NUMBER_CELLS } else { MOST_LEVEL_CELLS };
        if n_own > most {
            return;
        }
        let (first_split, first_cell) = (self.own_splits.len(), self.own_cells.len());
        self.own_splits.extend(splits.iter().map(|split| split.at));
        match cells {
            AxisCells::Numbers(ends) => {
                let mut own = 0;
                for end in ends {
                    self.own_cells.push(own as u16);
                    own += usize::from(splits.get(own).is_some_and(|split| split.at == *end));
                }
                self.own_cells.push(own as u16);
            }
            AxisCells::Levels { columns, has_others } => {
                let place = |column: &u32| splits.iter().position(|split| split.at == f64::from(*column));
                self.own_cells.extend(columns.iter().map(|column| place(column).unwrap_or(splits.len()) as u16));
                self.own_cells.extend(has_others.then_some(splits.len() as u16));
            }
        }
        self.sides.push(Side {
            tree: splits[0].tree,
            n_own,
            boxes: 0,
            axis: splits[0].axis,
            is_number,
            own_splits: first_split..self.own_splits.len(),
            own_cells: first_cell..self.own_cells.len(),
        });
    }

    /// Writes the box of every leaf of a tree, and what the leaf gives.
    fn box_leaves(
        &mut self,
        contest: &Contest<'_>,
        layout: &ResidualLayout,
        open: &OpenColumns,
        residual: &Residual,
        tree: usize,
    ) {
        let nodes = residual.tree(tree);
        let start = residual.starts[tree] as usize;
        let sides = std::mem::take(&mut self.sides_of_tree[tree]);
        for &side in &sides {
            self.sides[side].boxes = self.boxes.len();
            self.boxes.resize(self.boxes.len() + nodes.len().div_ceil(2), CellSet::Levels(0));
        }
        let whole: Vec<CellSet> =
            sides.iter().map(|&side| CellSet::whole(self.sides[side].is_number, self.sides[side].n_own)).collect();
        let mut here = whole.clone();
        let (mut place, mut leaf) = (0, 0);
        self.pending.clear();
        self.pending_boxes.clear();
        loop {
            let node = &nodes[place];
            if !node.is_leaf() {
                self.pending.push(node.right as usize - start);
                let from = self.pending_boxes.len();
                self.pending_boxes.extend_from_slice(&here);
                if let Some((index, left)) = self.left_cells(layout, open, node, &sides) {
                    (here[index], self.pending_boxes[from + index]) = here[index].split(left);
                }
                place += 1;
                continue;
            }
            let is_reached = !here.iter().any(|cells| cells.is_empty());
            self.gains.push(if is_reached { contest.leaf_units(tree, node) } else { UNREACHED });
            let boxes = if is_reached { &here } else { &whole };
            for (&side, cells) in sides.iter().zip(boxes) {
                self.boxes[self.sides[side].boxes + leaf] = *cells;
            }
            leaf += 1;
            let Some(next) = self.pending.pop() else { break };
            place = next;
            here.clear();
            here.extend(self.pending_boxes.drain(self.pending_boxes.len() - sides.len()..));
        }
        self.sides_of_tree[tree] = sides;
    }

    /// The own cells to the left of a split, and the side of its question among some sides; `None` if it has none.
    fn left_cells(
        &self,
        layout: &ResidualLayout,
        open: &OpenColumns,
        node: &ResidualNode,
        sides: &[usize],
    ) -> Option<(usize, CellSet)> {
        let index_of = |column: u32| {
            let axis = axis_of(layout, open, column);
            sides.iter().position(|&side| self.sides[side].axis == axis)
        };
        match node.look {
            Look::Leaf => None,
            Look::Number(column) => {
                let index = index_of(column)?;
                let ends = &self.own_splits[self.sides[sides[index]].own_splits.clone()];
                // On a grid the end of the cell lies below the threshold, and no other end in between.
                let last = ends.partition_point(|&end| end <= node.value) - 1;
                Some((index, CellSet::Numbers { first: 0, last: last as u16 }))
            }
            Look::Level(_) | Look::Set(_) => {
                let levels = layout.levels(&node.look);
                let index = index_of(*levels.first()?)?;
                let own = &self.own_splits[self.sides[sides[index]].own_splits.clone()];
                let bit =
                    |&column: &u32| own.iter().position(|&own| own == f64::from(column)).map_or(0, |bit| 1 << bit);
                Some((index, CellSet::Levels(levels.iter().map(bit).sum())))
            }
        }
    }
}

/// The axis that a column is on: a number's column is one of its own, and a category's levels share one.
fn axis_of(layout: &ResidualLayout, open: &OpenColumns, column: u32) -> usize {
    let column = column as usize;
    if column < open.n_numbers { column } else { open.questions[layout.question_of[column] as usize].columns.start }
}
