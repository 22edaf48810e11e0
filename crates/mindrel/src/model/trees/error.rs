//! What can keep numbers from being a tree ensemble.

/// Why trees do not make an ensemble. Trees and nodes are counted from zero.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum TreeError {
    /// There is nothing to add up.
    #[error("a tree ensemble needs at least one tree, one column and one output")]
    Empty,
    /// More than can be held.
    #[error("the trees have more than {most} nodes, values and listed columns together; train a smaller ensemble")]
    TooMany { most: usize },
    /// The sums start from another number of values than there are outputs.
    #[error("the sums start from {found} values and there are {expected} outputs; give one value for each output")]
    StartCount { expected: usize, found: usize },
    /// A start, a leaf or a threshold is NaN or infinite.
    #[error("a start, a leaf or a threshold of the trees is not a finite number; train the ensemble again")]
    NotFinite,
    /// A tree without a root.
    #[error("tree {tree} has no nodes; leave it out, or give it a leaf")]
    NoNodes { tree: usize },
    /// A tree that adds to an output that is not there.
    #[error("tree {tree} adds to output {found}, and there are {n_outputs}")]
    Output { tree: usize, found: usize, n_outputs: usize },
    /// A split on a column that is not there.
    #[error("tree {tree}, node {node}: it splits on column {found}, and there are {n_columns}")]
    Column { tree: usize, node: usize, found: usize, n_columns: usize },
    /// A leaf whose values are not there.
    #[error("tree {tree}, node {node}: the values of the leaf are not among the {n_values} values of the tree")]
    Value { tree: usize, node: usize, n_values: usize },
    /// A child that is not there, or not after its parent.
    #[error("tree {tree}, node {node}: its child {found} must come after it, among the {n_nodes} nodes of the tree")]
    Child { tree: usize, node: usize, found: usize, n_nodes: usize },
    /// A node with no parent, or with two.
    #[error(
        "tree {tree}, node {node}: it is the child of {found} splits, so this is no tree; each node but the root has one parent"
    )]
    Parents { tree: usize, node: usize, found: usize },
}
