//! Tables as people have them: other delimiters, compressed, with codes, dates, identifiers and missing values.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::common::{Desk, Outcome, Rows, people};

const SCHEMA: [&str; 4] = ["schema", "people.csv", "--label", "outcome"];

fn schema_of(text: impl AsRef<[u8]>, more: &[&str]) -> Outcome {
    let desk = Desk::new();
    desk.write("people.csv", text);
    desk.run(SCHEMA.into_iter().chain(more.iter().copied()))
}

/// The table with another delimiter.
fn parted_by(delimiter: &str, rows: &Rows) -> String {
    let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
    let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<String>>().join(delimiter) + "\r\n";
    std::iter::once(&rows.header).chain(&rows.rows).map(line).collect()
}

fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

#[test]
fn the_same_table_gives_the_same_schema_however_it_is_written() {
    let table = people(2, 200);
    let expected = schema_of(table.to_text(), &[]).succeeded().out;
    for delimiter in [";", "\t", "|"] {
        assert_eq!(schema_of(parted_by(delimiter, &table), &[]).succeeded().out, expected, "{delimiter:?}");
    }
    assert_eq!(schema_of(format!("\u{feff}{}", table.to_text()), &[]).succeeded().out, expected);
    assert_eq!(schema_of(compressed(&table.to_text()), &[]).succeeded().out, expected);
    let desk = Desk::new();
    let piped = desk.command(["schema", "-", "--label", "outcome"]).write_stdin(table.to_text()).output();
    assert_eq!(String::from_utf8_lossy(&piped.expect("it starts").stdout), expected);
}

#[test]
fn a_delimiter_that_the_first_lines_do_not_suggest_can_be_given() {
    let text = "a;b,outcome\n1;2,x\n3;4,y\n1;2,y\n";
    assert!(schema_of(text, &[]).succeeded().out.contains("column = \"a;b\""));
    schema_of(text, &["--delimiter", "semicolon"]).refused(&["\"outcome\"", "a, b,outcome"]);
    schema_of(text, &["--delimiter", "colon"]).refused(&["--delimiter", "comma, semicolon, tab or bar"]);
}

/// Spreadsheets name the delimiter in a line before the header.
#[test]
fn a_first_line_that_names_the_delimiter_is_no_header() {
    let table = people(2, 200);
    let expected = schema_of(table.to_text(), &[]).succeeded().out;
    for delimiter in [";", "\t"] {
        let text = parted_by(delimiter, &table);
        assert_eq!(schema_of(format!("sep={delimiter}\r\n{text}"), &[]).succeeded().out, expected);
        assert_eq!(schema_of(format!("\u{feff}sep={delimiter}\n{text}"), &[]).succeeded().out, expected);
    }
    schema_of("sep=;\na;outcome\n1;x\n2\n", &[]).refused(&["people.csv:4", "the row has 1 cells"]);
    let column = schema_of("sep=,outcome\n1,x\n2,y\n", &[]).succeeded().out;
    assert!(column.contains("column = \"sep=\""), "{column}");
}

#[test]
fn a_table_of_the_label_alone_is_refused_with_the_reason() {
    schema_of("outcome\nx\ny\n", &[]).refused(&["no column makes a question", "none beside the label \"outcome\""]);
}

#[test]
fn a_whole_run_from_standard_input_reads_it_once() {
    let desk = Desk::new();
    let table = people(2, 300).to_text();
    let fit = ["fit", "-", "--label", "outcome", "--public", "age", "--holdout", "0.3", "-o", "people.plan"];
    Outcome::of(desk.command(fit).write_stdin(table.clone())).succeeded();
    let audit = ["audit", "people.plan", "-", "--held-out", "--by", "member", "--report", "audit.html"];
    Outcome::of(desk.command(audit).write_stdin(table)).succeeded();
}

