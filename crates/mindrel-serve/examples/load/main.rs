//! How much the service costs beyond HTTP itself: session steps a second against an empty handler, by the same client on one machine.
//!
//! On loopback, by the same client and number of connections: in turn an empty JSON handler, and whole sessions with sealing and an SQLite ledger;
//! then sessions at half the rate they reached, for latencies; then memory after ever more sessions.
//!
//! Run with `cargo run --release -p mindrel-serve --example load [SESSIONS]`.

mod measured;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::routing::post;
use axum::{Json, Router};
use measured::QUESTIONS;
use mindrel_serve::{GuardOptions, app, server};
use serde_json::{Value, json};

const CONNECTIONS: usize = 32;
/// Short and many, one kind after the other: other machines' work comes and goes in seconds.
const EACH: Duration = Duration::from_millis(500);
const ROUNDS: usize = 21;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A server on a thread of its own.
fn start(router: Router) -> Result<SocketAddr, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        runtime.block_on(server::serve(router, listener, None, std::future::pending())).expect("a server");
    });
    Ok(address)
}

/// One connection that is kept.
struct Connection {
    reader: BufReader<TcpStream>,
    request: Vec<u8>,
    reply: Vec<u8>,
}

impl Connection {
    fn new(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Connection { reader: BufReader::new(stream), request: Vec::new(), reply: Vec::new() })
    }

    fn post(&mut self, path: &str, body: &str) -> std::io::Result<&[u8]> {
        self.request.clear();
        write!(
            self.request,
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        self.reader.get_mut().write_all(&self.request)?;
        let (mut line, mut length) = (String::new(), 0);
        loop {
            line.clear();
            self.reader.read_line(&mut line)?;
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line == "\r\n" {
                break;
            }
        }
        self.reply.resize(length, 0);
        self.reader.read_exact(&mut self.reply)?;
        Ok(&self.reply)
    }
}

/// What one run found.
struct Found {
    steps: usize,
    seconds: f64,
    sessions: usize,
    latencies: Vec<Duration>,
}

impl Found {
    fn per_second(&self) -> f64 {
        self.steps as f64 / self.seconds
    }
}

/// Drives connections until time is up; each does `work`, which returns how many steps it took; with a pace, no more than so many a second.
fn drive(
    address: SocketAddr,
    until: impl Fn(Duration, usize) -> bool + Sync,
    pace: Option<f64>,
    work: impl Fn(&mut Connection, &mut Vec<Duration>, &dyn Fn()) -> Result<usize, Failure> + Sync,
) -> Found {
    let (started, sessions) = (Instant::now(), AtomicUsize::new(0));
    let taken = AtomicUsize::new(0);
    let wait = || {
        if let Some(pace) = pace {
            let due = Duration::from_secs_f64(taken.fetch_add(1, Ordering::Relaxed) as f64 / pace);
            std::thread::sleep(due.saturating_sub(started.elapsed()));
        }
    };
    let results: Vec<(usize, Vec<Duration>)> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|_| {
                scope.spawn(|| {
                    let mut connection = Connection::new(address).expect("a connection");
                    let (mut steps, mut latencies) = (0, Vec::new());
                    while until(started.elapsed(), sessions.load(Ordering::Relaxed)) {
                        steps += work(&mut connection, &mut latencies, &wait).expect("a served step");
                        sessions.fetch_add(1, Ordering::Relaxed);
                    }
                    (steps, latencies)
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("a client")).collect()
    });
    let seconds = started.elapsed().as_secs_f64();
    let steps = results.iter().map(|(steps, _)| steps).sum();
    Found {
        steps,
        seconds,
        sessions: sessions.into_inner(),
        latencies: results.into_iter().flat_map(|(_, all)| all).collect(),
    }
}

