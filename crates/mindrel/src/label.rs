//! The class a model decides for.

use serde::{Deserialize, Serialize};

/// A class, by its place in the schema's list of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Label(usize);

impl Label {
    /// The class of a binary model whose score is below zero.
    pub const NEGATIVE: Label = Label(0);
    /// The class of a binary model whose score is zero or above.
    pub const POSITIVE: Label = Label(1);

    /// The class at a place in the list.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Label(index)
    }

    /// The place in the list.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}
