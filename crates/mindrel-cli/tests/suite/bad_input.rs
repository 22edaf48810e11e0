//! Bad input: exit code 2, a message with the place and the remedy, no cell's value, and nothing left behind.

use crate::common::{Desk, SENTINEL, people};

/// Four people; `outcome` is the label.
const TABLE: &str =
    "age,income,city,outcome\n31,10.5,rome,good\n45,20.5,oslo,bad\n52,30.5,rome,good\n28,15.5,oslo,bad\n";

/// A text that must turn up in no message.
const STRANGE: &str = "zanzibar";

fn desk_with_table(text: impl AsRef<[u8]>) -> Desk {
    let desk = Desk::new();
    desk.write("people.csv", text);
    desk
}

/// The table with one more line, the sixth.
fn table_with_line(line: &str) -> String {
    format!("{TABLE}{line}\n")
}

/// `schema` and `fit` refuse a table alike.
fn cannot_be_learned_from(table: impl AsRef<[u8]>, more: &[&str], parts: &[&str]) {
    let desk = desk_with_table(table);
    let parts: Vec<&str> = parts.iter().copied().chain(["people.csv"]).collect();
    let fit = ["fit", "people.csv", "--label", "outcome", "-o", "people.plan"];
    let schema = ["schema", "people.csv", "--label", "outcome", "-o", "people.toml"];
    let more = if more.is_empty() { &["--public", "age"] } else { more };
    for command in [fit, schema] {
        desk.refuses(command.into_iter().chain(more.iter().copied()), &parts).keeps_quiet_about(STRANGE);
    }
}

/// `fit` refuses the table under this schema, the proposed one with some of its text exchanged.
fn fit_refuses_schema(change: (&str, &str), parts: &[&str]) {
    let desk = desk_with_table(TABLE);
    let proposed = desk.run(["schema", "people.csv", "--label", "outcome"]).succeeded().out;
    let edited = proposed.replacen(change.0, change.1, 1);
    assert_ne!(proposed, edited, "{change:?} changes nothing in\n{proposed}");
    desk.write("people.toml", edited);
    let fit = ["fit", "people.csv", "--label", "outcome", "--schema", "people.toml", "-o", "people.plan"];
    desk.refuses(fit, parts);
}

/// `audit` refuses this table under the plan of `people`.
fn audit_refuses(table: &str, parts: &[&str]) {
    let desk = Desk::with_people_plan(2);
    desk.write("others.csv", table);
    let audit = ["audit", "people.plan", "others.csv", "--json", "audit.json"];
    desk.refuses(audit, parts).keeps_quiet_about(STRANGE);
}

#[test]
fn an_unknown_label() {
    let desk = desk_with_table(TABLE);
    for command in ["schema", "fit"] {
        desk.refuses(
            [command, "people.csv", "--label", "colour", "--public", "age", "-o", "out"],
            &["people.csv", "\"colour\"", "age, income, city, outcome"],
        );
    }
}

#[test]
fn an_unknown_column_among_the_roles() {
    for option in ["--sensitive", "--public", "--ignore"] {
        let roles = [option, "age,colour", "--sensitive", "income"];
        let roles = if option == "--sensitive" { &roles[..2] } else { &roles[..] };
        cannot_be_learned_from(TABLE, roles, &["\"colour\"", "age, income, city, outcome"]);
    }
}

#[test]
fn a_column_that_appears_twice() {
    let table = TABLE.replacen("city", "age", 1);
    cannot_be_learned_from(table, &[], &["people.csv:1", "\"age\" appears twice", "its own name"]);
}

#[test]
fn the_label_among_the_questions() {
    for option in ["--sensitive", "--public"] {
        cannot_be_learned_from(TABLE, &[option, "age,outcome"], &["\"outcome\" is the label", "Leave it out"]);
    }
}

#[test]
fn a_question_that_is_both_public_and_sensitive() {
    cannot_be_learned_from(TABLE, &["--public", "age", "--sensitive", "income,age"], &["\"age\"", "Name it once"]);
}

#[test]
fn no_word_on_what_is_sensitive() {
    let desk = desk_with_table(TABLE);
    let fit = ["fit", "people.csv", "--label", "outcome", "-o", "people.plan"];
    desk.refuses(fit, &["--sensitive", "--public", "--schema"]);
}

#[test]
fn a_table_without_rows() {
    for table in ["", "\n\n", "\u{feff}", "age,income,city,outcome", "age,income,city,outcome\r\n\r\n"] {
        cannot_be_learned_from(table, &[], &["the table is empty", "at least one row"]);
        audit_refuses(table, &["others.csv", "the table is empty"]);
    }
}

