//! The ways of choosing the next question.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How the next question is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selector {
    /// The question most likely to end the questioning; ours, and the default.
    Decisive,
    /// Least expected entropy of the label [TF23, Eqs (2)-(3)], in closed form or by quadrature.
    FScore,
    /// Least expected entropy of the label by Monte Carlo draws, as published [TF23, Eq. (4)].
    FScoreMc,
    /// What the model goes by most: the largest weights, the steepest gradients of a network, or the splits of trees
    /// that move most.
    Importance,
    /// The largest weights in a logistic regression on the same rows, whatever the model is, as published [TF23, App. D].
    ImportanceLogistic,
    /// Any open question [TF23, App. D], by a seeded draw.
    Random,
}

impl Selector {
    /// All of them, the default first.
    pub const ALL: [Selector; 6] = [
        Selector::Decisive,
        Selector::FScore,
        Selector::FScoreMc,
        Selector::Importance,
        Selector::ImportanceLogistic,
        Selector::Random,
    ];

    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Selector::Decisive => "decisive",
            Selector::FScore => "f-score",
            Selector::FScoreMc => "f-score-mc",
            Selector::Importance => "importance",
            Selector::ImportanceLogistic => "importance-logistic",
            Selector::Random => "random",
        }
    }

    /// Whether it looks at what the open columns probably are.
    pub(crate) fn needs_belief(self, n_scores: usize) -> bool {
        match self {
            Selector::Decisive | Selector::FScoreMc => true,
            // The closed form needs no values at all.
            Selector::FScore => n_scores > 1,
            Selector::Importance | Selector::ImportanceLogistic | Selector::Random => false,
        }
    }

    /// Whether it looks at what questions would do to the scores.
    pub(crate) fn needs_effects(self, delta: f64) -> bool {
        match self {
            Selector::Decisive => delta > 0.0,
            Selector::FScore | Selector::FScoreMc => true,
            Selector::Importance | Selector::ImportanceLogistic | Selector::Random => false,
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// There is no selector of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no selector `{name}`; choose from decisive, f-score, f-score-mc, importance, importance-logistic, random"
)]
pub struct UnknownSelector {
    name: String,
}

impl FromStr for Selector {
    type Err = UnknownSelector;

    fn from_str(name: &str) -> Result<Self, UnknownSelector> {
        let found = Selector::ALL.into_iter().find(|selector| selector.name() == name);
        found.ok_or_else(|| UnknownSelector { name: name.to_owned() })
    }
}
