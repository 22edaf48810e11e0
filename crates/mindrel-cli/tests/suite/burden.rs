//! `mindrel audit --by`, `--people-csv` and `--giveaway`: groups beside each other, a row for each person, what hidden
//! answers give away.

use std::collections::BTreeMap;

use crate::common::{Desk, Outcome, Rows, people};
use serde_json::{Value, json};

/// Figures are quotients of the same whole numbers, each rounded once.
const ROUNDING: f64 = 1e-12;

/// People with a column the plan does not know, and a long one, so that the table is several blocks long.
fn long_table(n_classes: usize, count: usize) -> Rows {
    let padding = "x".repeat(200);
    let sex = |place: usize| if place % 37 == 5 { "" } else { ["f", "m"][place % 3 % 2] }.to_owned();
    people(n_classes, count).with_extra("note", move |_| padding.clone()).with_extra("sex", sex)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// The rows of a table with a header, each by column.
fn rows_of(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a sound row")).collect()
}

/// The share of rows for which something is `true`.
fn share(rows: &[&BTreeMap<String, String>], is: impl Fn(&BTreeMap<String, String>) -> bool) -> f64 {
    rows.iter().filter(|row| is(row)).count() as f64 / rows.len() as f64
}

fn assert_close(found: &Value, expected: f64) {
    assert!((number(found) - expected).abs() <= ROUNDING, "{found} is not {expected}");
}

#[test]
fn the_figures_of_groups_are_those_of_the_rows_of_their_people() {
    let desk = Desk::with_people_plan(3);
    desk.write("long.csv", long_table(3, 4000).to_text());
    let audit =
        ["audit", "people.plan", "long.csv", "--delta", "0,0.1", "--by", "sex,region", "--people-csv", "rows.csv"];
    let report = desk.run(audit.into_iter().chain(["--json", "-"])).succeeded().json();
    let rows = rows_of(&desk.read("rows.csv"));
    assert_eq!(rows.len(), 4000 * list(&report["runs"]).len());
    let groupings = list(&report["burden"]["groupings"]);
    let names: Vec<&Value> = groupings.iter().map(|grouping| &grouping["by"]).collect();
    assert_eq!(names, [&json!(["sex"]), &json!(["region"]), &json!(["sex", "region"])]);
    for grouping in groupings {
        let mut counted = 0;
        for (place, members) in list(&grouping["groups"]).iter().enumerate() {
            counted += members["people"].as_u64().expect("a count");
            let columns = list(&grouping["by"]).iter().map(|column| format!("group:{}", text(column)));
            let levels: Vec<(String, &str)> = columns.zip(list(&members["levels"]).iter().map(text)).collect();
            for (run, burden) in list(&grouping["runs"]).iter().enumerate() {
                let is_member = |row: &&BTreeMap<String, String>| {
                    row["run"] == run.to_string() && levels.iter().all(|(column, level)| row[column] == *level)
                };
                let own: Vec<&BTreeMap<String, String>> = rows.iter().filter(is_member).collect();
                assert_eq!(members["people"].as_u64(), Some(own.len() as u64));
                let figures = &burden["groups"][place];
                let asked: u64 = own.iter().map(|row| row["asked"].parse::<u64>().expect("a count")).sum();
                let mean = asked as f64 / own.len() as f64;
                assert_close(&figures["mean_asked"]["value"], mean);
                assert_close(&figures["leakage"]["value"], mean / 4.0);
                assert_close(&figures["flips"]["value"], share(&own, |row| row["agrees"] == "false"));
                assert_close(&figures["accuracy"]["value"], share(&own, |row| row["right"] == "true"));
                assert_close(&figures["undecided_budget"]["value"], share(&own, |row| row["out_of_budget"] == "true"));
                for figure in ["mean_asked", "leakage", "flips", "accuracy", "undecided_budget"] {
                    let [lower, value, upper] = ["lower", "value", "upper"].map(|end| number(&figures[figure][end]));
                    assert!(lower <= value + ROUNDING && value <= upper + ROUNDING, "{figure}: {figures}");
                }
            }
        }
        assert_eq!(counted, 4000, "everybody is in one group");
    }
    let levels: Vec<&Value> = list(&groupings[0]["groups"]).iter().map(|members| &members["levels"][0]).collect();
    assert_eq!(levels, ["f", "m", "(missing)"]);
}

#[test]
fn rows_agree_with_the_report_and_hold_no_answers() {
    let desk = Desk::with_people_plan(2);
    let audit = ["audit", "people.plan", "people.csv", "--delta", "0,0.1", "--people-csv", "rows.csv", "--json", "-"];
    let report = desk.run(audit).succeeded().json();
    let rows = rows_of(&desk.read("rows.csv"));
    let columns: Vec<&String> = rows[0].keys().collect();
    let expected = [
        "agrees",
        "asked",
        "decision",
        "delta",
        "guarantee",
        "line",
        "optimal",
        "out_of_budget",
        "plan",
        "questions",
        "right",
        "rule",
        "run",
    ];
    assert_eq!(columns, expected);
    for (place, run) in list(&report["runs"]).iter().enumerate() {
        let own: Vec<_> = rows.iter().filter(|row| row["run"] == place.to_string()).collect();
        assert!(
            own.iter().all(|row| row["rule"] == text(&run["selector"])
                && row["delta"] == run["delta"].to_string().replace("0.0", "0"))
        );
        assert_close(&run["flips"], share(&own, |row| row["agrees"] == "false"));
        assert_close(&run["accuracy"], share(&own, |row| row["right"] == "true"));
        for (question, asked) in run["asked"].as_object().expect("a map") {
            assert_close(asked, share(&own, |row| row["questions"].split(';').any(|name| name == question)));
        }
        for row in &own {
            let names = row["questions"].split(';').filter(|name| !name.is_empty()).count();
            assert_eq!(names.to_string(), row["asked"]);
            if row["rule"] == "optimal" {
                assert_eq!(row["asked"], row["optimal"]);
            }
        }
        let guaranteed = |name: &str| share(&own, |row| row["guarantee"] == name);
        assert_close(&run["guarantees"]["proved"], guaranteed("proved"));
        assert_close(&run["guarantees"]["probable"], guaranteed("probable"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(desk.path("rows.csv")).expect("a file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "it is about single people");
    }
}

#[test]
fn rows_are_in_the_order_of_the_table_and_the_same_on_any_number_of_threads() {
    let desk = Desk::with_people_plan(3);
    desk.write("long.csv", long_table(3, 4000).to_text());
    let result = |threads: &str| {
        let more = ["--delta", "0,0.1", "--selector", "decisive,random", "--by", "sex,age", "--giveaway"];
        let files = ["--people-csv", "rows.csv", "--force", "--json", "-"];
        let mut command = desk.command(["audit", "people.plan", "long.csv"].into_iter().chain(more).chain(files));
        let mut report = Outcome::of(command.env("RAYON_NUM_THREADS", threads)).succeeded().json();
        report["seconds_reading"].take();
        report["runs"].as_array_mut().expect("a list").iter_mut().for_each(|run| drop(run["seconds"].take()));
        (report, desk.read("rows.csv"))
    };
    let one = result("1");
    assert!(one == result("2") && one == result("3"));
    let place =
        |row: &BTreeMap<String, String>| [&row["line"], &row["run"]].map(|it| it.parse::<u64>().expect("a number"));
    let places: Vec<[u64; 2]> = rows_of(&one.1).iter().map(place).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "by line, then by run");
    let lines: Vec<u64> = places.iter().map(|place| place[0]).collect();
    assert_eq!(lines[0], 2, "the header is line 1");
}

#[test]
fn many_different_numbers_are_cut_at_their_quartiles() {
    let desk = Desk::with_people_plan(2);
    desk.write("more.csv", people(2, 300).with_extra("rank", |place| place.to_string()).to_text());
    let by = |column: &str| {
        let audit = ["audit", "people.plan", "more.csv", "--delta", "0", "--by", column, "--json", "-"];
        desk.run(audit).succeeded().json()["burden"]["groupings"][0]["groups"].clone()
    };
    let counts: Vec<u64> = list(&by("rank")).iter().map(|it| it["people"].as_u64().expect("a count")).collect();
    assert_eq!(counts, [75, 75, 75, 75]);
    let groups = by("rank");
    let names: Vec<&Value> = list(&groups).iter().map(|it| &it["levels"][0]).collect();
    assert_eq!(names, ["up to 74", "over 74 up to 149", "over 149 up to 224", "over 224"]);
    let of_income = by("income");
    assert_eq!(list(&of_income).last().map(|it| &it["levels"][0]), Some(&json!("(missing)")));
    assert_eq!(list(&of_income).len(), 5);
    assert_eq!(list(&by("member")).len(), 2, "no and yes");
}

#[test]
fn a_limit_and_held_out_rows_hold_for_groups_too() {
    let desk = Desk::with_people_plan(2);
    let audit = ["audit", "people.plan", "people.csv", "--delta", "0", "--by", "region", "--limit", "50"];
    let report = desk.run(audit.into_iter().chain(["--people-csv", "rows.csv", "--json", "-"])).succeeded().json();
    let people: u64 =
        list(&report["burden"]["groupings"][0]["groups"]).iter().filter_map(|it| it["people"].as_u64()).sum();
    assert_eq!((people, rows_of(&desk.read("rows.csv")).len()), (50, 150));
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--holdout", "0.5", "-o", "half.plan"];
    desk.run(fit).succeeded();
    let audit = ["audit", "half.plan", "people.csv", "--held-out", "--delta", "0", "--by", "region", "--json", "-"];
    let report = desk.run(audit).succeeded().json();
    let people: u64 =
        list(&report["burden"]["groupings"][0]["groups"]).iter().filter_map(|it| it["people"].as_u64()).sum();
    assert_eq!(Some(people), report["people"].as_u64());
    assert!(people < 200);
}

/// Groups by what was asked of them in an audit before: many, few, and fifteen people who are told apart from both.
#[test]
fn differences_are_told_in_words_and_small_groups_are_not_compared() {
    let desk = Desk::with_people_plan(2);
    desk.run(["audit", "people.plan", "people.csv", "--delta", "0", "--people-csv", "rows.csv"]).succeeded();
    let rows = rows_of(&desk.read("rows.csv"));
    let asked: Vec<bool> = rows.iter().filter(|row| row["run"] == "0").map(|row| row["asked"] == "4").collect();
    let others = &asked[15..];
    assert!(others.iter().filter(|it| **it).count() >= 30 && others.iter().filter(|it| !**it).count() >= 30);
    let kind =
        |place: usize| if place < 15 { "fifteen" } else { ["few", "many"][usize::from(asked[place])] }.to_owned();
    desk.write("grouped.csv", people(2, 300).with_extra("kind", kind).to_text());
    let audit = ["audit", "people.plan", "grouped.csv", "--delta", "0,0.1", "--by", "kind"];
    let shown = desk.run(audit).succeeded().out.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(shown.contains("equal burden, by kind") && shown.contains("fifteen †"), "{shown}");
    assert!(shown.contains("questions: kind many is asked"), "{shown}");
    assert!(shown.contains("Too few people to tell, fewer than 30: kind fifteen."), "{shown}");
    assert!(shown.contains("If no difference is found, there may still be one."), "{shown}");
    let report = desk.run(audit.into_iter().chain(["--json", "-"])).succeeded().json();
    let burden = &report["burden"];
    assert_eq!(burden["fewest_people"], json!(30));
    let runs = list(&burden["groupings"][0]["runs"]);
    let tests = runs.iter().flat_map(|run| ["asked", "flips", "accuracy"].map(|subject| &run[subject]));
    let tests: Vec<&Value> = tests.filter(|difference| !difference.is_null()).collect();
    assert_eq!(burden["tests"].as_u64(), Some(tests.len() as u64));
    for difference in tests {
        let (p, corrected) = (number(&difference["p"]), number(&difference["p_holm"]));
        assert!(0.0 <= p && p <= corrected && corrected <= 1.0);
        let sentence = text(&difference["sentence"]);
        match text(&difference["verdict"]) {
            "found" => assert!(corrected <= 0.05 && sentence.contains("95 % interval")),
            _ => assert!(corrected > 0.05 && sentence.starts_with("No difference found; differences up to")),
        }
    }
    assert_eq!(runs[0]["asked"]["verdict"], json!("found"));
    assert!(["welch", "anova"].contains(&text(&runs[0]["asked"]["test"])));
    // At delta 0 nothing is flipped by construction, and `all` asks everybody everything: neither is tested.
    assert!(runs[0]["flips"].is_null() && runs[2]["asked"].is_null() && !runs[1]["flips"].is_null());
    // Accuracy at delta 0 is the full model's and is tested once.
    assert!(!runs[0]["accuracy"].is_null() && runs[2]["accuracy"].is_null());
}

/// Tables were narrowed to 80 columns in the middle of a word.
#[test]
fn the_names_of_groups_are_wrapped_between_words() {
    let desk = Desk::with_people_plan(2);
    let origin = |place: usize| ["Amer-Indian-Eskimo", "Asian-Pac-Islander", "elsewhere"][(place / 7) % 3].to_owned();
    desk.write("others.csv", people(2, 80).with_extra("origin", origin).to_text());
    let audit = ["audit", "people.plan", "others.csv", "--delta", "0.1", "--by", "origin,member"];
    let shown = desk.run(audit).succeeded().out;
    let (_, tables) = shown.split_once("equal burden, by origin").expect("a table");
    for line in ["\n Amer-Indian-Eskimo", "\n Asian-Pac-Islander", "\n elsewhere, no †"] {
        assert!(tables.contains(line), "{line} is missing from:\n{shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

/// Groups of fewer than ten people were shown with all their figures.
#[test]
fn small_groups_are_shown_together_or_not_at_all_wherever_groups_are_shown() {
    let desk = Desk::with_people_plan(2);
    let size = |place: usize| match place {
        0..6 => "tiny-six",
        6..14 => "tiny-eight",
        14..60 => "some",
        _ => "most",
    };
    let audit = |more: &[&str]| {
        let arguments = ["audit", "people.plan", "grouped.csv", "--delta", "0.1", "--by", "size"];
        let files = ["--force", "--report", "audit.html", "--json", "audit.json"];
        let outcome = desk.run(arguments.into_iter().chain(files).chain(more.iter().copied())).succeeded();
        (outcome.out, desk.read("audit.html"), desk.json("audit.json")["burden"]["groupings"][0].clone())
    };
    let people_of = |grouping: &Value| -> Vec<(String, u64)> {
        let groups = list(&grouping["groups"]).iter();
        groups.map(|it| (it["levels"][0].as_str().unwrap_or("").to_owned(), it["people"].as_u64().unwrap())).collect()
    };
    desk.write("grouped.csv", people(2, 300).with_extra("size", |place| size(place).to_owned()).to_text());
    let (text, page, grouping) = audit(&[]);
    let expected = [("most".to_owned(), 240), ("some".to_owned(), 46), (String::new(), 14)];
    assert_eq!((people_of(&grouping), &grouping["groups"][2]["merged"]), (expected.to_vec(), &json!(2)));
    for shown in [&text, &page] {
        assert!(shown.contains("2 small groups"), "{shown}");
        assert!(!shown.contains("tiny"), "{shown}");
    }
    // With the eight gone, six are too few even together.
    let few = |place: usize| if size(place) == "tiny-eight" { "most" } else { size(place) }.to_owned();
    desk.write("grouped.csv", people(2, 300).with_extra("size", few).to_text());
    let (text, page, grouping) = audit(&[]);
    assert_eq!((people_of(&grouping).len(), &grouping["groups_untold"]), (2, &json!(1)));
    for runs in list(&grouping["runs"]) {
        assert_eq!(list(&runs["groups"]).len(), 2);
    }
    assert!(text.contains("One group has fewer than 10 people and is not shown."), "{text}");
    assert!(page.contains("One group has fewer than 10 people.") && !text.contains("tiny") && !page.contains("tiny"));
    let (text, page, grouping) = audit(&["--smallest-group", "6"]);
    assert_eq!((people_of(&grouping).len(), &grouping["groups_untold"]), (3, &json!(0)));
    assert!(text.contains("tiny-six †") && page.contains("tiny-six"));
}

/// A cell that does not answer its question leaves one person out, and used to end the audit.
#[test]
fn a_cell_that_the_plan_cannot_read_makes_no_group() {
    let table = people(2, 300).with_extra("code", |place| ["a", "b", "rare"][place % 151 / 75].to_owned());
    let desk = Desk::new();
    desk.write("people.csv", table.to_text());
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--rare", "5", "-o", "people.plan"];
    desk.run(fit).succeeded();
    let mut others = table;
    for (row, column, cell) in [(1, 1, "old"), (2, 4, "perhaps"), (3, 5, "the moon"), (4, 0, "never seen")] {
        others.rows[row][column] = cell.to_owned();
    }
    desk.write("others.csv", others.to_text());
    for (by, groups) in [("age", 4), ("member", 2), ("region", 5), ("code", 3)] {
        let audit = ["audit", "people.plan", "others.csv", "--delta", "0", "--smallest-group", "1", "--json", "-"];
        let report = desk.run(audit.into_iter().chain(["--by", by])).succeeded().json();
        let found = list(&report["burden"]["groupings"][0]["groups"]);
        let people: u64 = found.iter().map(|group| group["people"].as_u64().expect("a count")).sum();
        assert_eq!((found.len(), people), (groups, 297), "{by}: {found:?}");
    }
}

#[test]
fn where_no_two_groups_are_large_enough_nothing_is_claimed() {
    let desk = Desk::with_people_plan(2);
    let audit =
        ["audit", "people.plan", "people.csv", "--delta", "0", "--by", "region", "--limit", "60", "--json", "-"];
    let report = desk.run(audit).succeeded().json();
    assert_eq!(report["burden"]["tests"], json!(0));
    let asked = &report["burden"]["groupings"][0]["runs"][0]["asked"];
    assert_eq!(asked["verdict"], json!("too-few"));
    assert!(text(&asked["sentence"]).starts_with("Too few people to tell"));
    let more = ["--by", "region", "--limit", "60", "--report", "audit.html"];
    let shown =
        desk.run(["audit", "people.plan", "people.csv", "--delta", "0"].into_iter().chain(more)).succeeded().out;
    assert!(shown.contains("In brackets: 95 % intervals. ") && !shown.contains("tests together"), "{shown}");
    assert!(!desk.read("audit.html").contains("comparisons are corrected"));
    let few = ["--by", "region", "--limit", "5"];
    let shown = desk.run(["audit", "people.plan", "people.csv", "--delta", "0"].into_iter().chain(few)).succeeded().out;
    assert!(shown.contains("fewer than 10 people: not shown") && !shown.contains("flips, %"), "{shown}");
}

#[test]
fn regret_is_what_was_asked_beyond_the_optimum() {
    let desk = Desk::with_people_plan(3);
    let audit = ["audit", "people.plan", "people.csv", "--delta", "0,0.2", "--people-csv", "rows.csv", "--json", "-"];
    let report = desk.run(audit).succeeded().json();
    let rows = rows_of(&desk.read("rows.csv"));
    let runs = list(&report["runs"]);
    let optimal = runs.iter().find(|run| run["selector"] == "optimal").expect("a baseline");
    assert!(optimal.get("regret").is_none());
    for (place, run) in runs.iter().enumerate().filter(|(_, run)| run["selector"] != "optimal") {
        let mean = number(&run["mean_asked"]) - number(&optimal["mean_asked"]);
        assert!((number(&run["regret"]["mean"]["value"]) - mean).abs() < ROUNDING, "{run}");
        for count in list(&run["regret"]["histogram"]) {
            let count_of = |row: &&BTreeMap<String, String>, name: &str| row[name].parse::<i64>().expect("a count");
            let own = rows.iter().filter(|row| row["run"] == place.to_string());
            let alike = own
                .filter(|row| Some(count_of(row, "asked") - count_of(row, "optimal")) == count["questions"].as_i64());
            assert_eq!(Some(alike.count() as u64), count["people"].as_u64());
        }
    }
    let without =
        desk.run(["audit", "people.plan", "people.csv", "--baseline", "all", "--json", "-"]).succeeded().json();
    assert!(list(&without["runs"]).iter().all(|run| run.get("regret").is_none()));
}

#[test]
fn what_hidden_answers_give_away_is_told_when_asked_for() {
    let desk = Desk::with_people_plan(2);
    let audit = ["audit", "people.plan", "people.csv", "--delta", "0,0.1"];
    let plain = desk.run(audit).succeeded().out;
    assert!(!plain.contains("there is to privacy"));
    let shown = desk.run(audit.into_iter().chain(["--giveaway"])).succeeded().out;
    for words in ["not asked, but explained", "not asked, but guessed right", "not all there is to privacy"] {
        assert!(shown.contains(words), "{words} is missing from:\n{shown}");
    }
    let report = desk.run(audit.into_iter().chain(["--giveaway", "--json", "-"])).succeeded().json();
    for run in list(&report["runs"]) {
        let giveaway = &run["giveaway"];
        let mut hidden = 0.0;
        for question in list(&giveaway["questions"]) {
            let asked = number(&run["asked"][text(&question["question"])]);
            assert_close(&question["people"], ((1.0 - asked) * 300.0).round());
            hidden += number(&question["people"]);
            let kind = if ["member", "region"].contains(&text(&question["question"])) { "choice" } else { "number" };
            assert_eq!(question["kind"], json!(kind));
            let is_told = !question["believed"].is_null();
            assert!(
                !is_told || number(&question["people"]) >= 10.0,
                "about so few it would be about persons: {question}"
            );
            if kind == "choice" && number(&question["people"]) >= 10.0 {
                assert!((0.0..=1.0).contains(&number(&question["guessed_right"]["after"])));
            }
        }
        assert_eq!(number(&giveaway["hidden_numbers"]) + number(&giveaway["hidden_choices"]), hidden);
    }
}

/// An unknown column, three, one twice, an identifier, two that are too many together; the label makes groups like any
/// other column.
#[test]
fn columns_that_make_no_groups_are_refused() {
    let desk = Desk::with_people_plan(2);
    let table = people(2, 300).with_extra("name", |place| format!("zanzibar {place}"));
    let table = table.with_extra("kind", |place| format!("kind {}", place % 20));
    desk.write("more.csv", table.to_text());
    let refuses = |by: &str, parts: &[&str]| {
        let audit =
            ["audit", "people.plan", "more.csv", "--by", by, "--json", "audit.json", "--people-csv", "rows.csv"];
        desk.refuses(audit, parts).keeps_quiet_about("zanzibar");
    };
    refuses("colour", &["more.csv", "\"colour\"", "kind, name, age, income, visits, member, region, outcome"]);
    refuses("age,member,region", &["one or two columns"]);
    refuses("age,age", &["twice", "\"age\""]);
    refuses("name", &["more.csv", "\"name\"", "more than 50 groups", "fewer different texts"]);
    refuses("kind,region", &["\"kind\" and \"region\"", "more than 50 groups", "one of them at a time"]);
    let by_label = ["audit", "people.plan", "people.csv", "--by", "outcome", "--delta", "0", "--json", "-"];
    assert_eq!(list(&desk.run(by_label).succeeded().json()["burden"]["groupings"][0]["groups"]).len(), 2);
}

#[test]
fn rows_are_written_whole_or_not_at_all() {
    let desk = Desk::with_people_plan(2);
    let mut broken = people(2, 3000);
    broken.rows[2900].pop();
    desk.write("broken.csv", broken.to_text());
    desk.write("rows.csv", "what was there");
    let audit = |table, file| ["audit", "people.plan", table, "--delta", "0", "--force", "--people-csv", file];
    desk.refuses(audit("broken.csv", "rows.csv"), &["broken.csv:", "the row has 5 cells"]);
    desk.refuses(audit("people.csv", "people.csv"), &["people.csv", "would be overwritten"]);
    desk.refuses(audit("people.csv", "people.plan"), &["people.plan", "would be overwritten"]);
    desk.refuses(audit("people.csv", "nowhere/rows.csv"), &["nowhere/rows.csv", "cannot be written"]);
    desk.refuses(audit("people.csv", "."), &["cannot be written"]);
    desk.refuses(audit("people.csv", "-"), &["--people-csv"]);
    let both = ["--json", "same.out"];
    desk.refuses(audit("people.csv", "same.out").into_iter().chain(both), &["same file"]);
    desk.refuses(audit("people.csv", "rows.csv").into_iter().chain(["--limit", "0"]), &["no one to audit"]);
    assert_eq!(desk.read("rows.csv"), "what was there");
    desk.run(audit("people.csv", "rows.csv")).succeeded();
    assert!(desk.read("rows.csv").starts_with("line,run,plan,rule,"));
}
