//! `mindrel frontier` as a user meets it.

use crate::common::{Desk, people};
use serde_json::Value;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("people.csv", people(2, 600).to_text());
    desk
}

const ROLES: [&str; 4] = ["--label", "outcome", "--public", "age"];

fn frontier(desk: &Desk, more: &[&str]) -> Value {
    let arguments = ["frontier", "people.csv", "--json"].into_iter().chain(ROLES);
    desk.run(arguments.chain(more.iter().copied())).succeeded().json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

/// The same model, trained by `fit` and measured by `audit`, has the same plan and the same numbers on both halves
/// together.
#[test]
fn a_point_is_what_fit_and_audit_say_of_the_same_model() {
    let desk = desk();
    let report = frontier(&desk, &["--no-network", "--seed", "3"]);
    let models = report["models"].as_array().expect("a list");
    let split = ["--holdout", "0.4", "--seed", "3", "--force", "-o", "one.plan"];
    let mut compared = 0;
    for (place, model) in models.iter().enumerate() {
        let left_out: Vec<&str> =
            model["left_out"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        if place != 2 && left_out.len() != 2 {
            continue;
        }
        let (strength, ignored) = (model["regularization"].to_string(), left_out.join(","));
        let mut fit: Vec<&str> = ["fit", "people.csv"].into_iter().chain(ROLES).chain(split).collect();
        fit.extend(["--regularization", &strength]);
        if !ignored.is_empty() {
            fit.extend(["--ignore", &ignored]);
        }
        desk.run(fit).succeeded();
        assert_eq!(desk.json("one.plan")["fingerprint"], model["plan"], "{model}");
        let audit = ["audit", "one.plan", "people.csv", "--held-out", "--delta", "0", "--json", "-"];
        let audit = desk.run(audit).succeeded().json();
        let (validation, test) = (&model["validation"], &model["test"]);
        let total = number(&validation["people"]) + number(&test["people"]);
        assert_eq!(number(&audit["people"]), total);
        let both = |name: &str| {
            let part = |part: &Value| number(&part["people"]) * number(&part[name]);
            (part(validation) + part(test)) / total
        };
        let run = &audit["runs"][0];
        compared += 1;
        // Sums of two products against one division.
        assert!((both("accuracy") - number(&run["accuracy"])).abs() < 1e-12, "{model} {run}");
        assert!((both("mean_asked") - number(&run["mean_asked"])).abs() < 1e-12, "{model} {run}");
    }
    assert_eq!(compared, 2, "one with all questions, one without two of them");
}

#[test]
fn the_chosen_model_asks_least_among_those_close_to_the_best() {
    let desk = desk();
    for within in ["0", "0.005", "0.1"] {
        let report = frontier(&desk, &["--no-network", "--within", within]);
        let models = report["models"].as_array().expect("a list");
        let accuracy = |model: &Value| number(&model["validation"]["accuracy"]);
        let asked = |model: &Value| number(&model["validation"]["mean_asked"]);
        let place = |name: &str| report[name].as_u64().expect("a place") as usize;
        let (best, chosen) = (&models[place("best")], &models[place("chosen")]);
        assert!(models.iter().all(|model| accuracy(model) <= accuracy(best)));
        let least = accuracy(best) - number(&report["within"]) - 1e-9;
        assert!(accuracy(chosen) >= least);
        assert!(models.iter().all(|model| accuracy(model) < least + 2e-9 || asked(model) >= asked(chosen)));
        for model in models {
            let beaten = models.iter().any(|other| {
                accuracy(other) >= accuracy(model)
                    && asked(other) <= asked(model)
                    && (accuracy(other) > accuracy(model) || asked(other) < asked(model))
            });
            assert_eq!(model["on_frontier"], Value::Bool(!beaten), "{model}");
        }
    }
}

#[test]
fn the_chosen_plan_chart_and_page_are_written_and_the_plan_can_be_used() {
    let desk = desk();
    let files = ["--no-network", "--within", "0.02", "--plan", "chosen.plan", "--svg", "f.svg", "-o", "f.html"];
    let seen = desk.run(["frontier", "people.csv"].into_iter().chain(ROLES).chain(files)).succeeded().out;
    for words in ["Trained on ", "Chosen: ", "4 sensitive questions", "accuracy", "validation"] {
        assert!(seen.contains(words), "{words:?} is missing from\n{seen}");
    }
    assert!(desk.read("f.svg").starts_with("<svg"));
    assert!(desk.read("f.html").starts_with("<!doctype html>"));
    assert!(!desk.read("f.html").contains("<script"));
    let report = frontier(&desk, &["--no-network", "--within", "0.02"]);
    let chosen = &report["models"][report["chosen"].as_u64().expect("a place") as usize];
    assert_eq!(desk.json("chosen.plan")["fingerprint"], chosen["plan"]);
    desk.run(["inspect", "chosen.plan"]).succeeded();
    desk.run(["audit", "chosen.plan", "people.csv", "--held-out"]).succeeded();
}

/// Which would not be so if training or the split drew from anything but the seed.
#[test]
fn the_same_seed_gives_the_same_frontier_with_a_network_too() {
    let desk = desk();
    let more = ["--people", "40", "--seed", "1"];
    let report = frontier(&desk, &more);
    assert_eq!(report, frontier(&desk, &more));
    let models = report["models"].as_array().expect("a list");
    assert!(models.iter().any(|model| model["kind"] == "network"));
    assert!(models.iter().all(|model| model["test"]["people"] == 40 && model["validation"]["people"] == 40));
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let desk = desk();
    let with = |more: &[&'static str]| -> Vec<&'static str> {
        ["frontier", "people.csv"].into_iter().chain(ROLES).chain(more.iter().copied()).collect()
    };
    desk.refuses(["frontier", "nowhere.csv", "--label", "outcome", "--public", "age"], &["nowhere.csv"]);
    desk.refuses(["frontier", "people.csv", "--label", "outcome"], &["say which columns are sensitive"]);
    desk.refuses(with(&["--within", "-1"]), &["--within", "at least 0 and below 1"]);
    desk.refuses(with(&["--holdout", "0"]), &["--holdout", "above 0 and below 1"]);
    desk.refuses(with(&["--svg", "no/such/folder/f.svg"]), &["f.svg"]);
    desk.refuses(with(&["--plan", "people.csv"]), &["people.csv"]);
    let everything = "age,income,visits,member,region";
    let public = ["frontier", "people.csv", "--label", "outcome", "--public", everything];
    desk.refuses(public, &["no question is sensitive"]);
}
