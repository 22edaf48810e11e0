//! `mindrel audit`: what its JSON promises, and the tables it takes.

use crate::common::{Desk, Outcome, people};
use serde_json::{Value, json};

/// Shares are quotients of whole numbers: only the last bits of a sum of a few of them can differ.
const ROUNDING: f64 = 1e-12;

const RUN_FIELDS: [&str; 11] = [
    "delta",
    "selector",
    "leakage",
    "mean_asked",
    "accuracy",
    "flips",
    "undecided",
    "outside_domain",
    "asked",
    "histogram",
    "seconds",
];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn runs(report: &Value) -> &[Value] {
    report["runs"].as_array().expect("a list of runs")
}

/// The report without what depends on the clock.
fn timeless(mut report: Value) -> Value {
    let top = report.as_object_mut().expect("an object");
    top.remove("seconds_reading");
    for run in top["runs"].as_array_mut().expect("a list") {
        run.as_object_mut().expect("an object").remove("seconds");
    }
    report
}

/// Audits people under four selectors.
fn audit_of(desk: &Desk, table: &str, more: &[&str]) -> Value {
    audit_under(desk, table, "decisive,f-score,importance,random", more)
}

fn audit_under(desk: &Desk, table: &str, selectors: &str, more: &[&str]) -> Value {
    let arguments = ["audit", "people.plan", table, "--delta", "0,0.05,0.2", "--selector", selectors, "--json", "-"];
    desk.run(arguments.into_iter().chain(more.iter().copied())).succeeded().json()
}

#[test]
fn the_report_has_every_promised_field() {
    let desk = Desk::with_people_plan(3);
    let report = audit_of(&desk, "people.csv", &[]);
    assert_eq!((&report["people"], &report["questions"]), (&json!(300), &json!(4)));
    assert!(report["accuracy_all"].is_number());
    let settings: Vec<(f64, &str)> =
        runs(&report).iter().map(|run| (number(&run["delta"]), run["selector"].as_str().expect("a name"))).collect();
    let asking = [0.0, 0.05, 0.2]
        .into_iter()
        .flat_map(|delta| ["decisive", "f-score", "importance", "random"].map(|selector| (delta, selector)));
    let expected: Vec<(f64, &str)> = asking.chain([(0.0, "all"), (0.0, "optimal")]).collect();
    assert_eq!(settings, expected);
    for run in runs(&report) {
        for field in RUN_FIELDS {
            assert!(run.get(field).is_some_and(|value| !value.is_null()), "{field} is missing from {run}");
        }
        let asked = run["asked"].as_object().expect("a map");
        assert_eq!(asked.keys().collect::<Vec<&String>>(), ["income", "member", "region", "visits"]);
        assert_eq!(run["histogram"].as_array().map(Vec::len), Some(5), "from no question to all four");
        assert!(number(&run["seconds"]) >= 0.0);
    }
}

#[test]
fn the_figures_of_a_report_agree_with_each_other() {
    // With five classes f-score takes a second for each person.
    let fast = "decisive,importance,random";
    for (n_classes, selectors) in [(2, "f-score,decisive,importance,random"), (3, "f-score,decisive"), (5, fast)] {
        let desk = Desk::with_people_plan(n_classes);
        let report = audit_under(&desk, "people.csv", selectors, &[]);
        let least = runs(&report).iter().find(|run| run["selector"] == "optimal").map(|run| number(&run["leakage"]));
        for run in runs(&report) {
            let histogram: Vec<u64> = serde_json::from_value(run["histogram"].clone()).expect("whole numbers");
            assert_eq!(histogram.iter().sum::<u64>(), 300, "{run}");
            let of_histogram: u64 = histogram.iter().zip(0..).map(|(people, asked)| people * asked).sum();
            let mean = number(&run["mean_asked"]);
            let asked: f64 = run["asked"].as_object().expect("a map").values().map(number).sum();
            assert!((mean - of_histogram as f64 / 300.0).abs() < ROUNDING, "{run}");
            assert!((mean - asked).abs() < ROUNDING, "{run}");
            assert!((number(&run["leakage"]) - mean / 4.0).abs() < ROUNDING, "{run}");
            assert_eq!((number(&run["undecided"]), number(&run["outside_domain"])), (0.0, 0.0));
            if number(&run["delta"]) == 0.0 {
                assert_eq!(number(&run["flips"]), 0.0, "a proof is never wrong: {run}");
                assert_eq!(run["accuracy"], report["accuracy_all"]);
                assert!(Some(number(&run["leakage"])) >= least, "nothing that proves asks less: {run}");
            }
            if run["selector"] == "all" {
                assert_eq!(number(&run["leakage"]), 1.0);
            }
        }
    }
}

