//! Networks, as a user meets them: fitted, asked about, certified, verified and audited.

use std::sync::OnceLock;

use crate::common::{Desk, Outcome, SENTINEL, loan_answers};
use serde_json::{Value, json};

/// Draws of the sampled test: few, since the tests only look at what is said about them.
const SAMPLES: [&str; 2] = ["--samples", "2000"];

/// A folder with the loan table, `network.plan` fitted on 70 % of it, and `answers.json`.
fn desk_with_network() -> Desk {
    static PLAN: OnceLock<Vec<u8>> = OnceLock::new();
    let plan = PLAN.get_or_init(|| {
        let desk = Desk::new();
        desk.copy_loan_data();
        fit(&desk, "network.plan", &["--holdout", "0.3"]).succeeded();
        std::fs::read(desk.path("network.plan")).expect("the plan was written")
    });
    let desk = Desk::new();
    desk.copy_loan_data();
    desk.write("network.plan", plan);
    desk.write("answers.json", loan_answers().to_string());
    desk
}

fn fit<'a>(desk: &Desk, plan: &'a str, more: &[&'a str]) -> Outcome {
    let arguments = ["fit", "loan.csv", "--schema", "loan.toml", "--model", "mlp", "--force", "-o", plan];
    desk.run(arguments.into_iter().chain(more.iter().copied()))
}

fn ask(desk: &Desk, more: &[&str]) -> Outcome {
    let arguments = ["ask", "network.plan", "--answers", "answers.json", "--force", "--certificate", "mine.json"];
    desk.run(arguments.into_iter().chain(more.iter().copied()))
}

/// Audits the first people of the table; each takes some milliseconds.
fn audit(desk: &Desk, more: &[&str]) -> Value {
    let arguments = ["audit", "network.plan", "loan.csv", "--limit", "60", "--json", "-"];
    desk.run(arguments.into_iter().chain(more.iter().copied())).succeeded().json()
}

fn share(run: &Value, field: &str) -> f64 {
    run[field].as_f64().unwrap_or_else(|| panic!("{field} is missing from {run}"))
}

#[test]
fn a_network_is_fitted_and_described() {
    let desk = Desk::new();
    desk.copy_loan_data();
    let out = fit(&desk, "network.plan", &["--holdout", "0.3"]).succeeded().out;
    for words in
        ["Model:     ReLU network with hidden layers of 10, 10\n", "Trained on 3,083 rows", "Held out 1,371 rows"]
    {
        assert!(out.contains(words), "{words:?} is missing from\n{out}");
    }
    let plan = desk.json("network.plan");
    assert_eq!((&plan["version"], &plan["plan"]["model"]["family"]), (&json!(4), &json!("network")));
}

#[test]
fn the_seed_is_also_that_of_the_training() {
    let desk = Desk::new();
    desk.copy_loan_data();
    let model = |seed: &str| {
        fit(&desk, "network.plan", &["--epochs", "3", "--seed", seed]).succeeded();
        desk.json("network.plan")["plan"]["model"].clone()
    };
    let first = model("5");
    assert_eq!(first, model("5"));
    assert_ne!(first, model("6"));
}

#[test]
fn layers_epochs_rate_and_recipe_can_be_chosen() {
    let desk = Desk::new();
    desk.copy_loan_data();
    let some = ["--hidden", "4, 3,2", "--epochs", "2", "--learning-rate", "0.01", "--recipe"];
    for recipe in ["default", "paper"] {
        let more: Vec<&str> = some.into_iter().chain([recipe]).collect();
        let out = fit(&desk, "small.plan", &more).succeeded().out;
        assert!(out.contains("ReLU network with hidden layers of 4, 3, 2\n"), "{out}");
    }
    let published = fit(&desk, "paper.plan", &["--recipe", "paper", "--epochs", "3"]).succeeded().out;
    assert!(published.contains("hidden layers of 10, 10"), "{published}");
    let ours = fit(&desk, "ours.plan", &["--epochs", "3"]).succeeded();
    assert_eq!(ours.err, "", "no bar where there is no terminal");
    assert_ne!(desk.json("paper.plan")["plan"]["model"], desk.json("ours.plan")["plan"]["model"]);
}

