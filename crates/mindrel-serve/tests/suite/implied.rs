//! What follows from other answers, over HTTP and in the form.

use crate::common::{Desk, Received, campaign, service_of, sqlite};
use axum::body::Body;
use axum::http::Request;
use mindrel::Plan;
use mindrel::plan::PlanParts;
use mindrel::schema::{Answer, AnswerSet, NumberSet};
use mindrel::session::Answers;
use mindrel_serve::token::{Keys, Sealer};
use mindrel_serve::transcript::Transcript;
use mindrel_serve::{HttpOptions, Workers, app, openapi};
use serde_json::{Value, json};

async fn started(desk: &Desk, called: bool) -> Value {
    let body = json!({"public": {"age": 40, "called": called}});
    let reply = desk.post("/v1/plans/loan/sessions", &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.json()
}

async fn answer(desk: &Desk, reply: &Value, value: Value) -> Received {
    let body = json!({"token": reply["token"], "question": reply["question"]["name"], "answer": value});
    desk.post("/v1/sessions/answer", &body).await
}

/// Goes on until there is no question any more; the names of what was asked.
async fn to_the_end(desk: &Desk, mut reply: Value) -> (Vec<String>, Value) {
    let mut asked = Vec::new();
    while reply["stage"] == "asking" {
        let name = reply["question"]["name"].as_str().unwrap().to_owned();
        let said = match name.as_str() {
            "balance" => json!(10_000),
            "days" => json!(30),
            _ => json!(true),
        };
        reply = answer(desk, &reply, said).await.json();
        asked.push(name);
    }
    (asked, reply)
}

#[tokio::test]
async fn what_follows_is_listed_and_never_asked() {
    let desk = Desk::of(campaign());
    let reply = started(&desk, true).await;
    assert_eq!((&reply["question"]["name"], &reply["implied"]), (&json!("outcome"), &json!([])));
    let reply = answer(&desk, &reply, json!("unknown")).await.json();
    let known = json!([{"question": "days", "answer": -1.0, "follows_from": ["outcome"]}]);
    assert_eq!(reply["implied"], known);
    let body = json!({"token": reply["token"], "question": "days", "answer": -1});
    desk.post("/v1/sessions/answer", &body).await.refused(422, "not-asked-now");
    let (asked, end) = to_the_end(&desk, reply).await;
    assert!(!asked.is_empty() && !asked.contains(&"days".to_owned()), "{asked:?}");
    assert_eq!((&end["stage"], &end["implied"]), (&json!("decided"), &known));
    assert_eq!(end["certificate"]["implied"], known);
    assert!(!end["never_asked"].as_array().unwrap().contains(&json!("days")));
    let certificate = serde_json::from_value(end["certificate"].clone()).unwrap();
    assert!(mindrel::verify::verify(&campaign(), &certificate).is_ok());
    assert!(openapi().contains("\"follows_from\""), "the document describes it");
}

#[tokio::test]
async fn public_values_can_imply_answers_and_these_further_ones() {
    let reply = started(&Desk::of(campaign()), false).await;
    let known = json!([
        {"question": "outcome", "answer": "unknown", "follows_from": ["called"]},
        {"question": "days", "answer": -1.0, "follows_from": ["outcome"]},
    ]);
    assert_eq!(reply["implied"], known);
}

#[tokio::test]
async fn declining_the_premise_keeps_what_follows_from_it_open() {
    let desk = Desk::of(campaign());
    let reply = started(&desk, true).await;
    let body = json!({"token": reply["token"], "question": "outcome"});
    let reply = desk.post("/v1/sessions/decline", &body).await.json();
    assert_eq!((&reply["implied"], &reply["question"]["name"]), (&json!([]), &json!("days")));
}

#[tokio::test]
async fn an_answer_against_a_rule_is_refused_and_its_question_stays() {
    let desk = Desk::of(campaign());
    let reply = started(&desk, true).await;
    let reply = answer(&desk, &reply, json!("success")).await.json();
    assert_eq!(reply["question"]["name"], "days");
    let refused = answer(&desk, &reply, json!(-1)).await;
    refused.refused(422, "against-rule");
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("`days`") && detail.contains("outcome") && !detail.contains("success"), "{detail}");
    assert!(!detail.contains("-1"), "{detail}");
    let resumed = desk.post("/v1/sessions/resume", &json!({"token": reply["token"]})).await.json();
    assert_eq!(resumed["question"], reply["question"]);
    let child = json!({"public": {"age": 12, "called": true}});
    desk.post("/v1/plans/loan/sessions", &child).await.refused(422, "against-rule");
    assert_eq!(desk.entries(), 0, "nothing was decided");
}

