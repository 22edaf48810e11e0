//! `mindrel serve`, `mindrel keys` and `mindrel ledger`, as those who run them meet them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::common::{Desk, SENTINEL};
use serde_json::{Value, json};

/// The program serving, killed when it is dropped.
struct Serving {
    child: Child,
    address: String,
    log: BufReader<ChildStderr>,
}

impl Serving {
    fn start(desk: &Desk, more: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("mindrel"));
        command.args(["serve", "loan.plan", "--listen", "127.0.0.1:0", "--rate", "0"]).args(more);
        let mut child = command.current_dir(desk.path("")).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("Listening on") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "it ended before it listened");
        }
        let address = line.split("://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Serving { child, address, log }
    }

    /// Sends JSON; nothing where the service has gone away.
    fn post(&self, path: &str, body: &Value) -> Option<Value> {
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).ok()?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).ok()?;
        serde_json::from_str(reply.split_once("\r\n\r\n")?.1).ok()
    }

    /// A whole session; nothing where the service goes away on the way.
    fn session(&self) -> Option<Value> {
        let public = json!({"public": {"Time": 60, "Amount": 1000, "Price": 2000}});
        let mut reply = self.post("/v1/plans/loan/sessions", &public)?;
        while reply["stage"] == "asking" {
            let question = &reply["question"];
            let answer = match question["kind"].as_str()? {
                "boolean" => json!(false),
                "category" => question["levels"][1].clone(),
                _ => question["upper"].clone(),
            };
            let body = json!({"token": reply["token"], "question": question["name"], "answer": answer});
            reply = self.post("/v1/sessions/answer", &body)?;
        }
        Some(reply)
    }

    /// Asks it to stop, and gives what it logged.
    fn stop(mut self) -> String {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(told.unwrap().success());
        let mut log = String::new();
        self.log.read_to_string(&mut log).unwrap();
        assert!(self.child.wait().unwrap().success(), "{log}");
        log
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_decision_over_http_is_in_the_ledger_and_its_certificate_holds() {
    let desk = Desk::with_loan_plan();
    desk.run(["keys", "new", "keys.txt"]).succeeded();
    let serving = Serving::start(&desk, &["--key-file", "keys.txt", "--ledger", "sqlite:ledger.db", "--access-log"]);
    let reply = serving.session().unwrap();
    assert_eq!((&reply["stage"], &reply["receipt"]["entry"]), (&json!("decided"), &json!(1)));
    desk.write("certificate.json", reply["certificate"].to_string());
    desk.write("receipt.json", reply["receipt"].to_string());
    desk.run(["verify", "loan.plan", "certificate.json"]).succeeded();
    // What does not fit is refused, and is in no log.
    let odd = serving.post("/v1/plans/loan/sessions", &json!({"public": {"Time": format!("x{SENTINEL}")}})).unwrap();
    assert_eq!(odd["code"], "not-a-number");
    let log = serving.stop();
    assert!(log.contains("/v1/sessions/answer") && !log.contains(SENTINEL), "{log}");
    let verified = desk.run(["ledger", "verify", "sqlite:ledger.db", "--receipt", "receipt.json"]).succeeded();
    let hash = reply["receipt"]["hash"].as_str().unwrap();
    assert!(verified.out.contains("Intact. Entries: 1.") && verified.out.contains(hash), "{}", verified.out);
    let counted = desk.run(["ledger", "summary", "sqlite:ledger.db", "--json"]).succeeded().json();
    assert_eq!((&counted["broken"], counted["plans"].as_object().map(|plans| plans.len())), (&Value::Null, Some(1)));
    let checked = desk.run(["ledger", "verify", "sqlite:ledger.db", "--json", "-"]).succeeded().json();
    assert_eq!((&checked["entries"], &checked["head"]), (&counted["entries"], &counted["head"]));
    let summary = desk.run(["ledger", "summary", "sqlite:ledger.db"]).succeeded();
    let guarantee = format!("{}: 1", reply["guarantee"].as_str().unwrap());
    assert!(summary.out.contains("Sessions: 1") && summary.out.contains(&guarantee), "{}", summary.out);
}

/// Killed at once in the middle of many sessions: every decision that was given is in the ledger, which is whole.
#[cfg(unix)]
#[test]
fn no_acknowledged_entry_is_lost_when_the_service_is_killed() {
    let desk = Desk::with_loan_plan();
    let mut acknowledged: Vec<Value> = Vec::new();
    for round in 0..3 {
        let mut serving = Serving::start(&desk, &["--ledger", "sqlite:ledger.db"]);
        let receipts: Vec<Value> = std::thread::scope(|scope| {
            let clients: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let sessions = std::iter::from_fn(|| serving.session()).take(1000);
                        sessions.map(|reply| reply["receipt"].clone()).collect::<Vec<Value>>()
                    })
                })
                .collect();
            std::thread::sleep(std::time::Duration::from_millis(150 + 70 * round));
            let id = serving.child.id().to_string();
            assert!(Command::new("kill").args(["-KILL", &id]).status().unwrap().success());
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        });
        serving.child.wait().unwrap();
        assert!(!receipts.is_empty(), "the test kills a service that has decided something");
        acknowledged.extend(receipts);
    }
    let mut arguments = vec!["ledger".to_owned(), "verify".to_owned(), "sqlite:ledger.db".to_owned()];
    for (place, receipt) in acknowledged.iter().enumerate() {
        let name = format!("receipt-{place}.json");
        desk.write(&name, receipt.to_string());
        arguments.extend(["--receipt".to_owned(), name]);
    }
    desk.run(arguments.iter().map(String::as_str)).succeeded();
}

