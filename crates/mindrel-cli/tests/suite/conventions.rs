//! What people expect of any program: completions, manual pages, `--quiet`, `--threads`, `--json`, and care with what
//! it reads and shows.

use crate::common::{Desk, LOAN_PUBLIC, Outcome, Rows, loan_answers, mindrel, people};
use serde_json::json;

#[test]
fn shells_complete_every_command() {
    for (shell, mark) in [("bash", "complete -F"), ("zsh", "#compdef mindrel"), ("fish", "complete -c mindrel")] {
        let script = Outcome::of(mindrel().args(["completions", shell])).succeeded().out;
        for part in [mark, "calibrate", "--certificate", "--quiet"].map(|part| part.trim_start_matches("--")) {
            assert!(script.contains(part), "{part} is missing from the script for {shell}");
        }
    }
    Outcome::of(mindrel().args(["completions", "tcsh"])).refused(&["tcsh", "bash"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let desk = Desk::new();
    let written = desk.run(["man", "man1"]).succeeded();
    assert!(written.out.contains("Manual pages written to man1."), "{}", written.out);
    for page in ["mindrel", "mindrel-ask", "mindrel-ledger", "mindrel-ledger-verify", "mindrel-man"] {
        let text = desk.read(&format!("man1/{page}.1"));
        assert!(text.contains(".SH NAME") && text.contains(".SH OPTIONS"), "{page}");
    }
    assert!(desk.read("man1/mindrel-ask.1").contains("Exit code 0"));
    desk.refuses(["man", "man1"], &["man1/mindrel", "already exists", "--force"]);
    desk.run(["man", "man1", "--force"]).succeeded();
    desk.write("file", "");
    desk.refuses(["man", "file"], &["file", "folder"]);
}

#[test]
fn a_quiet_command_says_only_its_result() {
    let desk = Desk::with_people_plan(2);
    let calibrate = ["calibrate", "people.plan", "others.csv", "--flips", "0.2", "-o", "c.plan", "--quiet"];
    desk.write("others.csv", people(2, 500).to_text());
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "quiet.plan", "--quiet"];
    for arguments in [&calibrate[..], &fit] {
        let outcome = desk.run(arguments.iter().copied()).succeeded();
        assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("", ""));
    }
    assert!(desk.has("c.plan") && desk.has("quiet.plan"));
    let audit = |options: &[&str]| {
        desk.run(["audit", "people.plan", "others.csv"].into_iter().chain(options.iter().copied())).succeeded()
    };
    assert_eq!(audit(&["--quiet"]).err, "");
    assert!(audit(&["--quiet"]).out.contains("decisive"));
    desk.run(["--quiet", "verify", "people.plan", "absent.json"]).refused(&["absent.json"]);
}

#[test]
fn the_number_of_threads_changes_no_result() {
    let desk = Desk::with_people_plan(2);
    let audit = |threads: &str| {
        let arguments = ["audit", "people.plan", "people.csv", "--threads", threads, "--json", "-"];
        let mut report = desk.run(arguments).succeeded().json();
        report["seconds_reading"] = json!(0);
        for run in report["runs"].as_array_mut().expect("a list") {
            run["seconds"] = json!(0);
        }
        report
    };
    assert_eq!(audit("1"), audit("2"));
    for wrong in ["0", "-1", "many"] {
        desk.refuses(["audit", "people.plan", "people.csv", "--threads", wrong], &["--threads", "at least 1"]);
    }
}

#[test]
fn fit_writes_its_figures_as_json() {
    let desk = Desk::new();
    desk.write("people.csv", people(2, 300).to_text());
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--holdout", "0.3"];
    let fitted = desk.run(fit.into_iter().chain(["-o", "a.plan", "--json"])).succeeded().json();
    assert_eq!((&fitted["public"], fitted["sensitive"].as_array().map(Vec::len)), (&json!(["age"]), Some(4)));
    let people = |part: &str| fitted[part]["people"].as_u64().expect("a number");
    assert_eq!(people("training") + people("held_out"), 300);
    assert!(fitted["held_out"]["accuracy"].as_f64() > fitted["held_out"]["base_rate"].as_f64());
    let told = desk.run(fit.into_iter().chain(["-o", "b.plan", "--json", "fit.json"])).succeeded();
    assert!(told.out.contains("Plan written to b.plan"), "{}", told.out);
    assert_eq!(desk.json("fit.json"), fitted, "the same rows make the same plan");
    desk.refuses(fit.into_iter().chain(["-o", "c.plan", "--json", "fit.json"]), &["fit.json", "--force"]);
}