#[test]
fn a_file_of_another_kind_is_called_what_it_is() {
    for (bytes, kind) in [
        (&b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml"[..], "an Excel workbook"),
        (b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet"),
        (b"version = 1\n[label]\n[[question]]\n", "a mindrel schema"),
        (b"\xff\xfea\x00,\x00", "text in UTF-16"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"age\x00income", "a binary file"),
    ] {
        schema_of(bytes, &[]).refused(&["people.csv", kind]);
    }
    if !cfg!(feature = "parquet") {
        schema_of(b"PAR1\x15\x04", &[]).refused(&["a Parquet file", "the feature `parquet`"]);
    }
    let desk = Desk::with_people_plan(2);
    desk.refuses(["audit", "people.plan", "people.plan"], &["people.plan", "this is a mindrel plan"]);
    let fit = ["fit", "people.csv", "--schema", "people.csv", "-o", "new.plan"];
    desk.refuses(fit, &["people.csv", "not a schema"]).keeps_quiet_about("class-0");
    desk.refuses(["schema", "/dev/zero", "--label", "outcome"], &["/dev/zero", "this is a device"]);
}

#[test]
fn latin_1_is_named_with_the_way_out() {
    schema_of(b"city,outcome\nK\xf6ln,good\nrome,bad\n", &[]).refused(&["people.csv:2", "Latin-1", "iconv"]);
}

/// A table of three hundred people with every kind of column that says nothing.
fn peculiar() -> Rows {
    people(2, 300)
        .with_extra("born", |place| format!("{}-0{}-1{}", 1950 + place % 50, 1 + place % 9, place % 10))
        .with_extra("customerID", |place| (7 * place + 100_003).to_string())
        .with_extra("name", |place| format!("person {place}"))
        .with_extra("country", |_| "NL".to_owned())
        .with_extra("remark", |_| String::new())
        .with_extra("debt", |place| format!("${}", 31 * place))
        .with_extra("diagnosis", |place| {
            if place.is_multiple_of(5) { format!("V{}", place % 3) } else { (250 + place % 4).to_string() }
        })
        .with_extra("", |place| place.to_string())
}

#[test]
fn columns_that_make_no_question_are_left_out_all_at_once_with_the_reason() {
    let desk = Desk::new();
    desk.write("people.csv", peculiar().to_text());
    let proposed = desk.run(SCHEMA.into_iter().chain(["-o", "people.toml"])).succeeded();
    let file = desk.read("people.toml");
    for reason in [
        "\"column 1\": it has no name",
        "\"remark\": every cell is missing",
        "\"country\": every row has the same value",
        "\"name\": nearly every row has a text of its own",
        "\"customerID\": nearly every row has a number of its own",
        "\"born\": it holds dates",
        "\"debt\": its numbers are written with commas or signs",
        "because they mix numbers and texts: diagnosis",
    ] {
        assert!(proposed.err.contains(reason), "{reason} is missing from:\n{}", proposed.err);
        assert!(file.contains(reason), "{reason} is missing from:\n{file}");
    }
    assert!(file.contains("column = \"diagnosis\"") && !file.contains("person 7"));
    let fit = ["fit", "people.csv", "--schema", "people.toml", "--holdout", "0.3", "-o", "people.plan"];
    desk.run(fit).succeeded();
    desk.run(["audit", "people.plan", "people.csv", "--held-out"]).succeeded();
}

#[test]
fn markers_of_missing_cells_are_missing_and_others_can_be_named() {
    let with_markers = |markers: &[&str]| {
        let mut table = people(2, 200);
        for (place, row) in table.rows.iter_mut().enumerate().filter(|(place, _)| place % 4 == 0) {
            row[2] = markers[place / 4 % markers.len()].to_owned();
        }
        table.to_text()
    };
    let usual = schema_of(with_markers(&["", "NA", "N/A", "NaN", "null", "?"]), &[]).succeeded().out;
    let visits = usual.split("[[question]]").find(|text| text.contains("\"visits\"")).expect("a question");
    assert!(visits.contains("kind = \"integer\"") && visits.contains("missing = "), "{visits}");
    let other = schema_of(with_markers(&["-9", "unknown"]), &["--missing", "-9,unknown"]).succeeded().out;
    assert!(other.contains("missing = [\"-9\", \"unknown\"]"), "{other}");
    let visits = other.split("[[question]]").find(|text| text.contains("\"visits\"")).expect("a question");
    assert!(visits.contains("kind = \"integer\"") && visits.contains("lower = 0"), "{visits}");
}

#[test]
fn a_plan_reads_missing_cells_as_its_table_wrote_them() {
    let mut table = people(2, 300);
    table.rows.iter_mut().step_by(5).for_each(|row| row[1] = "unknown".to_owned());
    let desk = Desk::new();
    desk.write("people.csv", table.to_text());
    let fit =
        ["fit", "people.csv", "--label", "outcome", "--public", "age", "--missing", "unknown", "-o", "people.plan"];
    desk.run(fit).succeeded();
    let audit = desk.run(["audit", "people.plan", "people.csv", "--json", "-"]).succeeded();
    assert_eq!(audit.json()["people"], 300);
}

/// A marker that is a number was read as that number, far outside the column's bounds, once the schema was there.
#[test]
fn a_number_can_mark_missing_cells() {
    let mut table = people(2, 300);
    table.rows.iter_mut().step_by(5).for_each(|row| row[1] = "-999".to_owned());
    let mut unmarked = table.clone();
    unmarked.rows.iter_mut().step_by(5).for_each(|row| row[1] = String::new());
    let desk = Desk::new();
    desk.write("people.csv", table.to_text());
    desk.write("unmarked.csv", unmarked.to_text());
    let schema = ["schema", "people.csv", "--label", "outcome", "--missing=-999", "-o", "people.toml"];
    desk.run(schema).succeeded();
    let checked = desk.run(["schema", "people.csv", "--check", "people.toml"]).succeeded();
    assert!(checked.out.contains("every row fits"), "{}", checked.out);
    for name in ["people", "unmarked"] {
        let fit = ["fit", &format!("{name}.csv"), "--schema", "people.toml", "-o", &format!("{name}.plan")];
        desk.run(fit).succeeded();
    }
    assert_eq!(desk.json("people.plan")["plan"]["classifier"], desk.json("unmarked.plan")["plan"]["classifier"]);
}

#[test]
fn rare_levels_become_one_and_so_do_levels_never_seen_in_training() {
    let code = |place: usize| {
        if place.is_multiple_of(3) { format!("R{place}") } else { ["E11", "I10", "J45"][place % 3].to_owned() }
    };
    let table = people(2, 300).with_extra("code", code);
    let desk = Desk::new();
    desk.write("people.csv", table.to_text());
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--rare", "5", "-o", "people.plan"];
    desk.run(fit).succeeded();
    let plan = desk.json("people.plan");
    let question = &plan["plan"]["schema"]["questions"][0];
    assert_eq!(question["levels"], serde_json::json!(["I10", "J45", "other"]), "{question}");
    let others = people(2, 60).with_extra("code", |place| format!("X{place}"));
    desk.write("others.csv", others.to_text());
    assert_eq!(desk.run(["audit", "people.plan", "others.csv", "--json", "-"]).succeeded().json()["people"], 60);
}

#[test]
fn an_audit_skips_and_counts_whom_the_plan_cannot_read() {
    let desk = Desk::with_people_plan(2);
    let mut others = people(2, 60);
    others.rows[3][4] = "the moon".to_owned();
    others.rows[7][3] = String::new();
    others.rows[9][2] = String::new();
    others.rows[11][5] = String::new();
    desk.write("others.csv", others.to_text());
    let audit =
        desk.run(["audit", "people.plan", "others.csv", "--json", "-"]).succeeded().keeps_quiet_about("the moon");
    assert_eq!(audit.json()["people"], 56);
    assert_eq!(audit.json()["left_out"][0], serde_json::json!({"column": "visits", "reason": "is missing", "rows": 1}));
    desk.run(["audit", "people.plan", "others.csv", "--report", "audit.html"]).succeeded();
    assert!(desk.read("audit.html").contains("1 because “visits” is missing"));
    let first = ["audit", "people.plan", "others.csv", "--first", "5", "--by", "visits", "--json", "-"];
    let first = desk.run(first).succeeded();
    assert_eq!(first.json()["people"], 5, "the first who can be decided about");
    assert!(first.err.contains("\"region\"") && !first.err.contains("\"member\""), "{}", first.err);
    for told in [
        "\"region\" has a value that the plan does not know",
        "\"member\" is missing",
        "\"visits\" is missing",
        "\"outcome\" is missing",
    ] {
        assert!(audit.err.contains(told), "{told} is missing from:\n{}", audit.err);
    }
}

#[test]
fn domains_come_from_the_training_rows_alone() {
    let mut table = people(2, 400);
    let desk = Desk::new();
    desk.write("people.csv", table.to_text());
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--holdout", "0.3", "-o", "people.plan"];
    desk.run(fit).succeeded();
    let held_out = desk.run(["audit", "people.plan", "people.csv", "--held-out", "--json", "-"]).succeeded();
    let n_held_out = held_out.json()["people"].as_u64().expect("a count");
    // Rows are held out by their line: an absurd number in each, so that some are trained on and some are not.
    table.rows.iter_mut().for_each(|row| row[2] = "500".to_owned());
    for (place, row) in table.rows.into_iter().enumerate() {
        let mut one = people(2, 400);
        one.rows[place] = row;
        desk.write("people.csv", one.to_text());
        desk.run(fit.into_iter().chain(["--force"])).succeeded();
        let upper = desk.json("people.plan")["plan"]["schema"]["questions"][2]["upper"].as_f64().expect("a bound");
        if upper < 100.0 {
            let audit =
                desk.run(["audit", "people.plan", "people.csv", "--held-out", "--json", "-"]).succeeded().json();
            assert_eq!(audit["people"].as_u64(), Some(n_held_out));
            return;
        }
    }
    panic!("no row was held out");
}

/// Street and city are told together: one question, whose levels are the pairs that occur.
#[test]
fn columns_that_are_answered_together_are_one_question() {
    let desk = Desk::new();
    let table = people(2, 300)
        .with_extra("city", |place| ["Delft", "Bern"][place % 2].to_owned())
        .with_extra("street", |place| ["Mill Lane", "NA", "Dock Road"][place % 3].to_owned());
    desk.write("people.csv", table.to_text());
    let together = ["--together", "street,city"];
    desk.run(SCHEMA.into_iter().chain(together).chain(["--public", "age", "-o", "people.toml"])).succeeded();
    let file = desk.read("people.toml");
    let columns = "columns = [\"street\", \"city\"]";
    assert!(file.contains(columns) && file.contains("\"not known, Bern\"") && !file.contains("column = \"city\""));
    desk.write("people.toml", file.replace(columns, &format!("name = \"address\"\n{columns}")));
    assert!(desk.run(["schema", "people.csv", "--check", "people.toml"]).succeeded().out.contains("every row fits"));
    let split = ["--holdout", "0.3"];
    let fit = ["fit", "people.csv", "--schema", "people.toml", "-o", "people.plan"];
    assert!(desk.run(fit.into_iter().chain(split)).succeeded().out.contains("Sensitive: address, income"));
    let audit = ["audit", "people.plan", "people.csv", "--held-out", "--by", "address", "--json", "-"];
    let report = desk.run(audit).succeeded().json();
    assert_eq!(report["burden"]["groupings"][0]["groups"].as_array().map(Vec::len), Some(6), "{report}");
    let ask = ["ask", "people.plan", "--selector", "random", "--seed", "5", "--certificate", "mine.json"];
    let answers = desk.path("answers.json");
    let stated = serde_json::json!({
        "address": "Dock Road, Bern", "age": 70, "income": 50, "visits": 3, "member": true, "region": "north",
    });
    std::fs::write(&answers, stated.to_string()).expect("the folder may be written to");
    desk.run(ask.into_iter().chain(["--answers", "answers.json"])).succeeded();
    desk.run(["verify", "people.plan", "mine.json"]).succeeded();
    let roles = ["--public", "city", "--together", "street,city"];
    schema_of(table.to_text(), &roles).refused(&["\"city\"", "together", "the same role"]);
    schema_of(table.to_text(), &["--together", "street,town"]).refused(&["no column \"town\""]);
    schema_of(table.to_text(), &["--together", "city,outcome"]).refused(&["\"outcome\" is the label"]);
}

#[test]
fn bounds_are_round_and_nobody_s_own_number() {
    let mut table = people(2, 200);
    table.rows[5][1] = "123.37".to_owned();
    let proposed = schema_of(table.to_text(), &[]).succeeded().out;
    assert!(!proposed.contains("123.37") && proposed.contains("upper = 130"), "{proposed}");
}

#[test]
fn nothing_is_overwritten_without_being_told_to() {
    let desk = Desk::with_people_plan(2);
    let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "-o", "people.plan"];
    desk.refuses(fit, &["people.plan", "already exists", "--force"]);
    desk.run(fit.into_iter().chain(["--force"])).succeeded();
    desk.write("there", "");
    for command in [
        &["schema", "people.csv", "--label", "outcome", "-o", "there"][..],
        &["audit", "people.plan", "people.csv", "--json", "there"],
        &["audit", "people.plan", "people.csv", "--report", "there"],
        &["audit", "people.plan", "people.csv", "--people-csv", "there"],
        &["inspect", "people.plan", "--svg", "there"],
        &["ask", "people.plan", "--certificate", "there"],
        &["calibrate", "people.plan", "people.csv", "--flips", "0.05", "-o", "there"],
        &["frontier", "people.csv", "--label", "outcome", "--public", "age", "-o", "there"],
    ] {
        desk.refuses(command.iter().copied(), &["there", "already exists", "--force"]);
    }
}

#[test]
fn a_check_says_everything_that_does_not_fit() {
    let desk = Desk::new();
    desk.write("people.csv", people(2, 200).to_text());
    desk.run(SCHEMA.into_iter().chain(["-o", "people.toml"])).succeeded();
    let check = ["schema", "people.csv", "--check", "people.toml"];
    assert!(desk.run(check).succeeded().out.contains("every row fits"));
    let mut table = people(2, 200);
    table.rows[2][5] = String::new();
    desk.write("people.csv", table.to_text());
    assert!(desk.run(check).succeeded().out.contains("every row fits"), "a row without an outcome is left out");
    table.rows[3][0] = "400".to_owned();
    table.rows[4][3] = "perhaps".to_owned();
    table.rows[5][3] = "maybe".to_owned();
    table.rows[6][4] = "the moon".to_owned();
    desk.write("people.csv", table.with_columns(&["age", "income", "member", "region", "outcome"]).to_text());
    let checked = desk.run(check).keeps_quiet_about("the moon");
    assert_eq!(checked.code, 1);
    for told in [
        "\"visits\" is not a column",
        "\"age\" lies outside",
        "\"member\" holds a text",
        "(2 rows",
        "\"region\" holds a level",
    ] {
        assert!(checked.out.contains(told), "{told} is missing from:\n{}", checked.out);
    }
}

#[test]
fn a_fit_tells_how_good_the_model_is_and_what_to_do_next() {
    let desk = Desk::new();
    for (n_classes, figure) in [(2, "AUC"), (3, "macro-F1")] {
        desk.write("people.csv", people(n_classes, 300).to_text());
        let fit = ["fit", "people.csv", "--label", "outcome", "--public", "age", "--force", "-o", "people.plan"];
        let alone = desk.run(fit).succeeded().out;
        assert!(alone.contains("--holdout"), "{alone}");
        let fitted = desk.run(fit.into_iter().chain(["--holdout", "0.3"])).succeeded().out;
        for told in ["base rate", "accuracy", figure, "decided “class-0”", "--held-out"] {
            assert!(fitted.contains(told), "{told} is missing from:\n{fitted}");
        }
    }
}

/// From a table to a report with groups and a calibrated plan, with nothing edited by hand.
fn whole_way(desk: &Desk, table: &str, label: &str, by: &str, more: &[&str]) {
    let run = |arguments: &[&str], more: &[&str]| desk.run(arguments.iter().chain(more).copied()).succeeded();
    let split = ["--holdout", "0.3", "--seed", "1"];
    run(&["schema", table, "--label", label, "-o", "it.toml"], &[&split, more].concat());
    run(&["fit", table, "--schema", "it.toml", "-o", "it.plan"], &split);
    let audit = ["audit", "it.plan", table, "--held-out", "--limit", "100", "--by", by, "--report", "it.html"];
    assert!(run(&audit, &[]).out.contains("Report written to it.html."));
    run(&["calibrate", "it.plan", table, "--flips", "0.1", "-o", "calibrated.plan"], &[]);
    let audit = ["audit", "calibrated.plan", table, "--held-out", "--calibrated", "--limit", "100"];
    run(&audit, &["--report", "calibrated.html"]);
}

/// Semicolons, Windows line ends, a byte-order mark, compressed; and every kind of column and cell.
#[test]
fn the_whole_way_works_on_a_table_with_every_peculiarity() {
    let mut table = peculiar()
        .with_extra("code", |place| if place % 6 == 0 { format!("R{place}") } else { format!("C{}", place % 3) })
        .with_extra("city", |place| ["Delft", "Köln"][place % 2].to_owned())
        .with_extra("street", |place| ["Mill Lane", "?", "Dock Road"][place % 3].to_owned());
    let column = |table: &Rows, name: &str| table.header.iter().position(|other| other == name).expect("a column");
    let [income, visits, outcome, region] = ["income", "visits", "outcome", "region"].map(|name| column(&table, name));
    for (place, row) in table.rows.iter_mut().enumerate() {
        match place % 25 {
            1 => row[income] = "n/k".to_owned(),
            2 => row[income] = "-9000000".to_owned(),
            3 => row[visits] = "N/A".to_owned(),
            4 => row[outcome] = "null".to_owned(),
            _ => {}
        }
    }
    // Seen in one row alone: wherever it is, it is not known to the other part of the table.
    table.rows[7][region] = "the moon".to_owned();
    let desk = Desk::new();
    desk.write("people.csv.gz", compressed(&format!("\u{feff}{}", parted_by(";", &table))));
    let more = ["--rare", "8", "--missing", "n/k,N/A,null,?", "--together", "street,city", "--public", "age"];
    whole_way(&desk, "people.csv.gz", "outcome", "region,code", &more);
    let plan = desk.read("it.plan");
    assert!(!plan.contains("person 7") && !plan.contains("customerID") && plan.contains("not known, Köln"));
}

#[test]
fn the_whole_way_works_on_the_embedded_table() {
    let desk = Desk::new();
    desk.copy_loan_data();
    whole_way(&desk, "loan.csv", "label", "Home", &[]);
}

/// With categories one-hot, as a new user would.
#[test]
fn the_whole_way_works_on_every_evaluation_table() {
    let Some(folder) = mindrel_testing::data_folder("the_whole_way_works_on_every_evaluation_table") else { return };
    for (name, by) in [
        ("adult", "sex"),
        ("bank", "marital"),
        ("credit", "SEX"),
        ("customer", "Gender"),
        ("fetal", "histogram_tendency"),
        ("insurance", "GENDER"),
        ("loan", "Home"),
    ] {
        let table = folder.join(format!("{name}.csv"));
        whole_way(&Desk::new(), table.to_str().expect("a plain path"), "label", by, &[]);
    }
}
