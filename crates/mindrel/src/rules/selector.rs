//! The ways of choosing the next question.

use serde::{Deserialize, Serialize};

use super::names::{UnknownName, named};

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
    /// The largest weights in a logistic regression on the same rows, whatever the model is, as published [TF23, App.
    /// D].
    ImportanceLogistic,
    /// Any open question [TF23, App. D], by a seeded draw.
    Random,
}

named!(
    Selector,
    "selector",
    [
        Decisive = "decisive",
        FScore = "f-score",
        FScoreMc = "f-score-mc",
        Importance = "importance",
        ImportanceLogistic = "importance-logistic",
        Random = "random",
    ]
);

impl Selector {
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
