//! The pure test on its own: is a set of revealed questions core for a person, and if not, who is the counterexample?

use std::fmt;

use super::{distinct, oracle};
use crate::Label;
use crate::model::Model;
use crate::plan::Plan;
use crate::region::Implications;
use crate::rules::Budget;

/// What the pure test says of a set of revealed questions [TF23, Def. 1, δ = 0].
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// A core feature set: no value of what is open gives another label.
    Core(Label),
    /// Not one: two people who agree in everything known have different labels.
    Open(Witness),
    /// Neither was found within the budget, so not one as far as anybody knows.
    OutOfBudget,
}

/// Two encoded people who agree in everything known and have different labels. Its `Debug` shows nothing of them.
#[derive(Clone, PartialEq)]
pub struct Witness {
    /// The one.
    pub person: Vec<f64>,
    /// The other.
    pub other: Vec<f64>,
}

impl fmt::Debug for Witness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Witness(…)")
    }
}

/// Tests whether revealing some sensitive questions, by their places in [`Plan::sensitive`], settles the label of an
/// encoded person, of whom nothing else is looked at but what is public.
///
/// Exact for linear models, whatever the budget; of a black box nothing is proved or refuted.
///
/// # Panics
/// When a place is not that of a sensitive question.
///
/// # Example
/// ```
/// # use mindrel::belief::GaussianBelief;
/// # use mindrel::model::{Layer, Network};
/// # use mindrel::schema::{Question, Target};
/// # use mindrel::{Plan, Rules, Schema};
/// use mindrel::optimal::{Verdict, certify};
/// use mindrel::rules::Budget;
///
/// // max(x, 0) + max(y, 0) − 0.5: with y = 1 known, x no longer matters.
/// let hidden = Layer::new(2, vec![1.0, 0.0, 0.0, 1.0], vec![0.0, 0.0])?;
/// let network = Network::new(vec![hidden, Layer::new(2, vec![1.0, 1.0], vec![-0.5])?])?;
/// # let questions = vec![Question::number("x", -1.0, 1.0), Question::number("y", -1.0, 1.0)];
/// # let target = Target::new("z", "", ["no", "yes"]);
/// # let belief = GaussianBelief::new(vec![0.0; 2], vec![0.2, 0.0, 0.0, 0.2])?;
/// # let plan = Plan::new(Schema::new(target, questions)?, network, belief, Rules::default())?;
/// let person = [0.3, 1.0];
/// assert!(matches!(certify(&plan, &person, &[1], Budget::of(100_000)), Verdict::Core(_)));
/// assert!(matches!(certify(&plan, &person, &[0], Budget::of(100_000)), Verdict::Open(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certify(plan: &Plan, person: &[f64], revealed: &[usize], budget: Budget) -> Verdict {
    let questions = &plan.prepared().questions;
    let revealed = &distinct(plan, revealed);
    let region = questions.region_with(person, revealed);
    // Anybody who is possible will do to start from: nothing open is looked at.
    let anybody = questions.implications.somebody(&region, &questions.asked);
    let known =
        anybody.unwrap_or_else(|| Implications::default().somebody(&region, &questions.asked).expect("anybody"));
    let label = plan.model().label(&known);
    if questions.asked.iter().all(|question| region.is_known(&question.columns)) {
        return Verdict::Core(label);
    }
    oracle(plan).certify(known, label, revealed, budget)
}

/// Bounds on every score of a person over all values of what is not revealed, rounded outwards.
///
/// ```text
/// lower_c ≤ score_c(x) ≤ upper_c   for every x that agrees with the person in what is public and revealed
/// ```
///
/// Exact but for rounding for linear models; for networks by one look at intervals and linear bounds, for trees by
/// the extremes of each over the leaves that can be reached, without branching; of a black box nothing is known.
#[must_use]
pub fn score_bounds(plan: &Plan, person: &[f64], revealed: &[usize]) -> Vec<(f64, f64)> {
    oracle(plan).score_bounds(person, revealed)
}
