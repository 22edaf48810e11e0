//! The exact test against enumeration of every vertex of the open domain [TF23, Def. 1 and Prop. 6].

use crate::common::*;
use mindrel::Label;
use mindrel::core_test::Guarantee;
use mindrel::model::{LinearModel, Model};
use mindrel::plan::{Plan, Rules};
use mindrel::schema::{Question, Schema};
use mindrel::selector::Selector;
use mindrel::session::{Stage, Walk};
use proptest::prelude::*;

/// Points inside the open domain that a settled label is tried on, besides all vertices.
const INTERIOR_POINTS: usize = 8;

/// A settled label is the label at every vertex; where none is settled, two vertices disagree.
fn check_stage(walk: &Walk, person: &[f64]) -> Result<(), TestCaseError> {
    let plan = walk.plan();
    let common = label_of_all_vertices(plan, person, &known_questions(walk));
    match walk.stage() {
        Stage::Settled { label, guarantee: Guarantee::Complete } => prop_assert_eq!(label, plan.model().label(person)),
        Stage::Settled { label, .. } => prop_assert_eq!(common, Some(label)),
        Stage::Asking { .. } => prop_assert_eq!(common, None),
        Stage::Exhausted => prop_assert!(false, "nothing was declined"),
    }
    Ok(())
}

/// A point of the open domain: any value of an interval, any point of a grid, any level.
fn random_point(walk: &Walk, person: &[f64], random: &mut rand_pcg::Pcg64Mcg) -> Vec<f64> {
    let (schema, known) = (walk.plan().schema(), known_questions(walk));
    let mut point = person.to_vec();
    for id in schema.ids().filter(|id| !known[id.index()]) {
        let columns = schema.columns(id);
        point[columns].copy_from_slice(&random_values(schema.question(id).domain(), random));
    }
    point
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_label_is_settled_exactly_when_every_vertex_agrees(
        recipe in recipe(2..=5, 1..=6),
        selector in selector(),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules(0.0, affordable(selector, recipe.n_classes)));
        let mut walk = Walk::new(&plan);
        for _ in 0..3 {
            let person = case.person();
            walk.begin(&person, recipe.seed);
            check_stage(&walk, &person)?;
            while asking(&walk).is_some() {
                walk.reveal(&person);
                check_stage(&walk, &person)?;
            }
        }
    }

    #[test]
    fn a_settled_label_is_the_label_at_points_inside_the_domain(recipe in recipe(2..=5, 1..=7)) {
        let mut case = recipe.build();
        let mut walk = Walk::new(&case.plan);
        let person = case.person();
        let (label, _) = walk.decide(&person, 0);
        for _ in 0..INTERIOR_POINTS {
            let point = random_point(&walk, &person, case.random());
            prop_assert_eq!(case.plan.model().label(&point), label);
        }
    }

    /// A revealed value outside its domain is known: it enters the score as it is, and only the open ones are bounded.
    #[test]
    fn values_outside_the_domain_are_taken_as_they_are(
        recipe in recipe(2..=4, 2..=5),
        selector in selector(),
        factor in prop::sample::select(vec![1.5, 40.0, 1e6]),
    ) {
        let mut case = recipe.build();
        let mut person = case.person();
        for value in &mut person {
            *value *= factor;
        }
        let mut walk = begun(&case.with(rules(0.0, selector)), &person, 1);
        check_stage(&walk, &person)?;
        while asking(&walk).is_some() {
            walk.reveal(&person);
            check_stage(&walk, &person)?;
        }
    }

    /// What is declined stays open: the label must hold for every value of it.
    #[test]
    fn what_is_declined_counts_as_open(
        recipe in recipe(2..=4, 2..=6),
        selector in selector(),
        declines in prop::collection::vec(any::<bool>(), 6),
    ) {
        let mut case = recipe.build();
        let person = case.person();
        let plan = case.with(rules(0.0, selector));
        let mut walk = begun(&plan, &person, 1);
        for decline in declines {
            if decline { walk.decline() } else { walk.reveal(&person) }
            let common = label_of_all_vertices(&plan, &person, &known_questions(&walk));
            match walk.stage() {
                Stage::Settled { label, .. } => prop_assert_eq!(common, Some(label)),
                Stage::Asking { .. } | Stage::Exhausted => prop_assert_eq!(common, None),
            }
        }
    }

    #[test]
    fn the_models_label_is_that_of_rational_scores(recipe in recipe(2..=5, 1..=6)) {
        let mut case = recipe.build();
        for _ in 0..4 {
            let person = case.person();
            prop_assert_eq!(case.plan.model().label(&person), rational_label(linear(&case.plan), &person));
        }
    }

    /// The smallest margin is the smallest over all vertices and rivals, but for rounding.
    #[test]
    fn the_worst_margin_is_the_smallest_of_all_vertices(recipe in recipe(2..=4, 1..=5), steps in 0usize..5) {
        let mut case = recipe.build();
        let person = case.person();
        let mut walk = begun(&case.with(rules(0.0, Selector::Random)), &person, recipe.seed);
        for _ in 0..steps {
            walk.reveal(&person);
        }
        let model = linear(&case.plan);
        for label in (0..recipe.n_classes).map(Label::new) {
            let mut smallest = f64::INFINITY;
            at_every_vertex(case.plan.schema(), &person, &known_questions(&walk), |point| {
                for rival in rivals(model, label) {
                    let (weights, intercept) = margin(model, label, rival);
                    let products = weights.iter().zip(point).map(|(weight, value)| weight * value);
                    smallest = smallest.min(intercept + products.sum::<f64>());
                }
                true
            });
            let difference = (walk.worst_margin(label) - smallest).abs();
            prop_assert!(difference <= model.rounding_bound(1.0), "{difference:e}");
        }
    }
}