#[test]
fn calibrate_verify_and_ledger_write_json() {
    let desk = Desk::with_people_plan(2);
    desk.write("others.csv", people(2, 500).to_text());
    let calibrate = ["calibrate", "people.plan", "others.csv", "--flips", "0.2", "-o", "c.plan", "--json"];
    let calibrated = desk.run(calibrate).succeeded().json();
    assert_eq!((&calibrated["people"], &calibrated["calibration"]["flips"]), (&json!(500), &json!(0.2)));
    assert!(calibrated["plan"].as_str().expect("a fingerprint").starts_with("sha256:"));

    let desk = Desk::with_loan_plan();
    desk.write("answers.json", loan_answers().to_string());
    desk.run(["ask", "loan.plan", "--answers", "answers.json", "--certificate", "c.json"]).succeeded();
    let valid = desk.run(["verify", "loan.plan", "c.json", "--json"]).succeeded().json();
    assert_eq!(
        (&valid["valid"], &valid["guarantee"], &valid["questions"]),
        (&json!(true), &json!("proved"), &json!(10))
    );
    let other = if desk.json("c.json")["label"] == "good" { "bad" } else { "good" };
    let mut forged = desk.json("c.json");
    forged["label"] = json!(other);
    desk.write("forged.json", forged.to_string());
    let refuted = desk.run(["verify", "loan.plan", "forged.json", "--json", "-"]);
    assert_eq!((refuted.code, &refuted.json()["valid"]), (1, &json!(false)));
    assert!(refuted.json()["problem"].as_str().is_some_and(|problem| !problem.is_empty()));
}

/// A name that would set the title of the window, clear the screen and hide what follows.
const NAME: &str = "in\u{1b}]0;owned\u{7}co\u{1b}[2J\u{9b}8mme";

#[test]
fn control_characters_in_names_are_not_sent_to_the_terminal() {
    let desk = Desk::new();
    let Rows { header, rows } = people(2, 300);
    let header = header.into_iter().map(|name| if name == "income" { NAME.to_owned() } else { name }).collect();
    let rows = rows.into_iter().map(|mut row| {
        row[4] = row[4].replace("north", "no\u{1b}[31mrth");
        row[5] = row[5].replace("class-1", "cl\u{1b}[5mass");
        row
    });
    let table = Rows { header, rows: rows.collect() };
    desk.write("people.csv", table.to_text());
    desk.run(["schema", "people.csv", "--label", "outcome", "-o", "people.toml"]).succeeded();
    let commands: [&[&str]; 7] = [
        &["schema", "people.csv", "--label", "outcome"],
        &["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"],
        &["audit", "people.plan", "people.csv"],
        &["audit", "people.plan", "people.csv", "--json", "-"],
        &["inspect", "people.plan"],
        &["audit", "people.plan", "no\u{1b}[31mthing.csv"],
        &["ask", "people.plan", "--public", "age=40"],
    ];
    for arguments in commands {
        let outcome = desk.run_typing(arguments.iter().copied(), &["?", "s", "s", "s", "s"]);
        for text in [&outcome.out, &outcome.err] {
            let control =
                text.chars().find(|character| character.is_control() && *character != '\n' && *character != '\t');
            assert_eq!(control, None, "{arguments:?}:\n{}", text.escape_debug());
        }
        let shown = (outcome.out + &outcome.err).to_lowercase();
        assert!(shown.contains("\\u001b"), "{arguments:?} names nothing:\n{shown}");
    }
}

#[cfg(unix)]
#[test]
fn devices_without_an_end_are_refused_at_once() {
    let desk = Desk::with_loan_plan();
    desk.copy_loan_data();
    let commands: [&[&str]; 6] = [
        &["ask", "/dev/zero"],
        &["ask", "loan.plan", "--public", LOAN_PUBLIC, "--answers", "/dev/zero"],
        &["verify", "loan.plan", "/dev/zero"],
        &["fit", "loan.csv", "--schema", "/dev/zero", "-o", "new.plan"],
        &["import", "/dev/zero", "--table", "loan.csv", "--schema", "loan.toml", "-o", "new.plan"],
        &["serve", "loan.plan", "--key-file", "/dev/zero"],
    ];
    for arguments in commands {
        desk.refuses(arguments.iter().copied(), &["/dev/zero: this is a device, not a file"]);
    }
}
