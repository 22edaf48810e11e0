//! Words for people, and answers that are not known, over HTTP and in the form.

use crate::common::{Desk, plan};
use axum::body::Body;
use axum::http::Request;
use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::plan::PlanParts;
use mindrel::schema::{Kind, MissingNumber, Question, Target};
use mindrel::verify::verify;
use mindrel::{Certificate, Plan, Rules, Schema};
use serde_json::json;

/// The usual plan, with words for its codes and a stand-in for unknown incomes.
fn worded() -> Plan {
    let parts = plan(0.0).to_parts();
    let question = |question: &Question| {
        let mut question = question.clone();
        if let Kind::Number { missing, .. } = &mut question.kind
            && question.name == "income"
        {
            *missing = Some(MissingNumber::StandIn(30000.0));
        }
        if question.name == "home" {
            question.words = [("rent", "a rented flat"), ("parents", "with <my> parents")].into_iter().collect();
        }
        question
    };
    let questions = parts.schema.questions().iter().map(question).collect();
    let words = [("granted", "Yes, you get it")].into_iter().collect();
    let target = Target { words, ..parts.schema.target().clone() };
    Plan::try_from(PlanParts { schema: Schema::new(target, questions).unwrap(), ..parts }).unwrap()
}

/// The page that a form gets when it is submitted.
async fn submitted(desk: &Desk, path: &str, body: String) -> String {
    let request = Request::post(path).header("content-type", "application/x-www-form-urlencoded");
    desk.send(request.body(Body::from(body)).unwrap()).await.text
}

/// The value of a hidden field of a page.
fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let rest = page.split(&format!("name=\"{name}\" value=\"")).nth(1).expect("the field");
    rest.split('"').next().unwrap()
}

#[tokio::test]
async fn http_gives_words_beside_values() {
    let desk = Desk::of(worded());
    let described = desk.get("/v1/plans/loan").await.json();
    assert_eq!(described["classes"], json!(["refused", "granted"]));
    assert_eq!(described["class_labels"], json!(["refused", "Yes, you get it"]));
    assert_eq!(described["sensitive"][2]["levels"], json!(["owner", "rent", "parents"]));
    assert_eq!(described["sensitive"][2]["level_labels"], json!(["owner", "a rented flat", "with <my> parents"]));
    assert_eq!(
        (&described["sensitive"][0]["missing"], &described["sensitive"][1]["missing"]),
        (&json!("not known"), &json!(null))
    );
    let mut reply = desk.started().await;
    while reply["stage"] == "asking" {
        let said = match reply["question"]["name"].as_str().unwrap() {
            "income" => json!(100_000),
            "debts" => json!(0),
            "home" => json!("owner"),
            _ => json!(false),
        };
        let body = json!({"token": reply["token"], "question": reply["question"]["name"], "answer": said});
        reply = desk.post("/v1/sessions/answer", &body).await.json();
    }
    assert_eq!((&reply["class"], &reply["label"]), (&json!("granted"), &json!("Yes, you get it")));
    assert_eq!(
        (&reply["outlook"]["class"], &reply["outlook"]["label"]),
        (&json!("granted"), &json!("Yes, you get it"))
    );
    assert_eq!(reply["certificate"]["label"], "granted");
}

#[tokio::test]
async fn a_number_that_is_not_known_is_an_answer_where_the_table_had_such() {
    let desk = Desk::of(worded());
    let reply = desk.started().await;
    assert_eq!(reply["question"]["name"], "income");
    let body = json!({"token": reply["token"], "question": "income", "answer": "not known"});
    let next = desk.post("/v1/sessions/answer", &body).await.json();
    assert_eq!(next["answered"], json!(["income"]));
    let plain = Desk::new();
    let reply = plain.started().await;
    let body = json!({"token": reply["token"], "question": "income", "answer": "not known"});
    plain.post("/v1/sessions/answer", &body).await.refused(422, "not-a-number");
}

#[tokio::test]
async fn the_form_shows_words_and_takes_what_is_not_known() {
    let desk = Desk::of(worded());
    let mut page = submitted(&desk, "/plans/loan", "public.amount=5000".to_owned()).await;
    assert!(page.contains("I don’t know"), "{page}");
    let mut seen = String::new();
    for _ in 0..4 {
        if !page.contains("/session/answer") {
            break;
        }
        seen += &page;
        let (token, question) = (hidden(&page, "token"), hidden(&page, "question"));
        let said = match question {
            "income" => "missing=yes&answer=",
            "debts" => "answer=40000",
            "home" => "answer=rent",
            _ => "answer=no",
        };
        page = submitted(&desk, "/session/answer", format!("token={token}&question={question}&{said}")).await;
    }
    assert!(seen.contains("a rented flat") && seen.contains("with &#60;my&#62; parents"), "{seen}");
    assert!(seen.contains("value=\"rent\""), "the value is sent");
    assert!(page.contains("<strong>a rented flat</strong>"), "earlier answers are in words: {page}");
}

