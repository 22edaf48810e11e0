//! `mindrel ask`, by hand and from a file.

use crate::common::{Desk, LOAN_PUBLIC, Outcome, SENTINEL, loan_answers};
use serde_json::{Value, json};

/// Asks about the loan with answers from a file.
fn ask_file(desk: &Desk, answers: &Value, more: &[&str]) -> Outcome {
    desk.write("answers.json", answers.to_string());
    desk.run(["ask", "loan.plan", "--answers", "answers.json"].into_iter().chain(more.iter().copied()))
}

/// Asks about the loan by hand, what is public being known.
fn ask_typing(desk: &Desk, lines: &[&str], more: &[&str]) -> Outcome {
    desk.run_typing(["ask", "loan.plan", "--public", LOAN_PUBLIC].into_iter().chain(more.iter().copied()), lines)
}

/// The names of the questions that the answers of [`loan_answers`] lead to, in order.
fn asked_names(desk: &Desk, more: &[&str]) -> Vec<String> {
    let certificate: Vec<&str> = more.iter().copied().chain(["--force", "--certificate", "order.json"]).collect();
    ask_file(desk, &loan_answers(), &certificate).succeeded();
    let revealed = desk.json("order.json")["revealed"].clone();
    revealed.as_array().expect("a list").iter().map(|stated| text(&stated["question"])).collect()
}

/// An answer as it is typed.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What to type, question by question.
fn typed(names: &[String]) -> Vec<String> {
    names.iter().map(|name| text(&loan_answers()[name])).collect()
}

/// Where the transcript ends: the decision, and what was declined or never asked.
fn ending(outcome: &Outcome) -> &str {
    outcome.out.rsplit_once("\n\n").map_or("", |(_, ending)| ending)
}

#[test]
fn answers_by_hand_and_from_a_file_lead_to_the_same_questions_and_decision() {
    let desk = Desk::with_loan_plan();
    for rules in [&["--delta", "0"][..], &["--delta", "0.05"], &["--selector", "random", "--seed", "3"]] {
        let answers = typed(&asked_names(&desk, rules));
        let lines: Vec<&str> = answers.iter().map(String::as_str).collect();
        let by_hand = ask_typing(&desk, &lines, rules).succeeded();
        let from_file = ask_file(&desk, &loan_answers(), rules).succeeded();
        assert_eq!(by_hand.questions(), from_file.questions());
        assert_eq!(ending(&by_hand), ending(&from_file));
        assert_eq!(by_hand.out, ask_typing(&desk, &lines, rules).succeeded().out, "a replay says the same");
        assert!(by_hand.questions().len() < 10, "some questions are never asked");
        assert_eq!(by_hand.out.matches("asked because").count(), by_hand.questions().len());
    }
}

#[test]
fn wrong_answers_empty_lines_and_calls_for_help_change_nothing() {
    let desk = Desk::with_loan_plan();
    let answers = typed(&asked_names(&desk, &[]));
    let lines: Vec<&str> = answers.iter().map(String::as_str).collect();
    let fumbling: Vec<&str> = lines.iter().flat_map(|line| ["", "?", SENTINEL, "   ", "what", line]).collect();
    let smooth = ask_typing(&desk, &lines, &[]).succeeded();
    let fumbled = ask_typing(&desk, &fumbling, &[]).succeeded().keeps_quiet_about(SENTINEL);
    assert_eq!(fumbled.questions(), smooth.questions());
    assert_eq!(ending(&fumbled), ending(&smooth));
    for words in ["please answer (s to skip", "possible answers: ", "the answer to `", "is neither yes nor no"] {
        assert!(fumbled.out.contains(words), "{words:?} is missing from\n{}", fumbled.out);
    }
}

#[test]
fn levels_and_booleans_are_understood_in_any_case() {
    let desk = Desk::with_loan_plan();
    let answers = typed(&asked_names(&desk, &[]));
    let loud: Vec<String> = answers.iter().map(|answer| answer.to_uppercase()).collect();
    let lines = |answers: &[String]| {
        let lines: Vec<&str> = answers.iter().map(String::as_str).collect();
        ask_typing(&desk, &lines, &[]).succeeded().out
    };
    assert_eq!(lines(&loud), lines(&answers));
}

