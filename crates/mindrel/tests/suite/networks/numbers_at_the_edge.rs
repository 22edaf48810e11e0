//! Weights that are huge, tiny or zero, ties, and networks that are none.

use super::*;

/// Two numbers, no and yes, and one of three: six columns.
fn some_questions() -> Vec<Question> {
    vec![
        Question::number("a", -1.0, 1.0),
        Question::number("b", -1.0, 1.0),
        Question::boolean("c"),
        Question::category("d", ["x", "y", "z"]),
    ]
}

/// A layer whose numbers a function gives.
fn layer(n_inputs: usize, n_units: usize, mut number: impl FnMut() -> f64) -> Layer {
    let weights = (0..n_units * n_inputs).map(|_| number()).collect();
    Layer::new(n_inputs, weights, (0..n_units).map(|_| number()).collect()).unwrap()
}

/// Under every selector, test, estimate and some δ: nothing panics, and what is called settled is.
fn never_wrong(name: &str, plan: &Plan) {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let schema = plan.schema();
    for selector in SELECTORS {
        for (delta, test, estimate) in [
            (0.0, Test::Certified, Estimate::Qmc),
            (0.0, Test::Sampled, Estimate::Taylor),
            (0.05, Test::Certified, Estimate::Qmc),
            (0.05, Test::Certified, Estimate::Taylor),
        ] {
            let rules = Rules { test, estimate, budget: 100_000, samples: 200, ..rules(delta, selector) };
            let mut walk = Walk::new(&plan.with_rules(rules).unwrap());
            for seed in 0..4 {
                let person = encode(schema, &random_answers(schema, Weights::Normal, &mut random));
                let (label, guarantee) = walk.decide(&person, seed);
                let (_, probability) = walk.outlook();
                assert!((0.0..=1.0).contains(&probability), "{name}, {selector}: a probability of {probability}");
                if !matches!(guarantee, Guarantee::Complete | Guarantee::Proved) {
                    continue;
                }
                assert_eq!(label, plan.model().label(&person), "{name}, {selector}");
                let known = known_questions(&walk);
                for _ in 0..TRIED {
                    let other = anybody(schema, &person, &known, &mut random);
                    assert_eq!(label, plan.model().label(&other), "{name}, {selector}");
                }
            }
        }
    }
    let plan = plan.with_rules(Rules { budget: 100_000, ..*plan.rules() }).unwrap();
    let person = encode(schema, &random_answers(schema, Weights::Normal, &mut random));
    let smallest = smallest_core_set(&plan, &person);
    assert!(proves(&plan, &person, plan.model().label(&person), &smallest), "{name}");
}

/// Sizes from what underflows to what is next to being refused, layer by layer, with one score and with three.
#[test]
fn huge_and_tiny_weights_and_dead_units_do_no_harm() {
    let sizes: [(&str, [f64; 3]); 9] = [
        ("plain", [1.0, 1.0, 1.0]),
        ("huge, then tiny", [1e30, 1.0, 1e-30]),
        ("tiny, then huge", [1e-30, 1.0, 1e30]),
        ("huge", [1e18, 1e18, 1e18]),
        ("tiny", [1e-30, 1e-30, 1e-30]),
        ("underflowing", [1e-160, 1e-160, 1e-160]),
        ("smallest, then largest", [5e-324, 1.0, 1e55]),
        ("zero above", [1.0, 1.0, 0.0]),
        ("zero below", [0.0, 1.0, 1.0]),
    ];
    for (name, [first, second, last]) in sizes {
        for n_scores in [1, 3] {
            let mut random = Pcg64Mcg::seed_from_u64(3);
            let mut sized =
                |n_inputs: usize, n_units: usize, size: f64| layer(n_inputs, n_units, || size * normal(&mut random));
            let layers = vec![sized(6, 5, first), sized(5, 4, second), sized(4, n_scores, last)];
            never_wrong(name, &plan_of(some_questions(), Network::new(layers).unwrap()));
        }
    }
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let dead = Layer::new(6, (0..30).map(|_| normal(&mut random)).collect(), vec![-100.0; 5]).unwrap();
    for n_scores in [1, 3] {
        let last = layer(5, n_scores, || normal(&mut random));
        let plan = plan_of(some_questions(), Network::new(vec![dead.clone(), last]).unwrap());
        never_wrong("dead", &plan);
        // Nothing that is asked makes a difference, and nothing is asked.
        let walk = begun(&plan, &[0.0; 6], 0);
        assert!(matches!(walk.stage(), Stage::Settled { guarantee: Guarantee::Proved, .. }));
    }
}

/// A score of exactly zero is label 1, and of equal scores the first wins; over finitely many people that is proved
/// too.
#[test]
fn exact_ties_go_to_label_one_and_to_the_first_of_equals() {
    for (n_scores, expected) in [(1, Label::POSITIVE), (3, Label::new(0)), (4, Label::new(0))] {
        let zero =
            |n_columns: usize| Network::new(vec![layer(n_columns, 3, || 0.0), layer(3, n_scores, || 0.0)]).unwrap();
        let plan = plan_of(some_questions(), zero(6));
        never_wrong("zero", &plan);
        let rules = Rules { budget: 50_000, ..rules(0.0, Selector::Decisive) };
        let mut walk = Walk::new(&plan.with_rules(rules).unwrap());
        assert_eq!(walk.decide(&[0.5, -0.5, 1.0, 0.0, 1.0, 0.0], 0).0, expected);
        let finite = plan_of(some_questions().split_off(2), zero(4));
        assert_eq!(certify(&finite, &[1.0, 0.0, 1.0, 0.0], &[], Budget::of(100_000)), Verdict::Core(expected));
    }
    // The last of three is ahead by half, or level with the others, as no and yes have it.
    let network = Network::new(vec![Layer::new(1, vec![0.0, 0.0, 0.25], vec![0.0, 0.0, 0.25]).unwrap()]).unwrap();
    let plan = plan_of(vec![Question::boolean("x")], network);
    assert_eq!(plan.model().label(&[-1.0]), Label::new(0));
    assert_eq!(plan.model().label(&[1.0]), Label::new(2));
    assert!(matches!(certify(&plan, &[1.0], &[], Budget::of(100_000)), Verdict::Open(_)));
}

