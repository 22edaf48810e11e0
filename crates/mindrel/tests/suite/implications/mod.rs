//! Rules between questions: everything that goes by them, against all possible people of small schemas.

mod followed;
mod laws;
mod schemas;

use super::common::*;
use mindrel::model::Model;
use mindrel::plan::{Plan, PlanParts};
use mindrel::schema::{Answer, AnswerSet, Implication, Kind, NumberSet, Question, Schema};
use proptest::prelude::*;

/// Work enough for every proof here.
const GENEROUS: u64 = 100_000_000_000;

/// Everybody there is, at most.
const MOST_PEOPLE: usize = 3000;

/// A recipe whose questions all have finitely many answers.
fn finite(mut recipe: Recipe) -> Recipe {
    for (shape, _) in &mut recipe.questions {
        *shape = match *shape {
            Shape::Number => Shape::Integer,
            Shape::NumberOrMissing => Shape::IntegerOrMissing,
            finite => finite,
        };
    }
    recipe
}

/// The case with up to `count` random rules, as many of them as somebody can meet.
fn with_rules(mut case: Case, count: usize) -> Case {
    let mut rules: Vec<Implication> = Vec::new();
    for _ in 0..count {
        let rule = random_rule(&mut case);
        let tried: Vec<Implication> = rules.iter().cloned().chain([rule]).collect();
        if let Some(plan) = with(&case.plan, tried.clone()) {
            (case.plan, rules) = (plan, tried);
        }
    }
    case
}

/// A plan with rules; `None` if they cannot be followed.
fn with(plan: &Plan, rules: Vec<Implication>) -> Option<Plan> {
    let parts = plan.to_parts();
    let schema = parts.schema.with_implications(rules).ok()?;
    let rules = *plan.rules();
    Plan::try_from(PlanParts { schema, ..parts }).ok().map(|plan| plan.with_rules(rules).expect("the same rules"))
}

fn random_rule(case: &mut Case) -> Implication {
    let schema = case.plan.schema().clone();
    let random = case.random();
    let order = shuffled(schema.questions().len(), random);
    let n_conditions = (1 + below(random, 2)).min(order.len() - 1);
    let mut sets = order.iter().map(|&place| {
        let question = &schema.questions()[place];
        (question.name.clone(), random_set(question, random))
    });
    let when = sets.by_ref().take(n_conditions).collect();
    Implication { when, then: sets.take(1 + n_conditions % 2).collect() }
}

/// Some of the answers to a question.
fn random_set(question: &Question, random: &mut rand_pcg::Pcg64Mcg) -> AnswerSet {
    match &question.kind {
        Kind::Boolean => AnswerSet::Boolean(below(random, 2) == 1),
        Kind::Category { levels, .. } => {
            let first = below(random, levels.len());
            let count = 1 + below(random, (levels.len() - first).min(2));
            AnswerSet::Levels(levels[first..first + count].to_vec())
        }
        Kind::Number { lower, upper, missing } | Kind::Integer { lower, upper, missing } => {
            let mut bound = || lower + (below(random, 5) as f64 / 4.0 * (upper - lower)).round();
            let (one, other) = (bound(), bound());
            let (from, to) = (one.min(other), one.max(other));
            let set = match below(random, 4) {
                0 => NumberSet { from: Some(from), ..NumberSet::default() },
                1 => NumberSet { below: Some(to), ..NumberSet::default() },
                2 => NumberSet { above: Some(from), to: Some(to), ..NumberSet::default() },
                _ => NumberSet::between(from, to),
            };
            let can_be_missing = *missing == Some(mindrel::schema::MissingNumber::Answer);
            AnswerSet::Numbers(NumberSet { missing: can_be_missing && below(random, 2) == 0, ..set })
        }
    }
}

/// Whether an answer lies in a set, by what people say.
fn lies_in(question: &Question, answer: &Answer, set: &AnswerSet) -> bool {
    match (answer, set, &question.kind) {
        (Answer::Boolean(value), AnswerSet::Boolean(wanted), _) => value == wanted,
        (Answer::Level(level), AnswerSet::Levels(chosen), Kind::Category { levels, .. }) => {
            chosen.contains(&levels[*level])
        }
        (Answer::Missing, AnswerSet::Numbers(set), _) => set.missing,
        (Answer::Number(value), AnswerSet::Numbers(set), _) => set.contains(*value),
        _ => panic!("a set of another kind"),
    }
}

/// Whether an encoded person breaks a rule.
fn breaks_a_rule(schema: &Schema, person: &[f64]) -> bool {
    let meets = |(name, set): (&String, &AnswerSet)| {
        let id = schema.find(name).expect("a rule names questions");
        let question = schema.question(id);
        lies_in(question, &question.decode(&person[schema.columns(id)]), set)
    };
    schema.implications().iter().any(|rule| rule.when.iter().all(meets) && !rule.then.iter().all(meets))
}

/// Everybody possible who agrees with a person in everything known.
fn possible_people(plan: &Plan, person: &[f64], known: &[bool]) -> Vec<Vec<f64>> {
    let schema = plan.schema();
    let mut people = vec![person.to_vec()];
    for id in schema.ids().filter(|id| !known[id.index()]) {
        let values = all_values(schema.question(id).domain()).expect("finitely many values");
        let with = |person: Vec<f64>| {
            values.clone().into_iter().map(move |value| {
                let mut other = person.clone();
                other[schema.columns(id)].copy_from_slice(&value);
                other
            })
        };
        people = people.into_iter().flat_map(with).collect();
    }
    people.retain(|person| !breaks_a_rule(schema, person));
    people
}

/// The label they all have, if they have one.
fn common_label(plan: &Plan, people: &[Vec<f64>]) -> Option<mindrel::Label> {
    let mut labels = people.iter().map(|person| plan.model().label(person));
    let first = labels.next()?;
    labels.all(|label| label == first).then_some(first)
}

/// Somebody who breaks no rule, if one turns up.
fn somebody(case: &mut Case) -> Option<Vec<f64>> {
    let schema = case.plan.schema().clone();
    (0..200).map(|_| case.person()).find(|person| !breaks_a_rule(&schema, person))
}
