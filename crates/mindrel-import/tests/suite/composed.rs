//! A lowered composition, on the encoded answers, is the composition on the raw ones.

use mindrel::model::{ComposedValue, Model};
use mindrel::schema::{Answer, Question, Target};
use mindrel::{Label, Schema};
use mindrel_import::pipeline::{
    Category, ComposedPredictor, Feature, FeatureStep, Levels, Pipeline, Predictor, RawComposition, RawInput,
};
use mindrel_import::{LowerError, lower};

const LEVELS: [&str; 3] = ["a", "b", "c"];
const MEANS: [[f64; 2]; 2] = [[1.0, 0.5], [3.5, 0.25]];
const VARIANCES: [[f64; 2]; 2] = [[2.0, 0.25], [0.5, 0.125]];
const INTERCEPTS: [f64; 2] = [-1.0, -0.75];

fn schema(classes: [&str; 2]) -> Schema {
    let questions = vec![Question::number("number", -3.0, 7.5), Question::category("level", LEVELS)];
    Schema::new(Target::new("label", "?", classes.map(String::from)), questions).expect("sound")
}

/// Gaussian likelihoods of a number less one and of being “b”.
fn pipeline() -> Pipeline {
    let known = LEVELS.map(|level| Category::Text(level.to_owned())).to_vec();
    let input = |name: &str, levels: Option<Levels>| RawInput { name: Some(name.to_owned()), levels };
    let features = vec![
        Feature { input: 0, steps: vec![FeatureStep::Add { value: -1.0, single: false }] },
        Feature { input: 1, steps: vec![FeatureStep::Indicator { of: Category::Text("b".to_owned()) }] },
    ];
    let predictor = Predictor::Gaussians {
        means: MEANS.map(Vec::from).to_vec(),
        variances: VARIANCES.map(Vec::from).to_vec(),
        intercepts: INTERCEPTS.to_vec(),
    };
    let composed = RawComposition {
        predictors: vec![ComposedPredictor { features, predictor }],
        values: vec![
            ComposedValue::Sum { start: 0.0, terms: Vec::new(), divisor: 1.0 },
            ComposedValue::Score { model: 0, score: 0 },
        ],
        outputs: vec![0, 1],
        tie_order: vec![0, 1],
    };
    Pipeline {
        inputs: vec![input("number", None), input("level", Some(Levels { known, others: false }))],
        features: Vec::new(),
        predictor: Predictor::Composition(composed),
        classes: Some(vec!["no".to_owned(), "yes".to_owned()]),
        probability: None,
    }
}

fn is_yes(number: f64, level: usize) -> bool {
    let features = [number - 1.0, f64::from(u8::from(level == 1))];
    let score = |class: usize| {
        let terms =
            (0..2).map(|place| (features[place] - MEANS[class][place]).powi(2) / (2.0 * VARIANCES[class][place]));
        INTERCEPTS[class] - terms.sum::<f64>()
    };
    score(1) > score(0)
}

#[test]
fn gaussian_likelihoods_decide_as_on_the_raw_answers_in_either_order_of_the_classes() {
    for classes in [["no", "yes"], ["yes", "no"]] {
        let schema = schema(classes);
        let classifier = lower(&pipeline(), &schema).expect("it fits");
        let yes = Label::new(classes.iter().position(|class| *class == "yes").expect("there is one"));
        let mut n_yes = 0;
        for step in 0..=200 {
            for level in 0..LEVELS.len() {
                let number = -3.0 + 10.5 * f64::from(step) / 200.0;
                let mut person = vec![0.0; schema.n_columns()];
                for (id, answer) in schema.ids().zip([Answer::Number(number), Answer::Level(level)]) {
                    schema.encode(id, &answer, &mut person).expect("sound");
                }
                let expected = is_yes(number, level);
                assert_eq!(classifier.label(&person) == yes, expected, "{number}, {level}");
                n_yes += usize::from(expected);
            }
        }
        assert!(n_yes > 50 && n_yes < 550);
    }
}

#[test]
fn what_is_no_composition_is_refused() {
    let schema = schema(["no", "yes"]);
    let Pipeline { predictor: Predictor::Composition(composed), .. } = pipeline() else { panic!("it is composed") };
    let refused = |change: &dyn Fn(&mut RawComposition)| {
        let mut changed = composed.clone();
        change(&mut changed);
        lower(&Pipeline { predictor: Predictor::Composition(changed), ..pipeline() }, &schema)
            .expect_err("it does not fit")
    };
    let nested = ComposedPredictor { features: Vec::new(), predictor: Predictor::Composition(composed.clone()) };
    assert!(matches!(refused(&|it| it.predictors[0] = nested.clone()), LowerError::Malformed { .. }));
    assert!(matches!(refused(&|it| drop(it.predictors[0].features.pop())), LowerError::Malformed { .. }));
    assert!(matches!(refused(&|it| it.tie_order = vec![0, 7]), LowerError::Malformed { .. }));
    assert!(matches!(refused(&|it| it.outputs = vec![0, 1, 1]), LowerError::ClassCount { .. }));
    assert!(matches!(refused(&|it| drop(it.values.pop())), LowerError::Model(_)));
}
