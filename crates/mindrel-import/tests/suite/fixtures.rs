//! Small models of every library, against what the library itself predicts.

use crate::common::{FILES, expected, model, schema};
use mindrel::Schema;
use mindrel::model::{Classifier, Model};
use mindrel_import::{Format, lower, read};

/// Files of ONNX hold single precision; their scores are about 1 in size.
const CLOSE: f64 = 1e-6;

fn encoded(schema: &Schema, row: &[String]) -> Vec<f64> {
    let mut columns = vec![0.0; schema.n_columns()];
    for (id, cell) in schema.ids().zip(row) {
        let answer = schema.question(id).parse(cell).expect("a row of the fixture");
        schema.encode(id, &answer, &mut columns).expect("a row of the fixture");
    }
    columns
}

fn imported(name: &str) -> (Classifier, Schema) {
    let expected = expected(name);
    let schema = schema(expected.rows[0].len(), expected.scores[0].len().max(2));
    let (_, pipeline) = read(&model(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    (lower(&pipeline, &schema).unwrap_or_else(|error| panic!("{name}: {error}")), schema)
}

#[test]
fn every_file_gives_the_librarys_own_labels_and_scores() {
    for name in FILES {
        let (classifier, schema) = imported(name);
        let expected = expected(name);
        for (place, row) in expected.rows.iter().enumerate() {
            let columns = encoded(&schema, row);
            let mut scores = vec![0.0; classifier.n_scores()];
            classifier.scores(&columns, &mut scores);
            assert_eq!(classifier.label(&columns).index(), expected.labels[place], "{name}, row {place}");
            for (score, expected) in scores.iter().zip(&expected.scores[place]) {
                assert!((score - expected).abs() < CLOSE, "{name}, row {place}: {score} and not {expected}");
            }
        }
    }
}

/// XGBoost adds up in single precision, LightGBM and CatBoost in double precision, in the order of the trees; so do we.
#[test]
fn boosters_scores_are_the_librarys_to_the_last_bit() {
    for name in FILES.iter().filter(|name| !name.ends_with(".onnx")) {
        let (classifier, schema) = imported(name);
        let expected = expected(name);
        for (row, expected) in expected.rows.iter().zip(&expected.scores) {
            let mut scores = vec![0.0; classifier.n_scores()];
            classifier.scores(&encoded(&schema, row), &mut scores);
            assert_eq!(scores, *expected, "{name}");
        }
    }
}

#[test]
fn json_and_ubjson_are_the_same_model() {
    let (json, ubjson) = (read(&model("xgboost.json")), read(&model("xgboost.ubj")));
    let (json, ubjson) = (json.expect("sound"), ubjson.expect("sound"));
    assert_eq!((json.0, ubjson.0), (Format::XgboostJson, Format::XgboostUbjson));
    assert_eq!(json.1, ubjson.1);
}

#[test]
fn a_file_of_no_known_format_is_refused() {
    for bytes in [&b""[..], b"\x80\x04\x95 a pickle", b"hello", b"[1, 2]"] {
        let error = read(bytes).expect_err("no model").to_string();
        assert!(error.contains("ONNX") && error.contains("LightGBM"), "{error}");
    }
}

/// A model's text with something replaced.
fn with(name: &str, from: &str, to: &str) -> String {
    let text = String::from_utf8(model(name)).expect("a text");
    assert!(text.contains(from), "{name} has no {from}");
    let changed = text.replace(from, to);
    read(changed.as_bytes()).expect_err("it is refused").to_string()
}

#[test]
fn what_is_not_brought_in_is_named_with_the_remedy() {
    let error = with("xgboost.json", "binary:logistic", "reg:squarederror");
    assert!(error.contains("reg:squarederror") && error.contains("binary:logistic"), "{error}");
    let error = with("lightgbm-three.txt", "objective=multiclass num_class:3", "objective=regression");
    assert!(error.contains("regression") && error.contains("multiclass"), "{error}");
    let error = with("lightgbm-forest.txt", "is_linear=0", "is_linear=1");
    assert!(error.contains("tree 0") && error.contains("linear_tree"), "{error}");
}

/// 4 is `missing_type` zero, default right: zeros go right of a positive threshold, which no single threshold says.
#[test]
fn zeros_that_count_as_missing_are_refused_where_they_go_the_other_way() {
    let text = String::from_utf8(model("lightgbm-forest.txt")).expect("a text");
    let line = text.lines().find(|line| line.starts_with("decision_type=")).expect("there are splits");
    let count = line.split(' ').count();
    let zeros = |decision: &str| format!("decision_type={}", vec![decision; count].join(" "));
    let threshold = text.lines().find(|line| line.starts_with("threshold=")).expect("there are splits");
    let positive = format!("threshold={}", vec!["0.5"; count].join(" "));
    let changed = text.replacen(threshold, &positive, 1);
    let error = read(changed.replacen(line, &zeros("4"), 1).as_bytes()).expect_err("it is refused").to_string();
    assert!(error.contains("zeros") && error.contains("zero_as_missing"), "{error}");
    assert!(read(changed.replacen(line, &zeros("6"), 1).as_bytes()).is_ok());
}
