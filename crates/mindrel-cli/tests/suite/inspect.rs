//! `mindrel inspect` as a user meets it.

use crate::common::{Desk, LOAN_PUBLIC, SENTINEL, loan_answers};
use serde_json::{Value, json};

#[test]
fn everything_that_matters_about_a_plan_is_on_one_page() {
    let desk = Desk::with_loan_plan();
    let seen = desk.run(["inspect", "loan.plan"]).succeeded().out;
    let fingerprint = desk.json("loan.plan")["fingerprint"].as_str().expect("a plan has one").to_owned();
    for words in [
        "Will this loan be repaid?   bad / good",
        "linear model; 28 columns, 29 parameters",
        "one Gaussian",
        "delta 0, selector decisive, test certified",
        "4,454 rows, none held out",
        &fingerprint,
        "No one is asked more than 10 of 10 questions",
        "someone is asked that many",
        "The average person",
        "Expected public values: Time=",
        "First questions",
        "What decisions rest on",
        "not available: the plan was not calibrated",
    ] {
        assert!(seen.contains(words), "{words:?} is missing from\n{seen}");
    }
    assert!(seen.lines().all(|line| line.chars().count() <= 80), "{seen}");
}

#[test]
fn the_average_person_is_asked_what_ask_asks_with_these_answers() {
    let desk = Desk::with_loan_plan();
    for rules in [["--delta", "0"], ["--delta", "0.05"]] {
        let inspection =
            desk.run(["inspect", "loan.plan", "--public", LOAN_PUBLIC, "--json"].into_iter().chain(rules)).succeeded();
        let inspection = inspection.json();
        let given = |value: &Value| value["given"] == json!(true);
        assert!(inspection["public"].as_array().expect("a list").iter().all(given));
        let steps = inspection["typical_person"]["steps"].as_array().expect("a list");
        let mut answers = loan_answers();
        for step in steps {
            answers[step["question"].as_str().expect("a name")] = step["answer"].clone();
        }
        desk.write("answers.json", answers.to_string());
        let asked = [
            "ask",
            "loan.plan",
            "--answers",
            "answers.json",
            "--public",
            LOAN_PUBLIC,
            "--force",
            "--certificate",
            "it.json",
        ];
        desk.run(asked.into_iter().chain(rules)).succeeded();
        let certificate = desk.json("it.json");
        let revealed = certificate["revealed"].as_array().expect("a list").iter().map(|one| &one["question"]);
        assert!(revealed.eq(steps.iter().map(|step| &step["question"])), "{certificate}");
        assert_eq!(certificate["label"], inspection["typical_person"]["class"]);
    }
}

#[test]
fn json_goes_to_a_file_or_to_standard_output_and_is_the_same() {
    let desk = Desk::with_people_plan(3);
    let printed = desk.run(["inspect", "people.plan", "--json"]).succeeded();
    desk.run(["inspect", "people.plan", "--json", "inspection.json"]).succeeded();
    assert_eq!(printed.out, desk.read("inspection.json"));
    let inspection = printed.json();
    assert_eq!(inspection["plan"], desk.json("people.plan")["fingerprint"]);
    assert_eq!(inspection["questions"].as_array().map(Vec::len), Some(5));
    assert!(inspection["most_asked"]["at_most"].as_u64() >= inspection["most_asked"]["reached"].as_u64());
    assert_eq!(desk.run(["inspect", "people.plan", "--json", "-"]).succeeded().out, printed.out);
}

/// The levels of `region` hold quotes and line breaks; a label and a question are given hostile names on top.
#[test]
fn a_drawn_tree_is_well_formed_whatever_questions_are_called() {
    let desk = Desk::new();
    let table = crate::common::people(2, 200).to_text().replacen("visits", "<script>alert(1)</script>", 1);
    desk.write("people.csv", table.replace("class-1", "</svg>&amp;"));
    desk.run(["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"]).succeeded();
    desk.run(["inspect", "people.plan", "--svg", "tree.svg", "--depth", "2"]).succeeded();
    let svg = desk.read("tree.svg");
    assert!(svg.starts_with("<svg") && !svg.contains("<script>"), "{svg}");
    assert_eq!(svg.matches("</svg>").count(), 1);
    assert!(svg.contains("&lt;script&gt;"), "{svg}");
    desk.run(["inspect", "people.plan", "--svg", "again.svg", "--depth", "2"]).succeeded();
    assert_eq!(svg, desk.read("again.svg"));
}

