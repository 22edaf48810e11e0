//! `mindrel data` as a user meets it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;

use crate::common::{Desk, Outcome, mindrel};

const NAMES: [&str; 6] = ["bank", "adult", "credit", "insurance", "customer", "fetal"];

/// A mirror on this machine that holds the files of a folder, or nothing.
fn mirror(folder: Option<PathBuf>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.expect("a connection");
            let name = requested_name(&connection);
            let file = folder.as_ref().and_then(|folder| std::fs::read(folder.join(name)).ok());
            let status = if file.is_some() { "200 OK" } else { "404 Not Found" };
            let body = file.unwrap_or_default();
            let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
            // A client that has gone away is no failure of the server's.
            let _ = connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(&body));
        }
    });
    address
}

fn requested_name(connection: &TcpStream) -> String {
    let mut lines = BufReader::new(connection).lines().map_while(Result::ok);
    let path = lines.next().and_then(|line| line.split(' ').nth(1).map(str::to_owned)).unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    path.trim_start_matches('/').to_owned()
}

fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}", listener.local_addr().expect("it is bound"))
}

#[test]
fn the_list_shows_every_set_and_what_of_it_is_here() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sets")).expect("a new folder");
    desk.write("sets/fetal.csv", "my own");
    let outcome = desk.run(["data", "list", "--data", "sets"]).succeeded();
    for name in NAMES {
        let line = outcome.out.lines().find(|line| line.trim_start().starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name} is missing from:\n{}", outcome.out));
        assert!(line.ends_with(if name == "fetal" { "differs" } else { "missing" }), "{line}");
    }
    for part in ["45,211", "CC BY 4.0", "UCI 222", "mindrel data fetch NAME", "--force", "folder: sets"] {
        assert!(outcome.out.contains(part), "{part:?} is missing from:\n{}", outcome.out);
    }
    assert!(outcome.out.lines().all(|line| line.chars().count() <= 110), "{}", outcome.out);
}