#[test]
fn a_decision_is_proved_certified_and_verified() {
    let desk = desk_with_network();
    let out = ask(&desk, &[]).succeeded().out;
    assert!(out.contains("proved after"), "{out}");
    let certificate = desk.json("mine.json");
    assert_eq!((&certificate["version"], &certificate["guarantee"]), (&json!(4), &json!("proved")));
    assert_eq!(
        (&certificate["rules"]["test"], &certificate["rules"]["budget"]),
        (&json!("certified"), &json!(100_000_000))
    );
    let n_parts = certificate["proof"].as_array().map_or(0, Vec::len);
    let verified = desk.run(["verify", "network.plan", "mine.json"]).succeeded().out;
    assert!(
        n_parts > 1 && verified.contains(&format!("valid. Decision: “good”, proved in {n_parts} parts: ")),
        "{verified}"
    );
}

/// Every guarantee that a network's decision can rest on.
#[test]
fn every_certificate_holds() {
    let desk = desk_with_network();
    let rules: [(&[&str], &str); 5] = [
        (&["--selector", "importance"], "proved"),
        (&["--selector", "importance-logistic", "--budget", "1"], "proved"),
        (&["--delta", "0.05"], "probable"),
        (&["--delta", "0.05", "--estimate", "taylor"], "probable"),
        (&["--test", "sampled", "--samples", "2000"], "sampled"),
    ];
    for (more, guarantee) in rules {
        ask(&desk, more).succeeded();
        assert_eq!(desk.json("mine.json")["guarantee"], json!(guarantee), "{more:?}");
        let verified = desk.run(["verify", "network.plan", "mine.json"]);
        assert_eq!(verified.code, 0, "{more:?}: {}{}", verified.out, verified.err);
    }
}

type Edit = fn(&mut Value);

/// Every edit of a proved certificate leads to exit code 1, and is told without a value.
#[test]
fn a_tampered_proof_or_certificate_does_not_hold() {
    let desk = desk_with_network();
    ask(&desk, &[]).succeeded();
    let certificate = desk.json("mine.json");
    let edits: [(&str, Edit); 17] = [
        ("another label", |it| it["label"] = json!("bad")),
        ("the last answer forgotten", |it| {
            let stated = it["revealed"].as_array_mut().and_then(Vec::pop).expect("an answer");
            it["never_asked"].as_array_mut().expect("a list").push(stated["question"].clone());
        }),
        ("another answer", |it| {
            let revealed = it["revealed"].as_array_mut().expect("a list");
            let stated = revealed.iter_mut().find(|stated| stated["question"] == "Job").expect("it was asked");
            stated["answer"] = json!("partime");
        }),
        ("no proof", |it| drop(it.as_object_mut().expect("an object").remove("proof"))),
        ("an empty proof", |it| it["proof"] = json!([])),
        ("a part lost", |it| drop(it["proof"].as_array_mut().expect("a list").pop())),
        ("a part twice", |it| {
            let last = it["proof"].as_array().and_then(|parts| parts.last()).expect("a part").clone();
            it["proof"].as_array_mut().expect("a list").push(last);
        }),
        ("no cut", |it| drop(first_with(it, "cut").remove("cut"))),
        ("no bound", |it| drop(first_with(it, "beaten").remove("beaten"))),
        ("a larger bound", |it| {
            let margin = first_with(it, "beaten")["beaten"][0]["margin"].as_f64().expect("a number");
            first_with(it, "beaten")["beaten"][0]["margin"] = json!(margin + 1.0);
        }),
        ("a bound for a class that is none", |it| first_with(it, "beaten")["beaten"][0]["class"] = json!("splendid")),
        ("a unit that is none", |it| first_with(it, "beaten")["beaten"][0]["on"] = json!([[0, 99]])),
        ("another margin", |it| it["worst_margin"] = json!(99.0)),
        ("called complete", |it| it["guarantee"] = json!("complete")),
        ("called sampled", |it| it["guarantee"] = json!("sampled")),
        ("stopped although time ran out", |it| {
            it["out_of_time"] = json!([{"after": n_revealed(it), "asked": it["never_asked"][0]}]);
        }),
        ("made under a larger budget", |it| it["rules"]["budget"] = json!(1)),
    ];
    for (name, edit) in edits {
        let mut edited = certificate.clone();
        edit(&mut edited);
        assert_ne!(edited, certificate, "{name}: nothing was edited");
        desk.write("edited.json", edited.to_string());
        let outcome = desk.run(["verify", "network.plan", "edited.json"]).keeps_quiet_about(SENTINEL);
        assert_eq!(outcome.code, 1, "{name}: {}{}", outcome.out, outcome.err);
        assert!(outcome.out.contains("edited.json: NOT valid: "), "{name}: {}", outcome.out);
    }
}