#[test]
fn a_row_with_too_many_or_too_few_cells() {
    for line in [format!("40,{SENTINEL},rome,good,{STRANGE}"), format!("40,{SENTINEL},{STRANGE}"), STRANGE.to_owned()] {
        let found = line.split(',').count();
        let words = format!("people.csv:6: the row has {found} cells, but the header has 4.");
        cannot_be_learned_from(table_with_line(&line), &[], &[&words]);
        let windows = table_with_line(&line).replace('\n', "\r\n");
        cannot_be_learned_from(windows, &[], &[&words]);
    }
}

#[test]
fn text_that_is_not_utf_8() {
    let mut table = TABLE.as_bytes().to_vec();
    table.extend(b"40,12.5,K\xf8benhavn,good\n");
    cannot_be_learned_from(table, &[], &["people.csv:6", "not UTF-8", "Save the table as UTF-8"]);
    cannot_be_learned_from(b"\xff\xfea\0g\0e\0", &[], &["UTF-16", "Save it as UTF-8"]);
}

#[test]
fn a_cell_that_is_no_finite_number() {
    for cell in ["inf", "-Infinity", "1e999"] {
        let desk = desk_with_table(table_with_line(&format!("40,{cell},rome,good")));
        let proposed = desk.run(["schema", "people.csv", "--label", "outcome"]).succeeded();
        assert!(proposed.err.contains("\"income\": line 6 holds an infinite number"), "{}", proposed.err);
        assert!(!proposed.out.contains("column = \"income\""), "{}", proposed.out);
    }
}

#[test]
fn a_text_among_numbers_makes_a_category_and_is_told() {
    let (_, people) = TABLE.split_once('\n').expect("a header");
    let desk = desk_with_table(table_with_line("40,unknown,rome,good") + people);
    let proposed = desk.run(["schema", "people.csv", "--label", "outcome"]).succeeded();
    assert!(proposed.err.contains("because they mix numbers and texts: income"), "{}", proposed.err);
}

/// Measurements with one text among them became as many levels as there are people.
#[test]
fn a_text_among_numbers_that_all_differ_leaves_the_column_out_and_is_named() {
    let desk = desk_with_table(table_with_line("40,unknown,rome,good"));
    let proposed = desk.run(["schema", "people.csv", "--label", "outcome"]).succeeded();
    assert!(proposed.err.contains("\"income\": most of its cells are numbers"), "{}", proposed.err);
    assert!(proposed.err.contains("line 6 holds a text") && !proposed.err.contains("unknown"), "{}", proposed.err);
    assert!(!proposed.out.contains("column = \"income\""), "{}", proposed.out);
    let marked = desk.run(["schema", "people.csv", "--label", "outcome", "--missing", "unknown"]).succeeded();
    assert!(marked.out.contains("column = \"income\"") && !marked.err.contains("income"), "{}", marked.err);
}

#[test]
fn a_column_in_which_all_cells_are_alike() {
    let one_city = TABLE.replace("oslo", "rome");
    let one_age = ["45,", "52,", "28,"].iter().fold(TABLE.to_owned(), |table, age| table.replace(age, "31,"));
    for (table, column) in [(one_city, "\"city\""), (one_age, "\"age\"")] {
        let proposed = desk_with_table(table).run(["schema", "people.csv", "--label", "outcome"]).succeeded();
        assert!(proposed.err.contains(&format!("{column}: every row has the same value")), "{}", proposed.err);
        assert!(!proposed.out.contains(&format!("column = {column}")), "{}", proposed.out);
    }
}

#[test]
fn a_label_with_one_class_only() {
    cannot_be_learned_from(TABLE.replace("bad", "good"), &[], &["\"outcome\"", "at least two classes"]);
}

#[test]
fn a_row_with_an_empty_label_is_left_out_and_counted() {
    let desk = desk_with_table(table_with_line(&format!("40,{SENTINEL},rome,")));
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"];
    let fitted = desk.run(fit).succeeded().keeps_quiet_about(SENTINEL);
    assert!(fitted.err.contains("1 person was left out because \"outcome\" is missing"), "{}", fitted.err);
}

#[test]
fn a_level_that_training_has_not_seen_among_the_rows_to_train_on() {
    let (parts, line) = (["\"oslo\""], ["people.csv:3", "\"city\"", "not one of its levels", "rome"]);
    fit_refuses_schema((parts[0], "\"bern\""), &line);
}

