//! Tree ensembles: sums and votes of decision trees, as random forests and gradient boosting make them.

mod check;
mod error;
mod nodes;
mod parts;

pub use error::TreeError;
pub use parts::{Arithmetic, Combine, Condition, Node, Tree, TreeEnsembleParts};

pub(crate) use nodes::{NodeKind, Nodes};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Model, ModelError, label_of_scores};
use crate::Label;

/// A sum or a vote of decision trees over encoded columns.
///
/// ```text
/// output_c(x) = start_c ⊕ leaf_1c(x) ⊕ … ⊕ leaf_Tc(x),   divided by T if it is a mean
/// score(x)    = output − threshold (one output)  or  output_1 − output_0 (two)
/// score_c(x)  = output_c (three and more)
/// ```
///
/// where `⊕` rounds as the arithmetic says and adds tree after tree in order, so that the sums are those of the library
/// the trees come from, to the last bit. A tree that adds to one output leaves the others alone.
///
/// # Numerics
/// Label 1 is a score of at least zero. Where a score of exactly zero means label 0 (`positive_at_zero` is false), the
/// smallest negative number is given in its place: only its sign is meant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TreeEnsembleParts", into = "TreeEnsembleParts")]
pub struct TreeEnsemble {
    n_columns: usize,
    start: Vec<f64>,
    trees: Vec<TreePlace>,
    nodes: Arc<Nodes>,
    values: Arc<Vec<f64>>,
    combine: Combine,
    arithmetic: Arithmetic,
    threshold: f64,
    positive_at_zero: bool,
}

/// Where a tree lies among all nodes and values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TreePlace {
    /// The output it adds to, if it is one.
    pub class: Option<usize>,
    /// Its first node.
    pub root: u32,
    first_value: u32,
}

impl TreeEnsemble {
    /// An ensemble, once its parts are seen to be one.
    ///
    /// In single precision, starts and leaves are rounded to it.
    ///
    /// # Errors
    /// When there are no trees, or too many; when counts, columns, children or values do not fit, or a number is not
    /// finite.
    pub fn new(parts: TreeEnsembleParts) -> Result<Self, ModelError> {
        check::check(&parts)?;
        let rounded = |value: &f64| match parts.arithmetic {
            Arithmetic::Single => f64::from(*value as f32),
            Arithmetic::Double => *value,
        };
        let mut nodes = Nodes { set_starts: vec![0], ..Nodes::default() };
        let mut values = Vec::new();
        let mut trees = Vec::with_capacity(parts.trees.len());
        for tree in &parts.trees {
            let (root, first_value) = (nodes.kinds.len() as u32, values.len() as u32);
            trees.push(TreePlace { class: tree.class, root, first_value });
            tree.nodes.iter().for_each(|node| nodes.push(node, root, first_value));
            values.extend(tree.values.iter().map(rounded));
        }
        Ok(TreeEnsemble {
            n_columns: parts.n_columns,
            start: parts.start.iter().map(rounded).collect(),
            trees,
            nodes: Arc::new(nodes),
            values: Arc::new(values),
            combine: parts.combine,
            arithmetic: parts.arithmetic,
            threshold: parts.threshold,
            positive_at_zero: parts.positive_at_zero,
        })
    }

    /// How many trees there are.
    #[must_use]
    pub fn n_trees(&self) -> usize {
        self.trees.len()
    }

