//! `mindrel calibrate`, and what `ask`, `audit` and `verify` make of a calibrated plan.

use std::sync::OnceLock;

use crate::common::{Desk, loan_answers, people};
use serde_json::{Value, json};

/// A folder with `loan.csv`, `loan.plan`, of which 30 % of the rows were held out, and `calibrated.plan`.
fn desk_with_calibrated_loans() -> Desk {
    static PLANS: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let [plan, calibrated] = PLANS.get_or_init(|| {
        let desk = Desk::new();
        desk.copy_loan_data();
        desk.run(["fit", "loan.csv", "--schema", "loan.toml", "--holdout", "0.3", "-o", "loan.plan"]).succeeded();
        desk.run(["calibrate", "loan.plan", "loan.csv", "--flips", "0.02", "-o", "calibrated.plan"]).succeeded();
        ["loan.plan", "calibrated.plan"].map(|name| std::fs::read(desk.path(name)).expect("it was written"))
    });
    let desk = Desk::new();
    desk.copy_loan_data();
    desk.write("loan.plan", plan);
    desk.write("calibrated.plan", calibrated);
    desk.write("answers.json", loan_answers().to_string());
    desk
}

/// A folder with `others.csv` and `people.plan`, in which region is public, and fitted on other people.
fn desk_with_groups() -> Desk {
    let desk = Desk::new();
    let mut all = people(2, 2300);
    let others = all.rows.split_off(300);
    desk.write("people.csv", all.to_text());
    desk.write("others.csv", crate::common::Rows { header: all.header, rows: others }.to_text());
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "region,age", "-o", "people.plan"];
    desk.run(fit).succeeded();
    desk
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_calibrated_plan_says_what_it_promises_and_by_what_right() {
    let desk = desk_with_calibrated_loans();
    let again = ["calibrate", "loan.plan", "loan.csv", "--flips", "0.02", "-o", "again.plan"];
    let told = desk.run(again).succeeded();
    for words in
        ["held-out people", "at most 2 % of decisions differ", "with 95 % confidence", "ask again.plan --calibrated"]
    {
        assert!(told.out.contains(words), "{words:?} is missing from\n{}", told.out);
    }
    assert_eq!(desk.read("again.plan"), desk.read("calibrated.plan"), "always the same");
    let (before, after) = (desk.json("loan.plan"), desk.json("calibrated.plan"));
    assert_ne!(before["fingerprint"], after["fingerprint"]);
    let calibration = &after["plan"]["calibration"];
    assert_eq!((&calibration["flips"], &calibration["confidence"]), (&json!(0.02), &json!(0.95)));
    assert_eq!(calibration["table"], after["plan"]["training"]["table"]);
    let group = &calibration["groups"][0];
    assert!(number(&group["delta"]) > 0.0 && group["rests_on"] == "table", "{group}");
    assert!(number(&group["upper"]) <= 0.02 && number(&group["flips"]) / number(&group["people"]) < 0.02, "{group}");
    let mut without = after["plan"].clone();
    without.as_object_mut().expect("an object").remove("calibration");
    assert_eq!(without, before["plan"], "nothing else changes");
}

#[test]
fn asking_by_a_calibrated_plan_ends_with_its_promise_and_the_certificate_holds() {
    let desk = desk_with_calibrated_loans();
    let ask = [
        "ask",
        "calibrated.plan",
        "--calibrated",
        "--answers",
        "answers.json",
        "--force",
        "--certificate",
        "mine.json",
    ];
    let asked = desk.run(ask).succeeded();
    let promise = "Among people like those the plan was calibrated on, at most 2 % of decisions differ from those \
                   made with all answers, with 95 % confidence. Calibrated on 1,3";
    assert!(asked.out.contains(promise), "{}", asked.out);
    let certificate = desk.json("mine.json");
    let plan = desk.json("calibrated.plan");
    assert_eq!(certificate["rules"]["delta"], plan["plan"]["calibration"]["groups"][0]["delta"]);
    assert_eq!(certificate["calibration"]["flips"], json!(0.02));
    assert_eq!(certificate["calibration"]["people"], plan["plan"]["calibration"]["groups"][0]["people"]);
    let verified = desk.run(["verify", "calibrated.plan", "mine.json"]).succeeded();
    assert!(verified.out.contains(promise), "{}", verified.out);
    let edits: [(&str, Value); 3] = [("flips", json!(0.001)), ("confidence", json!(0.999)), ("people", json!(100_000))];
    for (field, value) in edits {
        let mut edited = certificate.clone();
        edited["calibration"][field] = value;
        desk.write("edited.json", edited.to_string());
        let outcome = desk.run(["verify", "calibrated.plan", "edited.json"]);
        assert_eq!(outcome.code, 1, "{field}: {}", outcome.out);
        assert!(outcome.out.contains("NOT valid: the plan does not promise this"), "{}", outcome.out);
    }
    let mut other = certificate;
    other["rules"]["delta"] = json!(0.4);
    desk.write("edited.json", other.to_string());
    let outcome = desk.run(["verify", "calibrated.plan", "edited.json"]);
    assert!(outcome.code == 1 && outcome.out.contains("not those the promise was calibrated for"), "{}", outcome.out);
}

