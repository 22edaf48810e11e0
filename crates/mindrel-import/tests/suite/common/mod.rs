//! The model files of `tests/fixtures`, which `make.py` there writes with the libraries themselves.

use std::path::PathBuf;

use mindrel::Schema;
use mindrel::schema::{Question, Target};
use serde::Deserialize;

/// What the library predicts on some rows: cells as text, labels by place, scores.
#[derive(Deserialize)]
#[allow(dead_code)]
pub struct Expected {
    pub rows: Vec<Vec<String>>,
    pub labels: Vec<usize>,
    pub scores: Vec<Vec<f64>>,
}

pub const FILES: [&str; 18] = [
    "boosting.onnx",
    "catboost-leaves.json",
    "catboost-three.cbm",
    "catboost.cbm",
    "catboost.json",
    "forest-three.onnx",
    "forest.onnx",
    "lightgbm-categories.txt",
    "lightgbm-forest.txt",
    "lightgbm-three.txt",
    "logistic-columns.onnx",
    "logistic-three.onnx",
    "network.onnx",
    "xgboost-categories.json",
    "xgboost-dart.json",
    "xgboost-three.ubj",
    "xgboost.json",
    "xgboost.ubj",
];

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// The bytes of a model file.
pub fn model(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).expect("the fixture is in the repository")
}

/// What its library predicts.
#[allow(dead_code)]
pub fn expected(name: &str) -> Expected {
    let text = std::fs::read(fixture(&format!("{name}.expected.json"))).expect("the fixture is in the repository");
    serde_json::from_slice(&text).expect("make.py writes JSON")
}

/// Three numbers, and for rows of four cells a category; two or three classes.
pub fn schema(n_columns: usize, n_classes: usize) -> Schema {
    let mut questions = ["a", "b", "c"].map(|name| Question::number(name, -5.0, 5.0)).to_vec();
    if n_columns == 4 {
        questions.push(Question::category("colour", ["red", "green", "blue"]));
    }
    let classes = (0..n_classes).map(|class| class.to_string());
    Schema::new(Target::new("label", "?", classes), questions).expect("sound")
}