#[test]
fn wrong_networks_are_refused_by_name() {
    let fine = |n_inputs: usize, n_units: usize| layer(n_inputs, n_units, || 1.0);
    assert_eq!(
        Layer::new(2, vec![1.0; 3], vec![0.0; 2]).err(),
        Some(ModelError::WeightCount { expected: 4, found: 3 })
    );
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Layer::new(1, vec![wrong], vec![0.0]).err(), Some(ModelError::NotFinite));
        assert_eq!(Layer::new(1, vec![0.0], vec![wrong]).err(), Some(ModelError::NotFinite));
    }
    assert_eq!(Network::new(vec![]).err(), Some(ModelError::ScoreCount { found: 0 }));
    for found in [0, 2] {
        assert_eq!(Network::new(vec![fine(3, 4), fine(4, found)]).err(), Some(ModelError::ScoreCount { found }));
    }
    let refused = Network::new(vec![fine(3, 4), fine(4, 5), fine(4, 1)]);
    assert_eq!(refused.err(), Some(ModelError::LayerInputs { layer: 2, expected: 5, found: 4 }));
    let refused = Network::new(vec![fine(3, 0), fine(0, 1)]);
    assert_eq!(refused.err(), Some(ModelError::LayerInputs { layer: 1, expected: 0, found: 0 }));
    assert_eq!(Network::new(vec![fine(0, 1)]).err(), Some(ModelError::NoInputs));
    let huge = |n_inputs: usize, n_units: usize| layer(n_inputs, n_units, || 1e30);
    assert_eq!(Network::new(vec![huge(3, 4), huge(4, 1)]).err(), Some(ModelError::TooLarge));
    assert_eq!(Network::new(vec![layer(1, 1, || f64::MAX)]).err(), Some(ModelError::TooLarge));
    // What is written is checked as what is made.
    for written in [
        r#"{"family":"network","layers":[]}"#,
        r#"{"family":"network","layers":[{"n_inputs":2,"weights":[1.0],"biases":[0.0]}]}"#,
        r#"{"family":"network","layers":[{"n_inputs":1,"weights":[1e61],"biases":[0.0]}]}"#,
        r#"{"family":"network","layers":[{"n_inputs":1,"weights":[1.0,1.0],"biases":[0.0,0.0]}]}"#,
    ] {
        assert!(serde_json::from_str::<Classifier>(written).is_err(), "{written}");
    }
    assert!(serde_json::from_str::<Layer>(r#"{"n_inputs":2,"weights":[1.0],"biases":[0.0]}"#).is_err());
}

/// The product of the two upper weights underflows to nothing, and with it what x does to the score: +2e-265 at 0,
/// −6e-265 at 1. A bound that takes nothing for zero proved the label.
#[test]
fn a_product_of_weights_that_underflows_proves_nothing() {
    let one = |weight: f64, bias: f64| Layer::new(1, vec![weight], vec![bias]).unwrap();
    let network = Network::new(vec![one(4e59, 5e59), one(1e-162, 0.0), one(-2e-162, 1.2e-264)]).unwrap();
    let plan = plan_of(vec![Question::number("x", -1.0, 1.0)], network);
    assert_ne!(plan.model().label(&[0.0]), plan.model().label(&[1.0]));
    assert!(!matches!(certify(&plan, &[0.0], &[], Budget::of(10_000_000)), Verdict::Core(_)));
}

/// A place given twice counts once: it does not stand in for another question.
#[test]
fn a_question_revealed_twice_is_revealed_once() {
    for hidden in [None, Some(vec![4])] {
        let mut case = Recipe { hidden, ..numbers(2, 2, 5) }.build();
        for _ in 0..20 {
            let person = case.person();
            let label = case.plan.model().label(&person);
            for place in [0, 1] {
                assert_eq!(
                    proves(&case.plan, &person, label, &[place, place]),
                    proves(&case.plan, &person, label, &[place])
                );
                let once = certify(&case.plan, &person, &[place], Budget::of(10_000_000));
                assert_eq!(certify(&case.plan, &person, &[place, place], Budget::of(10_000_000)), once);
            }
        }
    }
}

/// Scores that are equal but for rounding were told apart differently by the folded network and by the model, so that a
/// draw could contradict a proof, and δ = 0.001 asked for more than δ = 0.
#[test]
fn draws_of_people_whose_scores_are_tied_have_the_models_own_label() {
    let questions = vec![
        (Shape::OneHot(2), false),
        (Shape::Boolean, false),
        (Shape::Boolean, false),
        (Shape::Integer, false),
        (Shape::Boolean, true),
    ];
    let (weights, seed) = (Weights::Tied, 16_555_685_192_825_099_831);
    let belief = Beliefs::Gaussian;
    let recipe = Recipe {
        n_classes: 3,
        hidden: Some(vec![]),
        trees: None,
        composed: None,
        questions,
        weights,
        belief,
        sample: 16,
        seed,
    };
    let mut case = recipe.build();
    let person = case.person();
    let asked = |delta| {
        let mut walk = Walk::new(&case.with(rules(delta, Selector::Importance)));
        walk.decide(&person, 0);
        walk.n_revealed()
    };
    assert!(asked(0.001) <= asked(0.0));
}
