//! What is left of an ensemble once everything known is filled in: splits on what is open, and the leaves they lead to.
//! Leaves that differ in nothing but the way to them are joined.

use std::ops::Range;

use super::bounds::leaf_value;
use crate::model::{NodeKind, Nodes, TreeEnsemble};
use crate::region::Region;
use crate::region::open::OpenColumns;
use crate::schema::{HALF, MISSING, is_missing};

/// The trees of an ensemble, without the splits that can go only one way. The left child of a split is the node after
/// it.
#[derive(Default, Clone)]
pub(super) struct Residual {
    pub nodes: Vec<ResidualNode>,
    /// Where each tree begins, and one entry past the last.
    pub starts: Vec<u32>,
}

/// A split or a leaf.
#[derive(Clone, Copy)]
pub(super) struct ResidualNode {
    pub look: Look,
    /// The right child; of a leaf, the place of its first value.
    pub right: u32,
    /// The threshold of a number; of a leaf, the one number bounds are made of, if there is one.
    pub value: f64,
}

/// What a node looks at. Columns are open ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Look {
    Leaf,
    /// Left when the number is at most the threshold.
    Number(u32),
    /// Left when the category has this level.
    Level(u32),
    /// Left when one of the columns of a set is at least one half.
    Set(u32),
}

/// Which ways a split can go.
pub(super) enum Ways {
    Left,
    Right,
    Both,
}

/// What does not change while one person is tested.
#[derive(Default)]
pub(super) struct ResidualLayout {
    /// The open column of each encoded column, or none.
    place_of_column: Vec<u32>,
    /// The question of each open column.
    pub question_of: Vec<u32>,
    n_numbers: usize,
    /// Open columns of sets that are more than one level, in order.
    sets: Vec<Vec<u32>>,
    n_sets: usize,
    /// Nodes still to be written, with the split whose right child they are.
    pending: Vec<(u32, u32)>,
    /// Splits whose right side is being written, each within that of the one before.
    in_right: Vec<u32>,
    n_allowed: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// A threshold between all numbers and a missing one.
const BELOW_MISSING: f64 = f64::midpoint(HALF, MISSING[0]);

impl ResidualLayout {
    /// Takes on what is open of a person.
    fn begin(&mut self, open: &OpenColumns) {
        self.place_of_column.clear();
        self.place_of_column.resize(open.free.len(), NONE);
        open.columns.iter().enumerate().for_each(|(place, &column)| self.place_of_column[column] = place as u32);
        self.question_of.clear();
        for (index, question) in open.questions.iter().enumerate() {
            self.question_of.extend(question.columns.clone().map(|_| index as u32));
        }
        self.n_numbers = open.n_numbers;
        self.n_sets = 0;
    }

    /// Fills in what is known of a person.
    pub fn fold(&mut self, ensemble: &TreeEnsemble, open: &OpenColumns, person: &[f64], residual: &mut Residual) {
        self.begin(open);
        let whole = &open.whole;
        self.count_allowed(open, whole);
        residual.nodes.clear();
        residual.starts.clear();
        let nodes = ensemble.nodes();
        for (place, tree) in ensemble.trees().iter().enumerate() {
            residual.starts.push(residual.nodes.len() as u32);
            self.pending.push((tree.root, NONE));
            while let Some((mut node, parent)) = self.pending.pop() {
                self.begin_side(residual, parent);
                loop {
                    let (left, right) = (nodes.left[node as usize], nodes.right[node as usize]);
                    if nodes.kinds[node as usize] == NodeKind::Leaf {
                        let value = leaf_value(ensemble, place, left as usize);
                        residual.nodes.push(ResidualNode { look: Look::Leaf, right: left, value });
                        self.join_leaves(ensemble, place, residual);
                        break;
                    }
                    let (split, is_swapped) = match self.split(nodes, node as usize, person) {
                        Ok(split) => split,
                        Err(goes_left) => {
                            node = if goes_left { left } else { right };
                            continue;
                        }
                    };
                    let (first, second) = if is_swapped { (right, left) } else { (left, right) };
                    node = match self.ways(whole, &split) {
                        Ways::Left => first,
                        Ways::Right => second,
                        Ways::Both => {
                            self.pending.push((second, residual.nodes.len() as u32));
                            residual.nodes.push(split);
                            first
                        }
                    };
                }
            }
        }
        residual.starts.push(residual.nodes.len() as u32);
    }

