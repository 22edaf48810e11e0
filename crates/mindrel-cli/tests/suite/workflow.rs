//! The whole way: schema, edit, fit, audit, ask, verify.

use crate::common::{Desk, people};
use serde_json::{Value, json};

const ENCODINGS: [&str; 2] = ["onehot", "ordinal"];
const CLASSES: [usize; 3] = [2, 3, 5];

/// Calls a test for every number of classes and every encoding, in a folder with `people.csv` and its `people.toml`.
fn for_every_kind_of_plan(test: impl Fn(&Desk, &str)) {
    for n_classes in CLASSES {
        for encoding in ENCODINGS {
            let desk = Desk::new();
            desk.write("people.csv", people(n_classes, 300).to_text());
            let roles = ["--label", "outcome", "--public", "age", "--encoding", encoding];
            desk.run(["schema", "people.csv", "-o", "people.toml"].into_iter().chain(roles)).succeeded();
            test(&desk, encoding);
        }
    }
}

fn fit_with_schema<'a>(desk: &Desk, plan: &'a str, more: &[&'a str]) -> String {
    let arguments = ["fit", "people.csv", "--label", "outcome", "--schema", "people.toml", "-o", plan];
    desk.run(arguments.into_iter().chain(more.iter().copied())).succeeded().out
}

/// The number after some words: 93 in `Held out 93 rows`.
fn number_after(text: &str, words: &str) -> u64 {
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("{words:?} is missing from {text}"));
    rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn a_proposed_schema_gives_the_plan_that_fit_makes_by_itself() {
    for_every_kind_of_plan(|desk, encoding| {
        fit_with_schema(desk, "one.plan", &[]);
        let roles = ["--label", "outcome", "--public", "age", "--encoding", encoding];
        desk.run(["fit", "people.csv", "-o", "two.plan"].into_iter().chain(roles)).succeeded();
        assert_eq!(desk.json("one.plan")["fingerprint"], desk.json("two.plan")["fingerprint"]);
        assert_eq!(desk.read("one.plan"), desk.read("two.plan"));
    });
}

/// The labels that `audit` decides for, everyone's in order of the table.
fn decided(desk: &Desk, plan: &str) -> Vec<String> {
    desk.run(["audit", plan, "people.csv", "--force", "--people-csv", "decided.csv"]).succeeded();
    let text = desk.read("decided.csv");
    let mut lines = text.lines();
    let place = lines.next().and_then(|header| header.split(',').position(|name| name == "decision"));
    let place = place.expect("a column of decisions");
    lines.map(|line| line.split(',').nth(place).unwrap_or_default().to_owned()).collect()
}

/// From a low probability on, more people are of the second class; a costly error about it does the same.
#[test]
fn thresholds_and_costs_of_errors_move_the_labels_of_models_that_are_trained_here() {
    let desk = Desk::new();
    desk.write("people.csv", people(2, 300).to_text());
    let roles = ["--label", "outcome", "--public", "age", "--force", "-o"];
    let fit = |plan, more: &[&'static str]| {
        let arguments = ["fit", "people.csv"].into_iter().chain(roles).chain([plan]);
        desk.run(arguments.chain(more.iter().copied())).succeeded().out
    };
    for model in ["logistic", "mlp"] {
        let count = |more: &[&'static str], words: &str| {
            let said = fit("cut.plan", &[&["--model", model], more].concat());
            assert!(said.contains(words), "{said}");
            let second = desk.json("cut.plan")["plan"]["schema"]["target"]["classes"][1].clone();
            decided(&desk, "cut.plan").iter().filter(|label| second == json!(label)).count()
        };
        let often = count(&["--threshold", "0.1"], "from a probability of 0.1");
        let fingerprint = desk.json("cut.plan")["fingerprint"].clone();
        let seldom = count(&["--threshold", "0.9"], "from a probability of 0.9");
        assert!(often > seldom, "{model}: {often} and {seldom}");
        let classes = desk.json("cut.plan")["plan"]["schema"]["target"]["classes"].clone();
        assert_eq!(classes, json!(["class-0", "class-1"]));
        assert_eq!(count(&["--error-costs", "class-0=0.1,class-1=0.9"], "cost 0.1 for “class-0”"), often);
        assert_eq!(desk.json("cut.plan")["fingerprint"], fingerprint, "{model}");
    }
    desk.write("people.csv", people(3, 300).to_text());
    let costs = ["--error-costs", "class-0=1,class-1=1,class-2=1000"];
    let all_of_one = fit("three.plan", &costs);
    assert!(all_of_one.contains("1000 for “class-2”"), "{all_of_one}");
    assert!(decided(&desk, "three.plan").iter().filter(|label| *label == "class-2").count() > 250);
    let arguments = ["fit", "people.csv"].into_iter().chain(roles).chain(["three.plan", "--threshold", "0.3"]);
    desk.refuses(arguments, &["--threshold is for two classes", "--error-costs"]);
}