#[test]
fn without_calibrated_a_calibrated_plan_asks_as_before() {
    let desk = desk_with_calibrated_loans();
    let ask = |plan: &str| {
        let outcome =
            desk.run(["ask", plan, "--answers", "answers.json", "--force", "--certificate", "mine.json"]).succeeded();
        (outcome.questions(), desk.json("mine.json")["calibration"].clone())
    };
    assert_eq!(ask("loan.plan"), ask("calibrated.plan"));
    assert_eq!(ask("calibrated.plan").1, Value::Null);
}

#[test]
fn those_who_decline_are_promised_nothing() {
    let desk = desk_with_calibrated_loans();
    let mut answers = loan_answers();
    answers["Seniority"] = Value::Null;
    desk.write("answers.json", answers.to_string());
    let ask = [
        "ask",
        "calibrated.plan",
        "--calibrated",
        "--answers",
        "answers.json",
        "--force",
        "--certificate",
        "mine.json",
    ];
    let outcome = desk.run(ask).succeeded();
    assert!(outcome.out.contains("Declined: Seniority."), "{}", outcome.out);
    assert!(outcome.out.contains("does not cover people who decline"), "{}", outcome.out);
    assert!(!outcome.out.contains("Among people like those"), "{}", outcome.out);
    assert!(!desk.has("mine.json") || desk.json("mine.json").get("calibration").is_none());
}

/// A network's rules hold more that a promise could depend on: how probabilities are estimated, and the budget of
/// proofs.
#[test]
fn networks_are_calibrated_alike() {
    let desk = desk_with_groups();
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--model", "mlp", "--epochs", "20"];
    desk.run(fit.into_iter().chain(["-o", "network.plan"])).succeeded();
    let rules = ["--flips", "0.1", "--estimate", "taylor", "--selector", "importance", "-o", "calibrated.plan"];
    desk.run(["calibrate", "network.plan", "others.csv"].into_iter().chain(rules)).succeeded();
    let calibration = desk.json("calibrated.plan")["plan"]["calibration"].clone();
    assert_eq!(
        (&calibration["rules"]["estimate"], &calibration["rules"]["selector"]),
        (&json!("taylor"), &json!("importance"))
    );
    let answers = json!({"age": 41, "income": 55.5, "visits": 9, "member": "yes", "region": "north"});
    desk.write("answers.json", answers.to_string());
    let ask = [
        "ask",
        "calibrated.plan",
        "--calibrated",
        "--answers",
        "answers.json",
        "--force",
        "--certificate",
        "mine.json",
    ];
    desk.run(ask).succeeded();
    assert_eq!(desk.json("mine.json")["rules"]["delta"], calibration["groups"][0]["delta"]);
    desk.run(["verify", "calibrated.plan", "mine.json"]).succeeded();
}

#[test]
fn an_audit_holds_a_calibrated_plan_to_its_promise() {
    let desk = desk_with_calibrated_loans();
    let audit = ["audit", "calibrated.plan", "loan.csv", "--held-out", "--calibrated"];
    let shown = desk.run(audit).succeeded();
    for words in ["decisive, calibrated", "at most 2 %", "kept", "calibrated on this table"] {
        assert!(shown.out.contains(words), "{words:?} is missing from\n{}", shown.out);
    }
    let beside_itself = audit.into_iter().chain(["--compare", "calibrated.plan"]);
    let own = "calibrated.plan was calibrated on this table";
    assert_eq!(desk.run(beside_itself).succeeded().out.matches(own).count(), 2, "said of each plan");
    let report = desk.run(audit.into_iter().chain(["--json", "-"])).succeeded().json();
    let run = &report["runs"][0];
    let group = desk.json("calibrated.plan")["plan"]["calibration"]["groups"][0].clone();
    assert_eq!((&run["calibrated"]["flipped"], &run["delta"]), (&group["flips"], &group["delta"]), "the same people");
    assert_eq!(run["calibrated"]["promised"], json!(0.02));
    assert!(run.get("calibration").is_none());
    let baselines: Vec<&Value> =
        report["runs"].as_array().expect("a list").iter().map(|run| &run["selector"]).collect();
    assert_eq!(baselines, [&json!("decisive"), &json!("all"), &json!("optimal")]);
}

