//! One tree of a booster.

use std::collections::HashMap;

use crate::ReadError;
use crate::model_field::ModelField;
use crate::pipeline::{RawCondition, RawNode, RawTree};

/// A tree as `save_model` writes it: node by node in parallel lists, `x < t` to the left, a child of −1 meaning a leaf.
pub(super) fn read(
    tree: &ModelField<'_>,
    class: Option<usize>,
    n_features: usize,
    weight: f64,
) -> Result<RawTree, ReadError> {
    if let Some(size) = tree.get("tree_param")?.find("size_leaf_vector")
        && size.count()? > 1
    {
        let remedy = "train with multi_strategy=\"one_output_per_tree\"";
        return Err(ReadError::unsupported(&tree.place, "a tree with a vector in its leaves", remedy));
    }
    let (left, right) = (tree.get("left_children")?.integers()?, tree.get("right_children")?.integers()?);
    let features = tree.get("split_indices")?.integers()?;
    let conditions = tree.get("split_conditions")?.singles()?;
    let default_left = tree.get("default_left")?.integers()?;
    let n_nodes = left.len();
    if [right.len(), features.len(), conditions.len(), default_left.len()].iter().any(|length| *length != n_nodes)
        || n_nodes == 0
    {
        return Err(tree.damaged("its lists are not equally long"));
    }
    let categories = categories(tree)?;
    let node = |place: usize| {
        if left[place] < 0 {
            // Both factors are of single precision, so that this rounds once.
            return Ok(RawNode::Leaf(vec![f64::from((weight * conditions[place]) as f32)]));
        }
        let child = |child: i64| usize::try_from(child).ok().filter(|child| *child < n_nodes);
        let feature = usize::try_from(features[place]).ok().filter(|feature| *feature < n_features);
        let (Some(left), Some(right), Some(feature)) = (child(left[place]), child(right[place]), feature) else {
            return Err(ReadError::damaged(format!("{}, node {place}", tree.place), "it points to what is not there"));
        };
        let missing_left = default_left[place] != 0;
        Ok(match categories.get(&place) {
            // The listed categories go right.
            Some(codes) => RawNode::Split {
                feature,
                condition: RawCondition::OneOf(codes.clone()),
                left: right,
                right: left,
                missing_left: Some(!missing_left),
            },
            None => RawNode::Split {
                feature,
                condition: RawCondition::Below(conditions[place]),
                left,
                right,
                missing_left: Some(missing_left),
            },
        })
    };
    let nodes = (0..n_nodes).map(node).collect::<Result<_, ReadError>>()?;
    Ok(RawTree { class, nodes })
}

/// The categories listed at each node that splits on one.
fn categories(tree: &ModelField<'_>) -> Result<HashMap<usize, Vec<u64>>, ReadError> {
    let list = |name: &str| tree.find(name).map_or(Ok(Vec::new()), |field| field.integers());
    let split_types = list("split_type")?;
    let (nodes, codes) = (list("categories_nodes")?, list("categories")?);
    let (segments, sizes) = (list("categories_segments")?, list("categories_sizes")?);
    let damaged = || tree.damaged("its lists of categories do not fit together");
    // Every node has categories of its own, so that no more is made than the file holds.
    let n_listed = sizes.iter().try_fold(0i64, |sum, size| sum.checked_add(*size));
    if n_listed.is_none_or(|listed| usize::try_from(listed).is_ok_and(|listed| listed > codes.len())) {
        return Err(damaged());
    }
    let mut found = HashMap::new();
    for (place, node) in nodes.iter().enumerate() {
        let from = segments.get(place).and_then(|from| usize::try_from(*from).ok());
        let size = sizes.get(place).and_then(|size| usize::try_from(*size).ok());
        let range = from.zip(size).and_then(|(from, size)| codes.get(from..from.checked_add(size)?));
        let listed = range.ok_or_else(damaged)?.iter().map(|code| u64::try_from(*code)).collect::<Result<_, _>>();
        found.insert(usize::try_from(*node).map_err(|_| damaged())?, listed.map_err(|_| damaged())?);
    }
    let categorical = split_types.iter().enumerate().filter(|(_, kind)| **kind != 0);
    if categorical.into_iter().any(|(node, _)| !found.contains_key(&node)) {
        return Err(damaged());
    }
    Ok(found)
}