/// The first part of a proof that has a field.
fn first_with<'a>(certificate: &'a mut Value, field: &str) -> &'a mut serde_json::Map<String, Value> {
    let parts = certificate["proof"].as_array_mut().expect("a proof");
    let part = parts.iter_mut().find(|part| part.get(field).is_some());
    part.and_then(Value::as_object_mut).unwrap_or_else(|| panic!("no part of the proof has {field}"))
}

fn n_revealed(certificate: &Value) -> usize {
    certificate["revealed"].as_array().map_or(0, Vec::len)
}

/// What was sampled is never called certified or proved.
#[test]
fn a_sampled_decision_says_so() {
    let desk = desk_with_network();
    let out = ask(&desk, &["--test", "sampled"]).succeeded().out;
    let (_, decision) = out.split_once("\nDecision: “good” ").expect("a decision");
    assert!(
        decision.contains("Not proved: no counterexample found among 100,000 random draws of the other answers."),
        "{out}"
    );
    assert!(!decision.contains("certified") && decision.matches("proved").count() == 1, "{decision}");
    let mut certificate = desk.json("mine.json");
    assert!(certificate.get("proof").is_none() && certificate.get("worst_margin").is_none());
    let verified = desk.run(["verify", "network.plan", "mine.json"]).succeeded().out;
    assert!(verified.contains("not proved: no counterexample found among 100,000 random draws"), "{verified}");
    certificate["guarantee"] = json!("proved");
    desk.write("edited.json", certificate.to_string());
    assert_eq!(desk.run(["verify", "network.plan", "edited.json"]).code, 1);
}

#[test]
fn an_audit_shows_both_tests_side_by_side() {
    let desk = desk_with_network();
    let both = ["--test", "certified,sampled", "--delta", "0,0.05", "--selector", "decisive,f-score"];
    let more: Vec<&str> = both.into_iter().chain(SAMPLES).collect();
    let report = audit(&desk, &more);
    let runs = report["runs"].as_array().expect("a list");
    let settings: Vec<Value> =
        runs.iter().map(|run| json!([run["delta"], run["selector"], run["test"], run["estimate"]])).collect();
    let expected = json!([
        [0.0, "decisive", "certified", null],
        [0.0, "decisive", "sampled", null],
        [0.0, "f-score", "certified", "qmc"],
        [0.0, "f-score", "sampled", "qmc"],
        [0.05, "decisive", null, "qmc"],
        [0.05, "f-score", null, "qmc"],
        [0.0, "all", null, null],
        [0.0, "optimal", "certified", null],
    ]);
    assert_eq!(json!(settings), expected, "both tests at delta 0 only");
    for run in runs {
        let complete = share(&run["guarantees"], "complete");
        let certified = share(&run["guarantees"], "proved") + complete;
        assert!((share(run, "certified") - certified).abs() < 1e-12, "{run}");
        assert_eq!(share(run, "sampled"), share(&run["guarantees"], "sampled"), "{run}");
        assert_eq!(share(run, "undecided_budget"), 0.0, "the usual budget is enough: {run}");
        match run["test"].as_str() {
            Some("certified") => {
                assert_eq!((share(run, "flips"), share(run, "certified"), share(run, "sampled")), (0.0, 1.0, 0.0));
            }
            Some(_) => {
                assert!(share(run, "sampled") > 0.0, "{run}");
                assert_eq!(share(&run["guarantees"], "proved"), 0.0, "{run}");
            }
            None => assert_eq!(share(run, "sampled"), 0.0, "{run}"),
        }
    }
}

#[test]
fn the_tables_tell_the_tests_apart_and_stay_narrow() {
    let desk = desk_with_network();
    let more = ["--test", "certified,sampled", "--selector", "decisive,importance-logistic,random", "--limit", "20"];
    let arguments = ["audit", "network.plan", "loan.csv"].into_iter().chain(more).chain(SAMPLES);
    let out = desk.run(arguments).succeeded().out;
    for words in
        [" decisive, certified ", " decisive, sampled ", "finds no counterexample: it proves nothing and may have some"]
    {
        assert!(out.replace('\n', " ").contains(words), "{words:?} is missing from\n{out}");
    }
    let widest = out.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?} columns in\n{out}");
    let alone = desk.run(["audit", "network.plan", "loan.csv", "--delta", "0", "--limit", "5"]).succeeded().out;
    assert!(!alone.contains("certified") && !alone.contains("sampled"), "nothing to tell apart:\n{alone}");
    let sampled = ["audit", "network.plan", "loan.csv", "--delta", "0", "--limit", "5", "--test", "sampled"];
    let sampled = desk.run(sampled.into_iter().chain(SAMPLES)).succeeded().out;
    assert!(sampled.contains("delta 0, decisive, sampled\n"), "{sampled}");
}

