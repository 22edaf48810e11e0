//! What a settled label rests on.

use serde::{Deserialize, Serialize};

/// What a settled label rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Guarantee {
    /// Everything was revealed: the label is the model's own.
    Complete,
    /// No value of the open questions within their domains can change the label: a proof.
    Proved,
    /// No counterexample was found: every one of many draws from the belief gives the label, and of a black box every
    /// point of a search. No proof [TF23, §6.2].
    Sampled,
    /// The label changes with a probability of at most δ, under the belief; of a network, as estimated by draws or by
    /// Taylor.
    Probable,
}

impl Guarantee {
    /// Its name in files and in what programs exchange.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Guarantee::Complete => "complete",
            Guarantee::Proved => "proved",
            Guarantee::Sampled => "sampled",
            Guarantee::Probable => "probable",
        }
    }

    /// What people are told. The name in files says how *sampled* decisions came about; people must not take it for a
    /// kind of proof.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Guarantee::Sampled => "no counterexample found",
            other => other.name(),
        }
    }
}
