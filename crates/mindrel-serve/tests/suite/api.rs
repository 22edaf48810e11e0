//! The API, as its clients meet it.

use std::collections::BTreeSet;

use crate::common::{Desk, SENTINEL, plan, post, service_with, sqlite};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use mindrel::Rules;
use mindrel::plan::{Calibration, Evidence, GroupThreshold};
use mindrel::session::{Answers, Next};
use mindrel_serve::token::Keys;
use mindrel_serve::{ApiKeys, HttpOptions, LONGEST_BODY, app};
use serde_json::{Value, json};

/// What the test's person says to each question.
fn says(question: &str) -> Value {
    match question {
        "income" => json!(42000),
        "debts" => json!(1000.5),
        "home" => json!("rent"),
        "problems" => json!(false),
        other => panic!("nobody is asked for {other}"),
    }
}

async fn answer(desk: &Desk, reply: &Value, value: &Value) -> crate::common::Received {
    let body = json!({"token": reply["token"], "question": reply["question"]["name"], "answer": value});
    desk.post("/v1/sessions/answer", &body).await
}

/// Goes on until there is no question any more.
async fn to_the_end(desk: &Desk, mut reply: Value) -> Value {
    while reply["stage"] == "asking" {
        let said = says(reply["question"]["name"].as_str().unwrap());
        let next = answer(desk, &reply, &said).await;
        assert_eq!(next.status, StatusCode::OK, "{}", next.text);
        reply = next.json();
    }
    reply
}

/// Holds a session over HTTP against one of the library: questions, their order and reasons, the decision and its
/// certificate.
async fn follow(desk: &Desk, mut session: mindrel::Session) -> (Value, mindrel::Session) {
    let mut reply = desk.started().await;
    let plan = session.plan().clone();
    while let Next::Ask { question, reason } = session.next() {
        let name = plan.schema().question(question).name.clone();
        assert_eq!((&reply["question"]["name"], &reply["reason"]), (&json!(name), &json!(reason.to_string())));
        assert_eq!(reply["outlook"]["probability"], json!(session.outlook().probability));
        let said = says(&name);
        let stated = serde_json::from_value(said.clone()).unwrap();
        let accepted = plan.schema().question(question).accept(&stated).unwrap();
        session.answer(question, accepted).unwrap();
        reply = answer(desk, &reply, &said).await.json();
    }
    assert_eq!(reply["stage"], "decided");
    assert_eq!(reply["certificate"], serde_json::to_value(session.certificate().unwrap()).unwrap());
    (reply, session)
}

#[tokio::test]
async fn a_session_over_http_is_the_librarys() {
    let plan = plan(0.0);
    let session = mindrel::Session::start(&plan, &Answers::parse(&plan, [("amount", "5000")]).unwrap()).unwrap();
    let (reply, session) = follow(&Desk::new(), session).await;
    let certificate = serde_json::from_value(reply["certificate"].clone()).unwrap();
    assert!(mindrel::verify::verify(&plan, &certificate).is_ok());
    let never: Vec<&str> = session.never_asked().map(|id| plan.schema().question(id).name.as_str()).collect();
    assert!(!never.is_empty());
    assert_eq!(reply["never_asked"], json!(never));
}

#[tokio::test]
async fn a_calibrated_session_over_http_is_the_librarys_and_takes_no_other_delta() {
    let evidence = Evidence::Table { flips: 1, upper: 0.009 };
    let everybody = GroupThreshold { level: None, people: Some(500), delta: 0.2, evidence };
    let (table, rules) = ("0123".to_owned(), Rules::default());
    let calibration = Calibration { flips: 0.01, confidence: 0.95, table, by: None, rules, groups: vec![everybody] };
    let plan = plan(0.0).with_calibration(calibration).unwrap();
    let public = Answers::parse(&plan, [("amount", "5000")]).unwrap();
    let session = mindrel::Session::start_calibrated(&plan, &public).unwrap();
    let desk = Desk::of(plan.clone());
    let (reply, session) = follow(&desk, session).await;
    assert_eq!((&reply["delta"], session.promise().is_some()), (&json!(0.2), true));
    assert_eq!(reply["certificate"]["calibration"], serde_json::to_value(session.promise()).unwrap());
    let with_delta = json!({"public": {"amount": 5000}, "delta": 0.1});
    let refused = desk.post("/v1/plans/loan/sessions", &with_delta).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert_eq!(desk.entries(), 1);
}