#[test]
fn a_skipped_question_never_returns() {
    let desk = Desk::with_loan_plan();
    let mut answers = loan_answers();
    let first = asked_names(&desk, &["--delta", "0.05"])[0].clone();
    answers[&first] = Value::Null;
    let from_file = ask_file(&desk, &answers, &["--delta", "0.05", "--certificate", "c.json"]).succeeded();
    let mut questions = from_file.questions();
    let prompt = questions[0].clone();
    assert_eq!(questions.iter().filter(|question| **question == prompt).count(), 1);
    assert!(ending(&from_file).contains(&format!("Declined: {first}.")), "{}", from_file.out);
    questions.sort();
    questions.dedup();
    assert_eq!(questions.len(), from_file.questions().len(), "no question is put twice");

    let revealed = desk.json("c.json")["revealed"].clone();
    let rest = revealed.as_array().expect("a list").iter().map(|stated| text(&answers[text(&stated["question"])]));
    let lines: Vec<String> = std::iter::once("s".to_owned()).chain(rest).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let by_hand = ask_typing(&desk, &lines, &["--delta", "0.05"]).succeeded();
    assert_eq!(by_hand.questions(), from_file.questions());
    assert!(desk.run(["verify", "loan.plan", "c.json"]).succeeded().out.contains("c.json: valid. Decision: “"));
}

#[test]
fn somebody_who_declines_everything_is_left_undecided_without_a_certificate() {
    let desk = Desk::with_loan_plan();
    let mut answers = loan_answers();
    for (name, answer) in answers.as_object_mut().expect("an object") {
        if !LOAN_PUBLIC.contains(name) {
            *answer = Value::Null;
        }
    }
    let outcome = ask_file(&desk, &answers, &["--certificate", "c.json"]).undecided();
    assert!(outcome.questions().len() < 10, "it goes on although nothing can be proved any more");
    assert!(outcome.out.contains("Undecided"), "{}", outcome.out);
    assert!(outcome.out.contains("No certificate"));
    assert!(!desk.has("c.json"));
}

#[test]
fn somebody_who_stops_is_not_decided_about() {
    let desk = Desk::with_loan_plan();
    for lines in [&["q"][..], &["no", "40", "quit"], &["?", "q"]] {
        let outcome = ask_typing(&desk, lines, &["--certificate", "c.json"]).stopped();
        assert!(outcome.out.ends_with("Stopped. Nothing was decided, and nothing was saved.\n"), "{}", outcome.out);
        assert!(!desk.has("c.json"));
    }
    let before_start = desk.run_typing(["ask", "loan.plan"], &["60", "q"]).stopped();
    assert!(before_start.out.contains("Stopped"));
}

#[test]
fn public_answers_come_from_the_command_the_file_or_the_person() {
    let desk = Desk::with_loan_plan();
    let answers = typed(&asked_names(&desk, &[]));
    let lines: Vec<&str> = answers.iter().map(String::as_str).collect();
    let known = ask_typing(&desk, &lines, &[]).succeeded();
    let typed: Vec<&str> = ["60", "1000", "2000"].into_iter().chain(lines.iter().copied()).collect();
    let all_typed = desk.run_typing(["ask", "loan.plan"], &typed).succeeded();
    let repeated = ["ask", "loan.plan", "--public", "Time=60", "--public", " Amount = 1000 ,Price=2000"];
    for outcome in [all_typed, desk.run_typing(repeated, &lines).succeeded(), ask_file(&desk, &loan_answers(), &[])] {
        assert_eq!(outcome.questions(), known.questions());
        assert_eq!(ending(&outcome), ending(&known));
    }
}

#[test]
fn a_debt_of_minus_a_billion_is_refused_with_its_range_and_asked_again() {
    let desk = Desk::with_loan_plan();
    let names = asked_names(&desk, &[]);
    let place = names.iter().position(|name| name == "Debt").expect("the debt is asked for");
    let lines = typed(&names);
    let mut fumbling: Vec<&str> = lines.iter().map(String::as_str).collect();
    fumbling.splice(place..place, ["-1000000000", "1e9", "30001"]);
    let fumbled = ask_typing(&desk, &fumbling, &[]).succeeded().keeps_quiet_about("1000000000");
    let range = "the answer to `Debt` is outside its range; give a number from 0 to 30000";
    assert_eq!(fumbled.out.matches(range).count(), 3, "{}", fumbled.out);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(ending(&fumbled), ending(&ask_typing(&desk, &lines, &[]).succeeded()));

    let mut answers = loan_answers();
    answers["Debt"] = json!(-1_000_000_000);
    let refused = ask_file(&desk, &answers, &["--certificate", "c.json"]).refused(&["answers.json", range]);
    refused.keeps_quiet_about("1000000000");
    assert!(!desk.has("c.json"));
}

