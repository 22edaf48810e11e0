//! The form: pages that need no script, keep no cookie and ask one question at a time.

mod fields;
mod pages;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use mindrel::schema::StatedAnswer;

use crate::app::Route;
use crate::plans::Offer;
use crate::problem::Problem;
use crate::service::{Service, Standing, Turn};
use fields::Fields;
use pages::{Failure, Page};

/// What people meet.
pub(crate) fn routes() -> [Route; 6] {
    [
        ("/", get(index)),
        ("/style.css", get(style)),
        ("/plans/{plan}", get(begin).post(start)),
        ("/session/answer", post(answer)),
        ("/session/back", post(back)),
        ("/session/certificate", post(certificate)),
    ]
}

type Outcome = Result<Response, Failure>;

async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../../templates/style.css"))
}

/// The plans; where there is one, it.
async fn index(State(service): State<Arc<Service>>) -> Response {
    let offers: Vec<&Arc<Offer>> = service.offers.iter().collect();
    match offers.as_slice() {
        [only] => Redirect::to(&format!("/plans/{}", only.name)).into_response(),
        several => pages::index(several).into_response(),
    }
}

/// What must be known to start.
async fn begin(State(service): State<Arc<Service>>, Path(plan): Path<String>) -> Outcome {
    let offer = service.offers.find(&plan).ok_or(Failure::of(Problem::UnknownPlan))?;
    Ok(pages::begin(offer, &[], None).into_response())
}

async fn start(State(service): State<Arc<Service>>, Path(plan): Path<String>, fields: Fields) -> Outcome {
    let offer = service.offers.find(&plan).ok_or(Failure::of(Problem::UnknownPlan))?;
    let public: Vec<(String, String)> = fields.with_prefix("public.");
    let stated = public.iter().map(|(name, text)| (name.clone(), StatedAnswer::Text(text.clone())));
    match service.start(offer, stated, None, shown).await {
        Ok(page) => Ok(page.into_response()),
        // What was typed is shown again, to whom typed it.
        Err(Problem::Answer(error)) => {
            let page = pages::begin(offer, &public, Some(&Problem::Answer(error)));
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
        Err(problem) => Err(Failure::of(problem)),
    }
}

async fn answer(State(service): State<Arc<Service>>, fields: Fields) -> Outcome {
    let token = fields.require("token")?;
    let question = fields.require("question")?;
    let turn = if fields.get("decline").is_some() {
        Turn::Decline { question }
    } else {
        Turn::Answer { question, answer: StatedAnswer::Text(fields.get("answer").unwrap_or("").to_owned()) }
    };
    take(&service, token, turn).await
}

async fn back(State(service): State<Arc<Service>>, fields: Fields) -> Outcome {
    let question = fields.require("question")?;
    take(&service, fields.require("token")?, Turn::Back { question }).await
}

/// The certificate, to keep.
async fn certificate(State(service): State<Arc<Service>>, fields: Fields) -> Outcome {
    let written = |standing: &Standing| {
        let certificate = standing.session.certificate()?;
        Some(serde_json::to_string_pretty(&certificate).expect("a certificate is plain data"))
    };
    let text = service.go_on(fields.require("token")?, Turn::Resume, written).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"certificate.json\""),
    ];
    Ok((headers, text.ok_or(Failure::of(Problem::NoDecision))?).into_response())
}

/// Takes a turn and shows where that led; an answer that does not fit is asked for again.
async fn take(service: &Arc<Service>, token: &str, turn: Turn<'_>) -> Outcome {
    match service.go_on(token, turn, shown).await {
        Ok(page) => Ok(page.into_response()),
        Err(Problem::Answer(error)) => {
            let asked_again = move |standing: &Standing| Page::new(standing, Some(&Problem::Answer(error))).render();
            let page = service.go_on(token, Turn::Resume, asked_again).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
        Err(problem) => Err(Failure::of(problem)),
    }
}

/// The page of where a session stands.
fn shown(standing: &Standing) -> Html<String> {
    Page::new(standing, None).render()
}
