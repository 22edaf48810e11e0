//! Selectors: what to ask next. They see only what is known, so the order of the questions gives nothing further away.

mod decisive;
mod f_score;
mod general;
pub(crate) mod imagined;
pub(crate) mod searched;
mod view;

pub(crate) use view::{Believed, View};

use view::GaussianView;

use std::fmt;
use std::str::FromStr;

use rand_core::Rng;
use serde::{Deserialize, Serialize};

use crate::plan::Prepared;

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
                write!(formatter, "it is the answer most likely to settle the decision ({percent} % that it does)")
            }
            Reason::Narrows => formatter.write_str("it narrows down the decision more than any other answer"),
            Reason::OftenNeeded => {
                formatter.write_str("it is most often among the few answers that would settle the decision")
            }
            Reason::Tells => formatter.write_str("it tells most about the decision"),
            Reason::Weighs => formatter.write_str("the model gives it the most weight"),
            Reason::Drawn => formatter.write_str("it was drawn at random from the open questions"),
        }
    }
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

    /// Whether it draws random numbers.
    pub(crate) fn draws(self) -> bool {
        matches!(self, Selector::FScoreMc | Selector::Random)
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

    /// Chooses among the open questions of a view, of which there is at least one.
    pub(crate) fn choose<R: Rng>(self, view: &View<'_>, draws: usize, random: &mut R) -> (usize, Reason) {
        match self {
            Selector::Decisive => decisive::choose(view),
            Selector::FScore => match view.belief {
                Believed::Gaussian { posterior, known } => f_score::choose(&GaussianView { view, posterior, known }),
                Believed::General { .. } => general::choose_by_entropy(view),
            },
            Selector::FScoreMc => match view.belief {
                Believed::Gaussian { posterior, known } => {
                    f_score::choose_by_draws(&GaussianView { view, posterior, known }, draws, random)
                }
                Believed::General { .. } => general::choose_by_draws(view, draws, random),
            },
            Selector::Importance | Selector::ImportanceLogistic | Selector::Random => {
                choose_blindly(self, view.prepared, view.askable, random)
            }
        }
    }
}

/// The selectors that look at no answer: by a fixed order, or by a draw.
pub(crate) fn choose_blindly<R: Rng>(
    selector: Selector,
    prepared: &Prepared,
    askable: &[bool],
    random: &mut R,
) -> (usize, Reason) {
    let by = |importance: &[f64]| {
        (best_of(askable, |question| importance[question] * prepared.per_cost[question]), Reason::Weighs)
    };
    match selector {
        Selector::Importance => by(&prepared.importance),
        Selector::ImportanceLogistic => by(&prepared.logistic_importance),
        _ => {
            let n_open = askable.iter().filter(|askable| **askable).count() as u64;
            let drawn = (u128::from(random.next_u64()) * u128::from(n_open)) >> 64;
            (open(askable).nth(drawn as usize).expect("there is an open question"), Reason::Drawn)
        }
    }
}

/// What a question gains for its cost. A gain is estimated, and one below zero must not shrink: a dearer question never looks better.
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