#[test]
fn every_probable_run_of_an_audit_is_held_to_what_its_belief_promises() {
    let desk = desk_with_calibrated_loans();
    let audit = ["audit", "loan.plan", "loan.csv", "--held-out", "--delta", "0,0.05,0.2"];
    let shown = desk.run(audit).succeeded();
    for words in ["promised", "agree with all", "probable only", "verdict", "95.0 %"] {
        assert!(shown.out.contains(words), "{words:?} is missing from\n{}", shown.out);
    }
    let report = desk.run(audit.into_iter().chain(["--json", "-"])).succeeded().json();
    for run in report["runs"].as_array().expect("a list") {
        assert_eq!(run["belief"], "gaussian");
        let promises = number(&run["delta"]) > 0.0;
        assert_eq!(run.get("calibration").is_some(), promises, "{run}");
        if !promises {
            continue;
        }
        let calibration = &run["calibration"];
        assert!((number(&calibration["promised"]) - (1.0 - number(&run["delta"]))).abs() < 1e-12);
        assert_eq!(calibration["people"], report["people"]);
        for part in [calibration, &calibration["probable"]] {
            let (lower, upper) = (number(&part["lower"]), number(&part["upper"]));
            let observed = number(&part["agreeing"]) / number(&part["people"]);
            assert!(lower <= observed && observed <= upper && (observed - number(&part["observed"])).abs() < 1e-12);
            let promised = number(&calibration["promised"]);
            let verdict = if upper < promised {
                "broken"
            } else if lower >= promised {
                "kept"
            } else {
                "unclear"
            };
            assert_eq!(part["verdict"], verdict);
        }
    }
}

/// A plan beside a calibrated copy of itself, whose belief is the same; and beside plans it cannot be compared with.
#[test]
fn plans_with_the_same_questions_and_model_are_audited_side_by_side() {
    let desk = desk_with_calibrated_loans();
    let audit = ["audit", "loan.plan", "loan.csv", "--held-out", "--delta", "0,0.05", "--compare", "calibrated.plan"];
    let report = desk.run(audit.into_iter().chain(["--json", "-"])).succeeded().json();
    let runs = report["runs"].as_array().expect("a list");
    let names: Vec<&Value> = runs.iter().map(|run| &run["name"]).collect();
    let (one, other) = (&json!("loan.plan"), &json!("calibrated.plan"));
    assert_eq!(names, [one, one, other, other, &Value::Null, &Value::Null]);
    assert_eq!(runs[1]["calibration"], runs[3]["calibration"], "the same belief");
    let shown = desk.run(audit).succeeded();
    assert!(shown.out.contains("gaussian 1:  loan.plan\ngaussian 2:  calibrated.plan\n"), "{}", shown.out);
    assert!(shown.out.contains("decisive, gaussian 2"), "{}", shown.out);
    desk.run(["fit", "loan.csv", "--schema", "loan.toml", "--holdout", "0.5", "-o", "half.plan"]).succeeded();
    let with = |other| ["audit", "loan.plan", "loan.csv", "--compare", other];
    desk.refuses(
        with("half.plan"),
        &["half.plan", "its model is different from the first plan's", "audit it separately"],
    );
    desk.write("people.csv", people(2, 60).to_text());
    desk.run(["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"]).succeeded();
    desk.refuses(with("people.plan"), &["people.plan", "its questions are different from the first plan's"]);
    desk.refuses(with("absent.plan"), &["absent.plan", "cannot be read"]);
}

