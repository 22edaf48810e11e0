//! Laws of everything there is several of: selectors, rules, kinds of question, domains, models.

mod common;

use common::*;
use mindrel::core_test::Guarantee;
use mindrel::model::{Model, label_of_scores};
use mindrel::plan::{Fingerprint, Plan, PlanError, PlanParts, Rules};
use mindrel::selector::Selector;
use mindrel::session::Walk;
use proptest::prelude::*;

fn delta() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.001, 0.05, 0.25, 0.45])
}

proptest! {
    #![proptest_config(cases(300))]

    /// Every selector under every δ ends settled; a proof or a complete answer sheet gives the model's own label, and only
    /// δ > 0 settles for a probability.
    #[test]
    fn every_walk_ends_with_a_label_that_holds(
        recipe in recipe(2..=5, 1..=6),
        selector in selector(),
        delta in delta(),
    ) {
        let mut case = recipe.build();
        let selector = affordable(selector, recipe.n_classes);
        prop_assume!(recipe.n_classes < 5 || delta == 0.0);
        let person = case.person();
        let mut walk = Walk::new(&case.with(rules(delta, selector)));
        let (label, guarantee) = walk.decide(&person, 0);
        match guarantee {
            Guarantee::Complete => prop_assert_eq!(walk.n_revealed(), case.plan.sensitive().len()),
            Guarantee::Proved => prop_assert!(walk.n_revealed() < case.plan.sensitive().len()),
            Guarantee::Sampled => prop_assert!(false, "nothing is sampled unless the rules say so"),
            Guarantee::Probable => prop_assert!(delta > 0.0),
        }
        if guarantee != Guarantee::Probable {
            prop_assert_eq!(label, case.plan.model().label(&person));
        }
    }

    /// Where the order of the questions does not depend on δ, a larger δ never asks for more.
    #[test]
    fn a_larger_delta_never_asks_for_more_of_the_same_order(
        recipe in recipe(2..=4, 1..=6),
        selector in prop::sample::select(vec![Selector::Importance, Selector::Random, Selector::FScore]),
    ) {
        let selector = if recipe.n_classes > 2 && selector == Selector::FScore { Selector::Random } else { selector };
        let mut case = recipe.build();
        let person = case.person();
        let asked = |delta: f64| questions_asked(&case.with(rules(delta, selector)), &person, 4);
        let proof = asked(0.0);
        let mut fewest = proof.len();
        for delta in [0.001, 0.05, 0.25, 0.45] {
            let asked = asked(delta);
            prop_assert!(asked.len() <= fewest, "{} questions at delta {delta}, {fewest} before", asked.len());
            prop_assert_eq!(&asked[..], &proof[..asked.len()]);
            fewest = asked.len();
        }
    }

    /// A walk keeps the room it has and nothing else: it decides about the next person as a new one would.
    #[test]
    fn a_walk_used_again_is_as_good_as_new(
        recipe in recipe(2..=4, 1..=6),
        selector in selector(),
        delta in delta(),
    ) {
        let mut case = recipe.build();
        let plan = case.with(rules(delta, selector));
        let mut used = Walk::new(&plan);
        for seed in 0..4 {
            let person = case.person();
            let mut new = Walk::new(&plan);
            prop_assert_eq!(used.decide(&person, seed), new.decide(&person, seed));
            prop_assert_eq!(used.revealed_places(), new.revealed_places());
            prop_assert_eq!(used.outlook(), new.outlook());
            // Leave it in the middle of somebody else.
            used.begin(&case.person(), 0);
            used.decline();
            used.reveal(&case.person());
        }
    }

    /// An answer is encoded into its domain, and read back from how it is shown.
    #[test]
    fn answers_lie_in_their_domain_and_read_back(recipe in recipe(2..=2, 1..=6)) {
        let mut case = recipe.build();
        let (answers, schema) = (case.answers(), case.plan.schema());
        let person = encode(schema, &answers);
        for (id, answer) in schema.ids().zip(&answers) {
            let question = schema.question(id);
            prop_assert!(question.domain().contains(&person[schema.columns(id)]));
            prop_assert_eq!(question.parse(&question.show(answer)), Ok(answer.clone()));
            prop_assert_eq!(question.domain().n_columns(), question.n_columns());
        }
    }

    /// The vertices of a domain lie in it, and every linear function has its extremes there.
    #[test]
    fn every_domain_lies_between_its_vertices(recipe in recipe(2..=2, 1..=6)) {
        let mut case = recipe.build();
        let (person, schema, model) = (case.person(), case.plan.schema(), linear(&case.plan));
        for id in schema.ids() {
            let (domain, columns) = (schema.question(id).domain(), schema.columns(id));
            let weights = &model.weights(0)[columns.clone()];
            let at = |vertex: usize| -> Vec<f64> {
                (0..domain.n_columns()).map(|column| domain.vertex_value(vertex, column)).collect()
            };
            let dot = |values: &[f64]| weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>();
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for vertex in 0..domain.n_vertices() {
                prop_assert!(domain.contains(&at(vertex)));
                prop_assert_eq!(domain.at_vertex(vertex, weights), dot(&at(vertex)));
                (low, high) = (low.min(dot(&at(vertex))), high.max(dot(&at(vertex))));
            }
            prop_assert!((low..=high).contains(&dot(&person[columns])));
        }
    }

    /// The label is that of the scores wherever their rounding leaves no doubt.
    #[test]
    fn every_models_label_is_that_of_its_scores(recipe in recipe(2..=5, 1..=6)) {
        let mut case = recipe.build();
        let model = linear(&case.plan).clone();
        let person = case.person();
        let mut scores = vec![0.0; model.n_scores()];
        model.scores(&person, &mut scores);
        let label = model.label(&person);
        let clear = rivals(&model, label).iter().all(|rival| {
            let (weights, intercept) = margin(&model, label, *rival);
            let lead = intercept + weights.iter().zip(&person).map(|(weight, value)| weight * value).sum::<f64>();
            lead.abs() > 2.0 * model.rounding_bound(1.0)
        });
        if clear {
            prop_assert_eq!(label, label_of_scores(&scores));
        }
    }

    /// A plan is its parts: the same parts have the same fingerprint, other rules in force do not change it, and any other
    /// number does.
    #[test]
    fn a_fingerprint_tells_plans_apart(recipe in recipe(2..=4, 1..=5), delta in delta()) {
        let case = recipe.build();
        let parts = case.plan.to_parts();
        let again = Plan::try_from(parts.clone()).unwrap();
        prop_assert_eq!(again.fingerprint(), case.plan.fingerprint());
        prop_assert_eq!(Fingerprint::of(&parts), case.plan.fingerprint());
        prop_assert_eq!(case.with(rules(delta, Selector::Random)).fingerprint(), case.plan.fingerprint());
        let other = PlanParts { rules: Rules::with_delta(0.125), ..parts };
        prop_assert_ne!(Plan::try_from(other).unwrap().fingerprint(), case.plan.fingerprint());
        let reseeded = Recipe { seed: recipe.seed.wrapping_add(1), ..recipe }.build();
        prop_assert_ne!(reseeded.plan.fingerprint(), case.plan.fingerprint());
    }
}

