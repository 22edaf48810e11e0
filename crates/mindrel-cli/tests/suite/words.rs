//! Words for people: labels of levels and classes.

use crate::common::Desk;
use serde_json::json;

const SCHEMA: &str = r#"
version = 1
[label]
column = "outcome"
classes = [{ value = "1", label = "refused" }, { value = "2", label = "granted" }]
[[question]]
column = "account"
kind = "category"
levels = ["A12", { value = "A11", label = "less than 0" }, { value = "", label = "none" }]
sensitive = true
prompt = "How much is on your account?"
[[question]]
column = "age"
kind = "integer"
lower = 0
upper = 9
sensitive = false
"#;

/// A table of codes, and a plan whose schema gives them words.
fn desk() -> Desk {
    let desk = Desk::new();
    let rows = (0..90).map(|row| {
        let account = ["A11", "A12", ""][row % 3];
        let outcome = if 2 * (row % 3) + row % 10 > 6 { 2 } else { 1 };
        format!("{account},{},{outcome}", row % 10)
    });
    desk.write("codes.csv", format!("account,age,outcome\n{}\n", rows.collect::<Vec<String>>().join("\n")));
    desk.write("codes.toml", SCHEMA);
    desk.run(["fit", "codes.csv", "--schema", "codes.toml", "-o", "codes.plan"]).succeeded();
    desk
}

#[test]
fn codes_are_asked_and_decided_in_words_and_certified_by_their_values() {
    let desk = desk();
    for typed in ["less than 0", "Less Than 0", "A11", "a11"] {
        let ask =
            ["ask", "codes.plan", "--public", "age=5", "--certificate", "c.json", "--json", "end.json", "--force"];
        let outcome = desk.run_typing(ask, &[typed]).succeeded();
        assert!(outcome.out.contains("A12 / less than 0 / none"), "{}", outcome.out);
        assert!(outcome.out.contains("Decision: “refused”"), "{}", outcome.out);
        assert_eq!(desk.json("c.json")["revealed"], json!([{"question": "account", "answer": "A11"}]));
        assert_eq!(desk.json("c.json")["label"], "1");
        assert_eq!(
            (&desk.json("end.json")["class"], &desk.json("end.json")["label"]),
            (&json!("1"), &json!("refused"))
        );
        let verified = desk.run(["verify", "codes.plan", "c.json"]).succeeded();
        assert!(verified.out.contains("“refused”"), "{}", verified.out);
    }
    let wrong = desk.run_typing(["ask", "codes.plan", "--public", "age=5"], &["A13", "q"]).stopped();
    assert!(wrong.out.contains("choose from: A12 / A11 (less than 0)"), "{}", wrong.out);
}

#[test]
fn words_are_in_the_report_and_not_in_the_table() {
    let desk = desk();
    desk.run(["audit", "codes.plan", "codes.csv", "--delta", "0.2", "--report", "report.html"]).succeeded();
    let report = desk.read("report.html");
    assert!(report.contains("“refused”") && report.contains("refused / granted"), "the classes in words");
    let audit = ["audit", "codes.plan", "codes.csv", "--delta", "0.2"];
    let shown = desk.run(audit).succeeded().out;
    assert!(shown.contains("\n granted ") && !shown.contains("\n 1 "), "classes in words:\n{shown}");
    let by = ["--by", "account,outcome", "--smallest-group", "1", "--force", "--report", "report.html"];
    let shown = desk.run(audit.into_iter().chain(by)).succeeded().out;
    for group in ["\n less than 0 ", "\n refused ", "\n A12, refused "] {
        assert!(shown.contains(group), "{group} is missing from:\n{shown}");
    }
    assert!(desk.read("report.html").contains("less than 0, refused"), "groups in words");
    let tree = desk.run(["inspect", "codes.plan", "--public", "age=5", "--svg", "tree.svg"]).succeeded().out;
    assert!(tree.contains("less than 0 → refused") && desk.read("tree.svg").contains(">granted</text>"), "{tree}");
    desk.write("worded.csv", desk.read("codes.csv").replace("A11", "less than 0"));
    let fit = ["fit", "worded.csv", "--schema", "codes.toml", "-o", "worded.plan"];
    desk.refuses(fit, &["worded.csv:2", "account", "A11 (less than 0)"]);
}

#[test]
fn words_that_can_be_mistaken_are_refused_with_their_place() {
    let desk = desk();
    let cases = [
        ("label = \"none\"", "label = \"less than 0\"", "account"),
        ("label = \"none\"", "label = \"A12\"", "account"),
        ("label = \"none\"", "label = \"\"", "account"),
        ("label = \"refused\"", "label = \"granted\"", "outcome"),
        ("label = \"refused\"", "label = \"2\"", "outcome"),
        ("label = \"refused\"", "text = \"no\"", "{ value = …, label = … }"),
    ];
    for (right, wrong, place) in cases {
        desk.write("wrong.toml", SCHEMA.replacen(right, wrong, 1));
        desk.refuses(["fit", "codes.csv", "--schema", "wrong.toml", "-o", "wrong.plan"], &["wrong.toml", place]);
    }
}