    /// What is open of a split, and whether its sides change places; where it is known which way it goes, whether that
    /// is left.
    fn split(&mut self, nodes: &Nodes, node: usize, person: &[f64]) -> Result<(ResidualNode, bool), bool> {
        let threshold = nodes.thresholds[node];
        let (look, is_swapped) = match nodes.kinds[node] {
            NodeKind::Leaf => unreachable!("a leaf is not split"),
            NodeKind::Column(column) => match self.place_of_column[column as usize] {
                NONE => return Err(person[column as usize] <= threshold),
                place if (place as usize) < self.n_numbers => (Look::Number(place), false),
                // An indicator is 0 or 1.
                _ if !(0.0..1.0).contains(&threshold) => return Err(threshold >= 1.0),
                place => (Look::Level(place), true),
            },
            NodeKind::Set(set) => (self.look_at_set(nodes.set(set), person)?, false),
            NodeKind::Missing(column) => match self.place_of_column[column as usize] {
                NONE => return Err(is_missing(&person[column as usize..])),
                // In the first of its columns a missing number lies above all others.
                place => {
                    return Ok((ResidualNode { look: Look::Number(place), right: NONE, value: BELOW_MISSING }, true));
                }
            },
        };
        Ok((ResidualNode { look, right: NONE, value: threshold }, is_swapped))
    }

    /// What is open of a set of columns; where it is known which way the split goes, whether that is left.
    fn look_at_set(&mut self, columns: &[u32], person: &[f64]) -> Result<Look, bool> {
        if self.sets.len() == self.n_sets {
            self.sets.push(Vec::new());
        }
        let set = &mut self.sets[self.n_sets];
        set.clear();
        for &column in columns {
            match self.place_of_column[column as usize] {
                NONE if person[column as usize] >= 0.5 => return Err(true),
                NONE => {}
                place => set.push(place),
            }
        }
        set.sort_unstable();
        set.dedup();
        match set[..] {
            [] => Err(false),
            [place] if place as usize >= self.n_numbers => Ok(Look::Level(place)),
            _ => {
                self.n_sets += 1;
                Ok(Look::Set(self.n_sets as u32 - 1))
            }
        }
    }

    /// Counts the possible levels of every question in a region.
    pub fn count_allowed(&mut self, open: &OpenColumns, region: &Region) {
        self.n_allowed.clear();
        self.n_allowed.extend(
            open.questions
                .iter()
                .map(|question| question.columns.clone().filter(|&column| region.allows(column)).count() as u32),
        );
    }

    /// Starts to write the right side of a split, or a tree.
    fn begin_side(&mut self, residual: &mut Residual, parent: u32) {
        if parent == NONE {
            self.in_right.clear();
            return;
        }
        residual.set_right(parent);
        while self.in_right.pop_if(|inner| *inner > parent).is_some() {}
        self.in_right.push(parent);
    }

    /// Replaces a split by its leaves' common value, if the leaf just written makes both of its sides the same; then
    /// the split above it likewise.
    fn join_leaves(&mut self, ensemble: &TreeEnsemble, tree: usize, residual: &mut Residual) {
        let nodes = &mut residual.nodes;
        while let Some(&split) = self.in_right.last() {
            let [_, left, right] = nodes[split as usize..] else { return };
            if left.look != Look::Leaf || !ensemble.are_same_leaves(tree, left.right as usize, right.right as usize) {
                return;
            }
            nodes.truncate(split as usize);
            nodes.push(left);
            self.in_right.pop();
        }
    }

    /// Writes what is left of a residual within a region.
    pub fn prune(&mut self, open: &OpenColumns, region: &Region, source: &Residual, pruned: &mut Residual) {
        self.count_allowed(open, region);
        pruned.nodes.clear();
        pruned.starts.clear();
        for &start in &source.starts[..source.starts.len() - 1] {
            pruned.starts.push(pruned.nodes.len() as u32);
            self.pending.push((start, NONE));
            while let Some((mut node, parent)) = self.pending.pop() {
                pruned.set_right(parent);
                loop {
                    let here = source.nodes[node as usize];
                    if here.look == Look::Leaf {
                        pruned.nodes.push(here);
                        break;
                    }
                    match self.ways(region, &here) {
                        Ways::Left => node += 1,
                        Ways::Right => node = here.right,
                        Ways::Both => {
                            self.pending.push((here.right, pruned.nodes.len() as u32));
                            pruned.nodes.push(here);
                            node += 1;
                        }
                    }
                }
            }
        }
        pruned.starts.push(pruned.nodes.len() as u32);
    }