#[test]
fn a_public_value_outside_its_range_is_refused_or_asked_again() {
    let desk = Desk::with_loan_plan();
    let range = "the answer to `Amount` is outside its range";
    let outcome = desk.run(["ask", "loan.plan", "--public", "Time=60,Amount=-98765,Price=2000"]);
    outcome.refused(&["--public", range]).keeps_quiet_about("98765");
    desk.run(["inspect", "loan.plan", "--public", "Amount=-98765"]).refused(&["--public", range]);
    let typed = desk.run_typing(["ask", "loan.plan"], &["60", "-98765", "1000", "2000", "q"]).stopped();
    assert_eq!((typed.out.matches(range).count(), typed.questions().len()), (1, 1), "{}", typed.out);
}

#[test]
fn an_answer_outside_its_range_is_taken_and_not_repeated_where_the_schema_accepts_it() {
    let desk = Desk::new();
    desk.copy_loan_data();
    let schema = desk.read("loan.toml").replace("column = \"Debt\"", "column = \"Debt\"\noutside = \"accept\"");
    desk.write("loan.toml", schema);
    desk.run(["fit", "loan.csv", "--schema", "loan.toml", "-o", "loan.plan"]).succeeded();
    let mut answers = loan_answers();
    answers["Debt"] = json!(987_654);
    let outcome = ask_file(&desk, &answers, &["--certificate", "c.json"]).succeeded().keeps_quiet_about("987654");
    assert!(outcome.out.contains("outside the expected range"), "{}", outcome.out);
    assert!(
        desk.run(["verify", "loan.plan", "c.json"])
            .succeeded()
            .keeps_quiet_about("987654")
            .out
            .contains("c.json: valid. Decision: “")
    );
}

#[test]
fn an_answer_that_cannot_be_taken_is_not_repeated_in_the_message() {
    let desk = Desk::with_loan_plan();
    for name in asked_names(&desk, &[]) {
        for wrong in [json!(SENTINEL.parse::<f64>().expect("a number")), json!(SENTINEL), json!("zanzibar")] {
            let mut answers = loan_answers();
            answers[&name] = wrong;
            let outcome = ask_file(&desk, &answers, &["--certificate", "c.json"]);
            outcome.refused(&["answers.json", &format!("`{name}`")]).keeps_quiet_about("zanzibar");
            assert!(!desk.has("c.json"));
        }
    }
}

#[test]
fn an_answers_file_of_another_form_is_refused_without_showing_its_content() {
    let desk = Desk::with_loan_plan();
    let nested = format!("{{\"Debt\": {{\"amount\": {SENTINEL}}}}}");
    let list = format!("[{SENTINEL}]");
    let cut_off = format!("{{\"Debt\": {SENTINEL}");
    for content in [&nested, &list, &cut_off, "", "{\"Debt\": nan}"] {
        desk.write("answers.json", content);
        desk.refuses(["ask", "loan.plan", "--answers", "answers.json"], &["answers.json", "line 1"]);
    }
}

#[test]
fn a_file_that_lacks_an_answer_or_names_a_stranger_is_refused() {
    let desk = Desk::with_loan_plan();
    let first = asked_names(&desk, &[])[0].clone();
    let mut lacking = loan_answers();
    lacking.as_object_mut().expect("an object").remove(&first);
    ask_file(&desk, &lacking, &[]).refused(&["answers.json", &first, "null to decline"]);
    let mut strange = loan_answers();
    strange["Shoe size"] = json!(SENTINEL);
    ask_file(&desk, &strange, &[]).refused(&["answers.json", "`Shoe size`", "remove it"]);
    let mut declined = loan_answers();
    declined["Time"] = Value::Null;
    ask_file(&desk, &declined, &[]).refused(&["`Time`", "cannot be declined"]);
}

#[test]
fn public_answers_that_cannot_be_taken_are_refused_before_anything_is_asked() {
    let desk = Desk::with_loan_plan();
    let cases = [
        ("Time=987654.25", &["--public", "`Time`", "whole number"][..]),
        ("Time=zanzibar", &["--public", "`Time`", "not a number"]),
        ("Shoes=987654.25", &["`Shoes`", "the questions are"]),
        ("Income=987654.25", &["`Income`", "sensitive"]),
        ("Time=60,Time=987654.25", &["`Time`", "twice"]),
        ("987654.25", &["name=value"]),
    ];
    for (public, parts) in cases {
        let outcome = desk.refuses(["ask", "loan.plan", "--public", public], parts).keeps_quiet_about("zanzibar");
        assert!(!outcome.out.contains('>'), "nothing was asked:\n{}", outcome.out);
    }
}

#[test]
fn answers_that_end_too_early_are_an_error() {
    let desk = Desk::with_loan_plan();
    ask_typing(&desk, &["s"], &["--certificate", "c.json"]).refused(&["the input ended", "type s to skip"]);
    assert!(!desk.has("c.json"));
}

