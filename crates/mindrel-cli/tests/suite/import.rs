//! `mindrel import` from a file to a decision, with small models of every library.

use std::path::PathBuf;

use crate::common::{Desk, SENTINEL};
use serde_json::{Map, Value, json};

/// The models, and what the libraries themselves say of a few rows, are those of the importer's own tests.
fn fixture(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../mindrel-import/tests/fixtures", name].iter().collect()
}

const NAMES: [&str; 4] = ["a", "b", "c", "colour"];

/// A folder with a model and, as `rows.csv`, the rows the library decided about; and its labels.
fn desk(name: &str) -> (Desk, Vec<Vec<String>>, Vec<String>) {
    let desk = Desk::new();
    desk.write("model", std::fs::read(fixture(name)).unwrap());
    let expected = std::fs::read_to_string(fixture(&format!("{name}.expected.json"))).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let rows: Vec<Vec<String>> = serde_json::from_value(expected["rows"].clone()).unwrap();
    let labels: Vec<String> = expected["labels"].as_array().unwrap().iter().map(Value::to_string).collect();
    let header = NAMES[..rows[0].len()].join(",");
    let lines = rows.iter().zip(&labels).map(|(row, label)| format!("{},{label}\n", row.join(",")));
    desk.write("rows.csv", format!("{header},label\n{}", lines.collect::<String>()));
    (desk, rows, labels)
}

const IMPORT: [&str; 10] =
    ["import", "model", "--table", "rows.csv", "--label", "label", "--public", "a", "-o", "model.plan"];

/// Every decision is proved or complete, is the library's own, and its certificate holds.
#[test]
fn models_of_every_library_decide_as_they_do_there_with_a_proof() {
    let names = [
        "boosting.onnx",
        "catboost-leaves.json",
        "catboost.cbm",
        "forest.onnx",
        "forest-three.onnx",
        "lightgbm-categories.txt",
        "lightgbm-three.txt",
        "logistic-columns.onnx",
        "logistic-three.onnx",
        "network.onnx",
        "xgboost-categories.json",
        "xgboost-three.ubj",
    ];
    for name in names {
        let (desk, rows, labels) = desk(name);
        desk.run(IMPORT).succeeded();
        for (row, label) in rows.iter().zip(&labels).take(6) {
            let answer = |(name, cell): (&&str, &String)| {
                ((*name).to_owned(), cell.parse::<f64>().map_or_else(|_| json!(cell), |number| json!(number)))
            };
            let answers: Map<String, Value> = NAMES.iter().zip(row).map(answer).collect();
            desk.write("answers.json", json!(answers).to_string());
            desk.run(["ask", "model.plan", "--answers", "answers.json", "--force", "--certificate", "mine.json"])
                .succeeded();
            let certificate = desk.json("mine.json");
            assert_eq!(certificate["label"], json!(label), "{name}");
            assert!(["proved", "complete"].contains(&certificate["guarantee"].as_str().unwrap()), "{name}");
            desk.run(["verify", "model.plan", "mine.json"]).succeeded();
        }
    }
}

#[test]
fn what_came_in_is_said() {
    let (desk, ..) = desk("xgboost.json");
    let said = desk.run(IMPORT).succeeded().out;
    assert!(said.contains("XGBoost") && said.contains("trees"), "{said}");
    let inspected = desk.run(["inspect", "model.plan"]).succeeded().out;
    assert!(inspected.contains("trees"), "{inspected}");
}

/// From a low probability on, nearly everybody is of the second class.
#[test]
fn a_threshold_moves_the_label_and_is_said() {
    for name in ["xgboost.json", "forest.onnx"] {
        let (desk, rows, _) = desk(name);
        let mut share = Vec::new();
        for threshold in ["0.02", "0.98"] {
            let said = desk.run(IMPORT.into_iter().chain(["--force", "--threshold", threshold])).succeeded().out;
            assert!(said.contains(&format!("from a probability of {threshold}")), "{said}");
            desk.run(["audit", "model.plan", "rows.csv", "--force", "--people-csv", "people.csv"]).succeeded();
            let decided = desk.read("people.csv");
            share.push(decided.lines().filter(|line| line.split(',').any(|cell| cell == "1")).count());
        }
        assert!(rows.len() > 3 && share[0] > share[1], "{name}: {share:?}");
    }
    let (desk, ..) = desk("xgboost-three.ubj");
    desk.refuses(IMPORT.into_iter().chain(["--threshold", "0.3"]), &["--threshold", "two classes"]);
    desk.refuses(IMPORT.into_iter().chain(["--threshold", "1.3"]), &["between 0 and 1"]);
}

