//! `mindrel ask` as a conversation: back, waiting, how it ends, and answers that are not known.

use crate::common::{Desk, LOAN_PUBLIC, Outcome, loan_answers};
use serde_json::{Value, json};

fn ask(desk: &Desk, lines: &[&str], more: &[&str]) -> Outcome {
    desk.run_typing(["ask", "loan.plan", "--public", LOAN_PUBLIC].into_iter().chain(more.iter().copied()), lines)
}

/// The questions and the answers to type, in order.
fn asked(desk: &Desk) -> Vec<(String, String)> {
    desk.write("answers.json", loan_answers().to_string());
    let ask = ["ask", "loan.plan", "--answers", "answers.json", "--certificate", "order.json"];
    desk.run(ask).succeeded();
    let revealed = desk.json("order.json")["revealed"].clone();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let revealed = revealed.as_array().expect("a list").iter();
    revealed.map(|stated| (text(&stated["question"]), text(&stated["answer"]))).collect()
}

#[test]
fn going_back_takes_an_answer_or_a_refusal_back_and_asks_again() {
    let desk = Desk::with_loan_plan();
    let asked = asked(&desk);
    let lines: Vec<&str> = asked.iter().map(|(_, answer)| answer.as_str()).collect();
    let straight = ask(&desk, &lines, &["--certificate", "straight.json"]).succeeded();
    let mut wandering = vec!["b", "s", "back", lines[0], "b"];
    wandering.extend(&lines[..2]);
    wandering.extend(["b", "b"]);
    wandering.extend(&lines);
    let wandered = ask(&desk, &wandering, &["--certificate", "wandered.json"]).succeeded();
    assert!(wandered.out.contains("this is the first question; there is nothing to go back to"), "{}", wandered.out);
    assert_eq!(desk.json("wandered.json"), desk.json("straight.json"));
    assert!(!wandered.out.contains("Declined"), "the refusal was taken back:\n{}", wandered.out);
    let numbers: Vec<String> = wandered.questions();
    assert_eq!(numbers.last(), straight.questions().last());
    desk.run(["verify", "loan.plan", "wandered.json"]).succeeded();
}

#[test]
fn going_back_from_the_first_question_reaches_the_public_ones_that_were_asked() {
    let desk = Desk::with_loan_plan();
    let asked = asked(&desk);
    let lines: Vec<&str> = asked.iter().map(|(_, answer)| answer.as_str()).collect();
    let mut typed = vec!["b", "48", "b", "60", "500", "2000", "b", "b", "1000", "2000"];
    typed.extend(&lines);
    let outcome = desk.run_typing(["ask", "loan.plan", "--certificate", "c.json"], &typed).succeeded();
    assert!(outcome.out.contains("this is the first question"), "{}", outcome.out);
    let public = json!([
        {"question": "Time", "answer": 60.0}, {"question": "Amount", "answer": 1000.0},
        {"question": "Price", "answer": 2000.0}
    ]);
    assert_eq!(desk.json("c.json")["public"], public);
}

#[test]
fn a_level_called_b_is_an_answer_and_not_the_way_back() {
    let desk = Desk::new();
    let rows = (0..60).map(|row| {
        let grade = ["a", "b"][row % 2];
        format!("{},{grade},{}", row % 7, if row % 7 + 3 * (row % 2) > 4 { "yes" } else { "no" })
    });
    desk.write("grades.csv", format!("age,grade,label\n{}\n", rows.collect::<Vec<String>>().join("\n")));
    desk.run(["fit", "grades.csv", "--label", "label", "--public", "age", "-o", "grades.plan"]).succeeded();
    let asked = desk.run_typing(["ask", "grades.plan", "--public", "age=3"], &["b"]).succeeded();
    assert!(asked.out.contains("Decision: "), "{}", asked.out);
    let back = desk.run_typing(["ask", "grades.plan", "--public", "age=3"], &["back", "b"]).succeeded();
    assert!(back.out.contains("first question"), "{}", back.out);
}

#[test]
fn decided_undecided_and_stopped_have_exit_codes_of_their_own() {
    let desk = Desk::with_loan_plan();
    desk.write("answers.json", loan_answers().to_string());
    desk.run(["ask", "loan.plan", "--answers", "answers.json"]).succeeded();
    ask(&desk, &["s"; 10], &[]).undecided();
    ask(&desk, &["q"], &[]).stopped();
    let help = desk.run(["ask", "--help"]).succeeded().out;
    for words in ["0: decided", "2: bad input", "3: undecided", "4: stopped"] {
        assert!(help.contains(words), "{words:?} is missing from\n{help}");
    }
}

