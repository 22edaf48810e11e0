//! The smallest core set against enumeration of all 2^|S| sets, and against what every selector asks [TF23, App. D].

use crate::common::*;
use mindrel::Label;
use mindrel::model::Model;
use mindrel::optimal::{cheapest_core_set, proves, smallest_core_set};
use mindrel::plan::{Plan, PlanParts};
use mindrel::schema::{Question, Schema};
use mindrel::selector::Selector;
use mindrel::session::Walk;
use proptest::prelude::*;

/// A set of places as bits.
fn places(set: usize, count: usize) -> Vec<usize> {
    (0..count).filter(|place| set >> place & 1 == 1).collect()
}

/// What the plain test knows of one rival: the margin with all sensitive questions left out, and for every sensitive
/// question its own contribution and its smallest.
struct PlainRival {
    known: f64,
    own: Vec<f64>,
    smallest: Vec<f64>,
    wins_ties: bool,
}

/// The exact test in plain arithmetic: no rounding with dyadic weights, and no near-ties with normal ones.
fn plain_rivals(plan: &Plan, person: &[f64], label: Label) -> Vec<PlainRival> {
    let (model, schema) = (linear(plan), plan.schema());
    let rival = |rival: &Label| {
        let (weights, intercept) = margin(model, label, *rival);
        let own = |id| schema.columns(id).map(|column| weights[column] * person[column]).sum::<f64>();
        let smallest = |id| {
            let domain = schema.question(id).domain();
            (0..domain.n_vertices())
                .map(|vertex| domain.at_vertex(vertex, &weights[schema.columns(id)]))
                .fold(f64::INFINITY, f64::min)
        };
        let public = schema.ids().filter(|id| !plan.sensitive().contains(id));
        PlainRival {
            known: intercept + public.map(own).sum::<f64>(),
            own: plan.sensitive().iter().map(|&id| own(id)).collect(),
            smallest: plan.sensitive().iter().map(|&id| smallest(id)).collect(),
            wins_ties: wins_ties(model, label, *rival),
        }
    };
    rivals(model, label).iter().map(rival).collect()
}

fn plain_core(rivals: &[PlainRival], set: usize) -> bool {
    rivals.iter().all(|rival| {
        let parts = rival.own.iter().zip(&rival.smallest).enumerate();
        let worst = rival.known
            + parts.map(|(place, (own, smallest))| if set >> place & 1 == 1 { own } else { smallest }).sum::<f64>();
        worst > 0.0 || (worst == 0.0 && rival.wins_ties)
    })
}

/// The fewest questions that prove the model's own label, by trying all sets.
fn smallest_by_enumeration(plan: &Plan, person: &[f64]) -> usize {
    let count = plan.sensitive().len();
    let all = (1usize << count) - 1;
    let rivals = plain_rivals(plan, person, plan.model().label(person));
    (0..=all)
        .filter(|&set| set == all || plain_core(&rivals, set))
        .map(|set| set.count_ones() as usize)
        .min()
        .expect("all questions together are a core set")
}

/// The least that questions cost which prove the model's own label, by trying all sets.
fn least_cost_by_enumeration(plan: &Plan, person: &[f64]) -> f64 {
    let count = plan.sensitive().len();
    let all = (1usize << count) - 1;
    let rivals = plain_rivals(plan, person, plan.model().label(person));
    let core_sets = (0..=all).filter(|&set| set == all || plain_core(&rivals, set));
    core_sets.map(|set| cost(plan, &places(set, count))).fold(f64::INFINITY, f64::min)
}

fn cost(plan: &Plan, set: &[usize]) -> f64 {
    set.iter().map(|&place| plan.schema().question(plan.sensitive()[place]).cost).sum()
}

/// The same plan with questions that cost more or less.
fn with_costs(plan: &Plan) -> Plan {
    const COSTS: [f64; 4] = [1.0, 2.5, 0.5, 4.0];
    let schema = plan.schema();
    let question = |(place, id)| Question { cost: COSTS[place % COSTS.len()], ..schema.question(id).clone() };
    let questions = schema.ids().enumerate().map(question).collect();
    let schema = Schema::new(schema.target().clone(), questions).expect("costs are positive");
    Plan::try_from(PlanParts { schema, ..plan.to_parts() }).expect("the same plan")
}

fn check_cheapest(plan: &Plan, person: &[f64]) -> Result<(), TestCaseError> {
    let plan = &with_costs(plan);
    let cheapest = cheapest_core_set(plan, person);
    prop_assert!(proves(plan, person, plan.model().label(person), &cheapest));
    // Sums of costs are rounded in another order.
    prop_assert!((cost(plan, &cheapest) - least_cost_by_enumeration(plan, person)).abs() < 1e-9);
    Ok(())
}

