//! The program among others: help for every command, and readers that go away.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{Desk, Outcome, mindrel};

#[test]
fn help_names_every_option_of_every_command() {
    let roles = ["--label", "--sensitive", "--public", "--ignore", "--encoding", "--output", "-o"];
    let rules = ["--test", "--samples", "--estimate", "--budget", "--deadline", "--draws", "--seed"];
    let commands: [(&str, &[&str]); 13] = [
        ("demo", &["--seed"]),
        ("schema", &roles),
        ("fit", &["--schema", "--model", "--regularization", "--max-iterations", "--seed", "--holdout"]),
        ("fit", &["--hidden", "--epochs", "--learning-rate", "--recipe"]),
        ("fit", &["--belief", "--per-set", "--private-moments"]),
        ("ask", &["--delta", "--selector", "--public", "--answers", "--certificate"]),
        ("ask", &rules),
        ("audit", &["--delta", "--selector", "--baseline", "--limit", "--held-out", "--json"]),
        ("audit", &rules),
        ("audit", &["--compare", "--calibrated"]),
        ("calibrate", &["--flips", "--confidence", "--by", "--selector", "--output"]),
        ("verify", &["<PLAN>", "<CERTIFICATE>", "Exit code 0"]),
        ("data", &["list", "fetch", "path", "--data", "MINDREL_DATA"]),
    ];
    let front = Outcome::of(mindrel().arg("--help")).succeeded();
    for (command, options) in commands {
        assert!(front.out.contains(&format!("\n  {command} ")), "{command} is missing from\n{}", front.out);
        let help = Outcome::of(mindrel().args([command, "--help"])).succeeded();
        let common = if command == "fit" { &roles[..] } else { &[] };
        for option in options.iter().chain(common).chain(&["--help"]) {
            assert!(help.out.contains(option), "{option} is missing from the help of {command}:\n{}", help.out);
        }
        Outcome::of(mindrel().args([command, "-h"])).succeeded();
    }
}

#[test]
fn without_a_command_the_program_shows_its_help() {
    let outcome = Outcome::of(&mut mindrel());
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("mindrel demo"), "{}", outcome.err);
}

#[test]
fn options_that_do_not_exist_are_refused() {
    for command in ["demo", "schema", "fit", "ask", "audit", "verify"] {
        Outcome::of(mindrel().args([command, "--colour"])).refused(&["--colour"]);
    }
}

/// As `mindrel … | head -c 1`: the reader takes a byte and goes.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::with_people_plan(3);
    let commands: [&[&str]; 6] = [
        &["demo"],
        &["--help"],
        &["schema", "people.csv", "--label", "outcome"],
        &["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "again.plan"],
        &["audit", "people.plan", "people.csv"],
        &["audit", "people.plan", "people.csv", "--json", "-"],
    ];
    for arguments in commands {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("mindrel"))
            .args(arguments)
            .current_dir(desk.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut reader = child.stdout.take().expect("a pipe");
        reader.read_exact(&mut [0]).expect("it says something");
        drop(reader);
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}