#[test]
fn a_schema_goes_to_standard_output_as_it_goes_to_a_file() {
    let desk = Desk::new();
    desk.write("people.csv", people(3, 60).to_text());
    let printed = desk.run(["schema", "people.csv", "--label", "outcome"]).succeeded();
    let written = desk.run(["schema", "people.csv", "--label", "outcome", "-o", "people.toml"]).succeeded();
    assert_eq!(printed.out, desk.read("people.toml"));
    assert_eq!(written.out, "");
    assert!(written.err.contains("people.toml"));
}

/// The table has incomes that are missing. What the schema says of them is kept in the plan, the session and its
/// certificate.
#[test]
fn a_schema_makes_missing_an_answer_of_its_own() {
    let desk = Desk::with_people_plan(2);
    let schema = desk.run(["schema", "people.csv", "--label", "outcome"]).succeeded().out;
    let said =
        |line: &str| if line.starts_with("missing = ") { "missing = \"answer\"" } else { line }.to_owned() + "\n";
    desk.write("people.toml", schema.lines().map(said).collect::<String>());
    fit_with_schema(&desk, "edited.plan", &[]);
    let questions = desk.json("edited.plan")["plan"]["schema"]["questions"].clone();
    assert_eq!(questions[1]["missing"], "answer");
    let sensitive = ["--sensitive", "age,income,visits,member,region", "--missing-numbers", "answer"];
    let fit = ["fit", "people.csv", "--label", "outcome", "-o", "option.plan"];
    desk.run(fit.into_iter().chain(sensitive)).succeeded();
    assert_eq!(desk.json("option.plan")["fingerprint"], desk.json("edited.plan")["fingerprint"]);
    let answers = json!({"age": 30, "income": "not known", "visits": 3, "member": true, "region": "north"});
    desk.write("answers.json", answers.to_string());
    desk.run([
        "ask",
        "edited.plan",
        "--selector",
        "importance",
        "--answers",
        "answers.json",
        "--certificate",
        "mine.json",
    ])
    .succeeded();
    desk.run(["verify", "edited.plan", "mine.json"]).succeeded();
    let revealed = desk.json("mine.json")["revealed"].clone();
    let income = revealed.as_array().unwrap().iter().find(|stated| stated["question"] == "income");
    assert!(income.is_none_or(|stated| stated["answer"] == "not known"), "{revealed}");
    desk.write("people.toml", desk.read("people.toml").replace("\"answer\"", "\"an answer\""));
    let fit = ["fit", "people.csv", "--label", "outcome", "--schema", "people.toml", "-o", "no.plan"];
    desk.refuses(fit, &["people.toml", "missing"]);
}

#[test]
fn an_edited_schema_changes_words_roles_domains_and_costs() {
    let desk = Desk::with_people_plan(3);
    let schema = desk.run(["schema", "people.csv", "--label", "outcome"]).succeeded().out;
    let questions = schema.split("[[question]]").map(|question| {
        if question.contains("\"visits\"") {
            question
                .replace("prompt = \"visits\"", "prompt = \"How often were you here?\"\ncost = 2.5")
                .replace("upper = 20", "upper = 40")
                .replace("help = \"\"", "help = \"This year.\"")
        } else if question.contains("\"member\"") {
            question.replace("sensitive = true", "sensitive = false")
        } else {
            question.to_owned()
        }
    });
    desk.write("people.toml", questions.collect::<Vec<String>>().join("[[question]]"));
    let summary = fit_with_schema(&desk, "edited.plan", &[]);
    assert!(summary.contains("Public:    member\n"), "{summary}");
    let asked = desk.run_typing(
        ["ask", "edited.plan", "--selector", "importance", "--public", "member=yes"],
        &["?", "s", "?", "s", "?", "s", "?", "s"],
    );
    for words in ["How often were you here?   0 to 40", "This year."] {
        assert!(asked.out.contains(words), "{words:?} is missing from\n{}", asked.out);
    }
    let questions = &desk.json("edited.plan")["plan"]["schema"]["questions"];
    let visits = questions.as_array().expect("a list").iter().find(|question| question["name"] == "visits");
    assert_eq!(visits.expect("it is still there")["cost"], json!(2.5));
}