fn check_smallest(plan: &Plan, person: &[f64]) -> Result<(), TestCaseError> {
    let smallest = smallest_core_set(plan, person);
    prop_assert_eq!(smallest.len(), smallest_by_enumeration(plan, person));
    prop_assert!(proves(plan, person, plan.model().label(person), &smallest));
    let mut distinct = smallest.clone();
    distinct.sort_unstable();
    distinct.dedup();
    prop_assert_eq!(distinct.len(), smallest.len());
    check_cheapest(plan, person)
}

/// Weights with which plain arithmetic meets no near-ties.
fn clear_cut(recipe: Recipe) -> Recipe {
    let weights = if recipe.weights == Weights::Dyadic { Weights::Dyadic } else { Weights::Normal };
    Recipe { weights, ..recipe }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_smallest_core_set_is_the_smallest_of_all_sets(recipe in recipe(2..=5, 1..=8)) {
        let mut case = clear_cut(recipe).build();
        for _ in 0..3 {
            let person = case.person();
            check_smallest(&case.plan, &person)?;
        }
    }

    /// The same with weights of all sizes, where plain arithmetic would not do and `proves` has to.
    #[test]
    fn no_smaller_set_proves_the_label(recipe in recipe(2..=4, 1..=6)) {
        let mut case = recipe.build();
        let person = case.person();
        let (label, count) = (case.plan.model().label(&person), case.plan.sensitive().len());
        let smallest = smallest_core_set(&case.plan, &person).len();
        for set in (0..1usize << count).filter(|set| (set.count_ones() as usize) < smallest) {
            prop_assert!(!proves(&case.plan, &person, label, &places(set, count)));
        }
    }

    /// A value outside its domain can make revealing a question move the margin the wrong way.
    #[test]
    fn the_smallest_core_set_is_smallest_for_people_outside_the_domain(recipe in recipe(2..=4, 1..=7)) {
        let mut case = clear_cut(recipe).build();
        let person: Vec<f64> = case.person().iter().map(|value| 2.0 * value).collect();
        check_smallest(&case.plan, &person)?;
    }

    #[test]
    fn a_set_proves_a_label_exactly_when_every_vertex_of_the_rest_agrees(
        recipe in recipe(2..=4, 1..=5),
        set in any::<usize>(),
    ) {
        let mut case = recipe.build();
        let person = case.person();
        let revealed = places(set, case.plan.sensitive().len());
        let common = label_of_all_vertices(&case.plan, &person, &known_when_revealed(&case.plan, &revealed));
        for label in (0..recipe.n_classes).map(Label::new) {
            prop_assert_eq!(proves(&case.plan, &person, label, &revealed), common == Some(label));
        }
    }

    #[test]
    fn a_superset_of_a_core_set_is_core_and_everything_is(
        recipe in recipe(2..=5, 1..=8),
        set in any::<usize>(),
        more in any::<usize>(),
    ) {
        let mut case = recipe.build();
        let person = case.person();
        let count = case.plan.sensitive().len();
        for label in (0..recipe.n_classes).map(Label::new) {
            if proves(&case.plan, &person, label, &places(set, count)) {
                prop_assert!(proves(&case.plan, &person, label, &places(set | more, count)));
            }
            let own = case.plan.model().label(&person) == label;
            prop_assert_eq!(proves(&case.plan, &person, label, &places(usize::MAX, count)), own);
        }
    }

    /// At δ = 0, for every person: the model's own label, with no fewer answers than the smallest core set has.
    #[test]
    fn no_selector_reveals_less_than_the_smallest_core_set(recipe in recipe(2..=4, 1..=6)) {
        let mut case = recipe.build();
        for selector in Selector::ALL {
            let mut walk = Walk::new(&case.with(rules(0.0, selector)));
            for seed in 0..2 {
                let person = case.person();
                let (label, _) = walk.decide(&person, seed);
                prop_assert_eq!(label, case.plan.model().label(&person));
                prop_assert!(proves(&case.plan, &person, label, walk.revealed_places()));
                prop_assert!(smallest_core_set(&case.plan, &person).len() <= walk.n_revealed());
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// 4096 sets for each person.
    #[test]
    fn the_smallest_core_set_of_twelve_questions_is_the_smallest_of_all_sets(
        recipe in recipe(2..=5, 12..=12),
    ) {
        let questions = recipe.questions.iter().map(|(shape, _)| (*shape, false)).collect();
        let mut case = clear_cut(Recipe { questions, ..recipe }).build();
        let person = case.person();
        check_smallest(&case.plan, &person)?;
    }
}
