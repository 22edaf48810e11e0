//! What both formats hold: columns, splits and trees, and how they become a pipeline.

use mindrel::model::Combine;

use crate::ReadError;
use crate::pipeline::{
    Feature, FeatureStep, Levels, Pipeline, Predictor, ProbabilityLink, RawCondition, RawInput, RawNode, RawTree,
    RawTrees,
};

/// More columns or classes than a table has.
const MOST: usize = 1_000_000;

/// The deepest tree whose leaves CatBoost numbers.
const DEEPEST: usize = 16;

/// A column, by its place among all of them.
pub(super) struct CatBoostColumn {
    pub place: usize,
    pub name: String,
    pub is_category: bool,
    /// Whether a missing number counts as larger than all others.
    pub missing_is_above: bool,
}

/// A test: of a number against a border, or of a category against the hash of a level.
#[derive(Clone, Copy)]
pub(super) enum CatBoostSplit {
    /// `x > border`.
    Above { column: usize, border: f64 },
    /// `hash(x) = level`.
    Is { column: usize, level: u32 },
}

/// A model before it is a pipeline.
pub(super) struct CatBoostModel {
    pub columns: Vec<CatBoostColumn>,
    pub trees: Vec<RawTree>,
    pub n_outputs: usize,
    pub scale: f64,
    pub bias: Vec<f64>,
    pub classes: Option<Vec<String>>,
    pub loss: String,
    /// The probability of the second class above which it is predicted.
    pub probability: Option<f64>,
}

impl CatBoostModel {
    /// The model as a pipeline.
    ///
    /// ```text
    /// score = scale (leaf_1 + leaf_2 + …) + bias    in double precision;    class 1 where score > 0
    /// ```
    ///
    /// Numbers are rounded to single precision first, categories are the hashes of their texts.
    ///
    /// # Errors
    /// When the model is no classifier, or its parts do not fit together.
    pub fn into_pipeline(mut self) -> Result<Pipeline, ReadError> {
        if !matches!(self.loss.as_str(), "Logloss" | "CrossEntropy" | "Focal" | "MultiClass" | "MultiClassOneVsAll") {
            let remedy = "train a classifier: Logloss, CrossEntropy, MultiClass or MultiClassOneVsAll";
            return Err(ReadError::unsupported("loss_function", format!("the loss \"{}\"", self.loss), remedy));
        }
        let n_outputs = self.n_outputs;
        self.bias.resize(n_outputs, if self.bias.len() == 1 { self.bias[0] } else { 0.0 });
        if self.bias.iter().chain([&self.scale]).any(|number| !number.is_finite()) {
            return Err(ReadError::damaged("scale_and_bias", "a number is not finite"));
        }
        let leaves = self.trees.iter_mut().flat_map(|tree| &mut tree.nodes).filter(|_| self.scale != 1.0);
        leaves.for_each(|node| {
            if let RawNode::Leaf(values) = node {
                values.iter_mut().for_each(|value| *value *= self.scale);
            }
        });
        let mut threshold = 0.0;
        if n_outputs == 1 {
            // A sum and a bias, rounded, are above zero exactly if the sum is above the bias's negative.
            let above = self.probability.map_or(0.0, |probability| (probability / (1.0 - probability)).ln());
            threshold = above - self.bias[0];
        } else if self.bias.iter().any(|bias| *bias != 0.0) {
            // It is added last.
            self.trees.push(RawTree { class: None, nodes: vec![RawNode::Leaf(self.bias.clone())] });
        }
        let (inputs, features) = inputs(&self.columns, &self.trees)?;
        let probability = (n_outputs == 1).then_some(ProbabilityLink::Logistic { slope: 1.0 });
        let predictor = Predictor::Trees(RawTrees {
            n_outputs,
            start: vec![0.0; n_outputs],
            trees: self.trees,
            combine: Combine::Sum,
            single: false,
            threshold,
            positive_at_zero: false,
        });
        Ok(Pipeline { inputs, features, predictor, classes: self.classes, probability })
    }
}

