//! The fits are those of scikit-learn. Reference numbers: `scripts/reference/logistic.py`, which wrote
//! `tests/reference/*.json` with scikit-learn 1.9.1.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{fit, objective, parameters};
use mindrel_train::TrainingSet;
use mindrel_train::logistic::LogisticOptions;
use serde::Deserialize;

/// Each coefficient: the last step overshoots the tolerance by far. Seen: 9e-11 and less.
const COEFFICIENT_TOLERANCE: f64 = 1e-9;
/// Our objective may exceed scikit-learn's by rounding in a sum of 45,211 losses only.
const OBJECTIVE_TOLERANCE: f64 = 1e-12;

#[derive(Deserialize)]
struct Reference {
    objective: f64,
    classes: Vec<String>,
    features: Vec<String>,
    coefficients: Vec<Vec<f64>>,
    intercepts: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Ordinal,
    OneHot,
}

#[test]
fn bank_with_ordinal_columns_is_fitted_as_by_scikit_learn() {
    assert_matches("bank", "bank.csv", Encoding::Ordinal);
}

#[test]
fn bank_with_one_hot_columns_is_fitted_as_by_scikit_learn() {
    assert_matches("bank-onehot", "bank.csv", Encoding::OneHot);
}

#[test]
fn three_classes_of_fetal_are_fitted_as_by_scikit_learn() {
    assert_matches("fetal", "fetal.csv", Encoding::Ordinal);
}

fn assert_matches(name: &str, file: &str, encoding: Encoding) {
    let Some(folder) = mindrel_testing::data_folder(name) else {
        return;
    };
    let reference = reference(name);
    let table = fs::read_to_string(folder.join(file)).expect("the evaluation data are readable");
    let (features, set) = encode(&table, &reference.classes, encoding);
    assert_eq!(features, reference.features);
    let mut expected = reference.coefficients.concat();
    expected.extend(&reference.intercepts);
    let fit = fit(&set, &LogisticOptions::default());
    let found = parameters(&fit.model, set.n_classes());
    for (parameter, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let difference = (found - expected).abs() / expected.abs();
        assert!(difference < COEFFICIENT_TOLERANCE, "{name}, {parameter}: {difference:e}");
    }
    let largest = reference.objective * (1.0 + OBJECTIVE_TOLERANCE);
    assert!(fit.objective <= largest, "{name}: {} > {largest}", fit.objective);
    assert!(objective(&set, &fit.model, 1.0) <= largest, "{name}");
}

fn reference(name: &str) -> Reference {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/reference/{name}.json"));
    let text = fs::read_to_string(path).expect("the reference is part of the repository");
    serde_json::from_str(&text).expect("the reference is valid JSON")
}

/// Encodes a table whose cells hold no quotes; the last column is the label.
fn encode(table: &str, classes: &[String], encoding: Encoding) -> (Vec<String>, TrainingSet) {
    assert!(!table.contains('"'), "a quoted cell needs a real CSV reader");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let lines: Vec<_> = lines.collect();
    let label = |line: &Vec<&str>| {
        let name = line.last().expect("a label");
        classes.iter().position(|class| class == name).expect("a known class")
    };
    let labels = lines.iter().map(label).collect();
    let (mut names, mut columns) = (Vec::new(), Vec::new());
    for (index, name) in header[..header.len() - 1].iter().enumerate() {
        let cells: Vec<&str> = lines.iter().map(|line| line[index]).collect();
        for (suffix, column) in encode_column(&cells, encoding) {
            names.push(format!("{name}{suffix}"));
            columns.push(column);
        }
    }
    let rows = (0..lines.len()).flat_map(|row| columns.iter().map(move |column: &Vec<f64>| column[row]));
    let set = TrainingSet::new(rows.collect(), columns.len(), labels, classes.len()).expect("a valid set");
    (names, set)
}

fn encode_column(cells: &[&str], encoding: Encoding) -> Vec<(String, Vec<f64>)> {
    let numbers: Result<Vec<f64>, _> = cells.iter().map(|cell| cell.parse()).collect();
    if let Ok(numbers) = numbers {
        let lower = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let upper = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scaled = numbers.iter().map(|value| -1.0 + 2.0 * (value - lower) / (upper - lower));
        return vec![(String::new(), scaled.collect())];
    }
    let levels: Vec<&str> = cells.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    if encoding == Encoding::OneHot && levels.len() > 2 {
        let indicator = |level: &str| cells.iter().map(|cell| f64::from(u8::from(*cell == level))).collect();
        return levels.iter().map(|level| (format!("={level}"), indicator(level))).collect();
    }
    let last = (levels.len() - 1) as f64;
    let place = |cell: &&str| levels.binary_search(cell).expect("a level") as f64;
    vec![(String::new(), cells.iter().map(|cell| -1.0 + 2.0 * place(cell) / last).collect())]
}
