//! What these tests share: a plan, a service around it, and requests to it.

pub mod postgres;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::schema::{Question, Target};
use mindrel::selector::Selector;
use mindrel::{Plan, Rules, Schema};
use mindrel_serve::ledger::{Ledger, LedgerStore, SqliteStore};
use mindrel_serve::served_plans::{ServedPlan, ServedPlans};
use mindrel_serve::token::{Keys, Sealer};
use mindrel_serve::{HttpOptions, Metrics, Service, Workers, app};
use serde_json::{Value, json};
use tower::ServiceExt;

/// An answer that must turn up in no error, log, metric or address.
pub const SENTINEL: &str = "987654.25";

/// A loan: how much is public; income, debts, home and earlier problems are sensitive.
pub fn plan(delta: f64) -> Plan {
    let worded = |question: Question, prompt: &str, help: &str| Question {
        prompt: prompt.to_owned(),
        help: help.to_owned(),
        ..question
    };
    let questions = vec![
        worded(Question::number("amount", 0.0, 10000.0).public(), "How much do you want to borrow?", ""),
        worded(Question::number("income", 0.0, 100_000.0), "What do you earn in a year?", "Before taxes."),
        worded(Question::number("debts", 0.0, 50000.0), "How much do you owe elsewhere?", ""),
        worded(Question::category("home", ["owner", "rent", "parents"]), "How do you live?", ""),
        worded(Question::boolean("problems"), "Any earlier payment problems?", "In the last five years."),
    ];
    let classes = vec!["refused".to_owned(), "granted".to_owned()];
    let target = Target::new("loan", "Is the loan granted?", classes);
    let schema = Schema::new(target, questions).expect("sound questions");
    let model = LinearModel::new(7, vec![-0.8, 1.5, -0.6, 0.3, -0.2, 0.0, -0.7], vec![0.1]).expect("sound weights");
    let mut covariance = vec![0.0; 49];
    (0..7).for_each(|column| covariance[column * 8] = 0.25);
    let belief = GaussianBelief::new(vec![0.0, 0.0, 0.0, 0.4, 0.4, 0.2, -0.5], covariance).expect("sound moments");
    Plan::new(schema, model, belief, Rules { delta, ..Rules::default() }).expect("a sound plan")
}

/// A deposit: whoever was never called has no outcome of it and no days since, and children are not called.
pub fn campaign() -> Plan {
    let worded = |question: Question, prompt: &str| Question { prompt: prompt.to_owned(), ..question };
    let outcome = Question::category("outcome", ["unknown", "failure", "success"]);
    let words = [("unknown", "there was none")].into_iter().collect();
    let questions = vec![
        worded(Question::number("age", 0.0, 120.0).public(), "How old are you?"),
        worded(Question::boolean("called").public(), "Have we called you before?"),
        worded(Question { words, ..outcome }, "How did the last call end?"),
        worded(Question::number("days", -1.0, 999.0), "Days since the last call"),
        worded(Question::number("balance", 0.0, 10000.0), "What is in your account?"),
        worded(Question::boolean("loan"), "Do you have a loan?"),
    ];
    let rules = json!([
        {"when": {"outcome": ["unknown"]}, "then": {"days": {"from": -1, "to": -1}}},
        {"when": {"outcome": ["failure", "success"]}, "then": {"days": {"from": 0}}},
        {"when": {"called": false}, "then": {"outcome": ["unknown"]}},
        {"when": {"age": {"below": 18}}, "then": {"called": false}},
    ]);
    let schema = Schema::new(Target::new("deposit", "Will you save with us?", ["no", "yes"]), questions);
    let rules = serde_json::from_value(rules).expect("rules");
    let schema = schema.and_then(|schema| schema.with_implications(rules)).expect("sound questions and rules");
    let model = LinearModel::new(8, vec![0.2, 0.2, 4.0, -4.0, 3.0, 2.5, 1.5, 1.5], vec![0.5]).expect("sound weights");
    let covariance = (0..64).map(|place| if place % 9 == 0 { 0.2 } else { 0.0 }).collect();
    let belief = GaussianBelief::new(vec![0.0; 8], covariance).expect("sound moments");
    Plan::new(schema, model, belief, Rules { selector: Selector::Importance, ..Rules::default() }).expect("a plan")
}

