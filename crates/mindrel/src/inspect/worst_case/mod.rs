//! The most questions a person can be asked, and which questions are never asked.
//!
//! It concerns people whose answers, public ones too, lie within the declared domains, and who answer every question.
//!
//! What is proved about a linear model rests on the exact test, which every session takes before anything else: it
//! settles a label as soon as no completion of what is known has another. So
//!
//! - a question that moves no margin whatever its answer (*flat*) is in no proof, and `decisive` at δ = 0 never asks
//!   one: while a label is open, something that moves a margin is;
//! - `importance` asks in one order. A question is never asked when those before it settle every label;
//! - if no values of the others let a question change the label, no decision depends on it, though it may be asked.
//!
//! Where everybody there can be can be counted, all are asked, and what is found is exact for any model.

mod margin_sums;
mod trial_people;

use serde::{Deserialize, Serialize};

use crate::plan::{EngineTables, Plan};
use crate::region::Asked;
use crate::rules::{Selector, Test};
use crate::schema::Visibility;
use crate::session::Walk;

use margin_sums::MarginSums;

/// The most questions a person can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MostAsked {
    /// Nobody is asked more; proved.
    pub at_most: usize,
    /// A person found by trial is asked this many.
    pub reached: usize,
    /// What the first rests on.
    pub basis: Basis,
}

/// What a bound on the number of questions rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Everybody there can be was asked.
    Everybody,
    /// The sums that a linear model's questions can add up to, and the order of the selector.
    Sums,
    /// Nothing is asked twice.
    Questions,
}

/// Whether a sensitive question is ever asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskedOf {
    /// Nobody, under these rules; proved.
    Nobody,
    /// Somebody, found by trying.
    Somebody,
    /// Nobody is known to be, and it is not known that nobody is.
    Unknown,
}

/// What is known of a sensitive question for all people together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// Whether it is ever asked.
    pub asked_of: AskedOf,
    /// Whether it is proved that no decision depends on it: whatever the other answers, none of its own changes the
    /// label.
    pub never_matters: bool,
}

impl MostAsked {
    /// Whether the bound is attained and never exceeded.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.at_most == self.reached
    }
}

/// The most questions a person can be asked under a plan's rules, and what is known about each sensitive question.
pub(super) fn worst_case(plan: &Plan) -> (MostAsked, Vec<Need>) {
    let n_questions = plan.sensitive().len();
    let sums = sums(plan);
    let never_matters = |place: usize| match &sums {
        Some(sums) => !sums.may_be_open(|other| other != place),
        None => plan.prepared().questions.asked[place].columns.clone().all(|column| plan.model().ignores(column)),
    };
    let everybody = if is_seeded(plan) { None } else { trial_people::everybody(plan) };
    let counted = everybody.is_some();
    let (reached, asked) = try_people(plan, &everybody.unwrap_or_else(|| trial_people::on_the_edge(plan)));
    let (at_most, nobody, basis) = match &sums {
        _ if counted => (reached, asked.iter().map(|asked| !asked).collect(), Basis::Everybody),
        Some(sums) => {
            let never = never_asked(plan, sums);
            let at_most = never.iter().filter(|never| !**never).count();
            (at_most, never, if at_most < n_questions { Basis::Sums } else { Basis::Questions })
        }
        None => (n_questions, vec![false; n_questions], Basis::Questions),
    };
    let asked_of = |place: usize| match (nobody[place], asked[place]) {
        (true, _) => AskedOf::Nobody,
        (false, true) => AskedOf::Somebody,
        (false, false) => AskedOf::Unknown,
    };
    let need = |place| Need { asked_of: asked_of(place), never_matters: never_matters(place) };
    (MostAsked { at_most, reached, basis }, (0..n_questions).map(need).collect())
}

/// Whether what is asked depends on a seed, which audits give everybody of their own.
fn is_seeded(plan: &Plan) -> bool {
    let rules = plan.rules();
    matches!(rules.selector, Selector::Random | Selector::FScoreMc) || rules.test == Test::Sampled
}

/// What the margins of a linear model can be; `None` for any other.
fn sums(plan: &Plan) -> Option<MarginSums> {
    match &plan.prepared().engine {
        EngineTables::LinearGaussian(tables, _) | EngineTables::Linear(tables) => {
            let schema = plan.schema();
            let public = schema.ids_with(Visibility::Public).map(|id| Asked::new(schema, id));
            MarginSums::new(tables, &public.collect::<Vec<Asked>>())
        }
        EngineTables::Searched(_) => None,
    }
}

/// The sensitive questions of a linear model that nobody is asked; proved.
fn never_asked(plan: &Plan, sums: &MarginSums) -> Vec<bool> {
    let prepared = plan.prepared();
    let places = 0..prepared.questions.len();
    if !sums.may_be_open(|_| false) {
        return vec![true; places.len()];
    }
    let rules = plan.rules();
    match rules.selector {
        Selector::Importance => never_reached(plan, sums, &prepared.importance.of_model),
        Selector::ImportanceLogistic => never_reached(plan, sums, &prepared.importance.of_logistic),
        // What rounds to no width but has one would be passed over too, and then a flat one might be asked after all.
        Selector::Decisive if rules.delta == 0.0 && sums.are_as_computed() => {
            // What moves no margin itself may still imply what does.
            let implications = plan.schema().implications();
            let is_mentioned = |place: usize| {
                let name = &plan.schema().question(plan.sensitive()[place]).name;
                implications.iter().any(|rule| rule.questions().any(|other| other == name))
            };
            places.map(|place| sums.is_flat(place) && !is_mentioned(place)).collect()
        }
        _ => vec![false; places.len()],
    }
}

/// In a fixed order: those before which every label is settled.
fn never_reached(plan: &Plan, sums: &MarginSums, importance: &[f64]) -> Vec<bool> {
    let per_cost = &plan.prepared().questions.per_cost;
    let mut order: Vec<usize> = (0..importance.len()).collect();
    let value = |place: usize| importance[place] * per_cost[place];
    // Stable, as the selector takes the first of equals.
    order.sort_by(|left, right| value(*right).total_cmp(&value(*left)));
    let is_open_after = |known: &[usize]| sums.may_be_open(|place| known.contains(&place));
    let reached = (0..order.len()).take_while(|&count| is_open_after(&order[..count])).count();
    let mut never = vec![true; importance.len()];
    order[..reached].iter().for_each(|&place| never[place] = false);
    never
}

/// The most questions that some people are asked, and which are asked of any of them.
fn try_people(plan: &Plan, people: &[Vec<f64>]) -> (usize, Vec<bool>) {
    let mut walk = Walk::new(plan);
    let mut asked = vec![false; plan.sensitive().len()];
    let mut most = 0;
    for person in people {
        walk.decide(person, plan.rules().seed);
        most = most.max(walk.n_revealed());
        walk.revealed_places().iter().for_each(|&place| asked[place] = true);
    }
    (most, asked)
}
