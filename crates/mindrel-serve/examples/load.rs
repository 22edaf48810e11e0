//! How fast the service is on one machine: session steps per second, latencies and memory, beside an empty handler.
//!
//! Some clients, each with its own connection over loopback, hold whole sessions one after the other; then the same
//! clients send requests of the same size to an empty JSON handler. Client and server share the processors.
//!
//! Run with `cargo run --release -p mindrel-serve --example load`.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::routing::post;
use axum::{Json, Router};
use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::schema::{Question, Target};
use mindrel::{Plan, Rules, Schema};
use mindrel_serve::ledger::{Ledger, SqliteStore};
use mindrel_serve::served_plans::{ServedPlan, ServedPlans};
use mindrel_serve::token::{Keys, Sealer};
use mindrel_serve::{HttpOptions, Metrics, Service, Workers, app, server};
use serde_json::{Value, json};

const QUESTIONS: usize = 10;
const CLIENTS: usize = 16;
const EACH: Duration = Duration::from_secs(5);
/// As long as a token halfway through a session.
const TOKEN_LENGTH: usize = 250;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// One client with its connection, and how long each of its requests took.
struct LoadClient {
    agent: ureq::Agent,
    address: SocketAddr,
    latencies: Vec<Duration>,
}

impl LoadClient {
    fn post(&mut self, path: &str, body: &Value) -> Result<Value, Failure> {
        let started = Instant::now();
        let request = self.agent.post(format!("http://{}{path}", self.address)).content_type("application/json");
        let reply = request.send(body.to_string())?.body_mut().read_to_string()?;
        self.latencies.push(started.elapsed());
        Ok(serde_json::from_str(&reply)?)
    }

    /// A whole session of someone who answers every question with 0.1.
    fn session(&mut self) -> Result<(), Failure> {
        let mut reply = self.post("/v1/plans/load/sessions", &json!({"public": {"q0": -0.2}}))?;
        while reply["stage"] == "asking" {
            let body = json!({"token": reply["token"], "question": reply["question"]["name"], "answer": 0.1});
            reply = self.post("/v1/sessions/answer", &body)?;
        }
        if reply["stage"] == "decided" { Ok(()) } else { Err("the session was not decided".into()) }
    }

    /// One request to the empty handler.
    fn echo(&mut self) -> Result<(), Failure> {
        let body = json!({"token": "x".repeat(TOKEN_LENGTH), "question": "q1", "answer": 0.1});
        self.post("/", &body).map(drop)
    }
}

/// The plan. Someone who answers every question with 0.1 is asked nine of them.
fn plan() -> Plan {
    let mut questions = vec![Question::number("q0", -1.0, 1.0).public()];
    questions.extend((1..=QUESTIONS).map(|place| Question::number(format!("q{place}"), -1.0, 1.0)));
    let target = Target::new("y", "y?", ["no", "yes"]);
    let n_columns = QUESTIONS + 1;
    let weights = (0..n_columns).map(|place| 1.0 / (1.0 + place as f64)).collect();
    let covariance =
        (0..n_columns * n_columns).map(|place| if place % (n_columns + 1) == 0 { 0.3 } else { 0.05 }).collect();
    let model = LinearModel::new(n_columns, weights, vec![0.1]).expect("a sound model");
    let belief = GaussianBelief::new(vec![0.0; n_columns], covariance).expect("a sound belief");
    let schema = Schema::new(target, questions).expect("a sound schema");
    Plan::new(schema, model, belief, Rules::default()).expect("a sound plan")
}

/// A service that offers the plan, with its ledger in a folder.
fn service(folder: &Path) -> Arc<Service> {
    let store = SqliteStore::open(&folder.join("ledger.db")).expect("a ledger");
    Arc::new(Service {
        plans: ServedPlans::new(vec![ServedPlan::new("load", plan())]).expect("a valid name"),
        sealer: Sealer::new(Keys::random()),
        ledger: Ledger::new(Box::new(store)),
        metrics: Metrics::new(),
        workers: Workers::default(),
        token_life: Duration::from_secs(600),
        clock: || 1_700_000_000,
    })
}

/// Serves on a thread of its own.
fn start(router: Router) -> Result<SocketAddr, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        runtime.block_on(server::serve(router, listener, None, std::future::pending())).expect("a server");
    });
    Ok(address)
}

/// Lets all clients work for a while, and describes what they reached.
fn measure(address: SocketAddr, work: fn(&mut LoadClient) -> Result<(), Failure>) -> String {
    let started = Instant::now();
    let client = || {
        let mut client = LoadClient { agent: ureq::Agent::new_with_defaults(), address, latencies: Vec::new() };
        while started.elapsed() < EACH {
            work(&mut client).expect("the request is served");
        }
        client.latencies
    };
    let mut latencies: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        clients.into_iter().flat_map(|client| client.join().expect("a client")).collect()
    });
    let rate = latencies.len() as f64 / started.elapsed().as_secs_f64();
    latencies.sort_unstable();
    let quantile = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    format!("{rate:>7.0} per second, p50 {:.2} ms, p99 {:.2} ms", quantile(0.5), quantile(0.99))
}

/// The memory of this process, in megabytes.
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("0");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

#[expect(clippy::print_stdout, reason = "an example prints what it finds")]
fn main() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let service = start(app(service(folder.path()), HttpOptions::default()))?;
    let empty = start(Router::new().route("/", post(async |Json(body): Json<Value>| Json(body))))?;
    println!("{CLIENTS} clients, {QUESTIONS} sensitive questions, linear model, delta 0, {} s each", EACH.as_secs());
    for _ in 0..3 {
        println!("session steps       {}", measure(service, LoadClient::session));
        println!("empty JSON handler  {}", measure(empty, LoadClient::echo));
        println!("memory              {:.0} MB", memory());
    }
    Ok(())
}