/// Such people are left out and counted; with nobody else in the table, there is nobody to audit.
#[test]
fn cells_of_another_kind_than_the_plan_asks_for() {
    let header = "age,income,visits,member,region,outcome";
    let cases = [
        (format!("41,{STRANGE},3,yes,north,class-0"), "\"income\" has a value that the plan does not know"),
        (format!("41,20.5,{SENTINEL},yes,north,class-0"), "\"visits\" has a value that the plan does not know"),
        (format!("41,20.5,3,{STRANGE},north,class-0"), "\"member\" has a value that the plan does not know"),
        (format!("41,20.5,3,yes,{STRANGE},class-0"), "\"region\" has a value that the plan does not know"),
        (format!("41,20.5,3,yes,north,{STRANGE}"), "\"outcome\" is not one of the plan's classes"),
        ("41,inf,3,yes,north,class-0".to_owned(), "\"income\" has a value that the plan does not know"),
        ("41,20.5,,yes,north,class-0".to_owned(), "\"visits\" is missing"),
        ("41,20.5,3,,north,class-0".to_owned(), "\"member\" is missing"),
        ("41,20.5,3,yes,north,".to_owned(), "\"outcome\" is missing"),
    ];
    for (line, words) in cases {
        let desk = Desk::with_people_plan(2);
        desk.write("others.csv", format!("{header}\n{line}\n"));
        let audit = desk.run(["audit", "people.plan", "others.csv", "--json", "audit.json"]);
        assert_eq!(audit.code, 2, "{}", audit.err);
        assert!(audit.err.contains(words) && audit.err.contains("there is no one to audit"), "{}", audit.err);
        audit.keeps_quiet_about(STRANGE).keeps_quiet_about(SENTINEL);
    }
}

#[test]
fn a_table_that_lacks_a_question() {
    let table = people(2, 5).with_columns(&["age", "income", "visits", "member", "outcome"]).to_text();
    audit_refuses(&table, &["others.csv", "no column \"region\"", "age, income, visits, member, outcome"]);
}

#[test]
fn a_row_outside_its_declared_domain() {
    fit_refuses_schema(
        ("upper = 52", "upper = 50"),
        &["people.csv:4", "\"age\"", "28 to 50", "Correct the cell, or widen the domain"],
    );
    fit_refuses_schema(("\"oslo\", ", "\"lima\", "), &["people.csv:3", "\"city\"", "not one of its levels"]);
}

#[test]
fn a_delta_outside_its_range() {
    let desk = Desk::with_people_plan(2);
    for delta in ["0.5", "-0.1", "nan", "0,0.05,0.7", "-0.1,0"] {
        let audit = ["audit", "people.plan", "people.csv", "--delta", delta, "--json", "audit.json"];
        desk.refuses(audit, &["delta must be at least 0 and below 0.5"]);
    }
    desk.refuses(["audit", "people.plan", "people.csv", "--delta", "few"], &["--delta"]);
}

#[test]
fn a_number_that_an_option_does_not_take() {
    let desk = desk_with_table(TABLE);
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"];
    for holdout in ["1.5", "1", "-0.1", "nan"] {
        desk.refuses(fit.into_iter().chain(["--holdout", holdout]), &["--holdout", "below 1"]);
    }
    for strength in ["0", "-1", "nan", "inf"] {
        desk.refuses(fit.into_iter().chain(["--regularization", strength]), &["regularization", "above zero"]);
    }
    desk.refuses(fit.into_iter().chain(["--holdout", "0.999"]), &["people.csv", "hold fewer rows out"]);
    let desk = Desk::with_people_plan(2);
    for (option, value) in [("--draws", "0"), ("--limit", "0"), ("--limit", "few"), ("--seed", "x")] {
        desk.refuses(["audit", "people.plan", "people.csv", option, value], &[option.trim_start_matches('-')]);
    }
    desk.refuses(["audit", "people.plan", "people.csv", "--held-out"], &["without --holdout", "leave out --held-out"]);
}