#[test]
fn the_list_as_json_holds_all_that_is_catalogued() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sets")).expect("a new folder");
    desk.write("sets/fetal.csv", "abc");
    let listed = desk.run(["data", "list", "--json", "--data", "sets"]).succeeded().json();
    assert_eq!(listed["folder"], "sets");
    let sets = listed["sets"].as_array().expect("a list");
    assert_eq!(sets.iter().map(|set| set["name"].as_str().expect("a name")).collect::<Vec<&str>>(), NAMES);
    for set in sets {
        for key in ["title", "origin", "creators", "licence", "homepage", "source", "label_meaning", "sha256", "notes"]
        {
            assert!(set[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {set}");
        }
        assert!(["rows", "features", "classes", "bytes"].iter().all(|key| set[key].is_u64()), "{set}");
    }
    assert_eq!((&sets[0]["state"], &sets[0]["found_sha256"]), (&"missing".into(), &serde_json::Value::Null));
    assert_eq!(sets[5]["state"], "differs");
    assert!(sets[5]["found_sha256"].as_str().is_some_and(|found| found.starts_with("ba7816bf")));
}

#[test]
fn the_folder_is_the_one_given_or_named_or_the_users_own() {
    let desk = Desk::new();
    let folder = |arguments: &[&str], variable: Option<&str>| {
        let mut command = desk.command(arguments.iter().copied());
        command.env("XDG_DATA_HOME", desk.path("home"));
        if let Some(variable) = variable {
            command.env("MINDREL_DATA", variable);
        }
        Outcome::of(&mut command).succeeded().out
    };
    assert_eq!(folder(&["data", "path", "--data", "given"], Some("named")), "given\n");
    assert_eq!(folder(&["data", "--data", "given", "path"], None), "given\n");
    assert_eq!(folder(&["data", "path"], Some("named")), "named\n");
    if cfg!(target_os = "linux") {
        let own = desk.path("home/mindrel/data");
        assert_eq!(folder(&["data", "path"], None), format!("{}\n", own.display()));
    }
    assert!(desk.inventory().is_empty(), "asking for a folder makes none");
}

#[test]
fn the_path_of_a_set_is_printed_or_its_remedy_is() {
    let desk = Desk::new();
    desk.refuses(["data", "path", "bank", "--data", "sets"], &["sets/bank.csv", "mindrel data fetch bank", "--data"]);
    desk.refuses(["data", "path", "iris", "--data", "sets"], &["`iris`", "bank, adult"]);
    std::fs::create_dir(desk.path("sets")).expect("a new folder");
    desk.write("sets/bank.csv", "whatever it holds");
    assert_eq!(desk.run(["data", "path", "bank", "--data", "sets"]).succeeded().out, "sets/bank.csv\n");
}

#[test]
fn a_set_is_fetched_from_a_mirror_and_not_twice() {
    let Some(folder) = mindrel_testing::data_folder("a_set_is_fetched_from_a_mirror_and_not_twice") else {
        return;
    };
    let (desk, mirror) = (Desk::new(), mirror(Some(folder)));
    let fetch = ["data", "fetch", "fetal", "customer", "--from", &mirror, "--data", "sets"];
    let outcome = desk.run(fetch).succeeded();
    assert!(outcome.out.contains("fetal: fetched and verified: sets/fetal.csv"), "{}", outcome.out);
    assert!(outcome.err.contains("research only") && outcome.err.contains("kaggle.com"), "{}", outcome.err);
    assert_eq!(desk.inventory().len(), 3, "the folder and two files");
    let listed = desk.run(["data", "list", "--data", "sets"]).succeeded().out;
    assert_eq!(listed.matches("right\n").count(), 2, "{listed}");

    let again = desk.run(["data", "fetch", "fetal", "--from", &closed_port(), "--data", "sets"]).succeeded();
    assert!(again.out.contains("already there and correct"), "{}", again.out);
    let forced = ["data", "fetch", "fetal", "--from", &closed_port(), "--data", "sets", "--force"];
    desk.refuses(forced, &["cannot be reached"]);
}

#[test]
fn an_archive_downloaded_by_hand_is_verified_too() {
    let desk = Desk::new();
    desk.write("archive.zip", "<html>log in</html>");
    let fetch = ["data", "fetch", "bank", "--archive", "archive.zip", "--data", "sets"];
    desk.refuses(fetch, &["bank", "archive.zip", "zip archive"]);
    desk.write("bank-full.csv", "age;y\n30;no\n");
    let fetch = ["data", "fetch", "bank", "--archive", "bank-full.csv", "--data", "sets"];
    desk.refuses(fetch, &["bank-full.csv", "not what is catalogued", "2dbd1d6b1cfc", "Nothing was written"]);
    desk.refuses(["data", "fetch", "bank", "--archive", "absent.zip"], &["absent.zip", "cannot be read"]);
    desk.refuses(["data", "fetch", "bank", "adult", "--archive", "archive.zip"], &["one data set"]);
}

/// The name can never be looked up: RFC 6761 keeps `.invalid` for that.
#[test]
fn without_a_network_every_other_way_is_named() {
    let desk = Desk::new();
    for mirror in ["https://mirror.invalid".to_owned(), closed_port()] {
        let host = mirror.split("//").nth(1).expect("a host").to_owned();
        let fetch = ["data", "fetch", "bank", "--from", &mirror, "--data", "sets"];
        let parts = ["bank: ", &host, "cannot be reached", "network", "--archive FILE", "--from URL", "MINDREL_DATA"];
        desk.refuses(fetch, &parts);
    }
}

#[test]
fn several_sets_are_tried_and_the_failures_counted() {
    let desk = Desk::new();
    let mirror = mirror(None);
    let outcome = desk.refuses(
        ["data", "fetch", "--all", "--from", &mirror, "--data", "sets"],
        &["404 Not Found", "6 of 6 data sets were not fetched: bank, adult, credit, insurance, customer, fetal"],
    );
    assert_eq!(outcome.err.matches("404 Not Found").count(), 6);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let desk = Desk::new();
    desk.refuses(["data", "fetch"], &["--all"]);
    desk.refuses(["data", "fetch", "iris"], &["`iris`", "bank, adult"]);
    desk.refuses(["data", "fetch", "--all", "bank"], &["cannot be used with"]);
    desk.refuses(
        ["data", "fetch", "bank", "--from", "https://a.invalid", "--archive", "b.zip"],
        &["cannot be used with"],
    );
    desk.refuses(["data", "fetch", "bank", "--from", "http://example.org", "--data", "sets"], &["not https://"]);
    assert_eq!(Outcome::of(mindrel().arg("data")).code, 2);
}

#[test]
fn every_command_explains_itself() {
    let options: [(&str, &[&str]); 3] =
        [("list", &["--json"]), ("fetch", &["--all", "--from", "--archive", "--force"]), ("path", &["[NAME]"])];
    for (command, options) in options {
        let help = desk_help(command);
        for option in options.iter().chain(&["--data", "--help"]) {
            assert!(help.contains(option), "{option} is missing from the help of {command}:\n{help}");
        }
    }
}

fn desk_help(command: &str) -> String {
    Outcome::of(mindrel().args(["data", command, "--help"])).succeeded().out
}
