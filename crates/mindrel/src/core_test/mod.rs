//! Core tests: may we stop asking?
//!
//! A set of revealed questions is a *core feature set* [TF23, Def. 1] when nothing that is still unknown can change the
//! label (δ = 0, a proof), or only with probability at most δ.

pub(crate) mod exact;
pub(crate) mod probable;

use serde::{Deserialize, Serialize};

/// What a settled label rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Guarantee {
    /// Everything was revealed: the label is the model's own.
    Complete,
    /// No value of the open questions within their domains can change the label: a proof.
    Proved,
    /// The label changes with a probability of at most δ, under the belief.
    Probable,
}

impl Guarantee {
    /// Its name in files and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Guarantee::Complete => "complete",
            Guarantee::Proved => "proved",
            Guarantee::Probable => "probable",
        }
    }
}