#[test]
fn depth_bounds_the_tree() {
    fn deepest(node: &Value) -> usize {
        let branches = node["branches"].as_array();
        branches.map_or(0, |branches| 1 + branches.iter().map(|branch| deepest(&branch["then"])).max().unwrap_or(0))
    }
    let desk = Desk::with_loan_plan();
    for (depth, expected) in [("1", 1), ("2", 2), ("4", 4)] {
        let inspection = desk.run(["inspect", "loan.plan", "--depth", depth, "--json"]).succeeded().json();
        assert_eq!(deepest(&inspection["tree"]), expected);
    }
}

/// Sample points said nothing about the answers between them.
#[test]
fn the_tree_shows_ranges_of_numbers_that_cover_all_answers() {
    let desk = Desk::with_loan_plan();
    let inspect = ["inspect", "loan.plan", "--delta", "0.1", "--json"];
    let inspection = desk.run(inspect).succeeded().json();
    let mut ranged = 0;
    let mut open = vec![&inspection["tree"]];
    while let Some(node) = open.pop() {
        let branches: Vec<&Value> = node["branches"].as_array().into_iter().flatten().collect();
        open.extend(branches.iter().map(|branch| &branch["then"]));
        let ranges: Vec<&Value> = branches.iter().map(|branch| &branch["range"]).filter(|it| !it.is_null()).collect();
        let Some((first, last)) = ranges.first().zip(ranges.last()) else { continue };
        ranged += 1;
        assert_eq!(first["from_first"], json!(true), "{node}");
        assert!(last["to_last"] == json!(true) || node["other_levels"].as_u64() > Some(0), "{node}");
        let ends = |range: &Value, end: &str| range[end].as_f64().expect("a number");
        assert!(ranges.windows(2).all(|pair| ends(pair[0], "upper") < ends(pair[1], "lower")), "{node}");
    }
    assert!(ranged > 0, "{}", inspection["tree"]);
    let text = desk.run(["inspect", "loan.plan", "--delta", "0.1"]).succeeded().out;
    assert!(text.contains(" or more → ") && text.contains("─ up to "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let desk = Desk::with_people_plan(2);
    desk.refuses(["inspect", "nowhere.plan", "--svg", "tree.svg"], &["nowhere.plan"]);
    desk.refuses(["inspect", "people.csv"], &["people.csv"]);
    let secret = format!("age={SENTINEL}x");
    desk.refuses(["inspect", "people.plan", "--public", &secret, "--svg", "tree.svg"], &["--public", "`age`"]);
    desk.refuses(["inspect", "people.plan", "--public", "income=3"], &["`income` is sensitive"]);
    desk.refuses(["inspect", "people.plan", "--public", "height=3"], &["there is no question `height`"]);
    desk.refuses(["inspect", "people.plan", "--public", "age"], &["name=value"]);
    desk.refuses(["inspect", "people.plan", "--depth", "0"], &["--depth", "from 1 to 6"]);
    desk.refuses(["inspect", "people.plan", "--delta", "0.7"], &["delta must be"]);
    desk.refuses(["inspect", "people.plan", "--test", "sampled"], &["linear"]);
    desk.refuses(["inspect", "people.plan", "--svg", "no/such/folder/tree.svg"], &["tree.svg"]);
    desk.refuses(["inspect", "people.plan", "--json", "people.plan"], &["people.plan"]);
    desk.refuses(["inspect", "people.plan", "--svg", "tree.svg", "--json", "no/such/folder.json"], &["folder.json"]);
}