/// Ties decide nothing unless they occur: with dyadic weights they do, at vertices and at people's own values.
#[test]
fn dyadic_plans_meet_scores_of_exactly_zero() {
    let mut ties = 0;
    for seed in 0..200 {
        let recipe = Recipe { weights: Weights::Dyadic, ..numbers(2, 3, seed) };
        let mut case = recipe.build();
        let person = case.person();
        let known = vec![false; 3];
        at_every_vertex(case.plan.schema(), &person, &known, |point| {
            let mut score = [0.0];
            case.plan.model().scores(point, &mut score);
            ties += usize::from(score[0] == 0.0);
            true
        });
    }
    assert!(ties >= 20, "only {ties} ties among 1600 vertices");
}

/// The one-hot columns of a category are one of its levels: f = x_red + x_blue − 0.5 ≥ 0 is settled for a category of
/// only these two levels, while the box of independent columns reaches −0.5 (and, at [−1, 1] as in [TF23, §2], −2.5).
#[test]
fn a_category_is_one_of_its_levels_and_not_a_box() {
    let schema = Schema::new(target(2), vec![Question::category("colour", ["red", "blue"])]).unwrap();
    let model = LinearModel::new(2, vec![1.0, 1.0], vec![-0.5]).unwrap();
    let belief = moments(&[vec![1.0, 0.0], vec![0.0, 1.0]]);
    let plan = Plan::new(schema, model, belief, Rules::default()).unwrap();
    let walk = begun(&plan, &[0.0, 0.0], 0);
    assert_eq!(walk.stage(), Stage::Settled { label: Label::POSITIVE, guarantee: Guarantee::Proved });
}

/// Three classes: scores x, x, −1 with x ∈ [−1, 1]. Class 0 ties class 1 everywhere and class 2 at x = −1, and is
/// first. Bounding each class's score on its own could not tell.
#[test]
fn the_first_of_tied_classes_is_settled_and_the_second_is_not() {
    let schema = Schema::new(target(3), vec![Question::number("x", -1.0, 1.0)]).unwrap();
    let plan = |weights: Vec<f64>, intercepts: Vec<f64>| {
        let model = LinearModel::new(1, weights, intercepts).unwrap();
        Plan::new(schema.clone(), model, moments(&[vec![-1.0], vec![1.0]]), Rules::default()).unwrap()
    };
    let first = begun(&plan(vec![1.0, 1.0, 0.0], vec![0.0, 0.0, -1.0]), &[0.0], 0);
    assert_eq!(first.stage(), Stage::Settled { label: Label::new(0), guarantee: Guarantee::Proved });
    let last = begun(&plan(vec![0.0, 1.0, 1.0], vec![-1.0, 0.0, 0.0]), &[0.0], 0);
    assert!(matches!(last.stage(), Stage::Asking { .. }), "class 0 ties at x = −1 and is first");
}

/// 0.1 + 0.2 − 0.3 is 5.6e-17 in plain arithmetic and 2.8e-17 exactly; with −0.3 a little larger it is below zero.
#[test]
fn a_margin_within_rounding_of_zero_is_told_by_its_exact_sign() {
    let below_zero = -f64::from_bits(0.3f64.to_bits() + 1);
    for (third, settled) in [(-0.3, true), (below_zero, false)] {
        let questions = ["a", "b", "c"].map(|name| Question::number(name, -1.0, 1.0)).to_vec();
        let mut questions = questions;
        for question in &mut questions {
            *question = question.clone().public();
        }
        questions.push(Question::boolean("unused"));
        let schema = Schema::new(target(2), questions).unwrap();
        let model = LinearModel::new(4, vec![0.1, 0.2, third, 0.0], vec![0.0]).unwrap();
        let people = [vec![0.5, 0.1, 0.2, 1.0], vec![-0.5, 0.3, 0.1, -1.0]];
        let plan = Plan::new(schema, model, moments(&people), Rules::default()).unwrap();
        let person = [1.0, 1.0, 1.0, 1.0];
        let expected = rational_label(linear(&plan), &person);
        assert_eq!(expected == Label::POSITIVE, settled);
        let walk = begun(&plan, &person, 0);
        assert_eq!(walk.stage(), Stage::Settled { label: expected, guarantee: Guarantee::Proved });
    }
}