#[test]
fn json_says_how_a_session_ended_and_no_answer() {
    let desk = Desk::with_loan_plan();
    desk.write("answers.json", loan_answers().to_string());
    let outcome = desk.run(["ask", "loan.plan", "--answers", "answers.json", "--json"]).succeeded();
    let decided = outcome.json();
    assert_eq!(
        (&decided["stage"], &decided["guarantee"], &decided["probability"]),
        (&json!("decided"), &json!("proved"), &json!(1.0))
    );
    assert!(["good", "bad"].contains(&decided["class"].as_str().expect("a class")));
    let names = |field: &str| decided[field].as_array().expect("a list").len();
    assert_eq!(names("answered") + names("declined") + names("never_asked"), 10);
    assert!(outcome.err.contains("Will this loan be repaid?"), "the conversation is on standard error");
    assert!(!outcome.out.contains("rent") && !outcome.out.contains("200"), "no answer: {}", outcome.out);
    let undecided = ask(&desk, &["s"; 10], &["--json", "end.json"]).undecided();
    assert!(undecided.out.contains("Undecided"), "the text stays where the JSON goes to a file");
    assert_eq!(desk.json("end.json")["stage"], "undecided");
    assert_eq!(ask(&desk, &["q"], &["--json"]).stopped().json()["stage"], "stopped");
    desk.refuses(["ask", "loan.plan", "--json", "loan.plan"], &["loan.plan", "would be overwritten"]);
}

/// A million draws of f-score-mc for each of 30 questions take some seconds, where the budget allows them.
#[test]
fn whoever_waits_for_more_than_a_second_is_told_what_for() {
    let desk = Desk::new();
    let names: Vec<String> = (0..30).map(|place| format!("q{place}")).collect();
    let row = |row: usize| {
        let cells: Vec<usize> = (0..30).map(|place| (row * (2 * place + 3) + row * row * place) % 11).collect();
        let label = if cells.iter().sum::<usize>() > 150 { "yes" } else { "no" };
        format!("{},{label}", cells.iter().map(ToString::to_string).collect::<Vec<String>>().join(","))
    };
    let rows: Vec<String> = (0..200).map(row).collect();
    desk.write("wide.csv", format!("{},label\n{}\n", names.join(","), rows.join("\n")));
    desk.run(["fit", "wide.csv", "--label", "label", "--sensitive", &names.join(","), "-o", "wide.plan"]).succeeded();
    let slow = ["ask", "wide.plan", "--selector", "f-score-mc", "--draws", "1000000", "--budget", "20000000000"];
    let told = desk.run_typing(slow, &["q"]).stopped();
    assert_eq!(told.err, "working out what to ask next …\n");
    assert_eq!(desk.run_typing(["ask", "wide.plan"], &["q"]).stopped().err, "", "nobody waits here");
}

/// The table of [`people`](crate::common::people) lacks some incomes and regions, but no visits.
#[test]
fn an_answer_that_is_not_known_is_a_choice_where_the_table_had_such() {
    let desk = Desk::with_people_plan(2);
    let fit = ["fit", "people.csv", "--label", "outcome", "--sensitive", "member", "-o", "member.plan"];
    desk.run(fit).succeeded();
    let typed = ["40", "Not known", "not known", "3", "not known", "yes"];
    let ask = ["ask", "member.plan", "--certificate", "c.json"];
    let asked = desk.run_typing(ask, &typed).succeeded();
    let line = |name: &str| {
        let mut all = asked.out.lines().filter(|line| line.contains(&format!("  {name}   ")));
        all.next().unwrap_or_else(|| panic!("{name} is not asked:\n{}", asked.out)).to_owned()
    };
    assert!(line("income").ends_with(", or not known"), "{}", line("income"));
    assert!(asked.out.contains(" / not known\n"), "{}", asked.out);
    assert!(!line("visits").contains("not known"), "{}", line("visits"));
    assert_eq!(asked.out.matches("the answer to `visits` is not a number").count(), 1, "{}", asked.out);
    let public = desk.json("c.json")["public"].clone();
    assert_eq!(public[3], json!({"question": "region", "answer": ""}));
    desk.run(["verify", "member.plan", "c.json"]).succeeded();
    desk.write(
        "answers.json",
        json!({"age": 40, "income": "not known", "visits": 3, "region": "", "member": true}).to_string(),
    );
    desk.run(["ask", "member.plan", "--answers", "answers.json", "--certificate", "same.json"]).succeeded();
    assert_eq!(desk.json("same.json")["public"], public);
}