#[test]
fn a_plan_that_is_cut_off_damaged_newer_older_or_something_else() {
    let desk = Desk::with_people_plan(2);
    let whole = desk.read("people.plan");
    let digit = whole
        .rfind("\"mean\"")
        .and_then(|place| whole[place..].find(|c: char| c.is_ascii_digit()).map(|at| place + at));
    let digit = digit.unwrap_or_else(|| whole.rfind(|c: char| c.is_ascii_digit()).expect("a plan has digits"));
    let other = if &whole[digit..=digit] == "1" { "2" } else { "1" };
    let cases = [
        ("cut off", whole[..whole.len() / 2].to_owned(), "not a complete plan"),
        ("empty", String::new(), "not a complete plan"),
        ("a digit changed", format!("{}{other}{}", &whole[..digit], &whole[digit + 1..]), "changed or damaged"),
        ("newer", whole.replacen("\"version\":4", "\"version\":5", 1), "Update mindrel"),
        ("older", whole.replacen("\"version\":4", "\"version\":3", 1), "Fit the plan again"),
        ("another kind", whole.replacen("mindrel-plan", "mindrel-certificate", 1), "another kind of file"),
        ("other JSON", format!("{{\"income\": {SENTINEL}}}"), "not a complete plan"),
        ("no JSON", TABLE.to_owned(), "not a plan, but another kind of file"),
    ];
    desk.write("certificate.json", "{}");
    for (name, text, words) in cases {
        assert_ne!(text, whole, "{name}");
        desk.write("bad.plan", text);
        for command in [
            &["audit", "bad.plan", "people.csv", "--json", "audit.json"][..],
            &["ask", "bad.plan", "--certificate", "mine.json"],
            &["verify", "bad.plan", "certificate.json"],
        ] {
            desk.refuses(command.iter().copied(), &["bad.plan", words]);
        }
    }
}

/// Every command that writes a file, but for the file's name.
const WRITING: [&[&str]; 4] = [
    &["schema", "people.csv", "--label", "outcome", "-o"],
    &["fit", "people.csv", "--label", "outcome", "--public", "age", "-o"],
    &["audit", "people.plan", "people.csv", "--json"],
    &["ask", "people.plan", "--public", "age=40", "--certificate"],
];

#[test]
fn an_output_whose_folder_is_missing_or_that_is_a_folder() {
    let desk = Desk::with_people_plan(2);
    std::fs::create_dir(desk.path("folder")).expect("a new folder");
    for command in WRITING {
        for output in ["nowhere/output", "folder"] {
            let parts = [output, "cannot be written", "Check that the folder exists"];
            let outcome = desk.refuses(command.iter().copied().chain([output]), &parts);
            assert!(outcome.out.is_empty(), "it is found out before the work: {}", outcome.out);
            assert!(!outcome.err.contains(".tmp"), "{}", outcome.err);
        }
    }
}

#[test]
fn an_output_that_is_also_an_input() {
    let desk = Desk::with_people_plan(2);
    for command in WRITING {
        let input = if command[0] == "schema" || command[0] == "fit" { "people.csv" } else { "people.plan" };
        let same = format!("./{input}");
        desk.refuses(command.iter().copied().chain([same.as_str()]), &[input, "Write to another file"]);
    }
}

/// Whoever may write everywhere, such as root, cannot be refused: then there is nothing to see.
#[cfg(unix)]
#[test]
fn an_output_in_a_folder_that_may_not_be_written_to() {
    use std::os::unix::fs::PermissionsExt;

    let desk = Desk::with_people_plan(2);
    std::fs::create_dir(desk.path("closed")).expect("a new folder");
    let allow = |mode| std::fs::set_permissions(desk.path("closed"), std::fs::Permissions::from_mode(mode));
    allow(0o555).expect("the folder is ours");
    if std::fs::write(desk.path("closed/probe"), "").is_err() {
        for command in WRITING {
            desk.refuses(command.iter().copied().chain(["closed/output"]), &["closed/output", "cannot be written"]);
        }
    }
    allow(0o755).expect("the folder is ours");
}

#[test]
fn an_input_that_is_missing_or_is_a_folder() {
    let desk = Desk::with_people_plan(2);
    std::fs::create_dir(desk.path("folder")).expect("a new folder");
    for input in ["absent", "folder"] {
        let commands: [&[&str]; 8] = [
            &["schema", input, "--label", "outcome", "-o", "out"],
            &["fit", input, "--label", "outcome", "--public", "age", "-o", "out"],
            &["fit", "people.csv", "--label", "outcome", "--schema", input, "-o", "out"],
            &["audit", "people.plan", input, "--json", "out"],
            &["audit", input, "people.csv", "--json", "out"],
            &["ask", input, "--certificate", "out"],
            &["ask", "people.plan", "--answers", input, "--certificate", "out"],
            &["verify", "people.plan", input],
        ];
        for command in commands {
            let outcome = desk.refuses(command.iter().copied(), &[input, "cannot be read", "Check the path"]);
            assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
            assert!(outcome.err.matches("os error").count() <= 1, "said once: {}", outcome.err);
        }
    }
}