    /// Which ways a split can go in the region last counted.
    #[inline]
    pub fn ways(&self, region: &Region, node: &ResidualNode) -> Ways {
        match node.look {
            Look::Number(column) => {
                if region.upper[column as usize] <= node.value {
                    Ways::Left
                } else if region.lower[column as usize] > node.value {
                    Ways::Right
                } else {
                    Ways::Both
                }
            }
            Look::Level(column) => {
                if !region.allows(column as usize) {
                    Ways::Right
                } else if self.n_allowed[self.question_of[column as usize] as usize] == 1 {
                    Ways::Left
                } else {
                    Ways::Both
                }
            }
            Look::Set(set) => self.ways_of_set(region, &self.sets[set as usize]),
            Look::Leaf => unreachable!("a leaf is not split"),
        }
    }

    /// Left surely when all that a question can be is in the set; right surely when nothing that can be is.
    fn ways_of_set(&self, region: &Region, set: &[u32]) -> Ways {
        let mut is_possible = false;
        let (mut question, mut n_inside) = (NONE, 0);
        for &column in set {
            let place = column as usize;
            if place < self.n_numbers {
                if region.lower[place] >= 0.5 {
                    return Ways::Left;
                }
                is_possible |= region.upper[place] >= 0.5;
                continue;
            }
            if self.question_of[place] != question {
                (question, n_inside) = (self.question_of[place], 0);
            }
            if region.allows(place) {
                is_possible = true;
                n_inside += 1;
                if n_inside == self.n_allowed[question as usize] {
                    return Ways::Left;
                }
            }
        }
        if is_possible { Ways::Both } else { Ways::Right }
    }

    /// The place of the first value of the leaf that a point of the domain ends in.
    pub fn leaf_at(&self, residual: &Residual, tree: usize, point: &[f64]) -> u32 {
        self.leaf_node(residual, tree, point).right
    }

    /// The leaf that a point of the domain ends in.
    pub fn leaf_node<'a>(&self, residual: &'a Residual, tree: usize, point: &[f64]) -> &'a ResidualNode {
        let mut node = residual.starts[tree] as usize;
        loop {
            let here = &residual.nodes[node];
            if here.look == Look::Leaf {
                return here;
            }
            node = if self.goes_left(here, point) { node + 1 } else { here.right as usize };
        }
    }

    /// Which way a point of the domain goes at a split.
    #[inline]
    pub fn goes_left(&self, node: &ResidualNode, point: &[f64]) -> bool {
        match node.look {
            Look::Number(column) => point[column as usize] <= node.value,
            Look::Level(column) => point[column as usize] >= 0.5,
            Look::Set(set) => self.sets[set as usize].iter().any(|&column| point[column as usize] >= 0.5),
            Look::Leaf => unreachable!("a leaf has no sides"),
        }
    }

    /// The threshold of a split on a number with some columns, all the same, and whether numbers up to it go left;
    /// `None` if the number has no say at a point.
    #[inline]
    pub fn threshold_on(&self, node: &ResidualNode, columns: &Range<usize>, point: &[f64]) -> Option<(f64, bool)> {
        let is_own = |column: &&u32| columns.contains(&(**column as usize));
        match node.look {
            Look::Number(own) if is_own(&&own) => Some((node.value, true)),
            Look::Set(set) if self.sets[set as usize].iter().any(|column| is_own(&column)) => {
                let mut others = self.sets[set as usize].iter().filter(|column| !is_own(column));
                let is_left_anyway = others.any(|&other| point[other as usize] >= 0.5);
                (!is_left_anyway).then_some((0.5f64.next_down(), false))
            }
            _ => None,
        }
    }

    /// The open columns of a set.
    pub fn set(&self, set: u32) -> &[u32] {
        &self.sets[set as usize]
    }

    /// The levels that go to the left of a split, if it is on a category and on nothing else.
    pub fn levels<'a>(&'a self, look: &'a Look) -> &'a [u32] {
        match look {
            Look::Level(column) => std::slice::from_ref(column),
            Look::Set(set) => {
                let columns = self.set(*set);
                let question = |column: &u32| self.question_of[*column as usize];
                let is_level = |column: &u32| *column as usize >= self.n_numbers;
                let is_category = |column: &u32| is_level(column) && question(column) == question(&columns[0]);
                if columns.iter().all(is_category) { columns } else { &[] }
            }
            Look::Leaf | Look::Number(_) => &[],
        }
    }
}

impl Residual {
    /// The next node is the right child of a split, if of any.
    fn set_right(&mut self, parent: u32) {
        if parent != NONE {
            self.nodes[parent as usize].right = self.nodes.len() as u32;
        }
    }

    pub fn n_trees(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes of one tree.
    pub fn tree(&self, tree: usize) -> &[ResidualNode] {
        &self.nodes[self.starts[tree] as usize..self.starts[tree + 1] as usize]
    }

    /// Whether every tree has one leaf left.
    pub fn is_settled(&self) -> bool {
        self.nodes.len() == self.n_trees()
    }
}
