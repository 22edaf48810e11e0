//! What is written of a tree ensemble.

use serde::{Deserialize, Serialize};

/// What is written of a tree ensemble.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeEnsembleParts {
    /// How many columns an encoded person has.
    pub n_columns: usize,
    /// One score; or one sum for each of two classes, as votes are; or one for each of three and more classes.
    pub n_outputs: usize,
    /// What the sum of each output starts from.
    pub start: Vec<f64>,
    /// The trees, in the order their leaves are added up.
    pub trees: Vec<Tree>,
    /// Whether the sums are divided by the number of trees.
    pub combine: Combine,
    /// How sums are rounded.
    pub arithmetic: Arithmetic,
    /// With one output: what is taken from it to make the score.
    pub threshold: f64,
    /// With two classes: whether a score of exactly zero is label 1. Votes, and probabilities that must exceed one
    /// half, say no.
    pub positive_at_zero: bool,
}

/// What becomes of the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Combine {
    /// They stay.
    Sum,
    /// Each is divided by the number of trees.
    Mean,
}

/// How every addition, and the division of a mean, is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// To `f32`, the values of the leaves too.
    Single,
    /// To `f64`.
    Double,
}

/// One tree. Its first node is the root.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The output to which each leaf adds its one value; `None` if a leaf holds a value for every output.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<usize>,
    /// The nodes; children come after their parent.
    pub nodes: Vec<Node>,
    /// The values of the leaves.
    pub values: Vec<f64>,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// The end of a path.
    Leaf {
        /// The place of its first value in the values of the tree.
        value: usize,
    },
    /// A fork.
    Split {
        /// What sends a person to the left.
        condition: Condition,
        /// The node on the left.
        left: usize,
        /// The node on the right.
        right: usize,
    },
}

/// What sends a person to the left of a split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// A column that is at most a number.
    AtMost {
        /// The column.
        column: usize,
        /// The number.
        threshold: f64,
    },
    /// The first of the two columns of a number that may be missing, which is missing: it exceeds the second by 1 or
    /// more.
    Missing {
        /// The first column.
        column: usize,
    },
    /// One-hot columns of which any is at least one half.
    AnyOf {
        /// The columns.
        columns: Vec<usize>,
    },
}
