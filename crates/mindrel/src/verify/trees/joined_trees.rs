//! Trees without the splits that make no difference to a person, whatever the open questions are.

use super::reached_leaves::ReachedLeaves;
use crate::model::{Condition, Node, Tree};

/// A tree of which nodes are left out: a split that can go one way only gives way to that side, and a split with the
/// same leaf on both sides to this leaf.
pub(super) struct JoinedTree<'a> {
    tree: &'a Tree,
    /// The node in whose place each node stands now.
    stands_for: Vec<usize>,
}

/// A node that is left.
pub(super) enum JoinedNode<'a> {
    /// With the place of its first value.
    Leaf(usize),
    /// With its condition, where that holds, and where it does not.
    Split(&'a Condition, usize, usize),
}

impl<'a> JoinedTree<'a> {
    /// Leaves out what makes no difference in the whole domain. Leaves have so many values each.
    pub fn new(tree: &'a Tree, whole: &ReachedLeaves<'_>, n_values: usize) -> Self {
        let mut stands_for: Vec<usize> = (0..tree.nodes.len()).collect();
        // Children come after their parents.
        for (place, node) in tree.nodes.iter().enumerate().rev() {
            let Node::Split { condition, left, right } = node else { continue };
            let (left, right) = (stands_for[*left], stands_for[*right]);
            stands_for[place] = match (whole.ways(condition), &tree.nodes[left], &tree.nodes[right]) {
                ((true, false), ..) => left,
                ((false, true), ..) => right,
                (_, Node::Leaf { value: one }, Node::Leaf { value: other })
                    if tree.values[*one..one + n_values] == tree.values[*other..other + n_values] =>
                {
                    left
                }
                _ => place,
            };
        }
        JoinedTree { tree, stands_for }
    }

    /// The place of the first node.
    pub fn root(&self) -> usize {
        self.stands_for[0]
    }

    /// A node.
    pub fn node(&self, place: usize) -> JoinedNode<'a> {
        match &self.tree.nodes[place] {
            Node::Leaf { value } => JoinedNode::Leaf(*value),
            Node::Split { condition, left, right } => {
                JoinedNode::Split(condition, self.stands_for[*left], self.stands_for[*right])
            }
        }
    }

    /// Whether only one leaf can be reached.
    pub fn has_one_leaf(&self, reach: &ReachedLeaves<'_>) -> bool {
        let mut place = self.root();
        while let JoinedNode::Split(condition, left, right) = self.node(place) {
            place = match reach.ways(condition) {
                (true, true) => return false,
                (true, false) => left,
                (false, _) => right,
            };
        }
        true
    }
}