/// Only whoever has the keys could make such a token.
#[tokio::test]
async fn a_token_that_claims_an_answer_to_what_followed_is_refused() {
    let (folder, plan, keys) = (tempfile::tempdir().unwrap(), campaign(), Keys::random_text());
    let service = service_of(campaign(), sqlite(folder.path()), &keys, || 1_000_000, Workers::default());
    let service = app(service, HttpOptions::default());
    let sealer = Sealer::new(Keys::parse(&keys).unwrap());
    let find = |name| plan.schema().find(name).unwrap();
    let public = Answers::parse(&plan, [("age", "40"), ("called", "yes")]).unwrap();
    let mut transcript = Transcript::new(&plan, Some(0.0), &public, 0);
    transcript.push(find("outcome"), Some(&Answer::Level(0)));
    let resume = async |transcript: &Transcript| {
        let body = json!({"token": sealer.seal(&transcript.to_bytes(), 1_000_100)});
        crate::common::post(&service, "/v1/sessions/resume", &body).await
    };
    assert_eq!(resume(&transcript).await.status, 200);
    for answer in [Some(Answer::Number(-1.0)), Some(Answer::Number(20.0)), None] {
        let mut forged = transcript.clone();
        forged.push(find("days"), answer.as_ref());
        resume(&forged).await.refused(422, "not-asked-now");
    }
}

/// A value that only a rule knows is neither in the ledger nor in the metrics.
#[tokio::test]
async fn what_follows_is_recorded_nowhere() {
    let parts = campaign().to_parts();
    let mut rules = parts.schema.implications().to_vec();
    let secret = AnswerSet::Numbers(NumberSet::between(777.25, 777.25));
    rules[0].then.insert("days".to_owned(), secret);
    let schema = parts.schema.with_implications(rules).unwrap();
    let desk = Desk::of(Plan::try_from(PlanParts { schema, ..parts }).unwrap());
    let reply = started(&desk, true).await;
    let reply = answer(&desk, &reply, json!("unknown")).await.json();
    assert_eq!(reply["implied"][0]["answer"], 777.25);
    let (_, end) = to_the_end(&desk, reply).await;
    assert_eq!((&end["stage"], desk.entries()), (&json!("decided"), 1));
    for file in std::fs::read_dir(desk.folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"777.25"));
        assert!(!bytes.windows(8).any(|window| window == 777.25_f64.to_le_bytes()));
    }
    assert!(!desk.get("/metrics").await.text.contains("777.25"));
}

#[tokio::test]
async fn the_form_shows_what_follows_in_peoples_words_and_asks_again_for_what_cannot_be() {
    let desk = Desk::of(campaign());
    let send = async |path: &str, body: String| {
        let request = Request::post(path).header("content-type", "application/x-www-form-urlencoded");
        desk.send(request.body(Body::from(body)).unwrap()).await
    };
    let hidden = |page: &str, name: &str| {
        let rest = page.split(&format!("name=\"{name}\" value=\"")).nth(1).expect("the field").to_owned();
        rest.split('"').next().unwrap().to_owned()
    };
    let child = send("/plans/loan", "public.age=12&public.called=yes".to_owned()).await;
    assert_eq!(child.status, 422);
    assert!(child.text.contains("This does not go with the answer to “How old are you?”."), "{}", child.text);
    let start = send("/plans/loan", "public.age=40&public.called=yes".to_owned()).await.text;
    assert!(!start.contains("Known without asking"), "{start}");
    let say = async |page: &str, answer: &str| {
        let (token, question) = (hidden(page, "token"), hidden(page, "question"));
        send("/session/answer", format!("token={token}&question={question}&answer={answer}")).await
    };
    let next = say(&start, "success").await.text;
    let again = say(&next, "-1").await;
    assert_eq!(again.status, 422);
    let words = "This does not go with the answer to “How did the last call end?”. Please correct this answer, or \
                 change that one.";
    assert!(again.text.contains(words) && hidden(&again.text, "question") == "days", "{}", again.text);
    let mut page = say(&start, "unknown").await.text;
    assert!(page.contains("of up to 3"), "the question that follows is not counted: {page}");
    while page.contains("/session/answer") {
        assert!(page.contains("Known without asking") && page.contains("<strong>-1</strong>"), "{page}");
        assert!(page.contains("follows from “How did the last call end?”"), "{page}");
        page = say(&page, if hidden(&page, "question") == "balance" { "10000" } else { "yes" }).await.text;
    }
    assert!(page.contains("Known without asking") && page.contains("never had to be asked"), "{page}");
    let quiet = send("/plans/loan", "public.age=40&public.called=no".to_owned()).await.text;
    assert!(quiet.contains("<strong>there was none</strong>"), "{quiet}");
    assert!(quiet.contains("follows from “Have we called you before?”"), "{quiet}");
}
