//! The plans that can be followed.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use mindrel::schema::Visibility;
use serde::Serialize;
use utoipa::ToSchema;

use crate::plans::Offer;
use crate::problem::{Problem, ProblemDetails};
use crate::reply::QuestionView;
use crate::service::Service;

/// A plan as it is offered.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlanView<'a> {
    /// What it is called in addresses.
    name: &'a str,
    /// What is decided, in words.
    label: &'a str,
    /// The classes to decide between.
    classes: &'a [String],
    /// Tells the plan from every other.
    fingerprint: String,
    /// What must be known to start.
    public: Vec<QuestionView<'a>>,
    /// What may be asked.
    sensitive: Vec<QuestionView<'a>>,
    /// The failure probability that is followed where nothing else is asked for; not given where the plan's calibration says.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    /// The largest that may be asked for.
    most_delta: f64,
    /// Whether sessions follow the plan's calibration.
    calibrated: bool,
}

impl<'a> PlanView<'a> {
    fn new(offer: &'a Offer) -> Self {
        let schema = offer.plan.schema();
        let of = |visibility| schema.ids_with(visibility).map(|id| QuestionView::new(schema.question(id))).collect();
        PlanView {
            name: &offer.name,
            label: &schema.target().prompt,
            classes: &schema.target().classes,
            fingerprint: offer.plan.fingerprint().to_string(),
            public: of(Visibility::Public),
            sensitive: of(Visibility::Sensitive),
            delta: (!offer.is_calibrated()).then(|| offer.plan.rules().delta),
            most_delta: offer.most_delta,
            calibrated: offer.is_calibrated(),
        }
    }
}

/// All plans.
#[utoipa::path(get, path = "/v1/plans", tag = "plans",
    responses((status = 200, description = "All plans", body = [PlanView])))]
pub(super) async fn list(State(service): State<Arc<Service>>) -> Response {
    Json(service.offers.iter().map(|offer| PlanView::new(offer)).collect::<Vec<_>>()).into_response()
}

/// One plan.
#[utoipa::path(get, path = "/v1/plans/{plan}", tag = "plans",
    params(("plan" = String, Path, description = "The plan's name")),
    responses((status = 200, description = "The plan", body = PlanView),
        (status = 404, description = "There is none of this name", body = ProblemDetails, content_type = "application/problem+json")))]
pub(super) async fn one(State(service): State<Arc<Service>>, Path(name): Path<String>) -> Result<Response, Problem> {
    Ok(Json(PlanView::new(service.offers.find(&name).ok_or(Problem::UnknownPlan)?)).into_response())
}
