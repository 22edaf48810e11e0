//! Tree ensembles: sums and votes of decision trees, as random forests and gradient boosting make them.

mod check;
mod error;
mod parts;

pub use error::TreeError;
pub use parts::{Arithmetic, Combine, Condition, Node, Tree, TreeEnsembleParts};

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
/// where `⊕` rounds as the arithmetic says and adds tree after tree in order, so that the sums are those of the library the trees come
/// from, to the last bit. A tree that adds to one output leaves the others alone.
///
/// # Numerics
/// Label 1 is a score of at least zero. Where a score of exactly zero means label 0 (`positive_at_zero` is false), the smallest negative
/// number is given in its place: only its sign is meant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TreeEnsembleParts", into = "TreeEnsembleParts")]
pub struct TreeEnsemble {
    n_columns: usize,
    start: Vec<f64>,
    trees: Vec<TreePlace>,
    nodes: Nodes,
    values: Vec<f64>,
    combine: Combine,
    arithmetic: Arithmetic,
    threshold: f64,
    positive_at_zero: bool,
}

/// Where a tree lies among all nodes and values.
#[derive(Debug, Clone, PartialEq)]
struct TreePlace {
    class: Option<usize>,
    root: u32,
    first_value: u32,
}

/// The nodes of all trees, by property: a walk down a tree touches little else.
#[derive(Debug, Clone, PartialEq, Default)]
struct Nodes {
    /// What is looked at.
    kinds: Vec<Kind>,
    thresholds: Vec<f64>,
    /// The left child, counted over all trees; of a leaf, the place of its first value.
    left: Vec<u32>,
    right: Vec<u32>,
    /// Where the columns of each set begin in `listed`, and one entry past the last.
    set_starts: Vec<u32>,
    listed: Vec<u32>,
}

/// What a node looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Leaf,
    Column(u32),
    /// One of the sets of columns.
    Set(u32),
}

impl TreeEnsemble {
    /// An ensemble, once its parts are seen to be one.
    ///
    /// In single precision, starts and leaves are rounded to it.
    ///
    /// # Errors
    /// When there are no trees, or too many; when counts, columns, children or values do not fit, or a number is not finite.
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
            nodes,
            values,
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

    /// Adds the leaf a person ends in to the sums.
    fn add_leaf(&self, tree: &TreePlace, columns: &[f64], outputs: &mut [f64]) {
        let first = self.nodes.leaf_of(tree.root, columns) as usize;
        match tree.class {
            Some(class) => outputs[class] = self.arithmetic.add(outputs[class], self.values[first]),
            None => {
                let values = &self.values[first..first + outputs.len()];
                outputs.iter_mut().zip(values).for_each(|(sum, value)| *sum = self.arithmetic.add(*sum, *value));
            }
        }
    }

    /// What the sums come to.
    fn finish(&self, outputs: &mut [f64]) {
        if self.combine == Combine::Mean {
            outputs.iter_mut().for_each(|sum| *sum = self.arithmetic.divide(*sum, self.trees.len()));
        }
    }

    /// The outputs of one encoded person, with room for as many as there are.
    fn outputs(&self, columns: &[f64], outputs: &mut [f64]) {
        outputs.copy_from_slice(&self.start);
        self.trees.iter().for_each(|tree| self.add_leaf(tree, columns, outputs));
        self.finish(outputs);
    }

    /// The score of a binary ensemble, by its outputs.
    fn binary_score(&self, outputs: &[f64]) -> f64 {
        let score = match outputs {
            [output] => output - self.threshold,
            _ => outputs[1] - outputs[0],
        };
        if score == 0.0 && !self.positive_at_zero { -f64::from_bits(1) } else { score }
    }
}

impl Arithmetic {
    /// A sum, rounded.
    fn add(self, left: f64, right: f64) -> f64 {
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

impl Nodes {
    fn push(&mut self, node: &Node, root: u32, first_value: u32) {
        let (kind, threshold, left, right) = match node {
            Node::Leaf { value } => (Kind::Leaf, 0.0, first_value + *value as u32, 0),
            Node::Split { condition, left, right } => {
                let (kind, threshold) = match condition {
                    Condition::AtMost { column, threshold } => (Kind::Column(*column as u32), *threshold),
                    Condition::AnyOf { columns } => {
                        self.listed.extend(columns.iter().map(|&column| column as u32));
                        self.set_starts.push(self.listed.len() as u32);
                        (Kind::Set(self.set_starts.len() as u32 - 2), 0.0)
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
    fn part(&self, node: u32, tree: &TreePlace) -> Node {
        let place = node as usize;
        let condition = match self.kinds[place] {
            Kind::Leaf => return Node::Leaf { value: (self.left[place] - tree.first_value) as usize },
            Kind::Column(column) => Condition::AtMost { column: column as usize, threshold: self.thresholds[place] },
            Kind::Set(set) => {
                Condition::AnyOf { columns: self.set(set).iter().map(|&column| column as usize).collect() }
            }
        };
        let child = |child: u32| (child - tree.root) as usize;
        Node::Split { condition, left: child(self.left[place]), right: child(self.right[place]) }
    }

    fn set(&self, set: u32) -> &[u32] {
        &self.listed[self.set_starts[set as usize] as usize..self.set_starts[set as usize + 1] as usize]
    }

    /// The place of the first value of the leaf a person ends in.
    fn leaf_of(&self, root: u32, columns: &[f64]) -> u32 {
        let mut node = root as usize;
        loop {
            let goes_left = match self.kinds[node] {
                Kind::Leaf => return self.left[node],
                Kind::Column(column) => columns[column as usize] <= self.thresholds[node],
                Kind::Set(set) => self.set(set).iter().any(|&column| columns[column as usize] >= 0.5),
            };
            node = if goes_left { self.left[node] } else { self.right[node] } as usize;
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
