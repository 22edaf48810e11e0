//! Trees: what is asked, what may be answered, and where that leads.

use serde::Serialize;

use crate::colour::Colour;

/// A tree that grows to the right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeDiagram {
    /// What the tree shows, in a few words.
    pub title: String,
    /// What there is to see, for those who read it aloud and for the caption.
    pub description: String,
    /// Where it starts.
    pub root: TreeNode,
}

/// A node and what follows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeNode {
    /// What it is called.
    pub text: String,
    /// What is said beside it, fainter; may be empty.
    pub note: String,
    /// What it says when pointed at; may be empty.
    pub told: String,
    /// How it is drawn.
    pub shape: NodeShape,
    /// What follows, from top to bottom.
    pub branches: Vec<TreeBranch>,
}

/// How a node is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum NodeShape {
    /// A frame around its text.
    Framed,
    /// A dot in a colour, and its text beside it: where something ends.
    Outcome(Colour),
    /// Faint text alone: what is not drawn further.
    Faint,
}

/// One way on from a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeBranch {
    /// What leads this way.
    pub label: String,
    /// Where it leads.
    pub node: TreeNode,
}

impl TreeDiagram {
    /// A tree.
    pub fn new(title: impl Into<String>, description: impl Into<String>, root: TreeNode) -> Self {
        Self { title: title.into(), description: description.into(), root }
    }
}

impl TreeNode {
    /// A node with nothing behind it.
    pub fn new(text: impl Into<String>, shape: NodeShape) -> Self {
        Self { text: text.into(), note: String::new(), told: String::new(), shape, branches: vec![] }
    }

    /// With something said beside it.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// With something it says when pointed at.
    pub fn told(mut self, told: impl Into<String>) -> Self {
        self.told = told.into();
        self
    }

    /// With one more way on.
    pub fn branch(mut self, label: impl Into<String>, node: TreeNode) -> Self {
        self.branches.push(TreeBranch { label: label.into(), node });
        self
    }

    /// This node and all behind it.
    pub(crate) fn all(&self) -> Vec<&TreeNode> {
        let behind = self.branches.iter().flat_map(|branch| branch.node.all());
        std::iter::once(self).chain(behind).collect()
    }
}