/// All columns in their order; one that the model does not know is taken for a number that it does not use.
fn inputs(columns: &[CatBoostColumn], trees: &[RawTree]) -> Result<(Vec<RawInput>, Vec<Feature>), ReadError> {
    let n_columns = columns.iter().map(|column| column.place + 1).max().unwrap_or(0);
    if n_columns == 0 || n_columns > MOST {
        return Err(ReadError::damaged("features_info", "it has no columns, or too many"));
    }
    // Columns without names are called by their numbers.
    let are_named = columns.len() == n_columns
        && columns.iter().any(|column| !column.name.is_empty() && column.name != column.place.to_string());
    let mut inputs = vec![RawInput::default(); n_columns];
    let mut features: Vec<Feature> =
        (0..n_columns).map(|input| Feature { input, steps: vec![FeatureStep::Single] }).collect();
    for column in columns {
        inputs[column.place].name = are_named.then(|| column.name.clone());
        if column.is_category {
            inputs[column.place].levels = Some(Levels { known: Vec::new(), others: true });
            features[column.place].steps = vec![FeatureStep::Hash { listed: listed(trees, column.place) }];
        }
    }
    Ok((inputs, features))
}

/// The hashes that splits on a column ask for.
fn listed(trees: &[RawTree], column: usize) -> Vec<u32> {
    let asked = trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
        RawNode::Split { feature, condition: RawCondition::OneOf(codes), .. } if *feature == column => Some(codes),
        _ => None,
    });
    let mut found: Vec<u32> = asked.flatten().filter_map(|code| u32::try_from(*code).ok()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A node that is taken to the right where a split holds.
pub(super) fn node(columns: &[CatBoostColumn], split: CatBoostSplit, no: usize, yes: usize) -> Option<RawNode> {
    Some(match split {
        CatBoostSplit::Above { column, border } => {
            let column = columns.get(column).filter(|column| !column.is_category)?;
            let condition = RawCondition::AtMost(border);
            let missing_left = Some(!column.missing_is_above);
            RawNode::Split { feature: column.place, condition, left: no, right: yes, missing_left }
        }
        CatBoostSplit::Is { column, level } => {
            let column = columns.get(column).filter(|column| column.is_category)?;
            let condition = RawCondition::OneOf(vec![u64::from(level)]);
            RawNode::Split { feature: column.place, condition, left: yes, right: no, missing_left: None }
        }
    })
}

/// A tree that asks the same on every level: bit `i` of a leaf's number is the answer to split `i`.
pub(super) fn oblivious(
    columns: &[CatBoostColumn],
    splits: &[CatBoostSplit],
    leaves: &[f64],
    n_outputs: usize,
) -> Option<RawTree> {
    let depth = splits.len();
    if depth > DEEPEST || leaves.len() != (1 << depth) * n_outputs || leaves.iter().any(|leaf| !leaf.is_finite()) {
        return None;
    }
    // Level by level: the nodes of one come after those of the level above.
    let mut nodes = Vec::with_capacity((2 << depth) - 1);
    for (level, split) in splits.iter().enumerate() {
        let (first, below) = ((1 << level) - 1, (2 << level) - 1);
        for place in 0..1 << level {
            debug_assert_eq!(nodes.len(), first + place);
            nodes.push(node(columns, *split, below + place, below + place + (1 << level))?);
        }
    }
    nodes.extend(leaves.chunks_exact(n_outputs).map(|leaf| RawNode::Leaf(leaf.to_vec())));
    Some(RawTree { class: None, nodes })
}

/// Ordered statistics of categories, which are refused.
pub(super) fn refuse_statistics(place: &str) -> ReadError {
    ReadError::unsupported(
        place,
        "a split on ordered statistics of categories (CTR)",
        "train with one_hot_max_size no less than the number of levels",
    )
}