/// A plan for those whose income is missing: only they get the loan.
fn for_the_missing() -> Plan {
    let mut income = Question::number("income", 0.0, 100.0);
    income.kind = Kind::Number { lower: 0.0, upper: 100.0, missing: Some(MissingNumber::Answer) };
    let questions = vec![Question::number("amount", 0.0, 9000.0).public(), income];
    let schema = Schema::new(Target::new("loan", "Loan?", ["refused", "granted"]), questions).unwrap();
    // A number is the same in both of its columns, a missing one is 1 and −1.
    let model = LinearModel::new(3, vec![0.0, 1.0, -1.0], vec![-1.0]).unwrap();
    let covariance = (0..9).map(|place| if place % 4 == 0 { 0.3 } else { 0.0 }).collect();
    let belief = GaussianBelief::new(vec![0.0; 3], covariance).unwrap();
    Plan::new(schema, model, belief, Rules::default()).unwrap()
}

#[tokio::test]
async fn a_missing_number_is_an_answer_of_its_own_over_http_and_in_its_certificate() {
    let desk = Desk::of(for_the_missing());
    for (said, class) in [(json!("not known"), "granted"), (json!(30), "refused")] {
        let reply = desk.started().await;
        let body = json!({"token": reply["token"], "question": "income", "answer": said});
        let decided = desk.post("/v1/sessions/answer", &body).await.json();
        assert_eq!(decided["class"], class);
        let certificate: Certificate = serde_json::from_value(decided["certificate"].clone()).unwrap();
        assert_eq!(decided["certificate"]["revealed"][0]["answer"].as_f64(), said.as_f64());
        assert_eq!(verify(&for_the_missing(), &certificate).unwrap().label.index(), usize::from(class == "granted"));
    }
}

#[tokio::test]
async fn the_form_takes_a_missing_number_for_an_answer_of_its_own() {
    let desk = Desk::of(for_the_missing());
    for (said, class) in [("missing=yes&answer=", "granted"), ("answer=30", "refused")] {
        let page = submitted(&desk, "/plans/loan", "public.amount=5000".to_owned()).await;
        assert!(page.contains("I don’t know"), "{page}");
        let token = hidden(&page, "token");
        let decided = submitted(&desk, "/session/answer", format!("token={token}&question=income&{said}")).await;
        assert!(decided.contains(class), "{decided}");
        assert_eq!(decided.contains("<strong>not known</strong>"), class == "granted", "{decided}");
    }
}

/// The empty level was chosen beforehand, and first in the list.
#[tokio::test]
async fn a_level_that_is_not_known_comes_last_in_the_form_and_is_not_chosen_beforehand() {
    let question = Question::category("colour", ["", "red", "blue"]).public();
    let schema = Schema::new(Target::new("y", "y?", ["no", "yes"]), vec![question, Question::number("x", 0.0, 1.0)]);
    let model = LinearModel::new(4, vec![1.0, 0.5, -1.0, 2.0], vec![0.0]).unwrap();
    let covariance = (0..16).map(|place| if place % 5 == 0 { 0.3 } else { 0.0 }).collect();
    let belief = GaussianBelief::new(vec![0.0; 4], covariance).unwrap();
    let desk = Desk::of(Plan::new(schema.unwrap(), model, belief, Rules::default()).unwrap());
    let page = desk.get("/plans/loan").await.text;
    let places = ["red", "blue", "not known"].map(|name| page.find(&format!("value=\"{name}\"")).expect(name));
    assert!(places.is_sorted() && !page.contains("checked"), "{page}");
    let start = async |public: serde_json::Value| {
        desk.post("/v1/plans/loan/sessions", &json!({"public": {"colour": public}})).await.status
    };
    assert_eq!((start(json!("not known")).await.as_u16(), start(json!("green")).await.as_u16()), (201, 422));
}

/// Without a choice a form sends no field at all.
#[tokio::test]
async fn a_choice_left_open_is_asked_again() {
    let desk = Desk::new();
    let reply = desk.started().await;
    let body = format!("token={}&question=income", reply["token"].as_str().unwrap());
    let request = Request::post("/session/answer").header("content-type", "application/x-www-form-urlencoded");
    let again = desk.send(request.body(Body::from(body)).unwrap()).await;
    assert_eq!(again.status, 422);
    assert!(again.text.contains("Please answer this question."), "{}", again.text);
}
