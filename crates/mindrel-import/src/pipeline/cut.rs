//! Where a model of two classes is cut: thresholds on its probabilities or scores.

use mindrel::model::Combine;
use serde::{Deserialize, Serialize};

use super::{Pipeline, Predictor, RawNode, RawTrees};

/// How the probability of the second of two classes follows from a model's score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "link", rename_all = "lowercase", deny_unknown_fields)]
pub enum ProbabilityLink {
    /// `1 / (1 + exp(−slope · score))`.
    Logistic {
        /// How steep it is.
        slope: f64,
    },
    /// The score, or the vote for the class, is the probability.
    Share,
}

/// What a threshold is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Response {
    /// The probability of a class.
    Probability,
    /// The score, which is that of the second class; that of the first is its negative.
    Score,
}

/// A class is decided for if its probability or score is at least a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// What is compared.
    pub response: Response,
    /// With what.
    pub threshold: f64,
    /// For which class: the second of the two, or the first.
    pub of_second: bool,
}

/// Why a model cannot be cut elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CutError {
    /// It has three classes or more.
    #[error("a threshold is for two classes, and the model has more")]
    MoreClasses,
    /// Its scores are no probabilities, nor is it known how they become such.
    #[error("the model gives no probabilities, so no threshold on them can be set")]
    NoProbability,
    /// It gives probabilities alone.
    #[error("the model gives probabilities and no scores, so no threshold on scores can be set")]
    NoScore,
    /// It is made of several, or of densities.
    #[error("no threshold can be set on a model that is made of others, nor on naive Bayes; choose another model")]
    Composed,
    /// Not a number, or infinite.
    #[error("the threshold is not a finite number")]
    NotFinite,
}

/// No output is as large, and thresholds beyond are as good as this one.
const BEYOND: f64 = 1e29;

impl Pipeline {
    /// The same model, cut at another threshold.
    ///
    /// ```text
    /// second class  ⟺  link(score) ≥ t  ⟺  score ≥ min {s : link(s) ≥ t}
    /// ```
    ///
    /// # Numerics
    /// For trees, the smallest such score is found among all floating-point numbers of the model's precision, so that
    /// the label on the threshold itself is the library's. Linear models and networks are shifted by it, up to the
    /// rounding of their sums.
    ///
    /// # Errors
    /// When the model has more than two classes, or no such response.
    pub fn cut(&self, cut: Cut) -> Result<Pipeline, CutError> {
        if !cut.threshold.is_finite() {
            return Err(CutError::NotFinite);
        }
        let mut result = self.clone();
        match &mut result.predictor {
            Predictor::Linear { intercepts, .. } => shift(intercepts, self.link(cut, false)?.smallest(cut))?,
            Predictor::Network { layers } => {
                let last = layers.last_mut().ok_or(CutError::MoreClasses)?;
                shift(&mut last.biases, self.link(cut, false)?.smallest(cut))?;
            }
            Predictor::Trees(trees) if trees.n_outputs == 2 => {
                if cut.response == Response::Score {
                    return Err(CutError::NoScore);
                }
                if self.probability != Some(ProbabilityLink::Share) {
                    return Err(CutError::NoProbability);
                }
                keep_one_vote(trees, cut);
            }
            Predictor::Trees(trees) if trees.n_outputs == 1 => {
                trees.threshold = self.link(cut, trees.single)?.at(cut);
                trees.positive_at_zero = cut.of_second;
            }
            Predictor::Trees(_) => return Err(CutError::MoreClasses),
            Predictor::Composition(_) | Predictor::Gaussians { .. } => return Err(CutError::Composed),
        }
        Ok(result)
    }

    fn link(&self, cut: Cut, single: bool) -> Result<Link, CutError> {
        let of_score = match cut.response {
            Response::Score => None,
            Response::Probability => Some(self.probability.ok_or(CutError::NoProbability)?),
        };
        Ok(Link { of_score, single })
    }
}

fn shift(biases: &mut [f64], by: f64) -> Result<(), CutError> {
    let [bias] = biases else { return Err(CutError::MoreClasses) };
    *bias -= by;
    Ok(())
}

