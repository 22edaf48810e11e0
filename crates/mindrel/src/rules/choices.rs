//! How a set is tested, and how probabilities are estimated.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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

/// There is no choice of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`; choose from {choices}")]
pub struct UnknownName {
    what: &'static str,
    name: String,
    choices: &'static str,
}

impl Test {
    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Test::Certified => "certified",
            Test::Sampled => "sampled",
        }
    }
}

impl Estimate {
    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Estimate::Qmc => "qmc",
            Estimate::Taylor => "taylor",
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Test {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = [Test::Certified, Test::Sampled].into_iter().find(|test| test.name() == name);
        found.ok_or_else(|| UnknownName { what: "test", name: name.to_owned(), choices: "certified, sampled" })
    }
}

impl FromStr for Estimate {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = [Estimate::Qmc, Estimate::Taylor].into_iter().find(|estimate| estimate.name() == name);
        found.ok_or_else(|| UnknownName { what: "estimate", name: name.to_owned(), choices: "qmc, taylor" })
    }
}