#[test]
fn typing_that_is_not_utf_8_is_a_wrong_answer_like_any_other() {
    let desk = Desk::with_loan_plan();
    let mut command = desk.command(["ask", "loan.plan", "--public", LOAN_PUBLIC]);
    let outcome = Outcome::of(command.write_stdin(&b"\xff\xfe\nq\n"[..])).stopped();
    assert!(outcome.out.contains("Stopped"), "{}", outcome.out);
}

#[test]
fn a_delta_outside_its_range_is_refused() {
    let desk = Desk::with_loan_plan();
    for delta in ["0.5", "-0.1", "nan", "inf", "1", "-inf"] {
        desk.refuses(["ask", "loan.plan", "--delta", delta], &["delta must be at least 0 and below 0.5", "0.05"]);
    }
}

#[test]
fn the_outlook_and_the_probability_of_a_probable_decision_are_shown() {
    let desk = Desk::with_loan_plan();
    let outcome = ask_file(&desk, &loan_answers(), &["--delta", "0.05", "--certificate", "c.json"]).succeeded();
    assert!(outcome.out.contains("With probability 9"), "{}", outcome.out);
    assert!(outcome.out.contains("Will this loan be repaid?"));
    assert!(desk.json("c.json")["probability"].as_f64() >= Some(0.95));
}

/// Typing `s` at a category with a level `S` once revealed that level to somebody who wanted to skip.
#[test]
fn a_short_command_is_not_taken_for_a_level() {
    let desk = Desk::new();
    let rows = (0..60).map(|row| {
        let port = ["C", "Q", "S", "s"][row % 4];
        format!("{},{port},{}", row % 7, if (row % 7) * 10 + row % 4 * 3 > 34 { "yes" } else { "no" })
    });
    desk.write("ships.csv", format!("age,port,label\n{}\n", rows.collect::<Vec<String>>().join("\n")));
    let fit = |table: &str, plan: &str| {
        desk.run(["fit", table, "--label", "label", "--public", "age", "-o", plan]).succeeded();
    };
    fit("ships.csv", "ships.plan");
    let upper = desk.read("ships.csv").replace(",s,", ",C,");
    desk.write("upper.csv", upper);
    fit("upper.csv", "upper.plan");
    let declined = |plan: &str, typed: &str| {
        let public = ["ask", plan, "--public", "age=3"];
        desk.run_typing(public, &[typed]).out.contains("Declined: port.")
    };
    assert!(declined("upper.plan", "s"), "S is a level, s is not");
    assert!(!declined("upper.plan", "S"));
    assert!(!declined("ships.plan", "s"), "s is a level here");
    assert!(declined("ships.plan", "skip"));
}

/// Whoever else uses the machine has no business with what somebody answered.
#[cfg(unix)]
#[test]
fn a_certificate_is_for_its_owner_alone_to_read() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with_loan_plan();
    ask_file(&desk, &loan_answers(), &["--certificate", "c.json"]).succeeded();
    let mode = std::fs::metadata(desk.path("c.json")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// What stands in for a missing cell of a table was once stated in the certificate as if the person had said it.
#[test]
fn an_empty_answer_to_a_number_is_no_answer() {
    let desk = Desk::with_loan_plan();
    let mut answers = loan_answers();
    for number in ["Seniority", "Age", "Expenses", "Income", "Assets", "Debt"] {
        answers[number] = Value::from("");
    }
    let outcome = ask_file(&desk, &answers, &["--certificate", "c.json"]);
    outcome.refused(&["is missing; fill it in"]);
    assert!(!desk.has("c.json"));
}

#[test]
fn a_public_question_cannot_be_skipped_but_is_put_again() {
    let desk = Desk::with_loan_plan();
    let outcome = desk.run_typing(["ask", "loan.plan", "--public", "Amount=1100,Price=1500"], &["s", "q"]).stopped();
    assert!(outcome.out.contains("cannot be skipped"), "{}", outcome.out);
    assert!(outcome.out.contains("Stopped"));
}

/// A class of 33 % among four was said to be likely.
#[test]
fn a_class_below_one_half_is_the_likeliest_and_not_likely() {
    let desk = Desk::with_people_plan(5);
    let answers = json!({"age": 41, "income": 55.5, "visits": 9, "member": "yes", "region": "north"});
    desk.write("answers.json", answers.to_string());
    let asked = desk.run(["ask", "people.plan", "--answers", "answers.json"]).succeeded();
    let outlooks: Vec<&str> = asked.out.lines().filter(|line| line.contains('░') || line.contains('▓')).collect();
    for line in &outlooks {
        // Five of the ten blocks are filled from one half on.
        assert_eq!(line.contains("is likely, "), line.matches('▓').count() >= 5, "{line}");
    }
    assert!(outlooks.iter().any(|line| line.contains("is the most likely, ")), "{}", asked.out);
}
