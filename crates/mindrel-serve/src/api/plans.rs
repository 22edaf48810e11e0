//! The plans that are served.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use mindrel::schema::Visibility;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::{Problem, ProblemDetails};
use crate::reply::QuestionView;
use crate::served_plans::ServedPlan;
use crate::service::Service;

/// A plan.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlanView<'a> {
    /// Its name in addresses.
    name: &'a str,
    /// The question that is decided.
    label: &'a str,
    /// The possible decisions.
    classes: &'a [String],
    /// What people are shown for each of them.
    class_labels: Vec<&'a str>,
    /// Identifies exactly this plan.
    fingerprint: String,
    /// The questions whose answers are needed to start.
    public: Vec<QuestionView<'a>>,
    /// The questions that may be asked.
    sensitive: Vec<QuestionView<'a>>,
    /// The default failure probability. Absent if the plan is calibrated, since its calibration sets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    /// The largest failure probability a client may ask for.
    most_delta: f64,
    /// Whether sessions follow the plan's calibration.
    calibrated: bool,
}

impl<'a> PlanView<'a> {
    fn new(served: &'a ServedPlan) -> Self {
        let schema = served.plan.schema();
        let of = |visibility| schema.ids_with(visibility).map(|id| QuestionView::new(schema.question(id))).collect();
        PlanView {
            name: &served.name,
            label: &schema.target().prompt,
            classes: &schema.target().classes,
            class_labels: schema.target().classes.iter().map(|class| schema.target().words.of(class)).collect(),
            fingerprint: served.plan.fingerprint().to_string(),
            public: of(Visibility::Public),
            sensitive: of(Visibility::Sensitive),
            delta: (!served.is_calibrated()).then(|| served.plan.rules().delta),
            most_delta: served.most_delta,
            calibrated: served.is_calibrated(),
        }
    }
}

/// All plans.
#[utoipa::path(get, path = "/v1/plans", tag = "plans",
    responses((status = 200, description = "All plans", body = [PlanView])))]
pub(super) async fn list(State(service): State<Arc<Service>>) -> Response {
    Json(service.plans.iter().map(|plan| PlanView::new(plan)).collect::<Vec<_>>()).into_response()
}

/// One plan.
#[utoipa::path(get, path = "/v1/plans/{plan}", tag = "plans",
    params(("plan" = String, Path, description = "The plan's name")),
    responses((status = 200, description = "The plan", body = PlanView),
        (status = 404, description = "There is no plan with this name", body = ProblemDetails,
            content_type = "application/problem+json")))]
pub(super) async fn one(State(service): State<Arc<Service>>, Path(name): Path<String>) -> Result<Response, Problem> {
    Ok(Json(PlanView::new(service.plans.find(&name).ok_or(Problem::UnknownPlan)?)).into_response())
}
