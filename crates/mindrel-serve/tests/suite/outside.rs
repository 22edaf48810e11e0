//! Numbers outside their ranges, over HTTP and in the form.

use crate::common::{Desk, Received};
use axum::body::Body;
use axum::http::Request;
use mindrel::schema::Question;
use mindrel::{Plan, Schema, plan::PlanParts};
use serde_json::{Value, json};

/// The usual plan, whose questions take numbers outside their ranges.
fn accepting() -> Plan {
    let parts = crate::common::plan(0.0).to_parts();
    let questions = parts.schema.questions().iter().cloned().map(Question::accepting_outside).collect();
    let schema = Schema::new(parts.schema.target().clone(), questions).unwrap();
    Plan::try_from(PlanParts { schema, ..parts }).unwrap()
}

async fn answer(desk: &Desk, reply: &Value, value: f64) -> Received {
    let body = json!({"token": reply["token"], "question": reply["question"]["name"], "answer": value});
    desk.post("/v1/sessions/answer", &body).await
}

async fn send_form(desk: &Desk, path: &str, body: String) -> Received {
    let request = Request::post(path).header("content-type", "application/x-www-form-urlencoded");
    desk.send(request.body(Body::from(body)).unwrap()).await
}

/// The value of a hidden field.
fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let start = page.split(&format!("name=\"{name}\" value=\"")).nth(1).expect("the page has the field");
    start.split('"').next().unwrap()
}

#[tokio::test]
async fn a_number_outside_its_range_is_refused_over_http_and_its_question_stays() {
    let desk = Desk::new();
    let reply = desk.started().await;
    assert_eq!(reply["question"]["name"], "income");
    assert_eq!(reply["question"]["outside"], "refuse");
    for outside in [-1e9, 987_654.25] {
        let refused = answer(&desk, &reply, outside).await;
        refused.refused(422, "outside");
        assert!(refused.json()["detail"].as_str().unwrap().contains("from 0 to 100000"), "{}", refused.text);
    }
    let resumed = desk.post("/v1/sessions/resume", &json!({"token": reply["token"]})).await.json();
    assert_eq!(resumed["question"], reply["question"]);
    let start = json!({"public": {"amount": -987_654.25}});
    desk.post("/v1/plans/loan/sessions", &start).await.refused(422, "outside");
    assert_eq!(desk.entries(), 0, "nothing was decided");
}

#[tokio::test]
async fn a_question_that_accepts_numbers_outside_its_range_says_so_and_takes_them() {
    let desk = Desk::of(accepting());
    let reply = desk.started().await;
    assert_eq!(reply["question"]["outside"], "accept");
    assert_eq!(answer(&desk, &reply, 150_000.0).await.status, 200);
    let page = desk.get("/plans/loan").await.text;
    assert!(page.contains("A number, usually from 0 to 10000."), "{page}");
}

#[tokio::test]
async fn the_form_asks_again_for_a_number_outside_its_range() {
    let desk = Desk::new();
    let page = desk.get("/plans/loan").await.text;
    assert!(page.contains("A number from 0 to 10000."), "{page}");
    let again = send_form(&desk, "/plans/loan", "public.amount=-98765".to_owned()).await;
    let words = |range: &str| format!("This number is outside the possible range. Please enter a number from {range}.");
    assert_eq!(again.status, 422);
    assert!(again.text.contains(&words("0 to 10000")), "{}", again.text);
    let asked = send_form(&desk, "/plans/loan", "public.amount=5000".to_owned()).await.text;
    let (token, question) = (hidden(&asked, "token"), hidden(&asked, "question"));
    let body = format!("token={token}&question={question}&answer=-1000000000");
    let again = send_form(&desk, "/session/answer", body).await;
    assert_eq!(again.status, 422);
    assert!(again.text.contains(&words("0 to 100000")) && again.text.contains("Question 1"), "{}", again.text);
    assert!(!again.text.contains("1000000000"), "{}", again.text);
}
