//! The rules of asking: when to stop, and what to ask next.

mod budget;
mod choices;
mod guarantee;
mod names;
mod selector;

pub use budget::{Budget, Clock, Deadline, TimeLimit};
pub use choices::{Estimate, Test};
pub use guarantee::Guarantee;
pub use names::UnknownName;
pub use selector::Selector;

use serde::{Deserialize, Serialize};

use crate::model::{Classifier, ProvedBy};

/// When to stop asking, and how to choose the next question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// The failure probability δ [TF23, Def. 1]: zero asks for a proof.
    pub delta: f64,
    /// How the next question is chosen.
    pub selector: Selector,
    /// How a set is tested at δ = 0: by proof or, as published for networks, by samples.
    pub test: Test,
    /// How many draws the sampled test takes [TF23, §6.2]; of a black box, once a search has found nothing.
    pub samples: usize,
    /// How the distribution of a network's scores is worked out at δ > 0 and by the f-scores.
    pub estimate: Estimate,
    /// The work that one step may take, the test and the choice of the next question, in elementary operations
    /// ([`Budget`]). What is not proved by then counts as not core.
    pub budget: u64,
    /// How many draws `f-score-mc` takes for each candidate [TF23, Eq. (4)].
    pub draws: usize,
    /// What `random`, `f-score-mc` and the sampled test draw from.
    pub seed: u64,
}

/// A step then takes a quarter of a second at most on one core, whatever the model. Enough for every person of the
/// evaluation's data sets with up to eight questions open and networks of two layers of 10, many times over (`networks`
/// in the suite of `mindrel-audit`).
const DEFAULT_BUDGET: u64 = 100_000_000;

/// More work than anybody waits for: about a quarter of an hour.
const MOST_BUDGET: u64 = 1_000_000_000_000;

impl Default for Rules {
    fn default() -> Self {
        Rules {
            delta: 0.0,
            selector: Selector::Decisive,
            test: Test::Certified,
            samples: 100_000,
            estimate: Estimate::Qmc,
            budget: DEFAULT_BUDGET,
            draws: 100,
            seed: 0,
        }
    }
}

/// Why rules cannot be followed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum RulesError {
    /// With δ of one half or more, two labels could both be settled.
    #[error("delta must be at least 0 and below 0.5, not {delta}; 0 asks for a proof, 0.05 for 95 % certainty")]
    Delta { delta: f64 },
    /// No draws, or more than anybody waits for.
    #[error("the number of draws must be from 1 to 1000000, not {draws}")]
    Draws { draws: usize },
    /// No samples, or more than anybody waits for.
    #[error("the number of samples must be from 1 to 100000000, not {samples}")]
    Samples { samples: usize },
    /// Nothing may be looked at, or more than anybody waits for.
    #[error(
        "the budget of a step must be from 1 to {MOST_BUDGET} operations, not {budget}; the usual one is {DEFAULT_BUDGET}"
    )]
    Budget { budget: u64 },
}

impl Rules {
    /// The default rules with another δ.
    #[must_use]
    pub fn with_delta(delta: f64) -> Self {
        Rules { delta, ..Rules::default() }
    }

    /// The default rules for a classifier. Where nothing can be proved, decisions are probable: at δ = 0 all that can
    /// be said is that no counterexample was found.
    #[must_use]
    pub fn default_for(model: &Classifier) -> Self {
        if model.proved_by() == ProvedBy::Nothing { Rules::of_black_boxes() } else { Rules::default() }
    }

    /// The default rules where nothing can be proved. A search goes before the draws at δ = 0, which are therefore
    /// fewer.
    #[must_use]
    pub fn of_black_boxes() -> Self {
        Rules { delta: 0.05, test: Test::Sampled, samples: 5000, ..Rules::default() }
    }

    pub(crate) fn check(&self) -> Result<(), RulesError> {
        if !(0.0..0.5).contains(&self.delta) {
            return Err(RulesError::Delta { delta: self.delta });
        }
        if !(1..=1_000_000).contains(&self.draws) {
            return Err(RulesError::Draws { draws: self.draws });
        }
        if !(1..=100_000_000).contains(&self.samples) {
            return Err(RulesError::Samples { samples: self.samples });
        }
        if !(1..=MOST_BUDGET).contains(&self.budget) {
            return Err(RulesError::Budget { budget: self.budget });
        }
        Ok(())
    }
}
