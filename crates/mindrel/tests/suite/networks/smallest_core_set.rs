//! The smallest core set against every set.

use super::*;

/// The fewest questions that prove a person's own label, by trying all sets.
fn smallest_by_enumeration(plan: &Plan, person: &[f64]) -> usize {
    let count = plan.sensitive().len();
    let label = plan.model().label(person);
    let proved = |set: &usize| proves(plan, person, label, &places(plan, *set));
    (0..1usize << count).filter(proved).map(|set| set.count_ones() as usize).min().expect("everything is a core set")
}

fn check_smallest(plan: &Plan, person: &[f64]) {
    let mut oracle = Oracle::new(plan);
    let smallest = oracle.smallest_core_set(person);
    assert!(!oracle.ran_out_of_budget());
    assert_eq!(smallest.len(), smallest_by_enumeration(plan, person));
    assert!(proves(plan, person, plan.model().label(person), &smallest));
}

/// Up to eight questions of mixed kinds, with every set of them tried for each of some people.
fn check_smallest_for(n_people: usize, draw: impl Fn(&mut Case) -> Vec<f64>) {
    let hidden: [&[usize]; 4] = [&[4], &[6, 5], &[], &[3, 4, 3]];
    for seed in 0..48 {
        let n_questions = 2 + seed as usize % 7;
        let mut case = mixed(2 + seed as usize % 3, hidden[seed as usize % 4], n_questions, seed).build();
        for _ in 0..n_people {
            let person = draw(&mut case);
            check_smallest(&case.plan, &person);
        }
    }
}

#[test]
fn the_smallest_core_set_is_the_smallest_of_all_sets() {
    check_smallest_for(2, Case::person);
}

/// An answer outside its domain can unsettle a label once it is known, so that a superset of a core set need not be
/// core, which is what the search by counterexamples builds on: such answers are revealed or kept in every combination
/// instead.
#[test]
fn the_smallest_core_set_is_smallest_for_people_outside_the_domain() {
    check_smallest_for(3, outside);
}

/// What is found for them is a core set nevertheless.
#[test]
fn the_smallest_core_set_of_people_outside_the_domain_proves_their_label() {
    for seed in 0..48 {
        let mut case = mixed(2 + seed as usize % 3, &[6, 5], 2 + seed as usize % 7, seed).build();
        let person = outside(&mut case);
        let smallest = smallest_core_set(&case.plan, &person);
        assert!(proves(&case.plan, &person, case.plan.model().label(&person), &smallest), "seed {seed}");
    }
}

/// Finitely many answers and weights that are quarters: scores of exactly zero are met, and decided as the model
/// decides them.
#[test]
fn the_smallest_core_set_is_smallest_with_exact_ties() {
    let shapes =
        [Shape::Boolean, Shape::Ordinal(3), Shape::OneHot(3), Shape::Boolean, Shape::Ordinal(5), Shape::OneHot(2)];
    for seed in 0..60 {
        let questions = shapes[..2 + seed as usize % 5].iter().map(|shape| (*shape, false)).collect();
        let recipe = mixed(2 + seed as usize % 2, &[3 + seed as usize % 3], 0, seed);
        let mut case = Recipe { questions, weights: Weights::Dyadic, ..recipe }.build();
        let person = case.person();
        check_smallest(&case.plan, &person);
    }
}

#[test]
fn no_selector_asks_for_less_than_the_smallest_core_set() {
    for seed in 0..30 {
        let mut case = mixed(2 + seed as usize % 3, &[6, 5], 5, seed).build();
        let person = case.person();
        let smallest = smallest_core_set(&case.plan, &person).len();
        for selector in Selector::ALL {
            let mut walk = Walk::new(&case.with(rules(0.0, selector)));
            let (label, _) = walk.decide(&person, seed);
            assert_eq!(label, case.plan.model().label(&person), "{selector}, seed {seed}");
            assert!(walk.n_revealed() >= smallest, "{selector}, seed {seed}");
            assert!(proves(&case.plan, &person, label, walk.revealed_places()), "{selector}, seed {seed}");
        }
    }
}