#[test]
fn every_selector_is_found_by_its_name() {
    for selector in Selector::ALL {
        assert_eq!(selector.name().parse(), Ok(selector));
        assert_eq!(selector.to_string(), selector.name());
        assert_eq!(serde_json::to_string(&selector).unwrap(), format!("\"{}\"", selector.name()));
    }
    assert!("entropy".parse::<Selector>().is_err());
}

#[test]
fn rules_that_cannot_be_followed_are_refused() {
    let plan = numbers(2, 2, 0).build().plan;
    for delta in [-0.1, 0.5, 1.0, f64::NAN, f64::INFINITY] {
        let refused = plan.with_rules(Rules::with_delta(delta));
        assert!(matches!(refused, Err(PlanError::Rules(_))), "delta {delta}");
    }
    for draws in [0, 1_000_001] {
        assert!(plan.with_rules(Rules { draws, ..Rules::default() }).is_err(), "{draws} draws");
    }
}

#[test]
fn parts_that_are_not_made_for_each_other_are_refused() {
    let (two, three) = (numbers(2, 2, 0).build().plan, numbers(2, 3, 0).build().plan);
    let four_classes = numbers(4, 2, 0).build().plan;
    let mixed = |schema: &Plan, model: &Plan, belief: &Plan| {
        let (schema, model) = (schema.schema().clone(), model.model().clone());
        Plan::new(schema, model, belief.belief().clone(), Rules::default())
    };
    assert!(matches!(mixed(&two, &three, &two), Err(PlanError::Columns { .. })));
    assert!(matches!(mixed(&two, &two, &three), Err(PlanError::Columns { .. })));
    assert!(matches!(mixed(&two, &four_classes, &two), Err(PlanError::Classes { .. })));
    assert!(mixed(&two, &two, &two).is_ok());
}
