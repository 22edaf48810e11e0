//! `mindrel audit --report`: the page as a user makes it.

use crate::common::{Desk, Outcome, people};

/// A page says what was asked for, and its figures are those of the JSON.
#[test]
fn the_report_tells_the_command_and_the_figures_of_the_json() {
    let desk = Desk::with_people_plan(2);
    let arguments = ["audit", "people.plan", "people.csv", "--report", "audit.html", "--json", "audit.json"];
    let outcome = desk.run(arguments).succeeded();
    assert!(outcome.out.contains("Report written to audit.html."), "{}", outcome.out);
    let (page, json) = (desk.read("audit.html"), desk.json("audit.json"));
    let run = &json["runs"][0];
    assert_eq!((run["delta"].as_f64(), run["selector"].as_str()), (Some(0.0), Some("decisive")));
    let (asked, flips) = (run["mean_asked"].as_f64().unwrap(), run["flips"].as_f64().unwrap());
    assert_eq!(flips, 0.0);
    let questions = &json["questions"];
    let headline = format!("Decided from {asked:.1} of {questions} sensitive questions on average; all decisions are");
    for part in [headline.as_str(), json["plan"].as_str().unwrap(), "<span>mindrel</span> <span>audit</span> "] {
        assert!(page.contains(part), "{part:?} is missing from the page");
    }
    // It is the table the plan was fitted on, and the page says so.
    assert!(page.contains("People the plan was fitted on are among those audited"));
}

/// With a limit that nobody reaches, everyone was once said to be drawn at random.
#[test]
fn the_report_says_which_people_were_audited() {
    let desk = Desk::with_people_plan(2);
    for (limit, told) in [
        (["--limit", "200"], "200, drawn at random from the table"),
        (["--limit", "900"], "300, everyone in the table"),
        (["--first", "200"], "200, the first in the table"),
        (["--first", "900"], "300, everyone in the table"),
    ] {
        let audit = ["audit", "people.plan", "people.csv", "--delta", "0", "--report", "audit.html", "--force"];
        desk.run(audit.into_iter().chain(limit)).succeeded();
        assert!(desk.read("audit.html").contains(told), "{limit:?}");
    }
}

/// Without rules of its own an audit for a report compares: the usual δ, the paper's rules at the plan's own, and both
/// ends.
#[test]
fn a_report_brings_the_runs_it_compares() {
    let desk = Desk::with_people_plan(2);
    let runs = |more: &[&str]| -> Vec<String> {
        let arguments = ["audit", "people.plan", "people.csv", "--json", "-", "--force", "--report", "audit.html"];
        let json = desk.run(arguments.into_iter().chain(more.iter().copied())).succeeded().json();
        let runs = json["runs"].as_array().expect("a list of runs");
        runs.iter().map(|run| format!("{} {}", run["selector"].as_str().unwrap(), run["delta"])).collect()
    };
    let usual = ["decisive 0.0", "decisive 0.01", "decisive 0.05", "decisive 0.1", "f-score 0.0", "importance 0.0"];
    assert_eq!(runs(&[]), [&usual[..], &["all 0.0", "optimal 0.0"]].concat());
    assert_eq!(runs(&["--delta", "0.05", "--baseline", "none"]), ["decisive 0.05", "f-score 0.05", "importance 0.05"]);
    assert_eq!(
        runs(&["--delta", "0.1,0", "--selector", "random", "--baseline", "all"]),
        ["random 0.1", "random 0.0", "all 0.0"]
    );
    assert!(desk.read("audit.html").contains("chosen: δ\u{a0}=\u{a0}0.1"));
}

#[test]
fn groups_and_giveaways_are_in_the_report_where_they_are_asked_for() {
    let desk = Desk::with_people_plan(2);
    let audit = ["audit", "people.plan", "people.csv", "--force", "--report", "audit.html"];
    desk.run(audit).succeeded();
    let plain = desk.read("audit.html");
    assert!(!plain.contains("id=\"burden\"") && !plain.contains("id=\"giveaway\""));
    desk.run(audit.into_iter().chain(["--by", "age", "--giveaway"])).succeeded();
    let full = desk.read("audit.html");
    assert!(full.contains("id=\"burden\"") && full.contains("id=\"giveaway\""));
    assert!(full.contains("<h3>By age</h3>"));
}

