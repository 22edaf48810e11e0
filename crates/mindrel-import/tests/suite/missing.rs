//! Where missing is an answer, a lowered classifier treats it as the pipeline does.

use mindrel::Schema;
use mindrel::model::{Combine, Model};
use mindrel::schema::{Answer, Kind, MissingNumber, Question, Target, Visibility};
use mindrel_import::lower;
use mindrel_import::pipeline::{
    DenseLayer, Feature, FeatureStep, Pipeline, Predictor, RawCondition, RawInput, RawNode, RawTree, RawTrees,
};
use proptest::prelude::*;

/// A number from 0 to 8 and a whole number from 1 to 9, both of which may be missing.
fn schema() -> Schema {
    let missing = Some(MissingNumber::Answer);
    let kinds = [Kind::Number { lower: 0.0, upper: 8.0, missing }, Kind::Integer { lower: 1.0, upper: 9.0, missing }];
    let questions =
        kinds.into_iter().zip(["a", "b"]).map(|(kind, name)| Question::new(name, Visibility::Sensitive, kind));
    Schema::new(Target::new("class", "", ["no", "yes"]), questions.collect()).expect("sound")
}

/// Quarters and whole numbers, a third of them missing, some far outside.
fn person() -> impl Strategy<Value = [Option<f64>; 2]> {
    let number = prop_oneof![0i32..=32, -400i32..=400];
    let a = prop::option::weighted(0.7, number.prop_map(|quarters| f64::from(quarters) / 4.0));
    let whole = prop_oneof![1i32..=9, -90i32..=90];
    let b = prop::option::weighted(0.7, whole.prop_map(f64::from));
    (a, b).prop_map(|(a, b)| [a, b])
}

fn encoded(schema: &Schema, person: &[Option<f64>; 2]) -> Vec<f64> {
    let mut row = vec![0.0; schema.n_columns()];
    for (id, value) in schema.ids().zip(person) {
        schema.encode(id, &value.map_or(Answer::Missing, Answer::Number), &mut row).expect("a number or missing");
    }
    row
}

/// A feature of either number: as it is, imputed and scaled, or whether it is missing.
fn feature() -> impl Strategy<Value = Feature> {
    let imputed = (-8i32..40)
        .prop_map(|quarters| f64::from(quarters) / 4.0)
        .prop_map(|value| vec![FeatureStep::Impute { value }, FeatureStep::Add { value: -1.0, single: false }]);
    let steps = prop_oneof![
        Just(vec![]),
        imputed.clone(),
        Just(vec![FeatureStep::Missing]),
        Just(vec![FeatureStep::Multiply { value: -2.0, single: false }]),
    ];
    (0usize..2, steps).prop_map(|(input, steps)| Feature { input, steps })
}

fn value_of(feature: &Feature, person: &[Option<f64>; 2]) -> f64 {
    let raw = person[feature.input].unwrap_or(f64::NAN);
    feature.steps.iter().fold(raw, |value, step| match step {
        FeatureStep::Impute { value: stand_in } if value.is_nan() => *stand_in,
        FeatureStep::Impute { .. } => value,
        FeatureStep::Missing => f64::from(u8::from(value.is_nan())),
        FeatureStep::Add { value: added, .. } => value + added,
        FeatureStep::Multiply { value: factor, .. } => value * factor,
        _ => unreachable!("no such step is made"),
    })
}

/// A tree of depth three over four features, with a leaf of its own for each way down.
fn tree() -> impl Strategy<Value = RawTree> {
    let threshold = prop_oneof![-1i32..=9, -100i32..=100];
    let split = (0usize..4, threshold, any::<bool>(), any::<bool>());
    prop::collection::vec(split, 7).prop_map(|splits| {
        let split = |(place, (feature, threshold, below, missing_left)): (usize, (usize, i32, bool, bool))| {
            let threshold = f64::from(threshold);
            let condition = if below { RawCondition::Below(threshold) } else { RawCondition::AtMost(threshold) };
            let (left, right) = (2 * place + 1, 2 * place + 2);
            RawNode::Split { feature, condition, left, right, missing_left: Some(missing_left) }
        };
        let leaves = (0..8).map(|leaf| RawNode::Leaf(vec![f64::from(leaf)]));
        RawTree { class: None, nodes: splits.into_iter().enumerate().map(split).chain(leaves).collect() }
    })
}

