//! Runs: the same numbers whatever the threads, and nothing measured twice.

use crate::common::{run_small, settings, tables};
use mindrel_experiment::{DESIGNS, ExperimentSettings};

#[test]
fn one_seed_gives_the_same_numbers_on_one_thread_and_on_two() {
    let folder = tempfile::tempdir().expect("there is room");
    let tables = tables(folder.path());
    let on = |threads: usize, parts: &str| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        pool.install(|| run_small(&tables, &settings(), &folder.path().join(parts)).0)
    };
    let (one, two) = (on(1, "one"), on(2, "two"));
    assert_eq!(one, two);
    let other = run_small(&tables, &ExperimentSettings { seed: 8, ..settings() }, &folder.path().join("other")).0;
    assert_ne!(one.parts, other.parts, "another seed draws otherwise");
}

#[test]
fn finished_parts_are_not_measured_again_and_more_repetitions_take_up_the_earlier() {
    let folder = tempfile::tempdir().expect("there is room");
    let (tables, parts) = (tables(folder.path()), folder.path().join("parts"));
    let (first, work) = run_small(&tables, &settings(), &parts);
    assert!(work > 0);
    let (again, work_again) = run_small(&tables, &settings(), &parts);
    assert_eq!((&first, work_again), (&again, 0));

    let (more, work_more) = run_small(&tables, &ExperimentSettings { repetitions: Some(4), ..settings() }, &parts);
    assert_eq!(work_more, work / 3, "one repetition more of each data set");
    assert_eq!(more.parts[..3], first.parts[..3]);
}

#[test]
fn a_damaged_part_and_parts_of_another_table_are_measured_anew() {
    let folder = tempfile::tempdir().expect("there is room");
    let (mut tables, parts) = (tables(folder.path()), folder.path().join("parts"));
    let (first, work) = run_small(&tables, &settings(), &parts);
    let file =
        std::fs::read_dir(parts.join(crate::common::EXPERIMENT)).expect("it is there").next().expect("it has files");
    std::fs::write(file.expect("it has a name").path(), "{\"cells\": [").expect("it can be written");
    let (again, work_again) = run_small(&tables, &settings(), &parts);
    assert_eq!((&first, work_again), (&again, work / 6), "one part of six was damaged");

    for table in tables.values_mut() {
        table.digest = "of another table".to_owned();
    }
    assert_eq!(run_small(&tables, &settings(), &parts).1, work);
}

/// What any rule must obey, whatever the numbers are.
#[test]
fn proved_decisions_never_differ_and_no_rule_asks_for_less_than_the_optimum() {
    let folder = tempfile::tempdir().expect("there is room");
    let (measured, _) = run_small(&tables(folder.path()), &settings(), &folder.path().join("parts"));
    for cells in &measured.parts {
        for cell in cells.iter().filter(|cell| cell.setting.delta == 0.0) {
            assert_eq!(cell.flips, 0.0, "{:?}", cell.setting);
            let same = |other: &&mindrel_experiment::Measurement| {
                other.setting.rule == mindrel_audit::Rule::Optimal && other.setting.sensitive == cell.setting.sensitive
            };
            let optimum = cells.iter().find(same).expect("the experiment has it");
            assert!(cell.leakage >= optimum.leakage, "{:?}", cell.setting);
        }
        for cell in cells {
            let asked: u64 = cell.histogram.iter().enumerate().map(|(count, people)| count as u64 * people).sum();
            let leakage = asked as f64 / (cell.people * cell.setting.sensitive as u64) as f64;
            assert!((leakage - cell.leakage).abs() < 1e-12, "{:?}", cell.setting);
            assert_eq!(cell.people, 40);
        }
    }
}

#[test]
fn every_figure_and_table_of_the_evaluation_has_one_experiment() {
    let mut items: Vec<&str> = DESIGNS.iter().flat_map(|design| design.items).copied().collect();
    items.sort_unstable();
    let mut expected: Vec<String> = (2..=13).map(|number| format!("figure-{number}")).collect();
    expected.extend(["table-1".to_owned(), "table-2".to_owned()]);
    expected.sort();
    assert_eq!(items, expected);
}
