//! ONNX's own tree ensembles.

use std::collections::HashMap;

use super::graph_value::{ClassifierOutput, Features, OutputForm};
use super::node::GraphNode;
use super::votes;
use mindrel::model::Combine;

use crate::ReadError;
use crate::pipeline::{Predictor, RawCondition, RawNode, RawTree, RawTrees};

/// More outputs than any classifier has.
const MOST_OUTPUTS: usize = 10_000;

/// `TreeEnsembleClassifier` and `TreeEnsembleRegressor`.
///
/// # Numerics
/// The file's numbers are of single precision, and how they are added up is left to the runtime. They are added in
/// double precision, which is nearest to what they were rounded from; the votes of a forest are taken back to the
/// fractions they were ([`votes`]).
pub(super) fn read(node: &GraphNode<'_>, features: &Features) -> Result<Option<ClassifierOutput>, ReadError> {
    let (Some(features), is_classifier) = (features.as_single(), node.operator() == "TreeEnsembleClassifier") else {
        return Ok(None);
    };
    if node.text("aggregate_function").is_some_and(|function| !matches!(function, "SUM" | "AVERAGE")) {
        return Ok(None);
    }
    let prefix = if is_classifier { "class" } else { "target" };
    let weights = LeafWeights::read(node, prefix)?;
    let n_classes = if is_classifier {
        node.classes().map_or(0, |classes| classes.len())
    } else {
        usize::try_from(node.integer("n_targets").unwrap_or(1)).unwrap_or(0)
    };
    if n_classes == 0 || n_classes > MOST_OUTPUTS || weights.largest_output >= n_classes {
        return Err(node.damaged("its leaves are of classes that are not there"));
    }
    // A binary classifier that only ever speaks of one class has one score.
    let one_score = n_classes == 1 || (n_classes == 2 && weights.only_one_output);
    let n_outputs = if one_score { 1 } else { n_classes };
    let mut base = node.floats_or_tensor("base_values")?;
    if one_score && base.len() == 2 {
        base.remove(0);
    }
    base.resize(n_outputs, 0.0);
    let mut trees = trees(node, &weights, n_outputs, features.columns.len())?;
    let n_trees = trees.len() as f64;
    let average = node.text("aggregate_function") == Some("AVERAGE");
    let plain = node.text("post_transform").is_none_or(|transform| transform == "NONE");
    let mut raw = RawTrees {
        n_outputs,
        start: base,
        combine: if average { Combine::Mean } else { Combine::Sum },
        single: false,
        // The score is a probability where nothing makes one of it and none is negative.
        threshold: if is_classifier && one_score && plain && weights.all_positive { 0.5 } else { 0.0 },
        positive_at_zero: false,
        trees: Vec::new(),
    };
    if is_classifier
        && plain
        && !average
        && raw.start.iter().all(|start| *start == 0.0)
        && votes::are_votes(&trees, n_trees)
    {
        votes::restore(&mut trees, n_trees);
        raw = RawTrees {
            n_outputs: n_outputs.max(2),
            start: vec![0.0; n_outputs.max(2)],
            threshold: 0.0,
            combine: Combine::Mean,
            ..raw
        };
    }
    raw.trees = trees;
    let form = if is_classifier || n_outputs > 1 { OutputForm::Classes } else { OutputForm::One { second: true } };
    Ok(Some(ClassifierOutput { features: features.columns, predictor: Predictor::Trees(raw), form }))
}

/// What the leaves hold, by tree and node.
struct LeafWeights {
    by_leaf: HashMap<(i64, i64), Vec<(usize, f64)>>,
    largest_output: usize,
    only_one_output: bool,
    all_positive: bool,
}

impl LeafWeights {
    fn read(node: &GraphNode<'_>, prefix: &str) -> Result<Self, ReadError> {
        let list = |name: &str| node.integers(&format!("{prefix}_{name}"));
        let (trees, nodes, outputs) = (list("treeids"), list("nodeids"), list("ids"));
        let weights = node.floats_or_tensor(&format!("{prefix}_weights"))?;
        if [nodes.len(), outputs.len(), weights.len()].iter().any(|length| *length != trees.len()) || weights.is_empty()
        {
            return Err(node.damaged("the lists of its leaves are not equally long"));
        }
        let mut by_leaf: HashMap<(i64, i64), Vec<(usize, f64)>> = HashMap::new();
        for (place, weight) in weights.iter().enumerate() {
            let output = usize::try_from(outputs[place]).map_err(|_| node.damaged("a leaf is of no class"))?;
            by_leaf.entry((trees[place], nodes[place])).or_default().push((output, *weight));
        }
        let largest = outputs.iter().max().and_then(|output| usize::try_from(*output).ok()).unwrap_or(0);
        Ok(LeafWeights {
            by_leaf,
            largest_output: largest,
            only_one_output: outputs.iter().all(|output| *output == outputs[0]),
            all_positive: weights.iter().all(|weight| *weight >= 0.0),
        })
    }