#[tokio::test]
async fn plans_say_what_is_public_and_what_may_be_asked() {
    let desk = Desk::new();
    let all = desk.get("/v1/plans").await.json();
    assert_eq!(all[0], desk.get("/v1/plans/loan").await.json());
    assert_eq!(all[0]["fingerprint"], json!(plan(0.0).fingerprint().to_string()));
    assert_eq!(all[0]["public"][0]["name"], "amount");
    assert_eq!(all[0]["sensitive"][2]["levels"], json!(["owner", "rent", "parents"]));
    desk.get("/v1/plans/nothing").await.refused(404, "unknown-plan");
}

#[tokio::test]
async fn a_request_sent_twice_makes_one_entry_and_the_same_receipt() {
    let desk = Desk::new();
    let mut reply = desk.started().await;
    let mut before = reply.clone();
    while reply["stage"] == "asking" {
        before = reply.clone();
        reply = answer(&desk, &reply, &says(reply["question"]["name"].as_str().unwrap())).await.json();
    }
    let again = answer(&desk, &before, &says(before["question"]["name"].as_str().unwrap())).await.json();
    assert_eq!(reply["receipt"], again["receipt"]);
    let resumed = desk.post("/v1/sessions/resume", &json!({"token": reply["token"]})).await.json();
    assert_eq!(reply["receipt"], resumed["receipt"]);
    assert_eq!(desk.entries(), 1);
    // Another session of somebody who says the same is another entry.
    to_the_end(&desk, desk.started().await).await;
    assert_eq!(desk.entries(), 2);
}

#[tokio::test]
async fn going_back_takes_back_what_came_after() {
    let desk = Desk::new();
    let first = desk.started().await;
    let name = first["question"]["name"].clone();
    let second = answer(&desk, &first, &says(name.as_str().unwrap())).await.json();
    assert_eq!(second["answered"], json!([name]));
    let back = desk.post("/v1/sessions/back", &json!({"token": second["token"], "question": name})).await.json();
    assert_eq!((&back["question"], &back["answered"]), (&first["question"], &json!([])));
    let not_yet = json!({"token": first["token"], "question": "home"});
    desk.post("/v1/sessions/back", &not_yet).await.refused(422, "not-asked-yet");
}

/// Somebody who declines everything is left undecided, which is recorded as such.
#[tokio::test]
async fn declining_ends_undecided_where_nothing_can_be_proved() {
    let desk = Desk::new();
    let mut reply = desk.started().await;
    while reply["stage"] == "asking" {
        let body = json!({"token": reply["token"], "question": reply["question"]["name"]});
        reply = desk.post("/v1/sessions/decline", &body).await.json();
    }
    assert_eq!(reply["stage"], "undecided");
    assert!(reply["words"].as_str().unwrap().contains("a person should look"));
    let summary = mindrel_serve::ledger::verify(&mut *sqlite(desk.folder.path()), &[]).unwrap();
    let plan = summary.plans.values().next().unwrap();
    assert_eq!(plan.guarantees.get("undecided"), Some(&1));
    assert!(plan.declined > 0);
}

#[tokio::test]
async fn a_delta_is_followed_as_far_as_it_is_allowed() {
    let desk = Desk::new();
    let start = |delta: f64| json!({"public": {"amount": 5000}, "delta": delta});
    let reply = desk.post("/v1/plans/loan/sessions", &start(0.2)).await.json();
    assert_eq!(reply["delta"], 0.2);
    let end = to_the_end(&desk, reply).await;
    assert_eq!(end["certificate"]["rules"]["delta"], 0.2);
    for delta in [0.3, -0.1] {
        desk.post("/v1/plans/loan/sessions", &start(delta)).await.refused(422, "delta");
    }
}