/// A whole session of somebody who says 0.1 to everything.
fn session(connection: &mut Connection, latencies: &mut Vec<Duration>, wait: &dyn Fn()) -> Result<usize, Failure> {
    let mut send = |path: &str, body: &str| -> Result<Step, Failure> {
        wait();
        let started = Instant::now();
        let reply = connection.post(path, body)?;
        latencies.push(started.elapsed());
        Step::read(reply)
    };
    let mut steps = 1;
    let mut step = send("/v1/plans/load/sessions", r#"{"public":{"q0":-0.2}}"#)?;
    while let Step::Asking { token, question } = step {
        step = send("/v1/sessions/answer", &format!(r#"{{"token":"{token}","question":"{question}","answer":0.1}}"#))?;
        steps += 1;
    }
    Ok(steps)
}

/// What a reply says, as far as the client must know. It is looked for rather than parsed: the client shares the machine with the server.
enum Step {
    Asking { token: String, question: String },
    Decided,
}

impl Step {
    fn read(reply: &[u8]) -> Result<Self, Failure> {
        let reply = std::str::from_utf8(reply)?;
        match text_after(reply, r#""stage":""#) {
            Some("decided") => Ok(Step::Decided),
            Some("asking") => {
                let token = text_after(reply, r#""token":""#).ok_or("no token")?.to_owned();
                let question = text_after(reply, r#""question":{"name":""#).ok_or("no question")?.to_owned();
                Ok(Step::Asking { token, question })
            }
            _ => Err("the session did not end".into()),
        }
    }
}

/// What stands between a beginning and the next quotation mark.
fn text_after<'a>(reply: &'a str, beginning: &str) -> Option<&'a str> {
    let rest = &reply[reply.find(beginning)? + beginning.len()..];
    rest.split('"').next()
}

/// Megabytes this process has in memory.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("0");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

#[expect(clippy::print_stdout, reason = "an example prints what it finds")]
fn main() -> Result<(), Failure> {
    let most: usize = std::env::args().nth(1).map_or(Ok(200_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let service = measured::service("load", folder.path());
    let served = start(app(Arc::clone(&service), GuardOptions::default()))?;
    let empty = start(Router::new().route("/", post(async |Json(body): Json<Value>| Json(body))))?;
    println!("{CONNECTIONS} connections, {QUESTIONS} sensitive questions, linear model, delta 0");
    let sample = json!({"token": "x".repeat(420), "question": "q1", "answer": 0.1}).to_string();
    let echo = |connection: &mut Connection, _: &mut Vec<Duration>, _: &dyn Fn()| -> Result<usize, Failure> {
        let reply = std::str::from_utf8(connection.post("/", &sample)?)?;
        if text_after(reply, r#""question":""#) == Some("q1") { Ok(1) } else { Err("no echo".into()) }
    };
    let for_a_while = |time: Duration, _: usize| time < EACH;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let bare = drive(empty, for_a_while, None, echo).per_second();
        let full = drive(served, for_a_while, None, session);
        rounds.push((full.per_second() / bare, bare, full));
    }
    rounds.sort_unstable_by(|(one, ..), (other, ..)| one.total_cmp(other));
    let (ratio, bare, full) = &rounds[ROUNDS / 2];
    println!("in the median of {ROUNDS} rounds of {} ms each:", EACH.as_millis());
    println!("empty JSON handler        {bare:>9.0} requests a second");
    println!("session steps             {:>9.0} a second, {ratio:.2} of the empty handler's", full.per_second());
    println!(
        "                          from {:.2} to {:.2} in half of the rounds",
        rounds[ROUNDS / 4].0,
        rounds[ROUNDS * 3 / 4].0
    );
    println!("                          {:.2} steps a session", full.steps as f64 / full.sessions as f64);
    let longer = |time: Duration, _: usize| time < 10 * EACH;
    let mut half = drive(served, longer, Some(full.per_second() / 2.0), session);
    half.latencies.sort_unstable();
    let quantile =
        |share: f64| half.latencies[((half.latencies.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "at half that load         p50 {:.2} ms, p99 {:.2} ms, at {:.0} a second",
        quantile(0.5),
        quantile(0.99),
        half.per_second()
    );
    println!("memory                    {:.0} MB", memory());
    for quarter in 1..=4 {
        // Latencies are let go at once, or they would be what grows.
        let forgetful = |connection: &mut Connection, _: &mut Vec<Duration>, wait: &dyn Fn()| {
            session(connection, &mut Vec::new(), wait)
        };
        drive(served, |_, sessions| sessions < most / 4, None, forgetful);
        println!("after {:>7} sessions more {:.0} MB", most / 4 * quarter, memory());
    }
    Ok(())
}