/// Votes for two classes become one output: that of the class whose share is compared, negated if it is the first.
fn keep_one_vote(trees: &mut RawTrees, cut: Cut) {
    let (kept, sign) = (usize::from(cut.of_second), if cut.of_second { 1.0 } else { -1.0 });
    for tree in &mut trees.trees {
        let is_kept = tree.class.take().map(|class| class == kept);
        for node in &mut tree.nodes {
            if let RawNode::Leaf(values) = node {
                let value = match is_kept {
                    None => values.get(kept).copied().unwrap_or_default(),
                    Some(is_kept) => {
                        if is_kept {
                            values[0]
                        } else {
                            0.0
                        }
                    }
                };
                *values = vec![sign * value];
            }
        }
    }
    trees.start = vec![sign * trees.start.get(kept).copied().unwrap_or_default()];
    trees.n_outputs = 1;
    trees.threshold = sign * cut.threshold;
    trees.positive_at_zero = cut.of_second;
}

/// A probability as a function of the score, in the precision the library computes it in.
struct Link {
    /// `None` if the score itself is compared.
    of_score: Option<ProbabilityLink>,
    single: bool,
}

impl Link {
    /// The score at which the label changes: the smallest of the second class, or the largest of the first.
    fn at(&self, cut: Cut) -> f64 {
        let (response, t) = (|score: f64| self.response(score, cut), cut.threshold);
        let crossing = match self.of_score {
            None | Some(ProbabilityLink::Share) if cut.of_second => return t.clamp(-BEYOND, BEYOND),
            None => return (-t).clamp(-BEYOND, BEYOND),
            Some(_) => {
                crossing(self.single, |score| if cut.of_second { response(score) < t } else { response(score) >= t })
            }
        };
        // Up to here it is the other side.
        let (below, above) = crossing;
        (if cut.of_second { above } else { below }).clamp(-BEYOND, BEYOND)
    }

    /// The smallest score of the second class.
    fn smallest(&self, cut: Cut) -> f64 {
        if cut.of_second { self.at(cut) } else { self.at(cut).next_up() }
    }

    fn response(&self, score: f64, cut: Cut) -> f64 {
        let second = match self.of_score {
            None => return if cut.of_second { score } else { -score },
            Some(ProbabilityLink::Share) => score,
            Some(ProbabilityLink::Logistic { slope }) if self.single => {
                f64::from(1.0 / (1.0 + (-(slope as f32) * score as f32).exp()))
            }
            Some(ProbabilityLink::Logistic { slope }) => 1.0 / (1.0 + (-slope * score).exp()),
        };
        match (cut.of_second, self.single) {
            (true, _) => second,
            (false, false) => 1.0 - second,
            (false, true) => f64::from(1.0 - second as f32),
        }
    }
}

/// The two neighbouring numbers between which something that holds of small ones ceases to, both the same if it never
/// does.
fn crossing(single: bool, holds: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut yes, mut no) = (-BEYOND, BEYOND);
    if single {
        (yes, no) = (f64::from(yes as f32), f64::from(no as f32));
    }
    if !holds(yes) {
        return (yes, yes);
    }
    if holds(no) {
        return (no, no);
    }
    // Both are reached from zero outwards in a few thousand halvings at most.
    loop {
        let middle = between(yes, no, single);
        if middle <= yes || middle >= no {
            return (yes, no);
        }
        if holds(middle) { yes = middle } else { no = middle }
    }
}

/// A number between two others that halves how many there are.
fn between(low: f64, high: f64, single: bool) -> f64 {
    if single {
        let place = |number: f32| {
            if number.is_sign_negative() { -i64::from((-number).to_bits()) } else { i64::from(number.to_bits()) }
        };
        let middle = i64::midpoint(place(low as f32), place(high as f32));
        let bits = f32::from_bits(u32::try_from(middle.unsigned_abs()).unwrap_or_default());
        return f64::from(if middle < 0 { -bits } else { bits });
    }
    let place = |number: f64| {
        if number.is_sign_negative() { -i128::from((-number).to_bits()) } else { i128::from(number.to_bits()) }
    };
    let middle = (place(low) + place(high)).div_euclid(2);
    let bits = f64::from_bits(u64::try_from(middle.unsigned_abs()).unwrap_or_default());
    if middle < 0 { -bits } else { bits }
}

/// What the votes of a forest are: shares of a class.
pub(crate) fn link_of_votes(trees: &RawTrees) -> Option<ProbabilityLink> {
    (trees.n_outputs == 2 && trees.combine == Combine::Mean).then_some(ProbabilityLink::Share)
}
