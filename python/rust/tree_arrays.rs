//! Trees as arrays, the form in which libraries store them.

use std::collections::HashMap;

use mindrel_import::pipeline::{RawCondition, RawNode, RawTree};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::PyResult;

use crate::errors::value_error;

/// One tree, with one entry per node in each array: the output of its leaves, the left and right child (negative for a
/// leaf), the feature, the threshold, a row of values, whether missing values go left, and the codes that go left at a
/// split on a category.
pub type TreeArrays<'py> = (
    Option<usize>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray2<'py, f64>,
    Option<PyReadonlyArray1<'py, i64>>,
    Option<HashMap<usize, Vec<u64>>>,
);

/// The tree of the arrays.
pub fn raw_tree(arrays: &TreeArrays<'_>) -> PyResult<RawTree> {
    let (class, left, right, feature, threshold, values, missing, sets) = arrays;
    let (left, right, feature) = (left.as_array(), right.as_array(), feature.as_array());
    let (threshold, values) = (threshold.as_array(), values.as_array());
    let missing = missing.as_ref().map(PyReadonlyArray1::as_array);
    let n_nodes = left.len();
    let lengths = [right.len(), feature.len(), threshold.len(), values.nrows(), missing.map_or(n_nodes, |it| it.len())];
    if lengths.iter().any(|&length| length != n_nodes) {
        return Err(value_error("the arrays of a tree are not all of one length"));
    }
    let place = |value: i64| usize::try_from(value).map_err(|_| value_error("a node of a tree has no place"));
    let nodes = (0..n_nodes).map(|node| {
        if left[node] < 0 {
            return Ok(RawNode::Leaf(values.row(node).to_vec()));
        }
        let condition = match sets.as_ref().and_then(|sets| sets.get(&node)) {
            Some(codes) => RawCondition::OneOf(codes.clone()),
            None => RawCondition::AtMost(threshold[node]),
        };
        Ok(RawNode::Split {
            feature: place(feature[node])?,
            condition,
            left: place(left[node])?,
            right: place(right[node])?,
            missing_left: missing.map(|missing| missing[node] != 0),
        })
    });
    Ok(RawTree { class: *class, nodes: nodes.collect::<PyResult<_>>()? })
}
