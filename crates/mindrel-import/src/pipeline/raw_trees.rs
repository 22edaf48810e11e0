//! Trees as libraries write them: over features, with their own comparisons and their own way with missing values.

use mindrel::model::Combine;
use serde::{Deserialize, Serialize};

/// A sum or a vote of trees over features. Fields as in `mindrel::model::TreeEnsembleParts`, but for the conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTrees {
    /// One score, two (votes for each of two classes), or one for each of three and more classes.
    pub n_outputs: usize,
    /// What the sum of each output starts from.
    pub start: Vec<f64>,
    /// The trees, in the order they are added up.
    pub trees: Vec<RawTree>,
    /// How outputs are combined.
    pub combine: Combine,
    /// Whether sums are rounded to single precision.
    pub single: bool,
    /// With one output, the score is `output − threshold`.
    #[serde(default)]
    pub threshold: f64,
    /// Whether a score of exactly zero is the positive class.
    pub positive_at_zero: bool,
}

/// One tree; its first node is the root.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTree {
    /// The output its leaves hold one value for; without, they hold one for each.
    #[serde(default)]
    pub class: Option<usize>,
    /// The nodes.
    pub nodes: Vec<RawNode>,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RawNode {
    /// What a tree adds.
    Leaf(Vec<f64>),
    /// Where it parts.
    Split {
        /// The feature that is looked at.
        feature: usize,
        /// What leads to `left`.
        condition: RawCondition,
        /// Where those go for whom it holds.
        left: usize,
        /// Where the others go.
        right: usize,
        /// Where a missing value goes, if the library says: `true` is left.
        #[serde(default)]
        missing_left: Option<bool>,
    },
}

/// What a split asks of a feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RawCondition {
    /// `x ≤ t`.
    AtMost(f64),
    /// `x < t`.
    Below(f64),
    /// The code of a category is one of these.
    OneOf(Vec<u64>),
}