/// Out of budget is never a guess: more is asked, and nobody is flipped.
#[test]
fn a_budget_of_one_operation_asks_more_and_flips_nobody() {
    let desk = desk_with_network();
    let usual = audit(&desk, &["--delta", "0"]);
    let least = audit(&desk, &["--delta", "0", "--budget", "1"]);
    let (usual, run) = (&usual["runs"][0], &least["runs"][0]);
    assert!(share(run, "undecided_budget") > 0.0, "{run}");
    assert!(run["tests_out_of_budget"].as_u64() > Some(0), "{run}");
    assert_eq!((share(run, "flips"), share(run, "certified"), share(run, "undecided")), (0.0, 1.0, 0.0));
    assert!(share(run, "leakage") > share(usual, "leakage"));
    assert_eq!((share(usual, "undecided_budget"), &usual["tests_out_of_budget"]), (0.0, &json!(0)));
    let table = ["audit", "network.plan", "loan.csv", "--delta", "0", "--budget", "1", "--limit", "60"];
    let out = desk.run(table).succeeded().out;
    let words = out.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(out.contains("\n  out of budget  ") && words.contains("raise --budget"), "{out}");
    let asked = ask(&desk, &["--budget", "1", "--selector", "random", "--seed", "2"]).succeeded().out;
    assert!(asked.contains("ran out of budget or time, so more questions may have been asked"), "{asked}");
}

/// So long that it is never reached: then it changes nothing.
#[test]
fn a_deadline_that_is_not_reached_changes_nothing() {
    let desk = desk_with_network();
    let timeless = |mut report: Value| {
        report.as_object_mut().expect("an object").remove("seconds_reading");
        for run in report["runs"].as_array_mut().expect("a list") {
            run.as_object_mut().expect("an object").remove("seconds");
        }
        report
    };
    let rules = ["--delta", "0,0.1"];
    let unhurried: Vec<&str> = rules.into_iter().chain(["--deadline", "100000000"]).collect();
    assert_eq!(timeless(audit(&desk, &rules)), timeless(audit(&desk, &unhurried)));
    assert_eq!(ask(&desk, &[]).succeeded().out, ask(&desk, &["--deadline", "100000000"]).succeeded().out);
    desk.run(["verify", "network.plan", "mine.json"]).succeeded();
}

#[test]
fn one_thread_and_two_find_the_same() {
    let desk = desk_with_network();
    let report = |threads: &str| {
        let rules =
            ["--test", "certified,sampled", "--delta", "0,0.05", "--selector", "decisive,random", "--json", "-"];
        let limit = ["audit", "network.plan", "loan.csv", "--limit", "50"];
        let mut command = desk.command(limit.into_iter().chain(rules).chain(SAMPLES));
        let report = Outcome::of(command.env("RAYON_NUM_THREADS", threads)).succeeded().json();
        let runs = report["runs"].as_array().expect("a list").clone();
        runs.into_iter().map(|run| (run["histogram"].clone(), run["asked"].clone())).collect::<Vec<(Value, Value)>>()
    };
    assert_eq!(report("1"), report("2"));
}

#[test]
fn options_of_a_network_that_cannot_be_taken() {
    let desk = Desk::new();
    desk.copy_loan_data();
    let fit = ["fit", "loan.csv", "--schema", "loan.toml", "-o", "out.plan"];
    let cases: [(&str, &str, &str); 13] = [
        ("--hidden", "0", "10,10 makes two layers"),
        ("--hidden", "x", "10,10 makes two layers"),
        ("--hidden", "10,0", "10,10 makes two layers"),
        ("--hidden", "10,", "10,10 makes two layers"),
        ("--hidden", "-3", "10,10 makes two layers"),
        ("--hidden", "2.5", "10,10 makes two layers"),
        ("--epochs", "0", "a whole number of at least 1"),
        ("--epochs", "-1", "a whole number of at least 1"),
        ("--learning-rate", "-1", "a number above 0"),
        ("--learning-rate", "nan", "a number above 0"),
        ("--learning-rate", "inf", "a number above 0"),
        ("--learning-rate", "0", "a number above 0"),
        ("--recipe", "secret", "paper"),
    ];
    for (option, value, words) in cases {
        desk.refuses(fit.into_iter().chain(["--model", "mlp", option, value]), &[option, words]);
    }
    for (option, value) in [("--hidden", "5"), ("--epochs", "9"), ("--learning-rate", "0.1"), ("--recipe", "paper")] {
        let words = [option, "applies to networks only", "add --model mlp"];
        desk.refuses(fit.into_iter().chain([option, value]), &words);
        desk.refuses(fit.into_iter().chain(["--model", "logistic", option, value]), &words);
    }
    let penalty = fit.into_iter().chain(["--model", "mlp", "--regularization", "1"]);
    desk.refuses(penalty, &["--regularization", "leave it out"]);
    let iterations = fit.into_iter().chain(["--model", "mlp", "--max-iterations", "9"]);
    desk.refuses(iterations, &["--max-iterations", "leave it out"]);
    desk.refuses(fit.into_iter().chain(["--model", "mlp", "--hidden", "99999999,99999999"]), &["hidden", "narrower"]);
    desk.refuses(fit.into_iter().chain(["--model", "forest"]), &["--model", "mlp"]);
}