/// Sessions go on over a rotation of keys and a start of the service in between.
#[test]
fn sessions_outlive_a_restart_and_a_rotation_of_keys() {
    let desk = Desk::with_loan_plan();
    desk.run(["keys", "new", "keys.txt"]).succeeded();
    let options = ["--key-file", "keys.txt", "--ledger", "sqlite:ledger.db"];
    let public = json!({"public": {"Time": 60, "Amount": 1000, "Price": 2000}});
    let serving = Serving::start(&desk, &options);
    let reply = serving.post("/v1/plans/loan/sessions", &public).unwrap();
    serving.stop();
    let resume = json!({"token": reply["token"]});
    desk.run(["keys", "rotate", "keys.txt"]).succeeded();
    let serving = Serving::start(&desk, &options);
    assert_eq!(serving.post("/v1/sessions/resume", &resume).unwrap()["question"], reply["question"]);
    serving.stop();
    desk.run(["keys", "retire", "keys.txt"]).succeeded();
    let serving = Serving::start(&desk, &options);
    assert_eq!(serving.post("/v1/sessions/resume", &resume).unwrap()["code"], "token-foreign");
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_keys_and_they_are_not_written_over() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    desk.run(["keys", "new", "keys.txt"]).succeeded();
    let mode = std::fs::metadata(desk.path("keys.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    desk.refuses(["keys", "new", "keys.txt"], &["keys.txt", "rotate"]);
    desk.write("bad.txt", "not a key\n");
    let refused = desk.refuses(["keys", "rotate", "bad.txt"], &["bad.txt", "line 1"]);
    assert!(!refused.err.contains("not a key\n"));
}

#[test]
fn what_cannot_be_served_is_refused_with_the_way_out() {
    let desk = Desk::with_loan_plan();
    desk.refuses(["serve", "nothing.plan"], &["nothing.plan"]);
    desk.refuses(["serve", "loan.plan", "--ledger", "mysql://x"], &["sqlite:FILE"]);
    desk.refuses(["serve", "loan.plan", "loan.plan"], &["two plans", "loan"]);
    desk.refuses(["serve", "loan.plan", "--key-file", "nothing.txt"], &["nothing.txt"]);
    desk.refuses(["ledger", "verify", "sqlite:nothing.db"], &["there is no ledger"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let outcome =
        desk.run(["serve", "loan.plan", "--listen", &address, "--ledger", "sqlite:l.db"]).refused(&["--listen"]);
    assert!(outcome.err.contains(&address));
}

#[test]
fn a_ledger_that_was_tampered_with_is_called_broken() {
    let desk = Desk::with_loan_plan();
    let serving = Serving::start(&desk, &["--ledger", "sqlite:ledger.db"]);
    assert!((0..3).all(|_| serving.session().is_some()));
    serving.stop();
    let text = std::fs::read(desk.path("ledger.db")).unwrap();
    // The name of a plan, in the body of an entry, with one digit changed.
    let place = text.windows(11).rposition(|part| part == b"\"guarantee\"").unwrap() + 13;
    let mut changed = text;
    changed[place] ^= 1;
    desk.write("ledger.db", changed);
    let outcome = desk.run(["ledger", "verify", "sqlite:ledger.db"]);
    assert_eq!(outcome.code, 1, "{}\n{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("BROKEN"), "{}", outcome.out);
}
