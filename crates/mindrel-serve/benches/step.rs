//! What one step of a session costs, part by part, without a socket: the sixth of ten questions answered, under a linear model at δ = 0.
//!
//! `empty handler` is what axum itself takes for a request of the same size; `step` is all the service does.

#[path = "../examples/load/measured.rs"]
mod measured;

use std::convert::Infallible;
use std::hint::black_box;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use axum::routing::post;
use axum::{Json, Router};
use criterion::{Criterion, criterion_group, criterion_main};
use http_body_util::BodyExt;
use mindrel::session::Walk;
use mindrel_serve::conversation::Conversation;
use mindrel_serve::{GuardOptions, Guarded, app};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tower::ServiceExt;

const ANSWERED: usize = 5;

fn request(path: &str, body: &str) -> Request<Body> {
    let request = Request::post(path).header("content-type", "application/json");
    request.body(Body::from(body.to_owned())).expect("a request")
}

async fn post_to<S>(service: &S, path: &str, body: &str) -> Vec<u8>
where
    S: tower::Service<Request<Body>, Response = Response, Error = Infallible> + Clone,
{
    let response = service.clone().oneshot(request(path, body)).await.expect("a reply");
    response.into_body().collect().await.expect("a body").to_bytes().to_vec()
}

/// The body that answers the question after so many answers.
async fn next_answer(service: &Guarded, answered: usize) -> String {
    let mut reply = post_to(service, "/v1/plans/step/sessions", r#"{"public":{"q0":-0.2}}"#).await;
    for place in 0.. {
        let value: Value = serde_json::from_slice(&reply).expect("a reply in JSON");
        let body = json!({"token": value["token"], "question": value["question"]["name"], "answer": 0.1}).to_string();
        if place == answered {
            return body;
        }
        reply = post_to(service, "/v1/sessions/answer", &body).await;
    }
    unreachable!("there are enough questions")
}

fn steps(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let service = measured::service("step", folder.path());
    let served = app(Arc::clone(&service), GuardOptions::default());
    let empty = Router::new().route("/", post(async |Json(body): Json<Value>| Json(body)));
    let body = runtime.block_on(next_answer(&served, ANSWERED));
    let token: Value = serde_json::from_str(&body).expect("a body in JSON");
    let token = token["token"].as_str().expect("a token").to_owned();

    let mut group = criterion.benchmark_group("step");
    group.bench_function("request made", |bencher| bencher.iter(|| black_box(request("/", &body))));
    group.bench_function("empty handler", |bencher| {
        bencher.iter(|| runtime.block_on(async { black_box(post_to(&empty, "/", &body).await) }));
    });
    group.bench_function("step", |bencher| {
        bencher.iter(|| runtime.block_on(async { black_box(post_to(&served, "/v1/sessions/answer", &body).await) }));
    });
    for answered in [0, 7] {
        let body = runtime.block_on(next_answer(&served, answered));
        group.bench_function(format!("step after {answered} answers"), |bencher| {
            bencher
                .iter(|| runtime.block_on(async { black_box(post_to(&served, "/v1/sessions/answer", &body).await) }));
        });
    }
    group.bench_function("start", |bencher| {
        let body = r#"{"public":{"q0":-0.2}}"#;
        bencher.iter(|| runtime.block_on(async { black_box(post_to(&served, "/v1/plans/step/sessions", body).await) }));
    });
    group.bench_function("refused", |bencher| {
        bencher.iter(|| runtime.block_on(async { black_box(post_to(&served, "/v1/sessions/answer", "{").await) }));
    });
    let sealer = &service.sealer;
    let contents = sealer.open(&token, 0, <[u8]>::to_vec).expect("our token");
    group.bench_function("token opened", |bencher| bencher.iter(|| black_box(sealer.open(&token, 0, |_| ()))));
    group.bench_function("token sealed", |bencher| {
        bencher.iter(|| {
            black_box(sealer.seal(u64::MAX, |mut token| {
                token.extend_from_slice(&contents);
                token
            }))
        })
    });
    let mut conversation = Conversation::from_bytes(&contents).expect("a conversation");
    group.bench_function("conversation read", |bencher| {
        bencher.iter(|| drop(black_box(Conversation::from_bytes(&contents))));
    });
    group.bench_function("conversation written", |bencher| bencher.iter(|| black_box(conversation.behind(Vec::new()))));
    let plan = measured::plan();
    group.bench_function("session taken up", |bencher| {
        bencher.iter(|| black_box(conversation.take_up(&plan, None).ok()));
    });
    let mut walk = Some(Walk::new(&plan));
    group.bench_function("session taken up in room that was left", |bencher| {
        bencher.iter(|| walk = Some(conversation.take_up(&plan, walk.take()).expect("a session").into_walk()));
    });
    let session = conversation.take_up(&plan, None).expect("a session");
    group.bench_function("outlook", |bencher| bencher.iter(|| black_box(session.outlook())));
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
