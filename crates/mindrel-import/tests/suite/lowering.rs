//! A lowered classifier, on the encoded answers, is the pipeline on the raw ones.

use mindrel::Schema;
use mindrel::model::{Combine, Model};
use mindrel::schema::{Answer, Encoding, Kind, MissingNumber, Question, Target, Visibility};
use mindrel_import::pipeline::{
    Category, DenseLayer, Feature, FeatureStep, Levels, Pipeline, Predictor, RawCondition, RawInput, RawNode, RawTree,
    RawTrees,
};
use mindrel_import::{LowerError, lower};
use proptest::prelude::*;

const LEVELS: [&str; 4] = ["a", "b", "c", "d"];

/// A number, a whole number, no or yes, a one-hot and an ordinal category.
fn schema() -> Schema {
    let ordinal = Kind::Category { levels: LEVELS.map(String::from).to_vec(), encoding: Encoding::Ordinal };
    let questions = vec![
        Question::number("number", -3.0, 7.5),
        Question::new("whole", Visibility::Sensitive, Kind::Integer { lower: -2.0, upper: 9.0, missing: None }),
        Question::boolean("boolean"),
        Question::category("onehot", LEVELS),
        Question::new("ordinal", Visibility::Sensitive, ordinal),
    ];
    let classes = vec!["no".to_owned(), "yes".to_owned()];
    Schema::new(Target::new("label", "?", classes), questions).expect("sound")
}

fn inputs() -> Vec<RawInput> {
    let levels =
        Levels { known: LEVELS.iter().map(|level| Category::Text((*level).to_owned())).collect(), others: false };
    let input = |name: &str, levels: Option<Levels>| RawInput { name: Some(name.to_owned()), levels };
    vec![
        input("ordinal", Some(levels.clone())),
        input("number", None),
        input("boolean", None),
        input("onehot", Some(levels)),
        input("whole", None),
    ]
}

/// What one person says, in the order of the schema: two numbers, no or yes, two levels.
#[derive(Debug, Clone)]
struct Person(f64, i32, bool, usize, usize);

impl Person {
    fn encoded(&self, schema: &Schema) -> Vec<f64> {
        let answers = [
            Answer::Number(self.0),
            Answer::Number(f64::from(self.1)),
            Answer::Boolean(self.2),
            Answer::Level(self.3),
            Answer::Level(self.4),
        ];
        let mut row = vec![0.0; schema.n_columns()];
        for (id, answer) in schema.ids().zip(&answers) {
            schema.encode(id, answer, &mut row).expect("sound");
        }
        row
    }

    /// The value of an input: a number, or the place of a level.
    fn raw(&self, input: usize) -> f64 {
        [self.4 as f64, self.0, f64::from(u8::from(self.2)), self.3 as f64, f64::from(self.1)][input]
    }

    fn feature(&self, feature: &Feature) -> f64 {
        feature.steps.iter().fold(self.raw(feature.input), |value, step| match step {
            FeatureStep::Single => f64::from(value as f32),
            FeatureStep::Add { value: added, single: false } => value + added,
            FeatureStep::Add { value: added, .. } => f64::from(value as f32 + *added as f32),
            FeatureStep::Multiply { value: factor, single: false } => value * factor,
            FeatureStep::Multiply { value: factor, .. } => f64::from(value as f32 * *factor as f32),
            FeatureStep::Divide { value: divisor, .. } => value / divisor,
            FeatureStep::Clip { lower, upper } => value.max(*lower).min(*upper),
            FeatureStep::Indicator { of: Category::Text(level) } => {
                f64::from(u8::from(LEVELS[value as usize] == level))
            }
            FeatureStep::Missing => 0.0,
            FeatureStep::Staircase { cuts, values } => values[cuts.iter().filter(|cut| **cut < value).count()],
            FeatureStep::Map { of, values, others, .. } => {
                let level = |known: &Category| *known == Category::Text(LEVELS[value as usize].to_owned());
                of.iter().position(level).map_or(*others, |place| values[place]).expect("no strategy makes others")
            }
            FeatureStep::Code { .. }
            | FeatureStep::Impute { .. }
            | FeatureStep::Indicator { .. }
            | FeatureStep::Hash { .. } => value,
        })
    }
}