    fn leaf(&self, tree: i64, node: i64, n_outputs: usize) -> Vec<f64> {
        let mut values = vec![0.0; n_outputs];
        for (output, weight) in self.by_leaf.get(&(tree, node)).into_iter().flatten() {
            values[if n_outputs == 1 { 0 } else { *output }] += weight;
        }
        values
    }
}

/// The trees, in the order in which they first appear.
fn trees(
    node: &GraphNode<'_>,
    weights: &LeafWeights,
    n_outputs: usize,
    n_features: usize,
) -> Result<Vec<RawTree>, ReadError> {
    let lists = ["nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_truenodeids", "nodes_falsenodeids"];
    let [tree_ids, node_ids, features, yes, no] = lists.map(|name| node.integers(name));
    let (modes, values) = (node.texts("nodes_modes"), node.floats_or_tensor("nodes_values")?);
    let tracks = node.integers("nodes_missing_value_tracks_true");
    let n_nodes = tree_ids.len();
    let lengths = [node_ids.len(), features.len(), yes.len(), no.len(), modes.len(), values.len()];
    if lengths.iter().any(|length| *length != n_nodes) || n_nodes == 0 {
        return Err(node.damaged("the lists of its nodes are not equally long"));
    }
    // Leaves of many classes are made as long as there are classes.
    if n_nodes.saturating_mul(n_outputs) > 20_000_000 {
        return Err(node.damaged("it has more leaves and classes than can be held"));
    }
    let mut order: HashMap<i64, usize> = HashMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut place_of: HashMap<(i64, i64), usize> = HashMap::new();
    for place in 0..n_nodes {
        let tree = *order.entry(tree_ids[place]).or_insert(members.len());
        if tree == members.len() {
            members.push(Vec::new());
        }
        place_of.insert((tree_ids[place], node_ids[place]), members[tree].len());
        members[tree].push(place);
    }
    let read = |place: usize| {
        let id = (tree_ids[place], node_ids[place]);
        let damaged = |what: &str| ReadError::damaged(format!("{}, tree {}, node {}", node.name(), id.0, id.1), what);
        if modes[place] == "LEAF" {
            return Ok(RawNode::Leaf(weights.leaf(id.0, id.1, n_outputs)));
        }
        let child = |child: i64| place_of.get(&(id.0, child)).copied().ok_or_else(|| damaged("its child is not there"));
        let (yes, no) = (child(yes[place])?, child(no[place])?);
        let feature = usize::try_from(features[place]).ok().filter(|feature| *feature < n_features);
        let feature = feature.ok_or_else(|| damaged("it looks at a column that is not there"))?;
        let missing_yes = tracks.get(place).is_some_and(|track| *track != 0);
        let (condition, holds_for_yes) = condition(&modes[place], values[place]).ok_or_else(|| {
            let what = format!("the comparison {} at {}", modes[place], values[place]);
            ReadError::unsupported(
                format!("{}, tree {}", node.name(), id.0),
                what,
                "train on numbers, or on one-hot columns",
            )
        })?;
        let (left, right) = if holds_for_yes { (yes, no) } else { (no, yes) };
        Ok(RawNode::Split { feature, condition, left, right, missing_left: Some(missing_yes == holds_for_yes) })
    };
    let tree = |places: &Vec<usize>| {
        let nodes = places.iter().map(|place| read(*place)).collect::<Result<_, ReadError>>()?;
        Ok(RawTree { class: None, nodes })
    };
    members.iter().map(tree).collect()
}

/// The condition of a comparison, and whether its true branch is taken when the condition holds.
fn condition(mode: &str, value: f64) -> Option<(RawCondition, bool)> {
    let code =
        || (value >= 0.0 && value.fract() == 0.0 && value < 1e15).then_some(RawCondition::OneOf(vec![value as u64]));
    (!value.is_nan()).then_some(())?;
    Some(match mode {
        "BRANCH_LEQ" => (RawCondition::AtMost(value), true),
        "BRANCH_LT" => (RawCondition::Below(value), true),
        "BRANCH_GTE" => (RawCondition::Below(value), false),
        "BRANCH_GT" => (RawCondition::AtMost(value), false),
        "BRANCH_EQ" => (code()?, true),
        "BRANCH_NEQ" => (code()?, false),
        _ => return None,
    })
}
