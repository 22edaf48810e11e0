//! The certificate: all a third party needs to check a decision without trusting what made it.

use std::fmt;

use serde::{Deserialize, Serialize};

pub use crate::plan::{Promise, PromisedGroup};
use crate::proof::Proof;
use crate::rules::{Guarantee, Rules};
use crate::schema::{Implication, StatedAnswer};

/// What a certificate file calls itself.
pub const FORMAT: &str = "mindrel-certificate";
/// The version of the certificate's form.
pub const VERSION: u32 = 4;

/// A settled decision with everything needed to check it by [`verify`](crate::verify::verify).
///
/// It holds the answers that were given, so it belongs to the person it speaks of; its `Debug` shows none of them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The fingerprint of the plan.
    pub plan: String,
    /// The class decided for.
    pub label: String,
    /// What the decision rests on.
    pub guarantee: Guarantee,
    /// The rules that were followed: the failure probability allowed, how questions were chosen and sets tested, the
    /// seed.
    pub rules: Rules,
    /// If proved: the smallest margin by which the class wins, whatever the open answers are; of a network, what it is
    /// at least.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub worst_margin: Option<f64>,
    /// If proved about a network: the parts the domain was cut into, with a bound for each.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub proof: Option<Proof>,
    /// If probable: the probability of the class under the plan's belief.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probability: Option<f64>,
    /// The steps that a clock cut short. What was asked there is taken at the certificate's word; every other step
    /// follows from the plan and the answers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub out_of_time: Vec<StepOutOfTime>,
    /// If asked by calibrated rules and nothing was declined: what is promised of all such decisions together.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub calibration: Option<Promise>,
    /// What was known beforehand.
    pub public: Vec<Stated>,
    /// What was asked and answered, in order.
    pub revealed: Vec<Stated>,
    /// The rules between questions that the decision rests on: the plan's, unless the answers break one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub implications: Vec<Implication>,
    /// What was not asked because it follows from other answers by the rules between questions.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub implied: Vec<StatedImplied>,
    /// What the rules have left of questions that are not known, where that is not everything. With what was said and
    /// what follows, this is the region that the decision is about.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub narrowed: Vec<StatedPart>,
    /// What was asked and declined, in order.
    pub declined: Vec<String>,
    /// What never had to be asked.
    pub never_asked: Vec<String>,
}

/// A step that a clock cut short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepOutOfTime {
    /// After how many questions, answered or declined.
    pub after: usize,
    /// The question that was asked.
    pub asked: String,
}

/// A question with its answer.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// The name of the question.
    pub question: String,
    /// The answer as a person would state it.
    pub answer: StatedAnswer,
}

/// A question whose answer follows from others.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedImplied {
    /// The name of the question.
    pub question: String,
    /// The answer as a person would state it.
    pub answer: StatedAnswer,
    /// The questions it follows from.
    pub follows_from: Vec<String>,
}

/// What a question can still be. Numbers are encoded ones, as each column has them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum StatedPart {
    /// One of some levels.
    Levels {
        /// The name of the question.
        question: String,
        /// The levels.
        levels: Vec<String>,
    },
    /// A number that may be missing.
    OrMissing {
        /// The name of the question.
        question: String,
        /// The smallest and the largest number, if it can be one.
        numbers: Option<(f64, f64)>,
        /// Whether it can be missing.
        missing: bool,
    },
    /// A number from one to another.
    Numbers {
        /// The name of the question.
        question: String,
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
}

impl StatedPart {
    fn question(&self) -> &str {
        match self {
            StatedPart::Levels { question, .. }
            | StatedPart::OrMissing { question, .. }
            | StatedPart::Numbers { question, .. } => question,
        }
    }
}

impl fmt::Debug for StatedPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} in …", self.question())
    }
}

impl fmt::Debug for StatedImplied {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} = …", self.question)
    }
}

impl fmt::Debug for Certificate {
    /// Leaves out margin and probability as well: with one answer revealed, it could be worked out from them.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Certificate");
        shown.field("plan", &self.plan).field("guarantee", &self.guarantee).field("delta", &self.rules.delta);
        shown.field("revealed", &self.revealed).field("declined", &self.declined).finish_non_exhaustive()
    }
}

impl fmt::Debug for Stated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} = …", self.question)
    }
}