fn person() -> impl Strategy<Value = Person> {
    // Half of the numbers have few digits, so that they meet thresholds.
    let number = prop_oneof![-3.0f64..7.5, (-12i32..30).prop_map(|value| f64::from(value) / 4.0)];
    (number, -2i32..=9, any::<bool>(), 0usize..4, 0usize..4).prop_map(|(a, b, c, d, e)| Person(a, b, c, d, e))
}

/// A number of few digits, exact in single precision.
fn short() -> impl Strategy<Value = f64> {
    (-40i32..40).prop_map(|value| f64::from(value) / 8.0)
}

fn number_steps(bending: bool) -> impl Strategy<Value = Vec<FeatureStep>> {
    let factor = || prop_oneof![Just(0.37f32), Just(-1.5), Just(2.0), Just(-0.1)].prop_map(f64::from);
    let scaled = (short(), factor(), any::<bool>(), any::<bool>()).prop_map(|(value, factor, single, first)| {
        let mut steps = if single { vec![FeatureStep::Single] } else { vec![] };
        let scale = [FeatureStep::Add { value, single }, FeatureStep::Multiply { value: factor, single }];
        steps.extend(if first { scale.to_vec() } else { scale.into_iter().rev().collect() });
        steps
    });
    let divided = (short(), factor()).prop_map(|(value, divisor)| {
        vec![
            FeatureStep::Add { value, single: false },
            FeatureStep::Divide { value: divisor, single: false },
            FeatureStep::Single,
        ]
    });
    let clipped = (-2.0f64..0.0, 0.0f64..5.0).prop_map(|(lower, upper)| vec![FeatureStep::Clip { lower, upper }]);
    prop_oneof![Just(vec![]), Just(vec![FeatureStep::Single]), scaled, divided, clipped, staircase()].prop_filter(
        "bends",
        move |steps| {
            let bends = |step: &FeatureStep| matches!(step, FeatureStep::Clip { .. } | FeatureStep::Staircase { .. });
            bending || !steps.iter().any(bends)
        },
    )
}

/// A staircase of a few steps, some as high as others.
fn staircase() -> impl Strategy<Value = Vec<FeatureStep>> {
    let cuts = prop::collection::btree_set(-16i32..40, 1..6);
    (cuts, prop::collection::vec(-3i32..3, 6)).prop_map(|(cuts, heights)| {
        let cuts: Vec<f64> = cuts.into_iter().map(|cut| f64::from(cut) / 4.0).collect();
        let values = heights.into_iter().take(cuts.len() + 1).map(f64::from).collect();
        vec![FeatureStep::Staircase { cuts, values }, FeatureStep::Single]
    })
}

fn feature(bending: bool) -> impl Strategy<Value = Feature> {
    let number = (prop::sample::select(vec![1usize, 2, 4]), number_steps(bending));
    let indicator = (prop::sample::select(vec![0usize, 3]), 0usize..4)
        .prop_filter("bends", move |(input, _)| bending || *input == 3);
    let indicator = indicator.prop_map(|(input, level)| {
        (input, vec![FeatureStep::Indicator { of: Category::Text(LEVELS[level].to_owned()) }])
    });
    let map = (prop::sample::select(vec![0usize, 3]), prop::collection::vec(short(), 4))
        .prop_filter("bends", move |(input, _)| bending || *input == 3);
    let map = map.prop_map(|(input, values)| {
        let of = LEVELS.iter().map(|level| Category::Text((*level).to_owned())).collect();
        let values = values.into_iter().map(Some).collect();
        (input, vec![FeatureStep::Map { of, values, others: None, refuses: true }])
    });
    let code = (prop::sample::select(vec![0usize, 3]), number_steps(bending)).prop_map(|(input, mut steps)| {
        steps.insert(0, FeatureStep::Code { unknown: None });
        (input, steps)
    });
    prop_oneof![number, indicator, map, code].prop_map(|(input, steps)| Feature { input, steps })
}

