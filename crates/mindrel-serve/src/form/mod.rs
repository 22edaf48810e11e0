//! The form: pages that need no script, keep no cookie and ask one question at a time.

mod fields;
mod pages;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use mindrel::certificate::StatedAnswer;

use crate::plans::Offer;
use crate::problem::Problem;
use crate::service::{Reached, Service, Turn};
use fields::Fields;
use pages::{Failure, Page};

/// What people meet.
pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/", get(index))
        .route("/style.css", get(style))
        .route("/plans/{plan}", get(begin).post(start))
        .route("/session/answer", post(answer))
        .route("/session/back", post(back))
        .route("/session/certificate", post(certificate))
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
    match service.start(offer, stated, None).await {
        Ok(reply) => show(&service, &reply.token, StatusCode::OK, None).await,
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
    let question = fields.require("question")?.to_owned();
    let turn = if fields.get("decline").is_some() {
        Turn::Decline { question }
    } else {
        Turn::Answer { question, answer: StatedAnswer::Text(fields.get("answer").unwrap_or("").to_owned()) }
    };
    take(&service, token, turn).await
}

async fn back(State(service): State<Arc<Service>>, fields: Fields) -> Outcome {
    let question = fields.require("question")?.to_owned();
    take(&service, fields.require("token")?, Turn::Back { question }).await
}

/// The certificate, to keep.
async fn certificate(State(service): State<Arc<Service>>, fields: Fields) -> Outcome {
    let reached = service.reach(fields.require("token")?, Turn::Resume).await?;
    let certificate = reached.session.certificate().ok_or(Failure::of(Problem::NoDecision))?;
    let text = serde_json::to_string_pretty(&certificate).expect("a certificate is plain data");
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"certificate.json\""),
    ];
    Ok((headers, text).into_response())
}

/// Takes a turn and shows where that led; an answer that does not fit is asked for again.
async fn take(service: &Arc<Service>, token: &str, turn: Turn) -> Outcome {
    match service.go_on(token, turn).await {
        Ok(reply) => show(service, &reply.token, StatusCode::OK, None).await,
        Err(Problem::Answer(error)) => {
            show(service, token, StatusCode::UNPROCESSABLE_ENTITY, Some(&Problem::Answer(error))).await
        }
        Err(problem) => Err(Failure::of(problem)),
    }
}

/// The page of where a session stands.
async fn show(service: &Arc<Service>, token: &str, status: StatusCode, problem: Option<&Problem>) -> Outcome {
    let reached: Reached = service.reach(token, Turn::Resume).await?;
    let page: Html<String> = Page::new(&reached, token, problem).render();
    Ok((status, page).into_response())
}
