//! What the hidden answers still give away: how well a question that was not asked can be inferred from those that
//! were.
//!
//! # What is counted
//!
//! The one who infers knows the plan, what is public and what was revealed. The next question, the end of the
//! questions and the decision follow from these, so they tell nothing further, and are counted by being counted
//! already. (Not so for the baseline `optimal`, whose choice of questions depends on all answers; its figures leave
//! that out.) The one who infers uses the plan's belief; a better one may infer more, so what is measured is a lower
//! bound.

mod hidden;

use mindrel::Plan;
use serde::Serialize;

pub(crate) use hidden::GiveawayTally;
use hidden::{ChoiceTally, HiddenTally, NumberTally};

/// What one run leaves to be inferred.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Giveaway {
    /// Answers that were not asked for and are numbers, over everybody.
    pub hidden_numbers: u64,
    /// Variance explained, the mean of the questions' weighed by how often they were hidden; `None` if none was.
    pub variance_explained: Option<BeforeAfter>,
    /// Answers that were not asked for and are choices, over everybody.
    pub hidden_choices: u64,
    /// The share of them guessed right.
    pub guessed_right: Option<BeforeAfter>,
    /// Each sensitive question, in the order of the schema.
    pub questions: Vec<HiddenQuestion>,
}

/// The same figure before any question, from what is public alone, and after those that were asked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BeforeAfter {
    /// From what is public.
    pub before: f64,
    /// From what is public and what was revealed.
    pub after: f64,
}

/// How well one question can be inferred where it was not asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HiddenQuestion {
    /// Its name.
    pub question: String,
    /// People who were not asked it.
    pub people: u64,
    /// What can be inferred of it.
    #[serde(flatten)]
    pub inferred: Inferred,
}

/// What can be inferred of a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Inferred {
    /// A number, or a category whose levels are one number.
    Number {
        /// Under the belief, what the answers add: 1 − posterior variance / variance given what is public.
        ///
        /// ```text
        /// 1 − Σ Var(x | public, revealed) / Σ Var(x | public)
        /// ```
        believed: Option<f64>,
        /// The same, measured on the values: 1 − squared errors of what is expected after / before.
        ///
        /// ```text
        /// 1 − Σ (x − E[x | public, revealed])² / Σ (x − E[x | public])²
        /// ```
        measured: Option<f64>,
        /// Of the variance of the values of these people, the share explained; below zero where their mean would do
        /// better.
        ///
        /// ```text
        /// 1 − Σ (x − E[x | …])² / Σ (x − x̄)²
        /// ```
        variance_explained: Option<BeforeAfter>,
    },
    /// No and yes, or a category.
    Choice {
        /// How probable the best guess is under the belief, on average.
        believed: Option<BeforeAfter>,
        /// How often it is right.
        guessed_right: Option<BeforeAfter>,
        /// The share of the commonest answer of these people: what guessing it every time would get right.
        commonest: Option<f64>,
    },
}

impl Giveaway {
    /// Nothing is inferred about a question that fewer than `smallest` people were not asked.
    pub(crate) fn new(plan: &Plan, tally: &GiveawayTally, smallest: u64) -> Self {
        let names = plan.sensitive().iter().map(|&id| plan.schema().question(id).name.clone());
        let questions: Vec<HiddenQuestion> =
            names.zip(&tally.questions).map(|(name, tally)| HiddenQuestion::new(name, tally, smallest)).collect();
        let numbers = questions.iter().filter_map(|question| match question.inferred {
            Inferred::Number { variance_explained, .. } => Some((question.people, variance_explained)),
            Inferred::Choice { .. } => None,
        });
        let choices = questions.iter().filter_map(|question| match question.inferred {
            Inferred::Choice { guessed_right, .. } => Some((question.people, guessed_right)),
            Inferred::Number { .. } => None,
        });
        Giveaway {
            hidden_numbers: numbers.clone().map(|(people, _)| people).sum(),
            variance_explained: weighed(numbers),
            hidden_choices: choices.clone().map(|(people, _)| people).sum(),
            guessed_right: weighed(choices),
            questions,
        }
    }
}

impl HiddenQuestion {
    fn new(question: String, tally: &HiddenTally, smallest: u64) -> Self {
        let (people, inferred) = match tally {
            HiddenTally::Number(tally) if tally.people < smallest => {
                (tally.people, Inferred::Number { believed: None, measured: None, variance_explained: None })
            }
            HiddenTally::Choice(tally) if tally.people < smallest => {
                (tally.people, Inferred::Choice { believed: None, guessed_right: None, commonest: None })
            }
            HiddenTally::Number(tally) => (tally.people, number(tally)),
            HiddenTally::Choice(tally) => (tally.people, choice(tally)),
        };
        HiddenQuestion { question, people, inferred }
    }
}

fn number(tally: &NumberTally) -> Inferred {
    let of_both = |sums: [f64; 2]| one_less(sums[1], sums[0]);
    let error = tally.error.map(|sum| sum.value());
    let people = tally.people as f64;
    let spread = tally.squares.value() - tally.sum.value() * tally.sum.value() / people;
    let explained = |error: f64| one_less(error, spread);
    Inferred::Number {
        believed: of_both(tally.variance.map(|sum| sum.value())),
        measured: of_both(error),
        variance_explained: explained(error[0])
            .zip(explained(error[1]))
            .map(|(before, after)| BeforeAfter { before, after }),
    }
}

fn choice(tally: &ChoiceTally) -> Inferred {
    let people = tally.people as f64;
    let both =
        |sums: [f64; 2]| (tally.people > 0).then(|| BeforeAfter { before: sums[0] / people, after: sums[1] / people });
    Inferred::Choice {
        believed: both(tally.probability.map(|sum| sum.value())),
        guessed_right: both(tally.right.map(|count| count as f64)),
        commonest: tally.levels.iter().max().filter(|_| tally.people > 0).map(|&count| count as f64 / people),
    }
}

/// 1 − part / whole, where there is enough of a whole to divide by: less is the rounding of sums.
fn one_less(part: f64, whole: f64) -> Option<f64> {
    const LEAST: f64 = 1e-9;
    (whole > LEAST).then(|| 1.0 - part / whole)
}

/// The mean of some figures, each weighed by its people.
fn weighed(figures: impl Iterator<Item = (u64, Option<BeforeAfter>)>) -> Option<BeforeAfter> {
    let (mut people, mut sum) = (0, BeforeAfter { before: 0.0, after: 0.0 });
    for (weight, figure) in figures.filter_map(|(people, figure)| Some((people, figure?))) {
        people += weight;
        sum.before += weight as f64 * figure.before;
        sum.after += weight as f64 * figure.after;
    }
    let each = |sum: f64| sum / people as f64;
    (people > 0).then(|| BeforeAfter { before: each(sum.before), after: each(sum.after) })
}
