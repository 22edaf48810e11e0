//! People who try a plan: everybody possible, if they can be counted, else some on the edge between two decisions.

use std::ops::Range;

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::model::{Model, ProvedBy};
use crate::plan::Plan;
use crate::schema::{Domain, HALF, MISSING, is_missing};

/// How many people are looked for on the edge, for each family of models.
const PAIRS: usize = 64;
const PAIRS_OF_NETWORK: usize = 6;

/// How many draws it may take to find two people with different labels.
const DRAWS: usize = 4000;

/// Up to how many people are all gone through.
const MOST_PEOPLE: usize = 4096;
const MOST_PEOPLE_OF_NETWORK: usize = 256;

/// Halvings between two people until neighbouring doubles, or nearly so, are left.
const HALVINGS: usize = 55;

/// How often a number is missing among people drawn, where it may be.
const MISSING_SHARE: f64 = 0.2;

/// Every encoded person within the domains; `None` if there are infinitely many, or too many.
pub(super) fn everybody(plan: &Plan) -> Option<Vec<Vec<f64>>> {
    let most = if plan.model().proved_by() == ProvedBy::Sums { MOST_PEOPLE } else { MOST_PEOPLE_OF_NETWORK };
    let mut people = vec![vec![0.0; plan.schema().n_columns()]];
    for (domain, columns) in questions(plan) {
        let answers = n_answers(domain)?;
        if people.len().saturating_mul(answers) > most {
            return None;
        }
        let with = |person: &Vec<f64>, answer: usize| {
            let mut person = person.clone();
            set_answer(domain, (answer as f64 + 0.5) / answers as f64, &mut person[columns.clone()]);
            person
        };
        people = people.iter().flat_map(|person| (0..answers).map(move |answer| with(person, answer))).collect();
    }
    people.retain(|person| plan.broken_implications(person).next().is_none());
    Some(people)
}

/// Encoded people, each close to a person with another label. Seeded: the same for the same plan.
pub(super) fn on_the_edge(plan: &Plan) -> Vec<Vec<f64>> {
    let pairs = if plan.model().proved_by() == ProvedBy::Sums { PAIRS } else { PAIRS_OF_NETWORK };
    let mut random = Pcg64Mcg::seed_from_u64(20_231);
    let mut people = Vec::new();
    let mut before = anybody(plan, &mut random);
    for _ in 0..DRAWS {
        if people.len() >= 2 * pairs {
            break;
        }
        let next = anybody(plan, &mut random);
        if plan.model().label(&next) != plan.model().label(&before) {
            let pair = between(plan, &before, &next);
            people.extend(pair.into_iter().filter(|person| plan.broken_implications(person).next().is_none()));
        }
        before = next;
    }
    people
}

/// Two people with different labels who differ in one question, and in that as little as can be.
fn between(plan: &Plan, from: &[f64], to: &[f64]) -> [Vec<f64>; 2] {
    let label = plan.model().label(from);
    let (mut same, mut other) = (from.to_vec(), from.to_vec());
    let turning = questions(plan).find(|(_, columns)| {
        same.clone_from(&other);
        other[columns.clone()].copy_from_slice(&to[columns.clone()]);
        plan.model().label(&other) != label
    });
    let (domain, columns) = turning.expect("at the latest the last question makes one the other");
    let is_number =
        |person: &[f64]| !matches!(domain, Domain::OrMissing { .. }) || !is_missing(&person[columns.clone()]);
    let is_endless = domain.numbers().is_some_and(|numbers| !numbers.is_grid());
    if is_endless && is_number(&same) && is_number(&other) {
        for _ in 0..HALVINGS {
            let mut middle = same.clone();
            middle[columns.clone()].fill(f64::midpoint(same[columns.start], other[columns.start]));
            if plan.model().label(&middle) == label { same = middle } else { other = middle }
        }
    }
    [same, other]
}

fn anybody(plan: &Plan, random: &mut impl Rng) -> Vec<f64> {
    let mut person = vec![0.0; plan.schema().n_columns()];
    for (domain, columns) in questions(plan) {
        let share = (random.next_u64() >> 11) as f64 * (-53f64).exp2();
        set_answer(domain, share, &mut person[columns]);
    }
    person
}

fn questions(plan: &Plan) -> impl Iterator<Item = (Domain, Range<usize>)> + '_ {
    let schema = plan.schema();
    schema.ids().map(|id| (schema.question(id).domain(), schema.columns(id)))
}

fn n_answers(domain: Domain) -> Option<usize> {
    match domain {
        Domain::Interval => None,
        Domain::Grid { points } => Some(points),
        Domain::OrMissing { points } => points.map(|points| points.saturating_add(1)),
        Domain::OneOf { levels } => Some(levels),
    }
}

/// Writes the answer at a share, below one, of all answers in order.
fn set_answer(domain: Domain, share: f64, columns: &mut [f64]) {
    let answer = |answers: usize| ((share * answers as f64) as usize).min(answers - 1);
    match domain {
        Domain::OneOf { levels } => {
            columns.fill(0.0);
            columns[answer(levels)] = 1.0;
        }
        // As an answer is encoded, bit by bit.
        Domain::Grid { points } => columns[0] = -1.0 + 2.0 * (answer(points) as f64 / (points - 1).max(1) as f64),
        Domain::Interval => columns[0] = 2.0 * share - 1.0,
        Domain::OrMissing { points: Some(points) } => match answer(points.saturating_add(1)) {
            number if number < points => {
                columns.fill(HALF * (-1.0 + 2.0 * (number as f64 / (points - 1).max(1) as f64)))
            }
            _ => columns.copy_from_slice(&MISSING),
        },
        Domain::OrMissing { points: None } if share < MISSING_SHARE => columns.copy_from_slice(&MISSING),
        Domain::OrMissing { points: None } => {
            columns.fill(HALF * (2.0 * ((share - MISSING_SHARE) / (1.0 - MISSING_SHARE)) - 1.0));
        }
    }
}