/// Whatever is wrong, the reply names it by a stable code and never repeats what was said.
#[tokio::test]
async fn bad_requests_are_named_and_never_repeated() {
    let desk = Desk::new();
    let reply = desk.started().await;
    let name = reply["question"]["name"].as_str().unwrap();
    let sentinel: f64 = SENTINEL.parse().unwrap();
    answer(&desk, &reply, &json!(format!("x{SENTINEL}"))).await.refused(422, "not-a-number");
    answer(&desk, &reply, &json!([sentinel])).await.refused(400, "bad-body");
    let other = if name == "home" { "debts" } else { "home" };
    let wrong = |question: &str| json!({"token": reply["token"], "question": question, "answer": "rent"});
    desk.post("/v1/sessions/answer", &wrong(other)).await.refused(422, "not-asked-now");
    desk.post("/v1/sessions/answer", &wrong("nobody")).await.refused(422, "unknown-question");
    let public = |value: Value| json!({"public": value});
    let start = "/v1/plans/loan/sessions";
    desk.post(start, &public(json!({}))).await.refused(422, "public-missing");
    desk.post(start, &public(json!({"amount": 1, "income": sentinel}))).await.refused(422, "not-public");
    desk.post(start, &public(json!({"amount": SENTINEL.repeat(9)}))).await.refused(422, "not-a-number");
    desk.post(start, &json!({"publik": {"amount": sentinel}})).await.refused(400, "bad-body");
    desk.post("/v1/plans/nothing/sessions", &public(json!({}))).await.refused(404, "unknown-plan");
    let bare = Request::post(start).body(Body::from("{}")).unwrap();
    desk.send(bare).await.refused(415, "media-type");
    let long = json!({"public": {"amount": SENTINEL.repeat(LONGEST_BODY / 9)}});
    desk.post(start, &long).await.refused(413, "too-long");
    desk.get("/nowhere").await.refused(404, "not-found");
    desk.get("/v1/sessions/answer").await.refused(405, "method");
    let metrics = desk.get("/metrics").await.text;
    assert!(metrics.contains("mindrel_requests_total") && !metrics.contains("987654"), "{metrics}");
}