    /// How many nodes they have together.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.nodes.kinds.len()
    }

    /// How many sums there are.
    #[must_use]
    pub fn n_outputs(&self) -> usize {
        self.start.len()
    }

    /// Whether any split looks at a column.
    #[must_use]
    pub fn splits_on(&self, column: usize) -> bool {
        self.nodes.look_at(column)
    }

    /// The first columns of numbers that some split asks to be missing.
    pub(crate) fn asked_whether_missing(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.kinds.iter().filter_map(|kind| match kind {
            NodeKind::Missing(column) => Some(*column as usize),
            NodeKind::Leaf | NodeKind::Column(_) | NodeKind::Set(_) => None,
        })
    }

    /// What is written of it.
    #[must_use]
    pub fn to_parts(&self) -> TreeEnsembleParts {
        let ends = self.trees.iter().skip(1).map(|next| (next.root, next.first_value));
        let ends = ends.chain([(self.nodes.kinds.len() as u32, self.values.len() as u32)]);
        let tree = |(place, (end, last)): (&TreePlace, (u32, u32))| Tree {
            class: place.class,
            nodes: (place.root..end).map(|node| self.nodes.part(node, place)).collect(),
            values: self.values[place.first_value as usize..last as usize].to_vec(),
        };
        TreeEnsembleParts {
            n_columns: self.n_columns,
            n_outputs: self.n_outputs(),
            start: self.start.clone(),
            trees: self.trees.iter().zip(ends).map(tree).collect(),
            combine: self.combine,
            arithmetic: self.arithmetic,
            threshold: self.threshold,
            positive_at_zero: self.positive_at_zero,
        }
    }

    pub(crate) fn trees(&self) -> &[TreePlace] {
        &self.trees
    }

    pub(crate) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    /// The values of all leaves.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// What the sums start from.
    pub(crate) fn start(&self) -> &[f64] {
        &self.start
    }

    /// No sum, of whatever leaves, is larger in size.
    pub(crate) fn magnitude(&self) -> f64 {
        let largest = |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let ends = self.trees.iter().skip(1).map(|next| next.first_value as usize).chain([self.values.len()]);
        let trees = self.trees.iter().zip(ends);
        largest(&self.start)
            + trees.map(|(tree, end)| largest(&self.values[tree.first_value as usize..end])).sum::<f64>()
    }

    /// Whether two leaves of a tree, known by the places of their first values, add the same.
    pub(crate) fn are_same_leaves(&self, tree: usize, one: usize, other: usize) -> bool {
        let n_values = if self.trees[tree].class.is_some() { 1 } else { self.n_outputs() };
        self.values[one..one + n_values] == self.values[other..other + n_values]
    }

    pub(crate) fn combine(&self) -> Combine {
        self.combine
    }

    pub(crate) fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The label of somebody who ends in some leaves, one for each tree, known by the places of their first values;
    /// `outputs` is room.
    pub(crate) fn label_of_leaves(&self, leaves: impl Iterator<Item = u32>, outputs: &mut Vec<f64>) -> Label {
        outputs.clear();
        outputs.extend_from_slice(&self.start);
        self.trees.iter().zip(leaves).for_each(|(tree, first)| self.add_leaf(tree, first as usize, outputs));
        outputs.iter_mut().for_each(|sum| *sum = self.finish(*sum));
        if outputs.len() > 2 { label_of_scores(outputs) } else { label_of_scores(&[self.binary_score(outputs)]) }
    }

    /// The scores of somebody who ends in some leaves, one for each tree, known by the places of their first values.
    pub(crate) fn scores_of_leaves(&self, leaves: impl Iterator<Item = u32>, scores: &mut [f64]) {
        let mut outputs = self.start.clone();
        self.trees.iter().zip(leaves).for_each(|(tree, first)| self.add_leaf(tree, first as usize, &mut outputs));
        outputs.iter_mut().for_each(|sum| *sum = self.finish(*sum));
        if outputs.len() > 2 { scores.copy_from_slice(&outputs) } else { scores[0] = self.binary_score(&outputs) }
    }

    /// Adds a leaf, known by the place of its first value, to the sums.
    fn add_leaf(&self, tree: &TreePlace, first: usize, outputs: &mut [f64]) {
        match tree.class {
            Some(class) => outputs[class] = self.arithmetic.add(outputs[class], self.values[first]),
            None => {
                let values = &self.values[first..first + outputs.len()];
                outputs.iter_mut().zip(values).for_each(|(sum, value)| *sum = self.arithmetic.add(*sum, *value));
            }
        }
    }

    /// What a sum comes to.
    pub(crate) fn finish(&self, sum: f64) -> f64 {
        match self.combine {
            Combine::Sum => sum,
            Combine::Mean => self.arithmetic.divide(sum, self.trees.len()),
        }
    }

    /// The outputs of one encoded person, written to a slice of that length.
    fn outputs(&self, columns: &[f64], outputs: &mut [f64]) {
        outputs.copy_from_slice(&self.start);
        for tree in &self.trees {
            self.add_leaf(tree, self.nodes.leaf_of(tree.root, columns) as usize, outputs);
        }
        outputs.iter_mut().for_each(|sum| *sum = self.finish(*sum));
    }

    /// The score of a binary ensemble, by its outputs.
    fn binary_score(&self, outputs: &[f64]) -> f64 {
        self.marked(match outputs {
            [output] => output - self.threshold,
            _ => outputs[1] - outputs[0],
        })
    }

    /// A binary score, or the smallest negative number in place of a zero that means label 0.
    pub(crate) fn marked(&self, score: f64) -> f64 {
        if score == 0.0 && !self.positive_at_zero { -f64::from_bits(1) } else { score }
    }

    /// With one output: what is taken from it.
    pub(crate) fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Whether a label wins where its margin over a rival is zero.
    pub(crate) fn wins_ties(&self, label: Label, rival: Label) -> bool {
        match self.n_outputs() {
            1 | 2 => (label == Label::POSITIVE) == self.positive_at_zero,
            _ => label.index() < rival.index(),
        }
    }
}

impl Arithmetic {
    /// A sum, rounded.
    pub(crate) fn add(self, left: f64, right: f64) -> f64 {
        match self {
            Arithmetic::Single => f64::from(left as f32 + right as f32),
            Arithmetic::Double => left + right,
        }
    }

    /// A quotient, rounded.
    fn divide(self, sum: f64, count: usize) -> f64 {
        match self {
            Arithmetic::Single => f64::from(sum as f32 / count as f32),
            Arithmetic::Double => sum / count as f64,
        }
    }
}

impl Model for TreeEnsemble {
    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn n_scores(&self) -> usize {
        if self.start.len() <= 2 { 1 } else { self.start.len() }
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        if self.start.len() > 2 {
            return self.outputs(columns, scores);
        }
        let mut outputs = [0.0; 2];
        let outputs = &mut outputs[..self.start.len()];
        self.outputs(columns, outputs);
        scores[0] = self.binary_score(outputs);
    }

    fn label(&self, columns: &[f64]) -> Label {
        if self.n_scores() > 1 {
            let mut scores = vec![0.0; self.n_scores()];
            self.scores(columns, &mut scores);
            return label_of_scores(&scores);
        }
        let mut score = [0.0];
        self.scores(columns, &mut score);
        label_of_scores(&score)
    }
}

impl TryFrom<TreeEnsembleParts> for TreeEnsemble {
    type Error = ModelError;

    fn try_from(parts: TreeEnsembleParts) -> Result<Self, ModelError> {
        TreeEnsemble::new(parts)
    }
}

impl From<TreeEnsemble> for TreeEnsembleParts {
    fn from(ensemble: TreeEnsemble) -> Self {
        ensemble.to_parts()
    }
}