/// A complete tree of a depth.
fn tree(depth: usize, n_features: usize) -> impl Strategy<Value = RawTree> {
    let n_splits = (1 << depth) - 1;
    let number = || prop_oneof![short(), (0i32..4).prop_map(f64::from), -5.0f64..5.0];
    let condition = prop_oneof![
        number().prop_map(RawCondition::AtMost),
        number().prop_map(RawCondition::Below),
        prop::collection::vec(0u64..4, 1..4).prop_map(RawCondition::OneOf)
    ];
    let splits = prop::collection::vec((0..n_features, condition), n_splits);
    (splits, prop::collection::vec(short(), n_splits + 1)).prop_map(move |(splits, leaves)| {
        let split = |(place, (feature, condition)): (usize, (usize, RawCondition))| RawNode::Split {
            feature,
            condition,
            left: 2 * place + 1,
            right: 2 * place + 2,
            missing_left: Some(place % 2 == 0),
        };
        let nodes =
            splits.into_iter().enumerate().map(split).chain(leaves.into_iter().map(|leaf| RawNode::Leaf(vec![leaf])));
        RawTree { class: None, nodes: nodes.collect() }
    })
}

fn naive_leaf(tree: &RawTree, features: &[f64]) -> f64 {
    let mut node = 0;
    loop {
        match &tree.nodes[node] {
            RawNode::Leaf(leaf) => return leaf[0],
            RawNode::Split { feature, condition, left, right, .. } => {
                let value = features[*feature];
                let holds = match condition {
                    RawCondition::AtMost(threshold) => value <= *threshold,
                    RawCondition::Below(threshold) => value < *threshold,
                    RawCondition::OneOf(codes) => codes.iter().any(|code| *code as f64 == value),
                };
                node = if holds { *left } else { *right };
            }
        }
    }
}

fn is_numeric_set(pipeline: &Pipeline) -> bool {
    matches!(lower(pipeline, &schema()), Err(LowerError::NumberIsNoCategory { .. }))
}

fn pipeline(features: Vec<Feature>, predictor: Predictor) -> Pipeline {
    let classes = Some(vec!["no".to_owned(), "yes".to_owned()]);
    Pipeline { inputs: inputs(), features, predictor, classes, probability: None }
}

fn score(classifier: &mindrel::model::Classifier, row: &[f64]) -> f64 {
    let mut scores = [f64::NAN];
    classifier.scores(row, &mut scores);
    scores[0]
}

