//! `mindrel verify`: what holds, what does not, and what cannot be checked.

use crate::common::{Desk, SENTINEL, loan_answers, people};
use serde_json::{Value, json};

/// A folder with `loan.plan` and the certificate `good.json` of a decision at this delta.
fn desk_with_certificate(delta: &str) -> (Desk, Value) {
    let desk = Desk::with_loan_plan();
    desk.write("answers.json", loan_answers().to_string());
    let rules = ["--delta", delta, "--certificate", "good.json"];
    desk.run(["ask", "loan.plan", "--answers", "answers.json"].into_iter().chain(rules)).succeeded();
    let certificate = desk.json("good.json");
    (desk, certificate)
}

/// The exit code of a check of this certificate; a refusal must say so.
fn check(desk: &Desk, certificate: &Value) -> i32 {
    desk.write("edited.json", certificate.to_string());
    let outcome = desk.run(["verify", "loan.plan", "edited.json"]).keeps_quiet_about(SENTINEL);
    match outcome.code {
        0 => assert!(outcome.out.contains("edited.json: valid. Decision: "), "{}", outcome.out),
        1 => assert!(outcome.out.contains("edited.json: NOT valid: "), "{}", outcome.out),
        _ => assert!(outcome.err.starts_with("error: edited.json: "), "{}", outcome.err),
    }
    outcome.code
}

/// Takes the last revealed answers away, and says they were never asked for.
fn forget(certificate: &mut Value, n_answers: usize) {
    for _ in 0..n_answers {
        let stated = certificate["revealed"].as_array_mut().and_then(Vec::pop).expect("an answer to forget");
        certificate["never_asked"].as_array_mut().expect("a list").push(stated["question"].clone());
    }
}

/// Exchanges a revealed answer.
fn restate(certificate: &mut Value, question: &str, answer: Value) {
    let revealed = certificate["revealed"].as_array_mut().expect("a list");
    let stated = revealed.iter_mut().find(|stated| stated["question"] == question).expect("it was asked");
    stated["answer"] = answer;
}

fn n_revealed(certificate: &Value) -> usize {
    certificate["revealed"].as_array().map_or(0, Vec::len)
}

type Edit = fn(&mut Value);

/// Each edit, and the exit code it leads to.
fn check_edits(delta: &str, edits: &[(&str, Edit, i32)]) {
    let (desk, certificate) = desk_with_certificate(delta);
    assert_eq!(check(&desk, &certificate), 0, "the certificate as it was written");
    for (name, edit, code) in edits {
        let mut edited = certificate.clone();
        edit(&mut edited);
        assert_ne!(edited, certificate, "{name}: nothing was edited");
        assert_eq!(check(&desk, &edited), *code, "{name}");
    }
}

#[test]
fn proofs_and_probabilities_hold_as_they_were_written() {
    for (delta, guarantee, words) in [
        ("0", "proved", "proved: no answer to the open questions can change it"),
        ("0.05", "probable", "(at least 95.0 % required)"),
    ] {
        let (desk, certificate) = desk_with_certificate(delta);
        assert_eq!(certificate["guarantee"], json!(guarantee));
        let verified = desk.run(["verify", "loan.plan", "good.json"]).succeeded();
        let revealed = format!("{} of 10 questions were answered", n_revealed(&certificate));
        for part in ["good.json: valid. Decision: “good”, ", words, &revealed] {
            assert!(verified.out.contains(part), "{part:?} is missing from {}", verified.out);
        }
    }
}

#[test]
fn an_edited_proof_does_not_hold() {
    check_edits(
        "0",
        &[
            ("another label", |it| it["label"] = json!("bad"), 1),
            ("a label that is none", |it| it["label"] = json!("splendid"), 2),
            ("another answer", |it| restate(it, "Debt", json!(30_000)), 1),
            ("an answer that is none", |it| restate(it, "Debt", json!(SENTINEL)), 2),
            ("a level that is none", |it| restate(it, "Job", json!(SENTINEL)), 2),
            ("the last answer forgotten", |it| forget(it, 1), 1),
            ("all answers forgotten", |it| forget(it, n_revealed(it)), 1),
            ("an answer lost", |it| drop(it["revealed"].as_array_mut().and_then(Vec::pop)), 2),
            ("a public answer lost", |it| drop(it["public"].as_array_mut().and_then(Vec::pop)), 2),
            ("an answer twice", |it| it["revealed"][1] = it["revealed"][0].clone(), 2),
            ("another order", |it| it["revealed"].as_array_mut().expect("a list").swap(0, 1), 1),
            ("a question nobody asks", |it| it["declined"] = json!(["Shoe size"]), 2),
            ("called probable", |it| it["guarantee"] = json!("probable"), 1),
            ("called complete", |it| it["guarantee"] = json!("complete"), 1),
            ("without its margin", |it| it["worst_margin"] = Value::Null, 1),
            ("another margin", |it| it["worst_margin"] = json!(99.0), 1),
            ("another selector", |it| it["rules"]["selector"] = json!("importance"), 1),
            ("a delta out of bounds", |it| it["rules"]["delta"] = json!(0.5), 2),
            ("another delta", |it| it["rules"]["delta"] = json!(0.2), 1),
        ],
    );
}

