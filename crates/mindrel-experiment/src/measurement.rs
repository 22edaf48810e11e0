//! What was measured: one number for each setting and repetition.

use mindrel_audit::{Rule, RunOutcome};
use serde::{Deserialize, Serialize};

use crate::design::BeliefKind;

/// What tells one line of a figure, at one place, from another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The data set.
    pub data_set: String,
    /// What is believed of the open columns.
    pub belief: BeliefKind,
    /// How many questions are sensitive.
    pub sensitive: usize,
    /// How it is decided what people reveal.
    pub rule: Rule,
    /// The failure probability.
    pub delta: f64,
}

/// What a setting led to in one repetition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The setting.
    #[serde(flatten)]
    pub setting: Setting,
    /// How many people were decided about.
    pub people: u64,
    /// Revealed sensitive questions / all sensitive questions.
    pub leakage: f64,
    /// Share of decisions that are right.
    pub accuracy: f64,
    /// The same with everything revealed.
    pub accuracy_all: f64,
    /// Share of decisions that differ from those with everything revealed.
    pub flips: f64,
    /// Share of people for whom some test ran out of budget, so that more may have been asked than needed.
    pub out_of_budget: f64,
    /// How many people were asked 0, 1, 2, … questions.
    pub histogram: Vec<u64>,
    /// How long it took; only where time is what the experiment is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
}

/// How long it took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// Seconds to fit the belief, by the clock.
    pub fitting: f64,
    /// Seconds to decide about one person, on one core.
    pub deciding_one: f64,
}

impl Measurement {
    /// What an audit found in one run.
    #[must_use]
    pub fn new(setting: Setting, people: u64, accuracy_all: f64, run: &RunOutcome) -> Self {
        Measurement {
            setting,
            people,
            leakage: run.leakage,
            accuracy: run.accuracy.expect("test people have labels"),
            accuracy_all,
            flips: run.flips,
            out_of_budget: run.undecided_budget,
            histogram: run.histogram.clone(),
            time: None,
        }
    }
}
