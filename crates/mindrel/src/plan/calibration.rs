//! What a calibration found: how loosely a plan may stop so that few decisions differ from the full model's, whatever
//! the belief.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::{Classifier, ProvedBy};
use crate::rules::Rules;
use crate::schema::{QuestionId, Schema, Visibility};

/// A promise about many people, and the thresholds that keep it.
///
/// ```text
/// P( P(decision ≠ full model's | group) ≤ flips, for every group ) ≥ confidence
/// ```
///
/// The outer probability is over the people it was calibrated on. It rests on those being drawn like the ones asked
/// later, and on nobody declining; not on the belief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The share of decisions that may differ from the full model's.
    pub flips: f64,
    /// How sure that is, for all groups together.
    pub confidence: f64,
    /// The SHA-256 of the table it was calibrated on.
    pub table: String,
    /// The public question whose answers have a threshold each; `None` if one threshold applies to everybody.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<String>,
    /// The rules it holds for. Their δ is 0, which each group's threshold takes the place of.
    pub rules: Rules,
    /// One for everybody, or one for each answer of the question, in its order.
    pub groups: Vec<GroupThreshold>,
}

/// The threshold of a group of people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupThreshold {
    /// The answer they share; `None` if the group is everybody.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub level: Option<String>,
    /// How many of them it was calibrated on; `None` if so few that a count could identify them. Then nothing was
    /// counted about them, and every decision is proved.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub people: Option<u64>,
    /// The failure probability they are asked with.
    pub delta: f64,
    /// What the promise rests on.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// What the promise to a group rests on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rests_on", rename_all = "lowercase")]
pub enum Evidence {
    /// On counting: the flips among the group's people at its δ, and what their share is at most with the confidence of
    /// the group.
    Table {
        /// How many were flipped.
        flips: u64,
        /// The exact binomial upper bound of their share.
        upper: f64,
    },
    /// On a proof of every decision, at δ = 0: no threshold was borne out. It speaks of people within the declared
    /// domains.
    Proof,
}

/// Why something is not a calibration of a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum CalibrationError {
    /// No share, or none that is worth a promise.
    #[error("the share of flips to promise must be above 0 and below 1, not {flips}; 0.01 is one in a hundred")]
    Flips { flips: f64 },
    /// No confidence.
    #[error("the confidence must be at least 0.5 and below 1, not {confidence}; 0.95 is usual")]
    Confidence { confidence: f64 },
    /// No threshold keeps the promise, and nothing about the model can be proved.
    #[error(
        "no threshold keeps this promise in every group, and nothing about a black box can be proved instead; promise less \
         or calibrate on more people"
    )]
    NothingToFallBackOn,
    /// Groups by something that is not known beforehand, or has infinitely many answers.
    #[error("`{question}` cannot tell groups apart; take a public question with levels or no and yes{choices}")]
    By { question: String, choices: String },
    /// Not one group for each answer.
    #[error("a calibration needs one threshold for everybody, or one for each answer to the question it is grouped by")]
    Groups,
    /// A threshold that its evidence does not bear out.
    #[error("the threshold of group {group} is not borne out by what it is said to rest on")]
    Threshold {
        /// The group, counted from one.
        group: usize,
    },
    /// Rules with a δ of their own, or in which δ = 0 is no proof.
    #[error(
        "the rules of a calibration must have delta 0 and prove it (test certified): it is what thresholds fall back on"
    )]
    Rules,
}

impl Calibration {
    /// How many people it was calibrated on, without those of groups too small for a count.
    #[must_use]
    pub fn people(&self) -> u64 {
        self.groups.iter().filter_map(|group| group.people).sum()
    }

    /// The place of an encoded person's group among all; only public columns are read.
    #[must_use]
    pub fn place(&self, schema: &Schema, person: &[f64]) -> Option<usize> {
        match self.by.as_deref() {
            None => Some(0),
            Some(name) => level_of(schema, schema.find(name)?, person),
        }
    }

    /// The rules of one group.
    #[must_use]
    pub fn rules_of(&self, group: usize) -> Rules {
        Rules { delta: self.groups[group].delta, ..self.rules }
    }

