//! `mindrel experiment` as a user meets it.

use crate::common::Desk;

/// A folder with both tables of the smallest experiment, made up.
fn desk_with_tables() -> Desk {
    let desk = Desk::new();
    for (salt, name) in ["customer", "fetal"].into_iter().enumerate() {
        let mut text = String::from("a,b,c,d,e,f,label\n");
        for row in 0..200 {
            let value = |column: usize| (row * (37 + 2 * column) + salt * 11 + column * 101) % 97;
            let class = ["x", "y", "z"][(2 * value(0) + value(1)) / 100];
            let cells: Vec<String> = (0..6).map(|column| value(column).to_string()).collect();
            text += &format!("{},{class}\n", cells.join(","));
        }
        desk.write(&format!("{name}.csv"), text);
    }
    desk
}

/// The arguments of a run with few repetitions on few people.
fn few<'a>(name: &'a str, others: &[&'a str]) -> Vec<&'a str> {
    let few = ["experiment", name, "--repetitions", "2", "--people", "20", "--data", "."];
    few.into_iter().chain(others.iter().copied()).collect()
}

#[test]
fn the_list_names_every_experiment_and_what_of_the_paper_it_redoes() {
    let desk = Desk::new();
    let list = desk.run(["experiment", "list"]).succeeded();
    for name in ["minimum-core-sets", "linear", "network", "figure-11", "table-1", "multiclass-network"] {
        assert!(list.out.contains(name), "{name}");
    }
    assert_eq!(desk.run(["experiment"]).succeeded().out, list.out, "without a name it lists them too");
}

#[test]
fn an_experiment_leaves_a_report_and_is_not_run_twice() {
    let desk = desk_with_tables();
    let first = desk.run(few("multiclass-linear", &["--out", "out"])).succeeded();
    assert!(first.out.contains("out/report.html"), "{}", first.out);
    assert!(first.err.contains("differs from the catalogued file"), "the tables are made up");
    let report = || desk.read("out/report.html");
    let before = report();
    assert!(before.contains("mindrel experiment multiclass-linear --repetitions 2 --people 20 --seed 1"));

    let part = desk.path("out/parts/multiclass-linear/fetal-seed1-people-20-001.json");
    let written = || std::fs::metadata(&part).and_then(|data| data.modified()).expect("parts are kept");
    let first_written = written();
    assert_eq!(desk.run(few("multiclass-linear", &["--out", "out"])).succeeded().out, first.out);
    assert_eq!((written(), report()), (first_written, before));
}

#[test]
fn a_figure_of_the_paper_names_its_experiment_and_one_thread_gives_the_same_numbers_as_two() {
    let desk = desk_with_tables();
    let results = |out: &str, threads: &str| {
        desk.run(few("figure-12", &["--out", out, "--threads", threads])).succeeded();
        std::fs::read(desk.path(out).join("results/multiclass-linear.csv")).expect("it is there")
    };
    assert_eq!(results("one", "1"), results("two", "2"));
}

#[test]
fn missing_tables_are_named_with_the_remedy_before_anything_is_done() {
    let remedy = ["customer.csv, fetal.csv", "mindrel data fetch customer fetal"];
    Desk::new().refuses(few("multiclass-linear", &["--out", "out"]), &remedy);
}

#[test]
fn what_cannot_be_run_is_refused_with_what_can() {
    let desk = desk_with_tables();
    desk.write("file", "");
    desk.refuses(["experiment", "figure-1"], &["there is no experiment `figure-1`; choose from minimum-core-sets"]);
    desk.refuses(["experiment", "linear", "--repetitions", "0"], &["whole number of at least 1"]);
    desk.refuses(["experiment", "linear", "--people", "many"], &["whole number of at least 1"]);
    let parts = ["--out: file", "cannot be written", "Check that the folder exists"];
    desk.refuses(few("figure-12", &["--out", "file"]), &parts);
}

#[test]
fn a_table_that_is_not_the_data_set_is_refused_with_its_place() {
    let desk = desk_with_tables();
    desk.write("fetal.csv", "a,b\n1,2\n");
    desk.refuses(few("multiclass-linear", &["--out", "out"]), &["fetal.csv", "not the data set fetal"]);
}
