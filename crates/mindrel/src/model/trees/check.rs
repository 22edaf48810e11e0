//! What must hold of parts before they are an ensemble.

use super::error::TreeError;
use super::parts::{Arithmetic, Condition, Node, Tree, TreeEnsembleParts};
use crate::math::LARGEST;
use crate::model::ModelError;

/// Nodes, values and listed columns there may be together: a default forest of 500 trees grown on 50,000 people has 30
/// million, and more would be slow to read and to hold.
const MOST_ITEMS: usize = 40_000_000;

/// No sum of single precision may be larger: it then stays far from overflow.
const LARGEST_SINGLE: f64 = 1e30;

/// Checks everything but the numbers' size, tree after tree.
pub(super) fn check(parts: &TreeEnsembleParts) -> Result<(), ModelError> {
    if parts.trees.is_empty() || parts.n_columns == 0 || parts.n_outputs == 0 {
        return Err(TreeError::Empty.into());
    }
    check_size(parts)?;
    if parts.start.len() != parts.n_outputs {
        return Err(TreeError::StartCount { expected: parts.n_outputs, found: parts.start.len() }.into());
    }
    for (place, tree) in parts.trees.iter().enumerate() {
        check_tree(parts, place, tree)?;
    }
    check_numbers(parts)
}

fn check_size(parts: &TreeEnsembleParts) -> Result<(), TreeError> {
    let listed = |node: &Node| match node {
        Node::Split { condition: Condition::AnyOf { columns }, .. } => 1 + columns.len(),
        _ => 1,
    };
    let items = |tree: &Tree| tree.values.len().saturating_add(tree.nodes.iter().map(listed).sum());
    let n_items = parts.trees.iter().map(items).fold(parts.n_outputs.max(parts.n_columns), usize::saturating_add);
    if n_items > MOST_ITEMS { Err(TreeError::TooMany { most: MOST_ITEMS }) } else { Ok(()) }
}

fn check_tree(parts: &TreeEnsembleParts, tree: usize, content: &Tree) -> Result<(), TreeError> {
    let (n_nodes, n_values) = (content.nodes.len(), content.values.len());
    if n_nodes == 0 {
        return Err(TreeError::NoNodes { tree });
    }
    if let Some(found) = content.class.filter(|&class| class >= parts.n_outputs) {
        return Err(TreeError::Output { tree, found, n_outputs: parts.n_outputs });
    }
    let width = if content.class.is_some() { 1 } else { parts.n_outputs };
    let mut n_parents = vec![0usize; n_nodes];
    for (node, here) in content.nodes.iter().enumerate() {
        match here {
            Node::Leaf { value } if value.checked_add(width).is_none_or(|end| end > n_values) => {
                return Err(TreeError::Value { tree, node, n_values });
            }
            Node::Leaf { .. } => {}
            Node::Split { condition, left, right } => {
                if let Some(found) = column_out_of_range(condition, parts.n_columns) {
                    return Err(TreeError::Column { tree, node, found, n_columns: parts.n_columns });
                }
                for &found in [left, right] {
                    if found <= node || found >= n_nodes {
                        return Err(TreeError::Child { tree, node, found, n_nodes });
                    }
                    n_parents[found] += 1;
                }
            }
        }
    }
    let wrong = (1..n_nodes).find(|&node| n_parents[node] != 1);
    wrong.map_or(Ok(()), |node| Err(TreeError::Parents { tree, node, found: n_parents[node] }))
}

fn column_out_of_range(condition: &Condition, n_columns: usize) -> Option<usize> {
    let columns = match condition {
        Condition::AtMost { column, .. } => std::slice::from_ref(column),
        Condition::AnyOf { columns } => columns,
        Condition::Missing { column } => &[column.saturating_add(1)],
    };
    columns.iter().copied().find(|&column| column >= n_columns)
}

/// Every number is finite, and no sum of them can overflow.
fn check_numbers(parts: &TreeEnsembleParts) -> Result<(), ModelError> {
    let thresholds = parts.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
        Node::Split { condition: Condition::AtMost { threshold, .. }, .. } => Some(threshold),
        _ => None,
    });
    let values = parts.trees.iter().flat_map(|tree| &tree.values);
    let mut numbers = thresholds.chain(values).chain(&parts.start).chain([&parts.threshold]);
    if numbers.any(|number| !number.is_finite()) {
        return Err(TreeError::NotFinite.into());
    }
    let largest = |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let sum = largest(&parts.start) + parts.trees.iter().map(|tree| largest(&tree.values)).sum::<f64>();
    let most = match parts.arithmetic {
        Arithmetic::Single => LARGEST_SINGLE,
        Arithmetic::Double => LARGEST,
    };
    if sum > most || parts.threshold.abs() > LARGEST { Err(ModelError::TooLarge) } else { Ok(()) }
}
