//! The nodes of an ensemble as they are walked through.

use super::TreePlace;
use super::parts::{Condition, Node};
use crate::schema::is_missing;

/// The nodes of all trees, by property: a walk down a tree touches little else.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Nodes {
    /// What is looked at.
    pub kinds: Vec<NodeKind>,
    pub thresholds: Vec<f64>,
    /// The left child, counted over all trees; of a leaf, the place of its first value.
    pub left: Vec<u32>,
    pub right: Vec<u32>,
    /// Where the columns of each set begin in `listed`, and one entry past the last.
    pub(super) set_starts: Vec<u32>,
    pub(super) listed: Vec<u32>,
}

/// What a node looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NodeKind {
    Leaf,
    Column(u32),
    /// One of the sets of columns.
    Set(u32),
    /// Two columns, by the first: whether their number is missing.
    Missing(u32),
}

impl Nodes {
    pub(super) fn push(&mut self, node: &Node, root: u32, first_value: u32) {
        let (kind, threshold, left, right) = match node {
            Node::Leaf { value } => (NodeKind::Leaf, 0.0, first_value + *value as u32, 0),
            Node::Split { condition, left, right } => {
                let (kind, threshold) = match condition {
                    Condition::AtMost { column, threshold } => (NodeKind::Column(*column as u32), *threshold),
                    Condition::Missing { column } => (NodeKind::Missing(*column as u32), 0.0),
                    Condition::AnyOf { columns } => {
                        self.listed.extend(columns.iter().map(|&column| column as u32));
                        self.set_starts.push(self.listed.len() as u32);
                        (NodeKind::Set(self.set_starts.len() as u32 - 2), 0.0)
                    }
                };
                (kind, threshold, root + *left as u32, root + *right as u32)
            }
        };
        self.kinds.push(kind);
        self.thresholds.push(threshold);
        self.left.push(left);
        self.right.push(right);
    }

    /// A node as it is written.
    pub(super) fn part(&self, node: u32, tree: &TreePlace) -> Node {
        let place = node as usize;
        let condition = match self.kinds[place] {
            NodeKind::Leaf => return Node::Leaf { value: (self.left[place] - tree.first_value) as usize },
            NodeKind::Column(column) => {
                Condition::AtMost { column: column as usize, threshold: self.thresholds[place] }
            }
            NodeKind::Missing(column) => Condition::Missing { column: column as usize },
            NodeKind::Set(set) => {
                Condition::AnyOf { columns: self.set(set).iter().map(|&column| column as usize).collect() }
            }
        };
        let child = |child: u32| (child - tree.root) as usize;
        Node::Split { condition, left: child(self.left[place]), right: child(self.right[place]) }
    }

    /// Whether any node looks at a column.
    pub(super) fn look_at(&self, column: usize) -> bool {
        let is_it = |other: &u32| *other as usize == column;
        self.listed.iter().any(is_it)
            || self.kinds.iter().any(|kind| match kind {
                NodeKind::Column(other) => is_it(other),
                NodeKind::Missing(other) => is_it(other) || is_it(&(*other + 1)),
                NodeKind::Leaf | NodeKind::Set(_) => false,
            })
    }

    /// The columns of a set.
    pub fn set(&self, set: u32) -> &[u32] {
        &self.listed[self.set_starts[set as usize] as usize..self.set_starts[set as usize + 1] as usize]
    }

    /// The place of the first value of the leaf a person ends in.
    pub(super) fn leaf_of(&self, root: u32, columns: &[f64]) -> u32 {
        let mut node = root as usize;
        loop {
            let goes_left = match self.kinds[node] {
                NodeKind::Leaf => return self.left[node],
                NodeKind::Column(column) => columns[column as usize] <= self.thresholds[node],
                NodeKind::Set(set) => self.set(set).iter().any(|&column| columns[column as usize] >= 0.5),
                NodeKind::Missing(column) => is_missing(&columns[column as usize..]),
            };
            node = if goes_left { self.left[node] } else { self.right[node] } as usize;
        }
    }
}