#[test]
fn a_report_goes_to_a_file_beside_the_tables_or_to_standard_output_instead() {
    let desk = Desk::with_people_plan(2);
    let beside = desk.run(["audit", "people.plan", "people.csv", "--json", "audit.json"]).succeeded();
    let instead = desk.run(["audit", "people.plan", "people.csv", "--json", "-"]).succeeded();
    assert!(beside.out.starts_with("300 people, 4 sensitive questions\n"), "{}", beside.out);
    assert!(beside.out.contains("how often asked"));
    assert_eq!(timeless(desk.json("audit.json")), timeless(instead.json()));
    assert!(!desk.has("-"));
}

/// The table is several blocks long, so that two threads share it.
#[test]
fn one_thread_and_two_find_the_same() {
    let desk = Desk::with_people_plan(3);
    let padding = "x".repeat(500);
    desk.write("long.csv", people(3, 6000).with_extra("note", |_| padding.clone()).to_text());
    let report = |threads: &str| {
        let rules = ["--delta", "0,0.1", "--selector", "decisive,random,f-score-mc", "--draws", "3", "--json", "-"];
        let mut command = desk.command(["audit", "people.plan", "long.csv"].into_iter().chain(rules));
        timeless(Outcome::of(command.env("RAYON_NUM_THREADS", threads)).succeeded().json())
    };
    let one = report("1");
    assert_eq!(one["people"], json!(6000));
    assert_eq!(one, report("2"));
    assert_eq!(one, report("5"));
}

#[test]
fn first_takes_the_first_people_only() {
    let desk = Desk::with_people_plan(2);
    let mut first = people(2, 300);
    first.rows.truncate(17);
    desk.write("first.csv", first.to_text());
    let limited = audit_of(&desk, "people.csv", &["--first", "17"]);
    assert_eq!(limited["people"], json!(17));
    assert_eq!(timeless(limited), timeless(audit_of(&desk, "first.csv", &[])));
    assert_eq!(audit_of(&desk, "people.csv", &["--first", "1000000"])["people"], json!(300));
}

/// A table may be sorted, so that its first people are all alike.
#[test]
fn a_limit_draws_people_from_the_whole_table_and_not_its_first() {
    let desk = Desk::with_people_plan(2);
    let lines = |seed: &str| -> Vec<u64> {
        let audit = ["audit", "people.plan", "people.csv", "--delta", "0", "--baseline", "none", "--limit", "40"];
        desk.run(audit.into_iter().chain(["--seed", seed, "--force", "--people-csv", "rows.csv"])).succeeded();
        let rows = desk.read("rows.csv");
        rows.lines().skip(1).filter_map(|row| row.split(',').next()?.parse().ok()).collect()
    };
    let drawn = lines("1");
    assert_eq!((drawn.len(), &drawn), (40, &lines("1")), "as many as asked for, and the same for the same seed");
    assert_ne!(drawn, lines("2"));
    // Each third of the 300 holds none of the 40 with probability below 1e-7.
    for third in [2..102, 102..202, 202..302] {
        assert!(drawn.iter().any(|line| third.contains(line)), "{drawn:?}");
    }
    let everyone = audit_of(&desk, "people.csv", &["--limit", "1000000"]);
    assert_eq!(timeless(everyone), timeless(audit_of(&desk, "people.csv", &[])));
    desk.refuses(["audit", "people.plan", "people.csv", "--limit", "3", "--first", "3"], &["--limit", "--first"]);
}