#[tokio::test]
async fn requests_are_counted_by_route_and_not_by_what_was_asked_for() {
    let desk = Desk::new();
    for path in ["/v1/plans/loan", "/v1/plans/987654", "/v1/plans", "/plans/loan", "/987654", "/v1/plans/loan/987654"] {
        desk.get(path).await;
    }
    desk.started().await;
    let text = desk.get("/metrics").await.text;
    let counted: BTreeSet<&str> = text.lines().filter(|line| line.starts_with("mindrel_requests_total{")).collect();
    let expected = [
        ("/v1/plans/{plan}", 200, 1),
        ("/v1/plans/{plan}", 404, 1),
        ("/v1/plans", 200, 1),
        ("/plans/{plan}", 200, 1),
        ("other", 404, 2),
        ("/v1/plans/{plan}/sessions", 201, 1),
    ];
    let line =
        |(route, status, count)| format!(r#"mindrel_requests_total{{route="{route}",status="{status}"}} {count}"#);
    let expected: Vec<String> = expected.into_iter().map(line).collect();
    assert_eq!(counted, expected.iter().map(String::as_str).collect());
}

#[tokio::test]
async fn tampered_foreign_and_expired_tokens_are_refused() {
    let desk = Desk::new();
    let reply = desk.started().await;
    let token = reply["token"].as_str().unwrap();
    let resume = async |token: &str| desk.post("/v1/sessions/resume", &json!({"token": token})).await;
    let middle = token.len() / 2;
    let letter = if &token[middle..=middle] == "A" { "B" } else { "A" };
    let tampered = format!("{}{letter}{}", &token[..middle], &token[middle + 1..]);
    resume(&tampered).await.refused(403, "token-foreign");
    resume("").await.refused(403, "token-foreign");
    let other = Desk::new();
    other.post("/v1/sessions/resume", &json!({"token": token})).await.refused(403, "token-foreign");
    // The same keys, an hour later.
    let keys = Keys::random_text();
    let folder = tempfile::tempdir().unwrap();
    let early = app(service_with(sqlite(folder.path()), &keys, || 1_000_000), HttpOptions::default());
    let late = app(service_with(sqlite(folder.path()), &keys, || 1_003_600), HttpOptions::default());
    let reply = post(&early, "/v1/plans/loan/sessions", &json!({"public": {"amount": 1}})).await.json();
    post(&late, "/v1/sessions/resume", &json!({"token": reply["token"]})).await.refused(410, "token-expired");
}

/// Two replicas with the same keys and ledger, every step by the other one.
#[tokio::test]
async fn any_replica_serves_any_step() {
    let (folder, keys) = (tempfile::tempdir().unwrap(), Keys::random_text());
    let replica = || app(service_with(sqlite(folder.path()), &keys, || 1_000_000), HttpOptions::default());
    let replicas = [replica(), replica()];
    let mut reply = post(&replicas[0], "/v1/plans/loan/sessions", &json!({"public": {"amount": 5000}})).await.json();
    for step in 1.. {
        if reply["stage"] != "asking" {
            break;
        }
        let name = reply["question"]["name"].as_str().unwrap();
        let body = json!({"token": reply["token"], "question": name, "answer": says(name)});
        reply = post(&replicas[step % 2], "/v1/sessions/answer", &body).await.json();
    }
    assert_eq!(reply["stage"], "decided");
    assert_eq!(reply["receipt"]["entry"], 1);
}

#[tokio::test]
async fn the_api_asks_for_a_key_where_there_are_keys_and_the_form_does_not() {
    let keys = ApiKeys::parse("the-key");
    let desk = Desk::with(HttpOptions { keys, ..HttpOptions::default() });
    for guarded in ["/v1/plans", "/v1/plans/loan", "/v1/sessions/answer", "/v1/nowhere"] {
        desk.get(guarded).await.refused(401, "unauthorized");
    }
    let with = |key: &str| {
        let request = Request::get("/v1/plans").header(header::AUTHORIZATION, format!("Bearer {key}"));
        request.body(Body::empty()).unwrap()
    };
    desk.send(with("another-key")).await.refused(401, "unauthorized");
    assert_eq!(desk.send(with("the-key")).await.status, StatusCode::OK);
    for open in ["/openapi.json", "/healthz", "/readyz", "/metrics", "/plans/loan"] {
        assert_eq!(desk.get(open).await.status, StatusCode::OK, "{open}");
    }
}

#[tokio::test]
async fn replies_let_nothing_in_from_elsewhere_and_are_not_kept() {
    let desk = Desk::new();
    for path in ["/plans/loan", "/v1/plans", "/nowhere", "/style.css"] {
        let reply = desk.get(path).await;
        let policy = reply.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{path}");
        assert_eq!(reply.headers[header::CACHE_CONTROL], "no-store");
        assert!(!reply.headers.contains_key(header::SET_COOKIE));
    }
}

/// On every page, an error among them.
#[tokio::test]
async fn a_page_carries_every_security_header() {
    let desk = Desk::new();
    for (path, status) in [("/plans/loan", StatusCode::OK), ("/plans/nothing", StatusCode::NOT_FOUND)] {
        let page = desk.get(path).await;
        assert_eq!(page.status, status);
        assert_eq!(page.headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
        let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        ] {
            assert_eq!(page.headers.get_all(name).iter().collect::<Vec<_>>(), [value], "{path} {name}");
        }
    }
}

/// A panic is a problem like others: the client gets a reply, with all headers, and the next request is served.
#[tokio::test]
async fn a_panic_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let service = service_with(sqlite(folder.path()), &Keys::random_text(), || panic!("the clock has stopped"));
    let app = app(service, HttpOptions::default());
    for _ in 0..2 {
        let reply = post(&app, "/v1/plans/loan/sessions", &json!({"public": {"amount": 1}})).await;
        reply.refused(500, "internal");
        assert_eq!(reply.headers[header::CACHE_CONTROL], "no-store");
    }
}

/// Every address of the API is in the document, with the codes it may answer with.
#[tokio::test]
async fn the_document_describes_every_address() {
    let document = Desk::new().get("/openapi.json").await.json();
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    assert_eq!(paths.len(), 7, "{paths:?}");
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(
                operation["responses"].as_object().unwrap().keys().any(|code| code.starts_with('2')),
                "{method} {path}"
            );
        }
    }
}
