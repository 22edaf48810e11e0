//! `mindrel ask` where some answers follow from others.

use crate::common::{Desk, Outcome};
use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::schema::{Question, Target};
use mindrel::selector::Selector;
use mindrel::{Plan, Rules, Schema};
use mindrel_io::plan_file;
use serde_json::json;

/// A deposit: whoever was never called has no outcome of it and no days since, and children are not called.
fn campaign() -> Desk {
    let worded = |question: Question, prompt: &str| Question { prompt: prompt.to_owned(), ..question };
    let words = [("unknown", "there was none")].into_iter().collect();
    let outcome = Question { words, ..Question::category("outcome", ["unknown", "failure", "success"]) };
    let questions = vec![
        worded(Question::number("age", 0.0, 120.0).public(), "How old are you?"),
        worded(Question::boolean("called").public(), "Called before"),
        worded(outcome, "Outcome"),
        worded(Question::number("days", -1.0, 999.0), "Days since"),
        worded(Question::number("balance", 0.0, 10000.0), "What is in your account?"),
        worded(Question::boolean("loan"), "Do you have a loan?"),
    ];
    let rules = json!([
        {"when": {"outcome": ["unknown"]}, "then": {"days": {"from": -1, "to": -1}}},
        {"when": {"outcome": ["failure", "success"]}, "then": {"days": {"from": 0}}},
        {"when": {"called": false}, "then": {"outcome": ["unknown"]}},
        {"when": {"age": {"below": 18}}, "then": {"called": false}},
    ]);
    let schema = Schema::new(Target::new("deposit", "Will you save with us?", ["no", "yes"]), questions);
    let rules = serde_json::from_value(rules).expect("rules");
    let schema = schema.and_then(|schema| schema.with_implications(rules)).expect("sound questions and rules");
    let model = LinearModel::new(8, vec![0.2, 0.2, 4.0, -4.0, 3.0, 2.5, 1.5, 1.5], vec![0.5]).expect("sound weights");
    let covariance = (0..64).map(|place| if place % 9 == 0 { 0.2 } else { 0.0 }).collect();
    let belief = GaussianBelief::new(vec![0.0; 8], covariance).expect("sound moments");
    let rules = Rules { selector: Selector::Importance, ..Rules::default() };
    let desk = Desk::new();
    plan_file::write(&desk.path("some.plan"), &Plan::new(schema, model, belief, rules).expect("a plan"))
        .expect("it is written");
    desk
}

fn ask(desk: &Desk, public: &str, lines: &[&str], more: &[&str]) -> Outcome {
    desk.run_typing(["ask", "some.plan", "--public", public].into_iter().chain(more.iter().copied()), lines)
}

#[test]
fn what_follows_is_told_and_never_asked() {
    let desk = campaign();
    let more = ["--certificate", "mine.json", "--json", "end.json"];
    let told = ask(&desk, "age=40,called=yes", &["there was none", "10000"], &more).succeeded();
    assert_eq!(told.questions(), ["Outcome", "What is in your account?"]);
    let after = told.out.split_once("1  Outcome").expect("it was asked").1;
    let line = "\n   Days since: -1 (follows from “Outcome”)\n";
    assert!(after.contains(line), "{}", told.out);
    assert_eq!(told.out.matches("follows from").count(), 1, "it is told once: {}", told.out);
    assert!(told.out.contains("\nKnown without asking: days.\nNever asked: loan.\n"), "{}", told.out);
    let end = desk.json("end.json");
    assert_eq!(end["implied"], json!([{"question": "days", "follows_from": ["outcome"]}]));
    assert_eq!((&end["answered"], &end["never_asked"]), (&json!(["outcome", "balance"]), &json!(["loan"])));
    assert_eq!(desk.json("mine.json")["implied"][0]["answer"], -1.0);
    desk.run(["verify", "some.plan", "mine.json"]).succeeded();
    desk.write("answers.json", json!({"age": 40, "called": true, "outcome": "unknown", "balance": 10000}).to_string());
    let from_file = desk.run(["ask", "some.plan", "--answers", "answers.json"]).succeeded();
    assert!(from_file.out.contains(line), "{}", from_file.out);
}

#[test]
fn what_public_values_imply_is_told_at_the_start() {
    let told = ask(&campaign(), "age=40,called=no", &["10000"], &[]).succeeded();
    let first = told.out.split_once("1  What is in your account?").expect("it was asked").0;
    let lines =
        "   Outcome: there was none (follows from “Called before”)\n   Days since: -1 (follows from “Outcome”)\n";
    assert!(first.contains(lines), "{}", told.out);
}

#[test]
fn declining_the_premise_keeps_what_follows_from_it_open() {
    let told = ask(&campaign(), "age=40,called=yes", &["s", "q"], &[]).stopped();
    assert_eq!(told.questions(), ["Outcome", "Days since"]);
    assert!(!told.out.contains("follows from"), "{}", told.out);
}

#[test]
fn an_answer_against_a_rule_is_refused_and_asked_again() {
    let desk = campaign();
    let told = ask(&desk, "age=40,called=yes", &["success", "-1", "20", "10000"], &[]).succeeded();
    let refused = "   the answer to `days` cannot be together with what is known of: outcome; correct one of them\n";
    assert_eq!(told.out.matches(refused).count(), 1, "{}", told.out);
    assert_eq!(told.questions(), ["Outcome", "Days since", "Days since", "What is in your account?"]);
    desk.write("answers.json", json!({"age": 40, "called": true, "outcome": "success", "days": -1}).to_string());
    let file = ["ask", "some.plan", "--answers", "answers.json"];
    desk.refuses(file, &["answers.json", "the answer to `days` cannot be together with what is known of: outcome"]);
}

#[test]
fn public_values_against_a_rule_are_refused() {
    let desk = campaign();
    let message = "the answer to `called` cannot be together with what is known of: age";
    desk.refuses(["ask", "some.plan", "--public", "age=12,called=yes"], &["--public", message]);
    let typed = desk.run_typing(["ask", "some.plan"], &["12", "yes", "no", "10000"]).succeeded();
    assert_eq!(typed.out.matches(message).count(), 1, "{}", typed.out);
    desk.write("answers.json", json!({"age": 12, "called": true}).to_string());
    desk.refuses(["ask", "some.plan", "--answers", "answers.json"], &["answers.json", message]);
}