#[test]
fn an_edited_probability_does_not_hold() {
    check_edits(
        "0.05",
        &[
            ("a higher probability", |it| it["probability"] = json!(0.999_9), 1),
            ("a lower probability", |it| it["probability"] = json!(0.950_1), 1),
            ("no probability", |it| it["probability"] = Value::Null, 1),
            ("a smaller delta", |it| it["rules"]["delta"] = json!(0.000_1), 1),
            ("no delta", |it| it["rules"]["delta"] = json!(0.0), 1),
            ("another label", |it| it["label"] = json!("bad"), 1),
            ("called proved", |it| it["guarantee"] = json!("proved"), 1),
            ("fewer answers", |it| forget(it, 1), 1),
        ],
    );
}

#[test]
fn what_is_no_certificate_cannot_be_checked() {
    let (desk, certificate) = desk_with_certificate("0");
    let whole = certificate.to_string();
    let mut other_kind = certificate.clone();
    other_kind["format"] = json!("recipe");
    let mut strange = certificate.clone();
    strange["signature"] = json!(SENTINEL);
    let contents = [
        ("nothing", String::new()),
        ("no JSON", format!("holds, believe me: {SENTINEL}")),
        ("another JSON", format!("{{\"Debt\": {SENTINEL}}}")),
        ("a part of it", whole[..whole.len() / 2].to_owned()),
        ("another kind", other_kind.to_string()),
        ("a field too many", strange.to_string()),
    ];
    for (name, content) in contents {
        desk.write("edited.json", content);
        let problem = if ["no JSON", "another kind"].contains(&name) {
            "not a certificate, but another kind of file"
        } else {
            "not a complete certificate"
        };
        let outcome = desk.refuses(["verify", "loan.plan", "edited.json"], &["edited.json", problem]);
        assert!(outcome.out.is_empty(), "{name}");
    }
    desk.refuses(["verify", "loan.plan", "loan.plan"], &["loan.plan", "not a certificate"]);
    desk.refuses(["verify", "good.json", "good.json"], &["good.json", "not a plan"]);
    desk.refuses(["verify", "loan.plan", "absent.json"], &["absent.json", "cannot be read"]);
}

#[test]
fn a_certificate_of_a_newer_form_asks_for_a_newer_program() {
    let (desk, mut certificate) = desk_with_certificate("0");
    certificate["version"] = json!(5);
    certificate["news"] = json!(SENTINEL);
    desk.write("newer.json", certificate.to_string());
    desk.refuses(["verify", "loan.plan", "newer.json"], &["newer.json", "version 5", "Update mindrel"]);
}

/// As the first version was: the rules one by one, and nothing of a budget.
#[test]
fn a_certificate_of_an_older_form_is_for_an_older_program() {
    let (desk, mut certificate) = desk_with_certificate("0");
    certificate["version"] = json!(1);
    let rules = certificate.as_object_mut().and_then(|fields| fields.remove("rules")).expect("the rules");
    for field in ["delta", "selector", "draws", "seed"] {
        certificate[field] = rules[field].clone();
    }
    desk.write("older.json", certificate.to_string());
    let parts = ["older.json", "version 1", "older mindrel", "with the mindrel that wrote it", "ask again"];
    desk.refuses(["verify", "loan.plan", "older.json"], &parts);
}

#[test]
fn a_certificate_of_another_plan_cannot_be_checked() {
    let (desk, certificate) = desk_with_certificate("0");
    desk.write("people.csv", people(2, 60).to_text());
    desk.run(["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"]).succeeded();
    let fingerprint = desk.json("people.plan")["fingerprint"].clone();
    let parts = ["good.json", "belongs to another plan", fingerprint.as_str().expect("a text")];
    desk.refuses(["verify", "people.plan", "good.json"], &parts);
    let mut forged = certificate;
    forged["plan"] = fingerprint;
    assert_eq!(check(&desk, &forged), 2);
}