#[test]
fn a_label_without_words_gets_some() {
    let desk = Desk::with_people_plan(2);
    let schema = desk.run(["schema", "people.csv", "--label", "outcome", "--public", "age"]).succeeded().out;
    desk.write("people.toml", schema.replace("prompt = \"Which outcome?\"\n", ""));
    fit_with_schema(&desk, "wordless.plan", &[]);
    assert_eq!(desk.read("wordless.plan"), desk.read("people.plan"));
}

#[test]
fn a_search_that_is_cut_short_leaves_a_plan_and_a_warning() {
    let desk = Desk::with_people_plan(3);
    let fit = [
        "fit",
        "people.csv",
        "--label",
        "outcome",
        "--public",
        "age",
        "-o",
        "short.plan",
        "--force",
        "--max-iterations",
    ];
    let short = desk.run(fit.into_iter().chain(["1"]));
    assert_eq!(short.code, 0);
    let words = ["warning: ", "did not converge within 1 iterations", "more iterations", "raise the regularization"];
    assert!(words.iter().all(|word| short.err.contains(word)), "{}", short.err);
    assert!(desk.has("short.plan"));
    let enough = desk.run(fit.into_iter().chain(["100"]));
    assert!(enough.code == 0 && !enough.err.contains("warning"), "{}", enough.err);
    desk.refuses(fit.into_iter().chain(["0"]), &["--max-iterations", "at least 1"]);
}

#[test]
fn rows_that_fit_held_out_are_the_ones_audit_looks_at() {
    for_every_kind_of_plan(|desk, _| {
        let summary = fit_with_schema(desk, "people.plan", &["--holdout", "0.3", "--seed", "7"]);
        let held_out = number_after(&summary, "Held out ");
        assert_eq!(number_after(&summary, "Trained on ") + held_out, 300);
        assert!((60..=120).contains(&held_out), "about 30 % of 300: {held_out}");
        let audit = ["audit", "people.plan", "people.csv", "--delta", "0,0.1", "--json", "-"];
        let report = desk.run(audit.into_iter().chain(["--held-out"])).succeeded().json();
        assert_eq!(report["people"], json!(held_out));
        assert_eq!(desk.run(audit).succeeded().json()["people"], json!(300));
        let accuracy = report["accuracy_all"].as_f64().expect("the table has labels") * 100.0;
        assert!(summary.contains(&format!("Held out {held_out} rows: accuracy {accuracy:.1} %")), "{summary}");
    });
}

#[test]
fn everybody_can_be_asked_and_every_certificate_holds() {
    let answers = json!({"age": 41, "income": 55.5, "visits": 9, "member": "yes", "region": "two\nlines"});
    for_every_kind_of_plan(|desk, _| {
        fit_with_schema(desk, "people.plan", &[]);
        desk.write("answers.json", answers.to_string());
        for (delta, selector) in [("0", "decisive"), ("0", "random"), ("0.1", "decisive"), ("0.3", "f-score-mc")] {
            let rules = ["--delta", delta, "--selector", selector, "--force", "--certificate", "mine.json"];
            let asked =
                desk.run(["ask", "people.plan", "--answers", "answers.json"].into_iter().chain(rules)).succeeded();
            let certificate = desk.json("mine.json");
            let revealed = certificate["revealed"].as_array().map_or(0, Vec::len);
            assert_eq!(revealed, asked.questions().len());
            let verified = desk.run(["verify", "people.plan", "mine.json"]).succeeded();
            let label = certificate["label"].as_str().expect("a class");
            assert!(verified.out.starts_with(&format!("mine.json: valid. Decision: “{label}”, ")), "{}", verified.out);
        }
    });
}

#[test]
fn missing_cells_are_levels_of_a_category_and_stand_ins_of_a_number() {
    for_every_kind_of_plan(|desk, _| {
        fit_with_schema(desk, "people.plan", &[]);
        let plan = desk.json("people.plan");
        let questions = plan["plan"]["schema"]["questions"].as_array().expect("a list");
        let question = |name: &str| questions.iter().find(|question| question["name"] == name).expect("a question");
        assert!(question("income")["missing"].is_number());
        assert!(question("visits")["missing"].is_null());
        assert_eq!(question("region")["levels"][0], json!(""));
        let kinds = ["age", "income", "visits", "member", "region"].map(|name| question(name)["kind"].clone());
        let expected = ["integer", "number", "integer", "boolean", "category"].map(Value::from);
        assert_eq!(kinds, expected);
    });
}
