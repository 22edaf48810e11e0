//! How fast the service is on one machine: session steps per second, latencies and memory, beside an empty handler.
//!
//! One client, then 32, each with its own connection over loopback, hold whole sessions one after the other under a
//! linear model, a network of two layers of 10 and 100 boosted trees of depth 6, with ten sensitive questions at δ = 0;
//! then the same clients send requests of the same size to an empty JSON handler. Client and server share the
//! processors.
//!
//! Run with `cargo run --release -p mindrel-serve --example load`.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::routing::post;
use axum::{Json, Router};
use mindrel::model::Classifier;
use mindrel::plan::PlanParts;
use mindrel::{People, Plan};
use mindrel_serve::ledger::{Ledger, SqliteStore};
use mindrel_serve::served_plans::{ServedPlan, ServedPlans};
use mindrel_serve::token::{Keys, Sealer};
use mindrel_serve::{HttpOptions, Metrics, Service, Workers, app, server};
use mindrel_testing::{generated, grown};
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::mlp::MlpOptions;
use mindrel_train::{Believer, Learner, fit_plan};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;
use serde_json::{Value, json};

const QUESTIONS: usize = 10;
const CLIENTS: [usize; 2] = [1, 32];
const TRAINED_ON: usize = 4_000;
const ASKED: usize = 1_000;
const EACH: Duration = Duration::from_secs(5);
/// As long as a token halfway through a session.
const TOKEN_LENGTH: usize = 250;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a client does once.
type Work<'a> = dyn Fn(&mut LoadClient, usize) -> Result<(), Failure> + Sync + 'a;

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

    /// A whole session of someone.
    fn session(&mut self, plan: &str, answers: &[f64]) -> Result<(), Failure> {
        let mut reply = self.post(&format!("/v1/plans/{plan}/sessions"), &json!({"public": {"q0": answers[0]}}))?;
        while reply["stage"] == "asking" {
            let name = reply["question"]["name"].as_str().ok_or("no name")?;
            let answer = answers[name[1..].parse::<usize>()?];
            let body = json!({"token": reply["token"], "question": name, "answer": answer});
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

/// A linear model, a network and boosted trees of the same people.
fn plans(people: &People) -> Vec<ServedPlan> {
    let schema = generated::numbers(QUESTIONS + 1, 1);
    let fitted = |learner: &Learner| {
        fit_plan(&schema, people, learner, &Believer::Gaussian, None, &mut |_| ()).expect("they can be learned from")
    };
    let trees: Classifier = grown::boosted(people, 100, 6, &mut Pcg64Mcg::seed_from_u64(2)).into();
    let linear = fitted(&Learner::Logistic(LogisticOptions::default()));
    let parts = PlanParts { model: trees, ..linear.to_parts() };
    vec![
        ServedPlan::new("network", fitted(&Learner::Network(MlpOptions::default()))),
        ServedPlan::new("trees", Plan::try_from(parts).expect("the parts fit")),
        ServedPlan::new("linear", linear),
    ]
}

/// A service that offers the plans, with its ledger in a folder.
fn service(folder: &Path, plans: Vec<ServedPlan>) -> Arc<Service> {
    let store = SqliteStore::open(&folder.join("ledger.db")).expect("a ledger");
    Arc::new(Service {
        plans: ServedPlans::new(plans).expect("valid names"),
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

/// Lets some clients work for a while, and describes what they reached. Each piece of work has a number.
fn measure(address: SocketAddr, n_clients: usize, work: &Work<'_>) -> String {
    let started = Instant::now();
    let client = |first: usize| {
        let mut client = LoadClient { agent: ureq::Agent::new_with_defaults(), address, latencies: Vec::new() };
        for number in (first..).step_by(n_clients) {
            if started.elapsed() >= EACH {
                break;
            }
            work(&mut client, number).expect("the request is served");
        }
        client.latencies
    };
    let mut latencies: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..n_clients).map(|first| scope.spawn(move || client(first))).collect();
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
    let everybody = generated::people(QUESTIONS + 1, TRAINED_ON + ASKED, &mut Pcg64Mcg::seed_from_u64(1));
    let plans = plans(&everybody.filter(|person| person.line < TRAINED_ON as u64));
    let asked = everybody.filter(|person| person.line >= TRAINED_ON as u64);
    let answers: Vec<&[f64]> = asked.iter().map(|person| person.columns).collect();
    let folder = tempfile::tempdir()?;
    let service = start(app(service(folder.path(), plans), HttpOptions::default()))?;
    let empty = start(Router::new().route("/", post(async |Json(body): Json<Value>| Json(body))))?;
    println!("{QUESTIONS} sensitive questions, delta 0, {} s each", EACH.as_secs());
    for n_clients in CLIENTS {
        for plan in ["linear", "network", "trees"] {
            let session = |client: &mut LoadClient, number: usize| client.session(plan, answers[number % ASKED]);
            println!("{n_clients:>2} clients, steps, {plan:<8} {}", measure(service, n_clients, &session));
        }
        let echo = |client: &mut LoadClient, _: usize| client.echo();
        println!("{n_clients:>2} clients, empty handler  {}", measure(empty, n_clients, &echo));
    }
    println!("memory {:.0} MB", memory());
    Ok(())
}
