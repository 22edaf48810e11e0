//! Selectors: what to ask next. They see only what is known, so the order of the questions gives nothing further away.

mod decisive_linear;
mod general_belief;
pub(crate) mod grouped_entropy;
mod imagined;
mod importance;
mod one_gaussian;
pub(crate) mod searched;
mod view;

pub use crate::rules::{Selector, UnknownName};
pub(crate) use general_belief::{GeneralBelief, posterior_between};
pub(crate) use importance::{
    Importance, composition_importance, gradient_importance, tree_importance, weight_importance,
};
pub(crate) use one_gaussian::OneGaussian;
pub(crate) use view::{LinearView, normal_between};

use std::fmt;

use rand_core::Rng;

use crate::questionnaire::Questionnaire;

/// Why a question is asked. Its `Debug` leaves out the probability: an answer could be worked out from it.
#[derive(Clone, Copy, PartialEq)]
pub enum Reason {
    /// Its answer may settle the decision, with this probability under the belief.
    MaySettle {
        /// The probability.
        probability: f64,
    },
    /// It narrows what the decision can still become more than any other.
    Narrows,
    /// It is most often among the few answers that would settle the decision.
    OftenNeeded,
    /// It tells most about the decision.
    Tells,
    /// The model weighs it most.
    Weighs,
    /// It was drawn.
    Drawn,
}

impl fmt::Debug for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Reason::MaySettle { .. } => "MaySettle",
            Reason::Narrows => "Narrows",
            Reason::OftenNeeded => "OftenNeeded",
            Reason::Tells => "Tells",
            Reason::Weighs => "Weighs",
            Reason::Drawn => "Drawn",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::MaySettle { probability } => {
                // Rounded down: what is not certain is not called 100 %.
                let percent = (100.0 * probability).floor();
                write!(formatter, "its answer is the most likely to settle the decision ({percent} % likely)")
            }
            Reason::Narrows => formatter.write_str("its answer narrows down the decision the most"),
            Reason::OftenNeeded => {
                formatter.write_str("its answer is most often among the few that would settle the decision")
            }
            Reason::Tells => formatter.write_str("its answer says the most about the decision"),
            Reason::Weighs => formatter.write_str("the model gives it the most weight"),
            Reason::Drawn => formatter.write_str("it was picked at random"),
        }
    }
}

/// The selectors that look at no answer: by a fixed order, or by a draw.
pub(crate) fn choose_blindly<R: Rng>(
    selector: Selector,
    importance: &Importance,
    questions: &Questionnaire,
    askable: &[bool],
    random: &mut R,
) -> (usize, Reason) {
    let by = |importance: &[f64]| {
        (best_of(askable, |question| importance[question] * questions.per_cost[question]), Reason::Weighs)
    };
    match selector {
        Selector::Importance => by(&importance.of_model),
        Selector::ImportanceLogistic => by(&importance.of_logistic),
        _ => {
            let n_open = askable.iter().filter(|askable| **askable).count() as u64;
            let drawn = (u128::from(random.next_u64()) * u128::from(n_open)) >> 64;
            (open(askable).nth(drawn as usize).expect("there is an open question"), Reason::Drawn)
        }
    }
}

/// What a question gains for its cost. A gain is estimated, and one below zero must not shrink: a dearer question never
/// looks better.
pub(crate) fn gain_per_cost(gain: f64, per_cost: f64) -> f64 {
    if gain >= 0.0 { gain * per_cost } else { gain / per_cost }
}

/// The questions that may be asked, in order.
pub(crate) fn open(askable: &[bool]) -> impl Iterator<Item = usize> + '_ {
    askable.iter().enumerate().filter(|(_, askable)| **askable).map(|(question, _)| question)
}

/// The question that may be asked with the largest value, the first of equals.
pub(crate) fn best_of(askable: &[bool], mut value: impl FnMut(usize) -> f64) -> usize {
    let mut best = None;
    for question in open(askable) {
        let value = value(question);
        if best.is_none_or(|(_, largest)| value > largest) {
            best = Some((question, value));
        }
    }
    best.expect("there is an open question").0
}

#[cfg(test)]
mod tests {
    use super::gain_per_cost;

    #[test]
    fn a_dearer_question_does_not_come_forward_where_its_gain_is_estimated_below_zero() {
        for gain in [-0.3, -1e-9, 0.0, 1e-9, 0.3] {
            assert!(gain_per_cost(gain, 1.0 / 10.0) <= gain_per_cost(gain, 1.0), "{gain}");
            assert_eq!(gain_per_cost(gain, 1.0), gain);
        }
    }
}