    /// What is promised to a group, as a certificate states it.
    #[must_use]
    pub fn promise_to(&self, group: usize) -> Promise {
        let GroupThreshold { level, people, evidence, .. } = &self.groups[group];
        let named = self.by.as_ref().zip(level.as_ref());
        Promise {
            flips: self.flips,
            confidence: self.confidence,
            people: self.people(),
            group: named.map(|(question, level)| PromisedGroup {
                question: question.clone(),
                level: level.clone(),
                people: *people,
            }),
            proved: *evidence == Evidence::Proof,
        }
    }

    pub(super) fn check(&self, schema: &Schema, model: &Classifier) -> Result<(), CalibrationError> {
        check_promise(self.flips, self.confidence)?;
        if self.rules.delta != 0.0 || self.rules.test != Rules::default_for(model).test {
            return Err(CalibrationError::Rules);
        }
        if model.proved_by() == ProvedBy::Nothing && self.groups.iter().any(|group| group.evidence == Evidence::Proof) {
            return Err(CalibrationError::NothingToFallBackOn);
        }
        let levels: Vec<Option<String>> = match &self.by {
            None => vec![None],
            Some(name) => levels_of(schema, name)?.into_iter().map(Some).collect(),
        };
        if !self.groups.iter().map(|group| &group.level).eq(&levels) {
            return Err(CalibrationError::Groups);
        }
        let unsound = |group: &GroupThreshold| !group.is_borne_out(self.flips);
        match self.groups.iter().position(unsound) {
            Some(place) => Err(CalibrationError::Threshold { group: place + 1 }),
            None => Ok(()),
        }
    }
}

/// What a calibrated plan promises of its decisions about people like those it was calibrated on. Its `Debug` leaves
/// out the group's level, which is an answer of the person.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// The share of decisions that differ from the full model's, at most.
    pub flips: f64,
    /// How sure that is, for all groups together.
    pub confidence: f64,
    /// How many people it was calibrated on.
    pub people: u64,
    /// The group the promise is made to, where each has its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group: Option<PromisedGroup>,
    /// Whether it rests on a proof of every decision, since no threshold was borne out by the people it was calibrated
    /// on.
    pub proved: bool,
}

/// The group a promise is made to: those who give the same answer to a public question.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromisedGroup {
    /// The name of the question.
    pub question: String,
    /// The answer they share.
    pub level: String,
    /// How many of them the plan was calibrated on; `None` if so few that a count could identify them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub people: Option<u64>,
}

impl fmt::Debug for Promise {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Promise");
        shown.field("flips", &self.flips).field("confidence", &self.confidence).finish_non_exhaustive()
    }
}

impl fmt::Debug for PromisedGroup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} = …", self.question)
    }
}

impl GroupThreshold {
    fn is_borne_out(&self, promised: f64) -> bool {
        match self.evidence {
            Evidence::Proof => self.delta == 0.0,
            Evidence::Table { flips, upper } => {
                let is_counted = self.people.is_some_and(|people| flips <= people);
                self.delta > 0.0 && is_counted && (0.0..=promised).contains(&upper)
            }
        }
    }
}

/// Whether a promise can be made at all.
///
/// # Errors
/// When the share or the confidence is out of bounds.
pub fn check_promise(flips: f64, confidence: f64) -> Result<(), CalibrationError> {
    if !(flips > 0.0 && flips < 1.0) {
        return Err(CalibrationError::Flips { flips });
    }
    if !(0.5..1.0).contains(&confidence) {
        return Err(CalibrationError::Confidence { confidence });
    }
    Ok(())
}

/// The answers of a question that can tell groups apart: public, and with levels or no and yes.
///
/// # Errors
/// When the question is not such a one.
pub fn levels_of(schema: &Schema, name: &str) -> Result<Vec<String>, CalibrationError> {
    let question = schema.find(name).map(|id| schema.question(id));
    let levels = question.filter(|question| question.visibility == Visibility::Public).and_then(|it| it.levels());
    levels.ok_or_else(|| {
        let public = schema.ids_with(Visibility::Public).map(|id| schema.question(id));
        let names: Vec<&str> =
            public.filter(|question| question.levels().is_some()).map(|question| question.name.as_str()).collect();
        let choices =
            if names.is_empty() { ", of which there are none".to_owned() } else { format!(": {}", names.join(", ")) };
        CalibrationError::By { question: name.to_owned(), choices }
    })
}

/// The place of an encoded person's level among those of a question.
fn level_of(schema: &Schema, id: QuestionId, person: &[f64]) -> Option<usize> {
    schema.question(id).level_of(&person[schema.columns(id)])
}