/// With four rows, a tenth of each class is none: the message names what the command line has.
#[test]
fn too_few_rows_to_stop_by() {
    let desk = Desk::new();
    desk.write("few.csv", "age,income,outcome\n31,10.5,good\n45,20.5,bad\n52,30.5,good\n28,15.5,bad\n");
    let fit = ["fit", "few.csv", "--label", "outcome", "--public", "age", "--model", "mlp", "-o", "few.plan"];
    desk.refuses(fit, &["few.csv", "too few rows", "--recipe paper"]);
    desk.run(fit.into_iter().chain(["--recipe", "paper"])).succeeded();
}

#[test]
fn options_of_tests_that_cannot_be_taken() {
    let desk = desk_with_network();
    let commands: [&[&str]; 2] = [
        &["audit", "network.plan", "loan.csv", "--json", "out.json"],
        &["ask", "network.plan", "--answers", "answers.json", "--certificate", "out.json"],
    ];
    let cases: [(&str, &str, &str); 13] = [
        ("--samples", "0", "a whole number of at least 1"),
        ("--samples", "-5", "a whole number of at least 1"),
        ("--samples", "1000000000", "from 1 to 100000000"),
        ("--budget", "0", "a whole number of at least 1"),
        ("--budget", "-1", "a whole number of at least 1"),
        ("--budget", "much", "a whole number of at least 1"),
        ("--deadline", "0", "omit it for no limit"),
        ("--deadline", "-20", "omit it for no limit"),
        ("--deadline", "0.5", "omit it for no limit"),
        ("--draws", "0", "a whole number of at least 1"),
        ("--test", "guessed", "certified, sampled"),
        ("--test", "", "certified, sampled"),
        ("--estimate", "guessed", "qmc, taylor"),
    ];
    for command in commands {
        for (option, value, words) in cases {
            let more = command.iter().copied().chain([option, value]);
            desk.refuses(more, &[option.trim_start_matches('-'), words]);
        }
    }
}

#[test]
fn a_linear_plan_refuses_to_be_sampled() {
    let desk = Desk::with_loan_plan();
    desk.copy_loan_data();
    desk.write("answers.json", loan_answers().to_string());
    let commands: [&[&str]; 3] = [
        &["audit", "loan.plan", "loan.csv", "--json", "out.json", "--test", "certified,sampled"],
        &["audit", "loan.plan", "loan.csv", "--json", "out.json", "--test", "sampled", "--delta", "0.05"],
        &["ask", "loan.plan", "--answers", "answers.json", "--certificate", "out.json", "--test", "sampled"],
    ];
    for command in commands {
        desk.refuses(command.iter().copied(), &["sampled test is for networks", "leave it out"]);
    }
}

/// As the first version was: a linear model without a family, and rules without tests.
#[test]
fn a_plan_of_an_older_form_is_to_be_fitted_again() {
    let desk = Desk::with_loan_plan();
    desk.copy_loan_data();
    let mut file = desk.json("loan.plan");
    file["version"] = json!(1);
    file["plan"]["model"].as_object_mut().expect("an object").remove("family");
    let rules = file["plan"]["rules"].as_object_mut().expect("an object");
    rules.retain(|field, _| ["delta", "selector", "draws", "seed"].contains(&field.as_str()));
    desk.write("older.plan", file.to_string());
    let commands: [&[&str]; 3] = [
        &["audit", "older.plan", "loan.csv", "--json", "out.json"],
        &["ask", "older.plan", "--certificate", "out.json"],
        &["verify", "older.plan", "loan.csv"],
    ];
    for command in commands {
        let parts = ["older.plan", "version 1", "from an older mindrel", "Fit the plan again"];
        desk.refuses(command.iter().copied(), &parts);
    }
}
