//! How well answers that were not asked for can be inferred from those that were.
//!
//! # What is included
//!
//! The observer knows the plan, the public answers and the revealed ones. The next question, the end of the session
//! and the decision are functions of these, so they reveal nothing more. (The baseline `optimal` is an exception: its
//! choice of questions depends on all answers. Its figures leave that out.) The observer uses the plan's belief, and the
//! rules between questions: what follows from other answers is known though it was not asked. A better belief may infer
//! more, so the figures are lower bounds.

mod hidden;

use mindrel::Plan;
use serde::Serialize;

pub(crate) use hidden::GiveawayTally;

use crate::fixed::FixedSum;
use hidden::HiddenTally;

/// How well the answers that one run did not ask for can be inferred.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Giveaway {
    /// How many numbers were not asked for, over all people.
    pub hidden_numbers: u64,
    /// The variance explained: the mean over the questions, weighted by how often each was hidden. `None` if none was.
    pub variance_explained: Option<BeforeAfter>,
    /// How many choices were not asked for, over all people.
    pub hidden_choices: u64,
    /// The share of them that is guessed right.
    pub guessed_right: Option<BeforeAfter>,
    /// Each sensitive question, in the order of the schema.
    pub questions: Vec<HiddenQuestion>,
}

/// A figure from the public answers alone, and from the public and the revealed ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BeforeAfter {
    /// From the public answers.
    pub before: f64,
    /// From the public and the revealed answers.
    pub after: f64,
}

/// How well the answers to one question can be inferred.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HiddenQuestion {
    /// Its name.
    pub question: String,
    /// How many people were not asked it.
    pub people: u64,
    /// How well their answers can be inferred.
    #[serde(flatten)]
    pub inferred: Inferred,
}

/// How well answers can be inferred, by their kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Inferred {
    /// A number, or a category that is encoded as one number.
    Number {
        /// The reduction of the variance by the revealed answers, according to the belief.
        ///
        /// ```text
        /// 1 − Σ Var(x | public, revealed) / Σ Var(x | public)
        /// ```
        believed: Option<f64>,
        /// The reduction of the squared error by the revealed answers, measured on the true values.
        ///
        /// ```text
        /// 1 − Σ (x − E[x | public, revealed])² / Σ (x − E[x | public])²
        /// ```
        measured: Option<f64>,
        /// The share of the variance of these people's values that is explained; negative if their mean is a better
        /// guess.
        ///
        /// ```text
        /// 1 − Σ (x − E[x | …])² / Σ (x − x̄)²
        /// ```
        variance_explained: Option<BeforeAfter>,
    },
    /// A yes/no question or a category.
    Choice {
        /// The mean probability of the best guess under the belief.
        believed: Option<BeforeAfter>,
        /// How often the best guess is right.
        guessed_right: Option<BeforeAfter>,
        /// The share of these people's most common answer: how often always guessing it would be right.
        commonest: Option<f64>,
    },
}

impl Giveaway {
    /// A question that fewer than `smallest` people were not asked has no figures.
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
        let infer = if tally.is_number() { number } else { choice };
        let inferred = if tally.people < smallest { infer(&tally.emptied()) } else { infer(tally) };
        HiddenQuestion { question, people: tally.people, inferred }
    }
}

fn number(tally: &HiddenTally) -> Inferred {
    let of_both = |sums: [f64; 2]| one_less(sums[1], sums[0]);
    let error = tally.measured.map(FixedSum::value);
    let spread = tally.squares.value() - tally.sum.value().powi(2) / tally.people as f64;
    let explained = |error: f64| one_less(error, spread);
    Inferred::Number {
        believed: of_both(tally.believed.map(FixedSum::value)),
        measured: of_both(error),
        variance_explained: explained(error[0])
            .zip(explained(error[1]))
            .map(|(before, after)| BeforeAfter { before, after }),
    }
}

fn choice(tally: &HiddenTally) -> Inferred {
    let share = |sum: f64| sum / tally.people as f64;
    let both = |sums: [FixedSum; 2]| {
        let [before, after] = sums.map(|sum| share(sum.value()));
        (tally.people > 0).then_some(BeforeAfter { before, after })
    };
    Inferred::Choice {
        believed: both(tally.believed),
        guessed_right: both(tally.measured),
        commonest: tally.levels.iter().max().filter(|_| tally.people > 0).map(|&count| share(count as f64)),
    }
}

/// 1 − part / whole; `None` if the whole is so small that it is the rounding of sums.
fn one_less(part: f64, whole: f64) -> Option<f64> {
    const LEAST: f64 = 1e-9;
    (whole > LEAST).then(|| 1.0 - part / whole)
}

/// The mean of some figures, weighted by people.
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
