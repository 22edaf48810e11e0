//! An audit that is stopped while it writes.

#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Desk, people};

/// The names of temporary files on the desk.
fn unfinished(desk: &Desk) -> Vec<String> {
    let names = desk.inventory().into_keys().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    names.filter(|name| name.starts_with(".mindrel-")).collect()
}

/// Starts an audit that takes long, and waits until it writes.
fn long_audit(desk: &Desk) -> Child {
    let arguments = ["audit", "people.plan", "long.csv", "--selector", "f-score-mc", "--people-csv", "rows.csv"];
    let child = Command::new(assert_cmd::cargo::cargo_bin!("mindrel"))
        .args(arguments)
        .current_dir(desk.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while unfinished(desk).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(30), "nothing is written");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
}

#[test]
fn an_interrupted_audit_leaves_no_rows_of_people_behind() {
    let desk = Desk::with_people_plan(3);
    desk.write("long.csv", people(3, 40_000).to_text());
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut child = long_audit(&desk);
        send(signal, &child);
        assert_eq!(child.wait().expect("it ends").code(), Some(code), "{signal}");
        assert_eq!(unfinished(&desk), [""; 0], "{signal}");
        assert!(!desk.has("rows.csv"));
    }
}

#[test]
fn what_a_killed_audit_left_behind_goes_with_the_next_one() {
    let desk = Desk::with_people_plan(3);
    desk.write("long.csv", people(3, 40_000).to_text());
    let mut child = long_audit(&desk);
    send("-KILL", &child);
    child.wait().expect("it ends");
    assert_eq!(unfinished(&desk).len(), 1, "nobody can clean up after being killed");
    desk.run(["audit", "people.plan", "people.csv", "--delta", "0", "--people-csv", "rows.csv"]).succeeded();
    assert_eq!(unfinished(&desk), [""; 0]);
    assert!(desk.has("rows.csv"));
}