fn leaf_of(tree: &RawTree, features: &[f64]) -> f64 {
    let mut node = 0;
    loop {
        match &tree.nodes[node] {
            RawNode::Leaf(values) => return values[0],
            RawNode::Split { feature, condition, left, right, missing_left } => {
                let value = features[*feature];
                let goes_left = match condition {
                    _ if value.is_nan() => missing_left.expect("every split says"),
                    RawCondition::AtMost(threshold) => value <= *threshold,
                    RawCondition::Below(threshold) => value < *threshold,
                    RawCondition::OneOf(_) => unreachable!("no such split is made"),
                };
                node = if goes_left { *left } else { *right };
            }
        }
    }
}

fn pipeline(features: Vec<Feature>, predictor: Predictor) -> Pipeline {
    let input = |name: &str| RawInput { name: Some(name.to_owned()), levels: None };
    Pipeline { inputs: vec![input("a"), input("b")], features, predictor, classes: None, probability: None }
}

fn score(classifier: &impl Model, row: &[f64]) -> f64 {
    let mut scores = [0.0];
    classifier.scores(row, &mut scores);
    scores[0]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    /// Every direction is the tree's own, for thresholds and answers far outside the bounds too.
    #[test]
    fn trees_send_missing_numbers_where_the_library_does(
        features in prop::collection::vec(feature(), 4),
        tree in tree(),
        people in prop::collection::vec(person(), 30),
    ) {
        let trees = RawTrees {
            n_outputs: 1,
            start: vec![0.0],
            trees: vec![tree.clone()],
            combine: Combine::Sum,
            single: false,
            threshold: 0.0,
            positive_at_zero: true,
        };
        let schema = schema();
        let classifier = lower(&pipeline(features.clone(), Predictor::Trees(trees)), &schema).expect("sound");
        for person in &people {
            let values: Vec<f64> = features.iter().map(|feature| value_of(feature, person)).collect();
            prop_assert_eq!(score(&classifier, &encoded(&schema, person)), leaf_of(&tree, &values), "{:?}", person);
        }
    }

    /// What an imputer or an indicator makes of a missing number becomes part of the weights.
    #[test]
    fn linear_models_and_networks_take_what_an_imputer_makes_of_a_missing_number(
        features in prop::collection::vec(feature(), 4),
        weights in prop::collection::vec(-2.0f64..2.0, 4),
        bias in -4.0f64..4.0,
        people in prop::collection::vec(person(), 30),
        is_network in any::<bool>(),
    ) {
        let schema = schema();
        let predictor = if is_network {
            let first = DenseLayer { weights: vec![weights.clone()], biases: vec![bias] };
            Predictor::Network { layers: vec![first, DenseLayer { weights: vec![vec![1.0]], biases: vec![-0.5] }] }
        } else {
            Predictor::Linear { weights: vec![weights.clone()], intercepts: vec![bias] }
        };
        let lowered = lower(&pipeline(features.clone(), predictor), &schema);
        if features.iter().any(|feature| value_of(feature, &[None; 2]).is_nan()) {
            prop_assert!(lowered.is_err_and(|error| error.to_string().contains("missing values")));
            return Ok(());
        }
        let classifier = lowered.expect("every missing number becomes one");
        for person in &people {
            let terms = features.iter().zip(&weights).map(|(feature, weight)| weight * value_of(feature, person));
            let sum = bias + terms.sum::<f64>();
            let expected = if is_network { sum.max(0.0) - 0.5 } else { sum };
            let found = score(&classifier, &encoded(&schema, person));
            // Weights are summed in another order, over values of up to 100.
            prop_assert!((found - expected).abs() <= 1e-11, "{found} for {expected}");
        }
    }
}

/// Both answers to one model: where nobody else is beyond the threshold, missing alone parts people.
#[test]
fn being_missing_can_be_all_that_a_split_asks() {
    let split = RawNode::Split {
        feature: 0,
        condition: RawCondition::AtMost(f64::MAX),
        left: 1,
        right: 2,
        missing_left: Some(false),
    };
    let nodes = vec![split, RawNode::Leaf(vec![-1.0]), RawNode::Leaf(vec![1.0])];
    let trees = RawTrees {
        n_outputs: 1,
        start: vec![0.0],
        trees: vec![RawTree { class: None, nodes }],
        combine: Combine::Sum,
        single: false,
        threshold: 0.0,
        positive_at_zero: true,
    };
    let schema = schema();
    let feature = Feature { input: 0, steps: vec![] };
    let classifier = lower(&pipeline(vec![feature], Predictor::Trees(trees)), &schema).expect("sound");
    for (answer, expected) in [(None, 1.0), (Some(0.0), -1.0), (Some(8.0), -1.0), (Some(1e6), -1.0)] {
        assert_eq!(score(&classifier, &encoded(&schema, &[answer, Some(1.0)])), expected, "{answer:?}");
    }
}