#[test]
fn every_group_has_a_threshold_and_a_promise_of_its_own() {
    let desk = desk_with_groups();
    let calibrate =
        ["calibrate", "people.plan", "others.csv", "--flips", "0.05", "--by", "region", "-o", "groups.plan"];
    let told = desk.run(calibrate).succeeded();
    assert!(told.out.contains("in every group") && told.out.contains("region north"), "{}", told.out);
    let calibration = desk.json("groups.plan")["plan"]["calibration"].clone();
    let groups = calibration["groups"].as_array().expect("a list");
    assert_eq!((groups.len(), &calibration["by"]), (5, &json!("region")));
    assert_eq!(groups.iter().map(|group| number(&group["people"])).sum::<f64>(), 2000.0);
    let answers = json!({"age": 41, "income": 55.5, "visits": 9, "member": "yes", "region": "north"});
    desk.write("answers.json", answers.to_string());
    let ask =
        ["ask", "groups.plan", "--calibrated", "--answers", "answers.json", "--force", "--certificate", "mine.json"];
    let asked = desk.run(ask).succeeded();
    assert!(asked.out.contains("with the same region, at most 5 %"), "{}", asked.out);
    let certificate = desk.json("mine.json");
    let north = groups.iter().find(|group| group["level"] == "north").expect("a group");
    assert_eq!(certificate["rules"]["delta"], north["delta"]);
    let stated = &certificate["calibration"]["group"];
    assert_eq!((&stated["level"], &stated["people"]), (&json!("north"), &north["people"]));
    desk.run(["verify", "groups.plan", "mine.json"]).succeeded();
    let mut elsewhere = certificate.clone();
    elsewhere["calibration"]["group"]["level"] = json!("south, by the sea");
    desk.write("edited.json", elsewhere.to_string());
    assert_eq!(desk.run(["verify", "groups.plan", "edited.json"]).code, 1);
    let audit = ["audit", "groups.plan", "others.csv", "--calibrated", "--json", "-"];
    let report = desk.run(audit).succeeded().json();
    let found = report["runs"][0]["calibrated"]["groups"].as_array().expect("a list").clone();
    for (group, threshold) in found.iter().zip(groups) {
        assert_eq!((&group["level"], &group["delta"]), (&threshold["level"], &threshold["delta"]));
        let flips = if threshold["rests_on"] == "table" { threshold["flips"].clone() } else { json!(0) };
        assert_eq!(group["flipped"], flips, "the same people as before");
    }
}

/// With 299 people and no flip, 1 % can just be promised at 95 %; 200 cannot bear it out, and what is left is a proof.
#[test]
fn a_table_too_small_for_the_promise_says_how_many_people_it_takes() {
    let desk = desk_with_groups();
    let mut few = people(2, 2500);
    few.rows.drain(..2300);
    desk.write("few.csv", few.to_text());
    let told = desk.run(["calibrate", "people.plan", "few.csv", "--flips", "0.01", "-o", "few.plan"]).succeeded();
    for words in ["at least 299", "At delta 0 every decision is proved", "proofs"] {
        assert!(told.out.contains(words), "{words:?} is missing from\n{}", told.out);
    }
    let group = &desk.json("few.plan")["plan"]["calibration"]["groups"][0];
    assert_eq!((&group["delta"], &group["rests_on"], &group["people"]), (&json!(0.0), &json!("proof"), &json!(200)));
    let answers = json!({"age": 41, "income": 55.5, "visits": 9, "member": "yes", "region": "north"});
    desk.write("answers.json", answers.to_string());
    let ask = ["ask", "few.plan", "--calibrated", "--answers", "answers.json", "--force", "--certificate", "mine.json"];
    assert!(desk.run(ask).succeeded().out.contains("Here every decision is proved."));
    let certificate = desk.json("mine.json");
    assert!(certificate["guarantee"] != "probable" && certificate["calibration"]["proved"] == json!(true));
    desk.run(["verify", "few.plan", "mine.json"]).succeeded();
    few.rows.drain(..160);
    desk.write("few.csv", few.to_text());
    let calibrate = ["calibrate", "people.plan", "few.csv", "--flips", "0.5", "--by", "region", "-o", "tiny.plan"];
    let told = desk.run(calibrate).succeeded().out;
    assert!(told.contains("under 10      -        -"), "figures about a few people are about persons:\n{told}");
}

/// `--json` and the certificate told how many people a group of fewer than ten has, and how many of them were flipped.
#[test]
fn nothing_is_counted_about_fewer_than_ten_people() {
    let desk = desk_with_groups();
    let mut table = people(2, 2340);
    table.rows.drain(..2300);
    for (place, row) in table.rows.iter_mut().enumerate() {
        let region = table.header.iter().position(|name| name == "region").expect("a column");
        row[region] = if place < 33 { "north" } else { "south, by the sea" }.to_owned();
    }
    desk.write("few.csv", table.to_text());
    let calibrate = ["calibrate", "people.plan", "few.csv", "--flips", "0.5", "--by", "region", "-o", "few.plan"];
    let told = desk.run([&calibrate[..], &["--json", "-"]].concat()).succeeded();
    let told: Value = serde_json::from_str(&told.out).expect("JSON");
    assert_eq!(told["people"], json!(33));
    let groups = told["calibration"]["groups"].as_array().expect("groups").clone();
    let found = |level: &str| groups.iter().find(|group| group["level"] == level).expect("a group").clone();
    assert_eq!(found("north")["people"], json!(33));
    assert_eq!(found("south, by the sea"), json!({"level": "south, by the sea", "delta": 0.0, "rests_on": "proof"}));
}