#[test]
fn a_selector_or_baseline_that_does_not_exist() {
    let desk = Desk::with_people_plan(2);
    let selectors = ["there is no selector `best`", "f-score-mc, importance, importance-logistic, random"];
    desk.refuses(["audit", "people.plan", "people.csv", "--selector", "decisive,best"], &selectors);
    desk.refuses(["ask", "people.plan", "--selector", "best"], &selectors);
    let audit = ["audit", "people.plan", "people.csv", "--baseline", "best", "--json", "audit.json"];
    desk.refuses(audit, &["there is no baseline `best`", "all, optimal, none"]);
}

#[test]
fn a_schema_file_with_a_mistake() {
    let cases: [((&str, &str), &[&str]); 18] = [
        (("kind = \"integer\"", "kind = integer"), &["line"]),
        (("sensitive = true", "secret = true"), &["secret"]),
        (("kind = \"integer\"", "kind = \"numeral\""), &["numeral"]),
        (("levels = [\"oslo\", \"rome\"]\n", ""), &["`city`", "categories need `levels`"]),
        (("levels = [\"oslo\", \"rome\"]", "levels = [\"oslo\"]"), &["`city`", "at least two different levels"]),
        (("lower = 28", "lower = 52"), &["`age`", "below the upper bound"]),
        (("lower = 28", "lower = 60"), &["`age`", "below the upper bound"]),
        (("lower = 28\n", ""), &["`age`", "need `lower` and `upper`"]),
        (("column = \"income\"", "column = \"age\""), &["`age` appears twice"]),
        (("column = \"income\"", "column = \"outcome\""), &["`outcome` is the label"]),
        (("upper = 52", "upper = 52\ncost = 0"), &["`age`", "cost must be a positive number"]),
        (("version = 1", "version = 2"), &["version 2", "Update mindrel"]),
        (("[label]", "# no label"), &["not a schema", "another kind of file"]),
        (("column = \"income\"", "columns = [\"income\"]"), &["`income`", "only a category", "two at least"]),
        (("column = \"income\"", "columns = [\"income\", \"city\"]"), &["`income and city`", "only a category"]),
        (("column = \"income\"", "column = \"income\"\nname = \"wage\""), &["`wage`", "several `columns`"]),
        (("column = \"city\"", "columns = [\"city\", \"age\"]"), &["column `age` belongs to two questions"]),
        (("column = \"city\"", "columns = [\"city\", \"outcome\"]"), &["`outcome` is the label"]),
    ];
    for (change, parts) in cases {
        let parts: Vec<&str> = parts.iter().copied().chain(["people.toml"]).collect();
        fit_refuses_schema(change, &parts);
    }
}

#[test]
fn a_schema_for_another_table_or_another_label() {
    fit_refuses_schema(("column = \"income\"", "column = \"colour\""), &["people.csv", "\"colour\"", "age, income"]);
    fit_refuses_schema(("column = \"outcome\"", "column = \"verdict\""), &["people.toml", "\"verdict\"", "--label"]);
    fit_refuses_schema(("\"bad\", ", "\"worse\", "), &["people.csv:3", "\"outcome\"", "worse, good"]);
}

#[test]
fn a_schema_together_with_what_it_already_says() {
    let desk = desk_with_table(TABLE);
    desk.run(["schema", "people.csv", "--label", "outcome", "-o", "people.toml"]).succeeded();
    let fit = ["fit", "people.csv", "--label", "outcome", "--schema", "people.toml", "-o", "people.plan"];
    for more in [["--public", "age"], ["--sensitive", "age"], ["--ignore", "age"], ["--encoding", "ordinal"]] {
        desk.refuses(fit.into_iter().chain(more), &["cannot be used with", more[0]]);
    }
}

/// Every row would be on line 1, and no row would be held out.
#[test]
fn lines_that_end_in_carriage_returns_alone() {
    cannot_be_learned_from(
        TABLE.replace('\n', "\r"),
        &[],
        &["people.csv", "carriage returns", "ordinary line endings"],
    );
}

#[test]
fn a_label_with_more_classes_than_can_be_told_apart() {
    let rows: Vec<String> = (0..300).map(|row| format!("{},{}", row % 5, row % 150)).collect();
    let table = format!("x,label\n{}\n", rows.join("\n"));
    let desk = Desk::new();
    desk.write("people.csv", table);
    desk.refuses(
        ["fit", "people.csv", "--label", "label", "--public", "x", "-o", "a.plan"],
        &["people.csv", "more than 100 classes"],
    );
}