/// Both are drawn from the seed 0; the sample is of the table and not of the rows held out.
#[test]
fn a_sample_is_drawn_independently_of_the_rows_held_out() {
    let desk = Desk::with_people_plan(2);
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--holdout", "0.5", "-o", "half.plan"];
    desk.run(fit).succeeded();
    let lines = |more: &[&str]| -> Vec<String> {
        let audit = ["audit", "half.plan", "people.csv", "--delta", "0", "--baseline", "none"];
        desk.run(audit.into_iter().chain(["--force", "--people-csv", "rows.csv"]).chain(more.iter().copied()))
            .succeeded();
        desk.read("rows.csv").lines().skip(1).filter_map(|row| Some(row.split(',').next()?.to_owned())).collect()
    };
    let held_out = lines(&["--held-out"]);
    let sampled = lines(&["--limit", "60"]);
    let both = sampled.iter().filter(|line| held_out.contains(line)).count();
    assert!((15..=45).contains(&both), "about half of 60 drawn rows are held out, not {both}");
    let of_held_out = lines(&["--held-out", "--limit", "60"]);
    assert!(of_held_out.len() == 60 && of_held_out.iter().all(|line| held_out.contains(line)));
}

#[test]
fn baselines_are_chosen_by_name() {
    let desk = Desk::with_people_plan(2);
    for (baseline, expected) in [("none", 12), ("all", 13), ("optimal", 13), ("optimal,all", 14)] {
        assert_eq!(runs(&audit_of(&desk, "people.csv", &["--baseline", baseline])).len(), expected);
    }
}

#[test]
fn the_same_people_written_in_other_ways_give_the_same_report() {
    let desk = Desk::with_people_plan(3);
    let table = people(3, 300);
    let text = table.to_text();
    let reordered = table.with_columns(&["outcome", "region", "member", "visits", "income", "age"]);
    let everything_quoted = text_with_all_quoted(&table);
    let extra = table.with_extra("remark", |place| format!("{place}, \"as said\""));
    let ways = [
        ("reordered columns", reordered.to_text()),
        ("an extra column", extra.to_text()),
        ("quotes around every cell", everything_quoted),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("no final line end", text.trim_end().to_owned()),
        ("empty lines at the end", format!("{text}\n\n")),
        ("spaces around numbers", text.replace("\n18,", "\n 18 ,")),
    ];
    let expected = timeless(audit_of(&desk, "people.csv", &[]));
    for (way, text) in ways {
        desk.write("other.csv", text);
        assert_eq!(timeless(audit_of(&desk, "other.csv", &[])), expected, "{way}");
    }
}

fn text_with_all_quoted(table: &crate::common::Rows) -> String {
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        cells.join(",") + "\n"
    };
    std::iter::once(&table.header).chain(&table.rows).map(line).collect()
}