#[test]
fn what_cannot_be_calibrated_is_refused_with_the_way_out() {
    let desk = desk_with_calibrated_loans();
    let calibrate = |more: &[&'static str]| {
        let with = ["calibrate", "loan.plan", "loan.csv"].into_iter().chain(more.iter().copied());
        with.collect::<Vec<&str>>()
    };
    let new = ["-o", "new.plan"];
    let refuses = |more: &[&'static str], parts: &[&str]| {
        desk.refuses(calibrate(&[more, &new].concat()), parts);
    };
    for flips in ["0", "1", "-0.1", "nan", "many"] {
        refuses(&["--flips", flips], &["--flips", "above 0 and below 1"]);
    }
    for confidence in ["0.2", "1", "nan"] {
        refuses(&["--flips", "0.01", "--confidence", confidence], &["--confidence", "at least 0.5 and below 1"]);
    }
    refuses(&["--flips", "0.01", "--by", "Home"], &["`Home` cannot tell groups apart", "public", "none"]);
    refuses(&["--flips", "0.01", "--by", "Nothing"], &["`Nothing` cannot tell groups apart"]);
    refuses(&["--flips", "0.01", "--deadline", "5"], &["--deadline", "omit it"]);
    refuses(&["--flips", "0.01", "--delta", "0.1"], &["--delta"]);
    desk.refuses(calibrate(&["--flips", "0.01", "-o", "loan.plan"]), &["loan.plan"]);
    desk.refuses(calibrate(&["--flips", "0.01"]), &["--output"]);
    desk.refuses(calibrate(&["-o", "new.plan"]), &["--flips"]);
    desk.refuses(["calibrate", "loan.plan", "absent.csv", "--flips", "0.01", "-o", "new.plan"], &["absent.csv"]);
    desk.run(["fit", "loan.csv", "--schema", "loan.toml", "-o", "whole.plan"]).succeeded();
    desk.refuses(
        ["calibrate", "whole.plan", "loan.csv", "--flips", "0.01", "-o", "new.plan"],
        &["loan.csv", "fitted on the whole of this table", "--holdout"],
    );
}

#[test]
fn a_group_is_told_apart_by_a_public_question_with_levels() {
    let desk = desk_with_groups();
    let by = |name| ["calibrate", "people.plan", "others.csv", "--flips", "0.05", "--by", name, "-o", "new.plan"];
    desk.refuses(by("age"), &["`age` cannot tell groups apart", "region"]);
    desk.refuses(by("member"), &["`member` cannot tell groups apart", "region"]);
}

#[test]
fn calibrated_rules_are_followed_exactly_or_not_at_all() {
    let desk = desk_with_calibrated_loans();
    let others = [
        ["--delta", "0.1"],
        ["--selector", "random"],
        ["--test", "certified"],
        ["--samples", "10"],
        ["--estimate", "qmc"],
        ["--budget", "10"],
        ["--deadline", "10"],
        ["--draws", "10"],
        ["--seed", "1"],
    ];
    for [option, value] in others {
        let parts = ["--calibrated", option, "cannot be used with"];
        desk.refuses(["ask", "calibrated.plan", "--calibrated", option, value], &parts);
        desk.refuses(["audit", "calibrated.plan", "loan.csv", "--calibrated", option, value], &parts);
    }
    let remedy = ["loan.plan", "not calibrated", "mindrel calibrate"];
    desk.refuses(["ask", "loan.plan", "--calibrated", "--answers", "answers.json"], &remedy);
    desk.refuses(["audit", "loan.plan", "loan.csv", "--calibrated"], &remedy);
    let compared = ["audit", "calibrated.plan", "loan.csv", "--calibrated", "--compare", "loan.plan"];
    desk.refuses(compared, &remedy);
}

/// A calibration edited by hand is refused: by its fingerprint, and where that is edited too, by what it says.
#[test]
fn an_edited_calibration_is_refused() {
    let desk = desk_with_calibrated_loans();
    let mut plan = desk.json("calibrated.plan");
    plan["plan"]["calibration"]["flips"] = json!(0.01);
    desk.write("edited.plan", plan.to_string());
    desk.refuses(["ask", "edited.plan", "--calibrated", "--answers", "answers.json"], &["edited.plan"]);
}
