//! `mindrel demo`, as somebody who tries the program for the first time sees it.

use std::sync::OnceLock;

use crate::common::{Outcome, mindrel};

/// One line of the table: delta, rule, questions asked, flips.
struct Row {
    delta: f64,
    rule: String,
    asked: f64,
    flips: String,
}

fn demo() -> &'static Outcome {
    static DEMO: OnceLock<Outcome> = OnceLock::new();
    DEMO.get_or_init(|| Outcome::of(mindrel().arg("demo")).succeeded())
}

/// The lines of the table: `0.05  decisive  2.99 of 10  29.9 %  79.1 %  2.2 %`.
fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let [delta, rule, asked, _leakage, _accuracy, flips] = cells[..] else { return None };
        let asked = asked.split_once(" of ")?.0.parse().ok()?;
        Some(Row { delta: delta.parse().ok()?, rule: rule.to_owned(), asked, flips: flips.to_owned() })
    };
    demo().out.lines().filter_map(row).collect()
}

fn asked(delta: f64, rule: &str) -> f64 {
    let row = rows().into_iter().find(|row| row.delta == delta && row.rule == rule);
    row.unwrap_or_else(|| panic!("no row for {rule} at {delta} in\n{}", demo().out)).asked
}

#[test]
fn every_rule_is_shown_at_every_delta_and_the_bounds_at_zero() {
    for delta in [0.0, 0.01, 0.05, 0.1] {
        for rule in ["decisive", "f-score", "importance", "random"] {
            asked(delta, rule);
        }
    }
    assert_eq!(rows().len(), 18, "{}", demo().out);
    assert_eq!(asked(0.0, "all"), 10.0);
}

#[test]
fn at_delta_zero_nobody_is_flipped() {
    let at_zero: Vec<Row> = rows().into_iter().filter(|row| row.delta == 0.0).collect();
    assert_eq!(at_zero.len(), 6);
    assert!(at_zero.iter().all(|row| row.flips == "0.0 %"), "{}", demo().out);
}

#[test]
fn decisive_asks_no_less_than_the_bound_and_no_more_than_everything() {
    let [optimal, decisive, all] = ["optimal", "decisive", "all"].map(|rule| asked(0.0, rule));
    assert!(optimal <= decisive && decisive <= all, "{optimal} {decisive} {all}");
    for delta in [0.01, 0.05, 0.1] {
        assert!(asked(delta, "decisive") <= decisive, "a larger delta asks no more");
    }
}

#[test]
fn one_applicant_is_asked_a_few_questions_with_reasons_and_a_decision() {
    let (_, transcript) = demo().out.split_once("One applicant").expect("a transcript");
    assert!((2..=4).contains(&demo().questions().len()), "{transcript}");
    assert_eq!(transcript.matches("asked because").count(), demo().questions().len());
    for part in ["Already known: Time", "” is likely", "Decision: “", "With probability 9", "Never asked: "] {
        assert!(transcript.contains(part), "{part:?} is missing from\n{transcript}");
    }
}

#[test]
fn it_says_the_same_every_time_without_colours_or_noise_when_piped() {
    let again = Outcome::of(mindrel().arg("demo")).succeeded();
    assert_eq!(again.out, demo().out);
    assert_eq!(again.err, "");
    assert!(!again.out.contains('\x1b'));
}

#[test]
fn another_seed_is_another_split() {
    let other = Outcome::of(mindrel().args(["demo", "--seed", "1"])).succeeded();
    assert_ne!(other.out, demo().out);
}
