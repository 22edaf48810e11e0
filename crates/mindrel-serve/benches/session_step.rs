//! What one step of a session costs, part by part, without a socket: the sixth of ten answers, a linear model, δ = 0.
//!
//! `empty handler` is what axum itself takes for a body of the same size; `step` is everything the service does.

#[path = "../examples/load/measured.rs"]
mod measured;

use std::hint::black_box;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use axum::routing::post;
use axum::{Json, Router};
use criterion::{Criterion, criterion_group, criterion_main};
use http_body_util::BodyExt;
use mindrel_serve::transcript::Transcript;
use mindrel_serve::{HttpOptions, app};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tower::ServiceExt;

const ANSWERED: usize = 5;

async fn post_to(router: &Router, path: &str, body: &str) -> Value {
    let request = Request::post(path).header("content-type", "application/json");
    let request = request.body(Body::from(body.to_owned())).expect("a request");
    let response = router.clone().oneshot(request).await.expect("a reply");
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    serde_json::from_slice(&bytes).expect("a reply in JSON")
}

fn answer(reply: &Value) -> String {
    json!({"token": reply["token"], "question": reply["question"]["name"], "answer": 0.1}).to_string()
}

/// The body of the next request after some answers.
async fn next_answer(router: &Router) -> String {
    let mut reply = post_to(router, "/v1/plans/step/sessions", r#"{"public":{"q0":-0.2}}"#).await;
    for _ in 0..ANSWERED {
        reply = post_to(router, "/v1/sessions/answer", &answer(&reply)).await;
    }
    answer(&reply)
}

fn steps(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let service = measured::service("step", folder.path());
    let served = app(Arc::clone(&service), HttpOptions::default());
    let empty = Router::new().route("/", post(async |Json(body): Json<Value>| Json(body)));
    let body = runtime.block_on(next_answer(&served));
    let token: Value = serde_json::from_str(&body).expect("a body in JSON");
    let token = token["token"].as_str().expect("a token").to_owned();

    let mut group = criterion.benchmark_group("step");
    group.bench_function("empty handler", |bencher| {
        bencher.iter(|| runtime.block_on(async { black_box(post_to(&empty, "/", &body).await) }));
    });
    group.bench_function("step", |bencher| {
        bencher.iter(|| runtime.block_on(async { black_box(post_to(&served, "/v1/sessions/answer", &body).await) }));
    });
    let sealer = &service.sealer;
    let contents = sealer.open(&token, 0).expect("our token");
    group.bench_function("token opened", |bencher| bencher.iter(|| black_box(sealer.open(&token, 0))));
    group.bench_function("token sealed", |bencher| bencher.iter(|| black_box(sealer.seal(&contents, u64::MAX))));
    let plan = measured::plan();
    let mut transcript = Transcript::from_bytes(&contents).expect("a transcript");
    group.bench_function("session resumed", |bencher| bencher.iter(|| black_box(transcript.resume(&plan).ok())));
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