/// The width that a page needs, as a browser sees it in a frame of 390 pixels; `None` where there is no browser.
fn width_on_a_telephone(desk: &Desk, page: &str) -> Option<u32> {
    const LOADED: &str = "document.title = 'needs ' + this.contentDocument.documentElement.scrollWidth + ' pixels'";
    let frame =
        format!("<iframe src='{page}' width='390' height='9000' style='border: 0' onload=\"{LOADED}\"></iframe>");
    desk.write("phone.html", frame);
    let options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--allow-file-access-from-files",
        "--virtual-time-budget=2000",
        "--dump-dom",
    ];
    let page = format!("file://{}", desk.path("phone.html").display());
    let profile = format!("--user-data-dir={}", desk.path("profile").display());
    let browse = |name| std::process::Command::new(name).args(options).args([&profile, &page]).output().ok();
    let shown = ["chromium", "google-chrome", "chromium-browser"].into_iter().find_map(browse)?.stdout;
    let shown = String::from_utf8_lossy(&shown).into_owned();
    let needed = shown.split("needs ").nth(1).and_then(|rest| rest.split(' ').next()).and_then(|it| it.parse().ok());
    Some(needed.unwrap_or_else(|| panic!("the page did not load: {shown}")))
}

/// Heads of tables that only screen readers read were as wide as the table, and the page scrolled sideways.
#[test]
fn a_report_is_no_wider_than_a_telephone() {
    let desk = Desk::with_people_plan(3);
    let audit = ["audit", "people.plan", "people.csv", "--delta", "0.1", "--by", "region,member", "--giveaway"];
    desk.run(audit.into_iter().chain(["--report", "audit.html"])).succeeded();
    match width_on_a_telephone(&desk, "audit.html") {
        Some(width) => assert!(width <= 390, "{width} pixels"),
        None => mindrel_testing::skip("a_report_is_no_wider_than_a_telephone", "chromium is not installed"),
    }
}

/// The same command gives the same bytes, whatever the number of threads, where the time is set.
#[test]
fn a_report_is_the_same_every_time_where_the_time_is_set() {
    let desk = Desk::with_people_plan(3);
    let page = |threads: &str| {
        let mut command =
            desk.command(["audit", "people.plan", "people.csv", "--force", "--report", "audit.html", "--by", "age"]);
        Outcome::of(command.env("SOURCE_DATE_EPOCH", "1700000000").env("RAYON_NUM_THREADS", threads)).succeeded();
        desk.read("audit.html")
    };
    let first = page("1");
    assert!(first.contains("2023-11-14 22:13 UTC"));
    assert!(first == page("2"), "two runs gave two pages");
}

#[test]
fn a_time_that_is_none_is_refused_before_anything_is_done() {
    let desk = Desk::with_people_plan(2);
    let before = desk.inventory();
    let mut command = desk.command(["audit", "people.plan", "people.csv", "--report", "audit.html"]);
    Outcome::of(command.env("SOURCE_DATE_EPOCH", "yesterday")).refused(&["SOURCE_DATE_EPOCH", "1700000000"]);
    assert!(desk.inventory() == before);
}

#[test]
fn a_report_replaces_nothing_that_is_read_and_must_be_writable() {
    let desk = Desk::with_people_plan(2);
    let audit = |report: &'static str| ["audit", "people.plan", "people.csv", "--report", report];
    desk.refuses(audit("people.csv"), &["people.csv"]);
    desk.refuses(audit("people.plan"), &["people.plan"]);
    desk.refuses(audit("nowhere/audit.html"), &["nowhere/audit.html"]);
    desk.refuses(audit("-"), &["--report needs the name of a file"]);
    let same = audit("audit.html").into_iter().chain(["--json", "audit.html"]);
    desk.refuses(same, &["--json and --report name the same file"]);
}

/// A plan that promises: the report is about its calibrated rules, beside the usual δ.
#[test]
fn a_calibrated_plan_is_reported_on_by_its_promise() {
    let desk = Desk::with_people_plan(2);
    desk.write("others.csv", people(2, 900).to_text());
    let calibrate = ["calibrate", "people.plan", "others.csv", "--flips", "0.1", "-o", "calibrated.plan"];
    desk.run(calibrate).succeeded();
    desk.run(["audit", "calibrated.plan", "others.csv", "--calibrated", "--report", "audit.html"]).succeeded();
    let page = desk.read("audit.html");
    for part in ["Promised: at most 10\u{a0}%", "The plan was calibrated on this table", "chosen: calibrated"] {
        assert!(page.contains(part), "{part:?} is missing from the page");
    }
}

/// A network's decisions take longer, so that fewer runs are compared.
#[test]
fn a_network_is_reported_on_with_few_runs() {
    let desk = Desk::with_people_plan(2);
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--model", "mlp", "--hidden", "4"];
    desk.run(fit.into_iter().chain(["-o", "network.plan"])).succeeded();
    let audit =
        ["audit", "network.plan", "people.csv", "--limit", "60", "--report", "audit.html", "--json", "audit.json"];
    desk.run(audit).succeeded();
    assert_eq!(desk.json("audit.json")["runs"].as_array().map(Vec::len), Some(5));
    assert!(desk.read("audit.html").contains("neural network"));
}