/// What an error costs is a threshold: errors about class 1 that cost 49 times as much are one of 0.02 on it.
#[test]
fn costs_of_errors_are_a_threshold_and_are_said() {
    for name in ["xgboost.json", "forest.onnx"] {
        let (desk, ..) = desk(name);
        let said = desk.run(IMPORT.into_iter().chain(["--error-costs", "1=49,0=1"])).succeeded().out;
        assert!(said.contains("cost 49 for “1”, 1 for “0”"), "{said}");
        let by_costs = desk.json("model.plan")["fingerprint"].clone();
        desk.run(IMPORT.into_iter().chain(["--force", "--threshold", "0.02"])).succeeded();
        assert_eq!(by_costs, desk.json("model.plan")["fingerprint"], "{name}");
    }
    let (desk, ..) = desk("xgboost.json");
    let with = |costs| IMPORT.into_iter().chain(["--error-costs", costs]);
    desk.refuses(with("1=5"), &["`0` has no cost", "add 0=1"]);
    desk.refuses(with("1=5,0=1,2=1"), &["no class `2`", "0, 1"]);
    desk.refuses(with("1=-5,0=1"), &["cost above 0"]);
    desk.refuses(with("1=5,0=1").chain(["--threshold", "0.3"]), &["--threshold", "--error-costs"]);
    let (desk, ..) = self::desk("xgboost-three.ubj");
    desk.refuses(IMPORT.into_iter().chain(["--error-costs", "0=1,1=2,2=3"]), &["--error-costs", "two classes"]);
}

#[test]
fn a_model_that_does_not_fit_is_refused_and_nothing_is_written() {
    let (desk, ..) = desk("xgboost.json");
    let whole = std::fs::read(desk.path("model")).unwrap();
    desk.write("model", &whole[..whole.len() / 2]);
    desk.refuses(IMPORT, &["model"]);
    desk.write("model", format!("this is no model {SENTINEL}"));
    desk.refuses(IMPORT, &["model", "ONNX"]);
    desk.write("model", &whole);
    desk.write("rows.csv", "a,b,label\n1,2,0\n2,1,1\n3,5,0\n");
    desk.refuses(IMPORT, &["takes 3 unnamed columns", "2 questions"]);
}

/// A level the model never saw, in the table: named, with the way out.
#[test]
fn a_level_the_model_never_saw_is_refused_by_name() {
    let (desk, ..) = desk("xgboost-categories.json");
    let table = desk.read("rows.csv") + "0.5,0.5,0.5,purple,1\n";
    desk.write("rows.csv", table);
    desk.refuses(IMPORT, &["colour", "purple"]);
}

/// A column of one text and one of one number make no question by themselves, but the model takes them.
#[test]
fn columns_of_one_value_are_no_obstacle() {
    let (desk, rows, labels) = desk("logistic-columns.onnx");
    let line = |(row, label): (&Vec<String>, &String)| format!("{},2,{},red,{label}\n", row[0], row[2]);
    let lines: String = rows.iter().zip(&labels).map(line).collect();
    desk.write("rows.csv", format!("a,b,c,colour,label\n{lines}"));
    desk.run(IMPORT).succeeded();
    let questions = desk.json("model.plan")["plan"]["schema"]["questions"].clone();
    assert_eq!((&questions[1]["lower"], &questions[1]["upper"]), (&json!(2.0), &json!(3.0)));
    assert_eq!(questions[3]["levels"], json!(["red", "other"]));
}

/// Where the model takes levels that it never saw, one level stands for all of them.
#[test]
fn a_level_the_model_never_saw_goes_where_the_model_sends_it() {
    let (desk, ..) = desk("logistic-columns.onnx");
    desk.run(IMPORT).succeeded();
    let colour = desk.json("model.plan")["plan"]["schema"]["questions"][3].clone();
    let place = colour["other"].as_u64().expect("a level for all others") as usize;
    assert_eq!(colour["levels"][place], "other");
    let table = desk.read("rows.csv");
    let strange = table.lines().nth(1).unwrap().replace(colour["levels"][0].as_str().unwrap(), "purple");
    desk.write("strange.csv", format!("{}\n{strange}\n{strange}\n", table.lines().next().unwrap()));
    desk.run(["audit", "model.plan", "strange.csv"]).succeeded();
}

/// A folder as [`desk`]'s, with a network whose rectifier is a hyperbolic tangent: a graph of no family that is known.
#[cfg(not(feature = "onnx-runtime"))]
fn desk_with_unknown_graph() -> Desk {
    let (desk, ..) = desk("network.onnx");
    let mut graph = std::fs::read(desk.path("model")).unwrap();
    let places: Vec<usize> = (0..graph.len() - 4).filter(|&place| &graph[place..place + 4] == b"Relu").collect();
    places.iter().for_each(|&place| graph[place..place + 4].copy_from_slice(b"Tanh"));
    assert!(!places.is_empty());
    desk.write("model", graph);
    desk
}

#[cfg(not(feature = "onnx-runtime"))]
#[test]
fn without_the_runtime_a_graph_that_can_only_be_run_is_refused_with_the_remedy() {
    const REMEDY: &str = "cargo install --path crates/mindrel-cli --features onnx-runtime";
    let desk = desk_with_unknown_graph();
    desk.refuses(IMPORT, &["model", "Tanh", "black box", "no ONNX runtime", REMEDY]);
    let (desk, ..) = self::desk("network.onnx");
    desk.run(IMPORT).succeeded();
    let mut plan = desk.json("model.plan");
    let (n_columns, n_scores) = (3, 1);
    plan["plan"]["model"] =
        json!({"family": "black-box", "format": "onnx", "n_columns": n_columns, "n_scores": n_scores, "payload": ""});
    desk.write("model.plan", plan.to_string());
    desk.refuses(["inspect", "model.plan"], &["model.plan", "ONNX graph", "no ONNX runtime", REMEDY]);
}
