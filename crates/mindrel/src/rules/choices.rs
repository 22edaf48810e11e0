//! How a set is tested, and how probabilities are estimated.

use serde::{Deserialize, Serialize};

use super::names::{UnknownName, named};

/// How a set is tested at δ = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Test {
    /// By proof: no value within the domains changes the label.
    Certified,
    /// By samples: no draw from the belief changed it [TF23, §6.2]. Nothing is proved.
    Sampled,
}

/// How the distribution of a network's scores is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Estimate {
    /// From evenly spread draws put through the network.
    Qmc,
    /// As if the network were linear around the expected person [TF23, Thm 1].
    Taylor,
}

named!(Test, "test", [Certified = "certified", Sampled = "sampled"]);
named!(Estimate, "estimate", [Qmc = "qmc", Taylor = "taylor"]);