proptest! {
    /// Bit for bit: every split is where the library has it, whatever is rounded on the way.
    #[test]
    fn lowered_trees_are_the_trees_on_the_raw_answers(
        features in prop::collection::vec(feature(true), 4),
        trees in prop::collection::vec(tree(3, 4), 1..4),
        people in prop::collection::vec(person(), 20),
    ) {
        let raw = RawTrees {
            n_outputs: 1,
            start: vec![0.25],
            trees: trees.clone(),
            combine: Combine::Sum,
            single: false,
            threshold: 0.0,
            positive_at_zero: true,
        };
        let pipeline = pipeline(features.clone(), Predictor::Trees(raw));
        prop_assume!(!is_numeric_set(&pipeline));
        let classifier = lower(&pipeline, &schema()).expect("sound");
        for person in &people {
            let values: Vec<f64> = features.iter().map(|feature| person.feature(feature)).collect();
            let expected = trees.iter().fold(0.25, |sum, tree| sum + naive_leaf(tree, &values));
            prop_assert_eq!(score(&classifier, &person.encoded(&schema())), expected);
        }
    }

    /// Up to rounding; the features' single precision is not followed.
    #[test]
    fn a_lowered_linear_model_or_network_is_the_one_on_the_raw_answers(
        features in prop::collection::vec(feature(false), 4),
        weights in prop::collection::vec(short(), 4 * 3),
        last in prop::collection::vec(short(), 3),
        people in prop::collection::vec(person(), 20),
    ) {
        /// Far above the rounding of single precision at the size of these numbers, far below any of them.
        const CLOSE: f64 = 1e-3;
        let hidden = DenseLayer { weights: weights.chunks(4).map(<[f64]>::to_vec).collect(), biases: vec![0.5, -0.5, 0.0] };
        let output = DenseLayer { weights: vec![last.clone()], biases: vec![0.125] };
        let network = Predictor::Network { layers: vec![hidden, output] };
        let linear = Predictor::Linear { weights: vec![weights[..4].to_vec()], intercepts: vec![0.5] };
        let network = lower(&pipeline(features.clone(), network), &schema()).expect("sound");
        let linear = lower(&pipeline(features.clone(), linear), &schema()).expect("sound");
        for person in &people {
            let values: Vec<f64> = features.iter().map(|feature| person.feature(feature)).collect();
            let unit = |row: &[f64]| row.iter().zip(&values).map(|(weight, value)| weight * value).sum::<f64>();
            let row = person.encoded(&schema());
            prop_assert!((score(&linear, &row) - (0.5 + unit(&weights[..4]))).abs() < CLOSE);
            let units = weights.chunks(4).zip([0.5, -0.5, 0.0]).zip(&last);
            let expected = units.map(|((row, bias), weight)| weight * (unit(row) + bias).max(0.0)).sum::<f64>() + 0.125;
            prop_assert!((score(&network, &row) - expected).abs() < CLOSE * 10.0);
        }
    }

    /// With the classes the other way round, the label is the same class, ties included.
    #[test]
    fn the_order_of_two_classes_changes_no_decision(
        trees in prop::collection::vec(tree(2, 1), 1..4),
        outputs in 1usize..=2,
        positive_at_zero in any::<bool>(),
        person in person(),
    ) {
        let features = vec![Feature { input: 1, steps: vec![] }];
        let mut trees = trees;
        for node in trees.iter_mut().flat_map(|tree| &mut tree.nodes) {
            match node {
                RawNode::Leaf(leaf) => {
                    // Few different values, so that there are ties.
                    let value = leaf[0].signum();
                    *leaf = if outputs == 1 { vec![value] } else { vec![value, -value] };
                }
                RawNode::Split { condition, .. } => {
                    if let RawCondition::OneOf(_) = condition { *condition = RawCondition::AtMost(1.0); }
                }
            }
        }
        let (start, threshold) = (vec![0.0; outputs], 0.0);
        let combine = Combine::Mean;
        let raw = RawTrees { n_outputs: outputs, start, trees, combine, single: true, threshold, positive_at_zero };
        let mut pipeline = pipeline(features, Predictor::Trees(raw));
        let row = person.encoded(&schema());
        let label = lower(&pipeline, &schema()).expect("sound").label(&row).index();
        pipeline.classes = Some(vec!["yes".to_owned(), "no".to_owned()]);
        let turned = lower(&pipeline, &schema()).expect("sound").label(&row).index();
        prop_assert_eq!(label, 1 - turned);
    }
}

fn linear(features: Vec<Feature>) -> Pipeline {
    let weights = vec![vec![1.0; features.len()]];
    pipeline(features, Predictor::Linear { weights, intercepts: vec![0.0] })
}

fn refusal(pipeline: &Pipeline, schema: &Schema) -> String {
    lower(pipeline, schema).expect_err("it does not fit").to_string()
}

#[test]
fn a_level_the_model_never_saw_is_refused_by_name_unless_it_takes_others() {
    let mut pipeline =
        linear(vec![Feature { input: 3, steps: vec![FeatureStep::Indicator { of: Category::Text("a".to_owned()) }] }]);
    let levels = pipeline.inputs[3].levels.as_mut().expect("a category");
    levels.known.truncate(3);
    let message = refusal(&pipeline, &schema());
    assert!(message.contains("`onehot`") && message.contains("`d`"), "{message}");
    pipeline.inputs[3].levels.as_mut().expect("a category").others = true;
    let classifier = lower(&pipeline, &schema()).expect("others are none of these");
    let at = |level: usize| score(&classifier, &Person(0.0, 0, false, level, 0).encoded(&schema()));
    assert_eq!((at(0), at(1), at(3)), (1.0, 0.0, 0.0));
}

#[test]
fn a_number_that_is_cut_off_is_refused_for_a_linear_model_but_not_at_its_own_bounds() {
    let clip = |lower, upper| linear(vec![Feature { input: 1, steps: vec![FeatureStep::Clip { lower, upper }] }]);
    assert!(refusal(&clip(0.0, 7.5), &schema()).contains("`number`"));
    assert!(lower(&clip(-3.0, 7.5), &schema()).is_ok());
}

