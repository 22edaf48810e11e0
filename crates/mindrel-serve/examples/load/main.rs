//! How much the service costs beyond HTTP itself: session steps a second against an empty handler, by the same client on one machine.
//!
//! On loopback, by the same client and number of connections: in turn an empty JSON handler, and whole sessions with sealing and an SQLite ledger;
//! then both at half the rate they reached, for latencies, as a client of one thread a connection has its own share in those; then memory after ever more sessions.
//!
//! Run with `cargo run --profile dist -p mindrel-serve --example load [SESSIONS]`.

mod client;
mod drive;
mod measured;
mod session;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::routing::post;
use axum::{Json, Router};
use drive::{Client, drive};
use measured::QUESTIONS;
use mindrel_serve::server::{self, Served};
use mindrel_serve::{GuardOptions, app};
use serde_json::Value;
use session::Fields;

/// One kind after the other: other machines' work comes and goes. Long enough that the beginning, when all sessions are at the same question, weighs little.
const EACH: Duration = Duration::from_millis(1000);
const ROUNDS: usize = 21;
/// Then a few longer ones at half the load; that with the median p99 is shown.
const AT_HALF: Duration = Duration::from_millis(3000);
const ROUNDS_AT_HALF: usize = 3;
/// With the fewest, those that wait for their entry in the ledger just leave enough others to keep two processors busy.
const CONNECTIONS: [usize; 3] = [32, 64, 256];
/// Halfway through a session; the empty handler is sent and sends back a body with as many.
const TOKEN_LETTERS: usize = 250;
/// As many requests go to it in a row as a session has steps.
const STEPS: usize = 10;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A server on a thread of its own.
fn start(service: impl Served) -> Result<SocketAddr, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        runtime.block_on(server::serve(service, listener, None, std::future::pending())).expect("a server");
    });
    Ok(address)
}

/// How long requests take at half the rate that was reached.
fn at_half(
    address: SocketAddr,
    connections: usize,
    reached: f64,
    work: impl Fn(&mut Client<'_>) -> Result<usize, Failure> + Sync,
) -> String {
    let round = |_| {
        let mut half = drive(address, connections, |time, _| time < AT_HALF, Some(reached / 2.0), &work);
        half.latencies.sort_unstable();
        let quantile = |share: f64| half.latencies[((half.latencies.len() - 1) as f64 * share) as usize];
        (quantile(0.99), quantile(0.5))
    };
    let mut rounds: Vec<(Duration, Duration)> = (0..ROUNDS_AT_HALF).map(round).collect();
    rounds.sort_unstable();
    let (most, usual) = rounds[ROUNDS_AT_HALF / 2];
    format!("p50 {:.2} ms, p99 {:.2} ms", usual.as_secs_f64() * 1e3, most.as_secs_f64() * 1e3)
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
    println!(
        "{QUESTIONS} sensitive questions, linear model, delta 0; medians of {ROUNDS} rounds of {} ms",
        EACH.as_millis()
    );
    let (fields, token) = (Fields::new(), [b'x'; TOKEN_LETTERS]);
    let session = |client: &mut Client<'_>| fields.session(client);
    let echoes = |client: &mut Client<'_>| fields.echoes(client, STEPS, &token);
    let for_a_while = |time: Duration, _: usize| time < EACH;
    for connections in CONNECTIONS {
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            let bare = drive(empty, connections, for_a_while, None, echoes).per_second();
            let full = drive(served, connections, for_a_while, None, session);
            rounds.push((full.per_second() / bare, bare, full));
        }
        rounds.sort_unstable_by(|(one, ..), (other, ..)| one.total_cmp(other));
        let (ratio, bare, full) = &rounds[ROUNDS / 2];
        let reached = full.per_second();
        println!("{connections} connections");
        println!("  empty JSON handler      {bare:>9.0} requests a second");
        println!("  session steps           {reached:>9.0} a second, {ratio:.2} of the empty handler's");
        println!(
            "                          from {:.2} to {:.2} in half of the rounds; {:.2} steps a session",
            rounds[ROUNDS / 4].0,
            rounds[ROUNDS * 3 / 4].0,
            full.steps as f64 / full.sessions as f64
        );
        println!("  at half that load       {}", at_half(served, connections, reached, session));
        println!("    the empty handler's   {}", at_half(empty, connections, *bare, echoes));
    }
    println!("memory                    {:.0} MB", memory());
    for quarter in 1..=4 {
        drive(served, CONNECTIONS[0], |_, sessions| sessions < most / 4, None, session);
        println!("after {:>7} sessions more {:.0} MB", most / 4 * quarter, memory());
    }
    Ok(())
}