static NOW: AtomicU64 = AtomicU64::new(1_700_000_000);

fn now() -> u64 {
    NOW.load(Ordering::Relaxed)
}

/// A service with some store, sealed with some keys.
pub fn service_with(store: Box<dyn LedgerStore>, keys: &str, clock: fn() -> u64) -> Arc<Service> {
    service_of(plan(0.0), store, keys, clock, Workers::default())
}

pub fn service_of(
    plan: Plan,
    store: Box<dyn LedgerStore>,
    keys: &str,
    clock: fn() -> u64,
    workers: Workers,
) -> Arc<Service> {
    let mut plan = ServedPlan::new("loan", plan);
    plan.most_delta = 0.2;
    Arc::new(Service {
        plans: ServedPlans::new(vec![plan]).expect("one plan"),
        sealer: Sealer::new(Keys::parse(keys).expect("keys")),
        ledger: Ledger::new(store),
        metrics: Metrics::new(),
        workers,
        token_life: Duration::from_secs(600),
        clock,
    })
}

pub fn sqlite(folder: &Path) -> Box<dyn LedgerStore> {
    Box::new(SqliteStore::open(&folder.join("ledger.db")).expect("a ledger"))
}

/// A service with a ledger in a folder of its own.
pub struct Desk {
    pub folder: tempfile::TempDir,
    pub service: Router,
}

/// What came back.
pub struct Received {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Desk {
    pub fn new() -> Self {
        Desk::with(HttpOptions::default())
    }

    pub fn with(options: HttpOptions) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let service = service_with(sqlite(folder.path()), &Keys::random_text(), now);
        Desk { service: app(service, options), folder }
    }

    /// One for another plan than the usual.
    pub fn of(plan: Plan) -> Self {
        Desk::with_workers(plan, Workers::default())
    }

    pub fn with_workers(plan: Plan, workers: Workers) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let service = service_of(plan, sqlite(folder.path()), &Keys::random_text(), now, workers);
        Desk { service: app(service, HttpOptions::default()), folder }
    }

    pub async fn send(&self, request: Request<Body>) -> Received {
        send(&self.service, request).await
    }

    pub async fn get(&self, path: &str) -> Received {
        self.send(Request::get(path).body(Body::empty()).expect("a request")).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Received {
        post(&self.service, path, body).await
    }

    /// A session of somebody who wants to borrow 5000.
    pub async fn started(&self) -> Value {
        let reply = self.post("/v1/plans/loan/sessions", &serde_json::json!({"public": {"amount": 5000}})).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{}", reply.text);
        reply.json()
    }

    /// How many entries the ledger has, and whether it is whole.
    pub fn entries(&self) -> u64 {
        let summary = mindrel_serve::ledger::verify(&mut *sqlite(self.folder.path()), &[]).expect("it can be read");
        assert_eq!(summary.broken, None);
        summary.entries
    }
}

pub async fn send(service: &Router, request: Request<Body>) -> Received {
    let response = service.clone().oneshot(request).await.expect("there is always a reply");
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a whole body").to_bytes();
    Received { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.to_vec()).expect("text") }
}

pub async fn post(service: &Router, path: &str, body: &Value) -> Received {
    let request = Request::post(path).header("content-type", "application/json").body(Body::from(body.to_string()));
    send(service, request.expect("a request")).await
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("JSON")
    }

    /// That it is a problem of a kind, without a word of what was said.
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!((self.status.as_u16(), self.json()["code"].as_str()), (status, Some(code)), "{}", self.text);
        assert_eq!(self.headers["content-type"], "application/problem+json");
        assert!(!self.text.contains("987654"), "an answer is in: {}", self.text);
    }
}