#[test]
fn a_column_that_is_no_question_is_refused_by_name_and_without_names_by_count() {
    let mut pipeline = linear(vec![]);
    pipeline.inputs[0].name = Some("height".to_owned());
    assert!(refusal(&pipeline, &schema()).contains("`height`"));
    pipeline.inputs = vec![RawInput::default(); 4];
    let message = refusal(&pipeline, &schema());
    assert!(message.contains("4 unnamed columns") && message.contains("5 questions"), "{message}");
}

#[test]
fn classes_that_are_not_the_schemas_are_refused_and_numbers_are_compared_as_numbers() {
    let mut pipeline = linear(vec![]);
    pipeline.classes = Some(vec!["bad".to_owned(), "good".to_owned()]);
    assert!(refusal(&pipeline, &schema()).contains("bad, good"));
    pipeline.classes = Some(vec!["0".to_owned(), "1.0".to_owned()]);
    assert!(lower(&pipeline, &schema()).is_ok());
}

/// One split of an input at 0.5, with a direction for missing values.
fn one_split(input: usize, steps: Vec<FeatureStep>) -> Pipeline {
    let split = RawNode::Split {
        feature: 0,
        condition: RawCondition::AtMost(0.5),
        left: 1,
        right: 2,
        missing_left: Some(true),
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
    pipeline(vec![Feature { input, steps }], Predictor::Trees(trees))
}

#[test]
fn a_direction_for_missing_values_is_refused_where_the_schema_has_a_stand_in_and_the_model_none() {
    let mut questions = schema().questions().to_vec();
    questions[0].kind = Kind::Number { lower: -3.0, upper: 7.5, missing: Some(MissingNumber::StandIn(2.0)) };
    let schema = Schema::new(schema().target().clone(), questions).expect("sound");
    assert!(refusal(&one_split(1, vec![]), &schema).contains("handles missing values itself"));
    assert!(lower(&one_split(1, vec![FeatureStep::Impute { value: 2.0 }]), &schema).is_ok());
    assert!(refusal(&one_split(1, vec![FeatureStep::Impute { value: 3.0 }]), &schema).contains("`missing`"));
}

#[test]
fn a_missing_level_goes_where_the_model_sends_missing_values() {
    let mut questions = schema().questions().to_vec();
    questions[3] = Question::category("onehot", ["", "a", "b", "c", "d"]);
    let schema = Schema::new(schema().target().clone(), questions).expect("sound");
    let classifier = lower(&one_split(3, vec![FeatureStep::Code { unknown: None }]), &schema).expect("sound");
    let at = |level: usize| score(&classifier, &Person(0.0, 0, false, level, 0).encoded(&schema));
    assert_eq!((at(0), at(1), at(2)), (-1.0, -1.0, 1.0));
}

#[test]
fn a_tree_that_is_none_is_refused() {
    for (left, right) in [(0, 2), (1, 1), (1, 7)] {
        let mut pipeline = one_split(1, vec![]);
        let Predictor::Trees(trees) = &mut pipeline.predictor else { unreachable!() };
        let split =
            RawNode::Split { feature: 0, condition: RawCondition::AtMost(0.5), left, right, missing_left: None };
        trees.trees[0].nodes[0] = split;
        assert!(refusal(&pipeline, &schema()).contains("tree 0"));
    }
}

/// LightGBM parts zeros from negative numbers at −1e-35, which the encoding of a question merges with zero.
#[test]
fn a_zero_stays_on_its_side_of_a_threshold_that_is_merged_with_it() {
    for (threshold, expected) in [(-1e-35, 1.0), (1e-35, -1.0)] {
        let mut pipeline = one_split(1, vec![]);
        let Predictor::Trees(trees) = &mut pipeline.predictor else { unreachable!() };
        let condition = RawCondition::AtMost(threshold);
        trees.trees[0].nodes[0] = RawNode::Split { feature: 0, condition, left: 1, right: 2, missing_left: None };
        let classifier = lower(&pipeline, &schema()).expect("sound");
        assert_eq!(score(&classifier, &Person(0.0, 0, false, 0, 0).encoded(&schema())), expected);
    }
}