/// No cell of the loan table holds a line end, so that every line end can be exchanged.
#[test]
fn line_ends_of_windows_change_nothing_not_even_the_rows_held_out() {
    let desk = Desk::new();
    let mut reports = Vec::new();
    let text = include_str!("../../data/loan.csv").lines().take(400).collect::<Vec<&str>>();
    for (line_end, plan) in [("\n", "unix.plan"), ("\r\n", "windows.plan")] {
        desk.copy_loan_data();
        desk.write("some.csv", text.join(line_end) + line_end);
        let fit = ["fit", "some.csv", "--label", "label", "--schema", "loan.toml", "--holdout", "0.3", "-o", plan];
        desk.run(fit).succeeded();
        let audit = ["audit", plan, "some.csv", "--held-out", "--selector", "random", "--json", "-"];
        reports.push(timeless(desk.run(audit).succeeded().json()));
    }
    // The tables differ, and so do their digests; nothing else does.
    let plan = |name: &str| {
        let mut file = desk.json(name);
        file["plan"]["training"]["table"].take();
        file["plan"].take()
    };
    assert_eq!(plan("unix.plan"), plan("windows.plan"));
    reports.iter_mut().for_each(|report| drop(report["plan"].take()));
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn held_out_rows_are_looked_for_in_no_other_table_than_the_one_fitted_on() {
    let desk = Desk::with_loan_plan();
    desk.copy_loan_data();
    let fit = ["fit", "loan.csv", "--schema", "loan.toml", "--holdout", "0.3", "-o", "split.plan"];
    desk.run(fit).succeeded();
    desk.run(["audit", "split.plan", "loan.csv", "--held-out", "--delta", "0"]).succeeded();
    let shorter: Vec<&str> = include_str!("../../data/loan.csv").lines().take(500).collect();
    desk.write("other.csv", shorter.join("\n"));
    desk.refuses(
        ["audit", "split.plan", "other.csv", "--held-out"],
        &["other.csv", "not the table the plan was fitted on"],
    );
}

/// The blocks of a table are shorter than 2,000 rows of it.
#[test]
fn a_limit_is_kept_across_blocks() {
    let desk = Desk::with_loan_plan();
    desk.copy_loan_data();
    for limit in ["1", "700", "2000", "4454", "9999"] {
        for option in ["--limit", "--first"] {
            let audit = ["audit", "loan.plan", "loan.csv", "--delta", "0", option, limit, "--json", "-"];
            let people = desk.run(audit).succeeded().json()["people"].as_u64();
            assert_eq!(people, limit.parse::<u64>().ok().map(|limit| limit.min(4454)), "{option} {limit}");
        }
    }
}

/// Flips are rare among many and frequent among few: the classes tell.
#[test]
fn flips_are_also_told_by_class() {
    let desk = Desk::with_loan_plan();
    desk.copy_loan_data();
    let audit = ["audit", "loan.plan", "loan.csv", "--delta", "0,0.1", "--json", "-"];
    let report = desk.run(audit).succeeded().json();
    let by_class = |run: usize, class: &str| report["runs"][run]["flips_by_class"][class].as_f64().expect("a share");
    assert_eq!((by_class(0, "bad"), by_class(0, "good")), (0.0, 0.0));
    let flips = report["runs"][1]["flips"].as_f64().expect("a share");
    assert!(by_class(1, "bad") > flips && by_class(1, "good") < flips);
}

/// Questions differ in what they cost, and an audit only counted them.
#[test]
fn costs_are_told_beside_questions_with_the_optimum_by_cost() {
    let desk = Desk::new();
    desk.copy_loan_data();
    let asked = "column = \"Seniority\"\nkind = \"integer\"\nsensitive = true\n";
    let toml = desk.read("loan.toml");
    assert!(toml.contains(asked));
    desk.write("loan.toml", toml.replacen(asked, &format!("{asked}cost = 7.5\n"), 1));
    let fit = ["fit", "loan.csv", "--schema", "loan.toml", "--holdout", "0.3", "-o", "loan.plan"];
    desk.run(fit).succeeded();
    let audit = ["audit", "loan.plan", "loan.csv", "--held-out", "--delta", "0"];
    let report = desk.run(audit.into_iter().chain(["--json", "-"])).succeeded().json();
    assert_eq!(number(&report["cost_all"]), 16.5);
    for run in runs(&report) {
        let asked = number(&run["mean_asked"]) + 6.5 * number(&run["asked"]["Seniority"]);
        assert!((number(&run["mean_cost"]) - asked).abs() < 1e-9, "{run}");
    }
    let [decisive, _, optimal] = runs(&report) else { panic!("three runs") };
    let least = number(&optimal["least_cost"]);
    assert!(least < number(&optimal["mean_cost"]), "the fewest questions are not the cheapest: {optimal}");
    assert!(least <= number(&decisive["mean_cost"]) && decisive.get("least_cost").is_none());
    let shown = desk.run(audit.into_iter().chain(["--report", "audit.html"])).succeeded().out;
    let shown = shown.split_whitespace().collect::<Vec<&str>>().join(" ");
    let cost = format!("{:.2} of 16.50 on average", number(&decisive["mean_cost"]));
    assert!(shown.contains(&cost) && shown.contains(&format!("{least:.2} would do")), "{shown}");
    let page = desk.read("audit.html");
    assert!(page.contains("cost of the questions asked") && page.contains(&format!("at least {least:.2}")));
}

/// A table as wide as a terminal is not: findings, the chosen run, and the rest for those who ask.
#[test]
fn the_text_of_an_audit_has_findings_first_and_fits_80_columns() {
    let desk = Desk::with_people_plan(3);
    let narrow = |out: &str| {
        let widest = out.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(widest.chars().count() <= 80, "{widest}");
    };
    let by = ["audit", "people.plan", "people.csv", "--by", "region,member", "--giveaway"];
    let brief = desk.run(by).succeeded().out;
    narrow(&brief);
    let lines: Vec<&str> = brief.lines().collect();
    assert_eq!((lines[0], lines[1]), ("300 people, 4 sensitive questions", ""));
    assert!(lines[2].starts_with("Decided from "), "{brief}");
    assert!(brief.contains("! People the plan was fitted on are among those audited."), "{brief}");
    assert!(brief.contains("\ndelta 0, decisive\n") && !brief.contains("delta 0.05"), "the chosen run only:\n{brief}");
    let verbose = desk.run(by.into_iter().chain(["--verbose", "--selector", "decisive,importance"])).succeeded().out;
    narrow(&verbose);
    for run in ["delta 0.05, decisive", "delta 0.1, importance"] {
        assert!(verbose.contains(run), "{run} is missing from\n{verbose}");
    }
}

/// With two classes and δ > 0, both ask in the same order.
#[test]
fn long_tables_are_not_repeated_for_rules_that_do_the_same() {
    let desk = Desk::with_people_plan(2);
    let audit = ["audit", "people.plan", "people.csv", "--delta", "0.1", "--selector", "decisive,f-score", "--verbose"];
    let shown = desk.run(audit).succeeded().out;
    assert!(shown.contains("delta 0.1, f-score does the same as delta 0.1, decisive."), "{shown}");
    let (_, tables) = shown.split_once("does the same").expect("it was just found");
    assert!(tables.contains("how often asked") && !tables.contains("f-score\n"), "{shown}");
}

#[test]
fn without_the_label_everything_is_known_but_the_accuracy() {
    let desk = Desk::with_people_plan(3);
    desk.write(
        "unlabelled.csv",
        people(3, 300).with_columns(&["age", "income", "visits", "member", "region"]).to_text(),
    );
    let mut expected = timeless(audit_of(&desk, "people.csv", &[]));
    expected["accuracy_all"] = Value::Null;
    for run in expected["runs"].as_array_mut().expect("a list") {
        run["accuracy"] = Value::Null;
    }
    assert_eq!(timeless(audit_of(&desk, "unlabelled.csv", &[])), expected);
    let shown = desk.run(["audit", "people.plan", "unlabelled.csv"]).succeeded();
    assert!(shown.out.contains(" - "), "an unknown accuracy is a dash:\n{}", shown.out);
}

#[test]
fn people_outside_the_declared_domains_are_counted_not_refused() {
    let desk = Desk::with_people_plan(2);
    let mut table = people(2, 300);
    for row in table.rows.iter_mut().take(30) {
        row[1] = "150.5".to_owned();
    }
    desk.write("wide.csv", table.to_text());
    let report = audit_of(&desk, "wide.csv", &[]);
    for run in runs(&report) {
        assert_eq!(number(&run["outside_domain"]), 0.1, "30 of 300, whether or not they are asked: {run}");
    }
    assert_eq!(report["people"], 300, "everybody is decided about");
}

#[test]
fn public_values_outside_their_domain_are_counted_too() {
    let desk = Desk::with_people_plan(2);
    let mut table = people(2, 300);
    for row in table.rows.iter_mut().take(60) {
        row[0] = "150".to_owned();
    }
    desk.write("old.csv", table.to_text());
    for run in runs(&audit_of(&desk, "old.csv", &[])) {
        assert_eq!(number(&run["outside_domain"]), 0.2, "age is public: {run}");
    }
}
