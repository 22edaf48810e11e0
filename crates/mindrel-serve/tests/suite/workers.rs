//! Plans whose steps take longer than a moment.

use std::num::NonZero;

use crate::common::{Desk, plan};
use mindrel::Plan;
use mindrel::model::{Layer, Network};
use mindrel::plan::PlanParts;
use mindrel_serve::Workers;
use serde_json::json;

/// The usual questions, decided by a small network.
fn network() -> Plan {
    let weights = vec![0.1, 0.8, -0.6, 0.2, 0.0, -0.2, -0.4, 0.0, -0.3, 0.9, 0.1, 0.0, 0.3, 0.2];
    let hidden = Layer::new(7, weights, vec![0.1, 0.0]).expect("finite weights");
    let last = Layer::new(2, vec![1.0, -1.0], vec![0.05]).expect("finite weights");
    let model = Network::new(vec![hidden, last]).expect("layers that fit").into();
    Plan::try_from(PlanParts { model, ..plan(0.0).to_parts() }).expect("a sound plan")
}

/// On one thread the first request is still being computed when the second comes.
#[tokio::test]
async fn past_the_queue_requests_are_told_to_come_back() {
    let desk = Desk::with_workers(network(), Workers::new(NonZero::<usize>::MIN, 0));
    let start = json!({"public": {"amount": 5000}});
    let (first, second) =
        tokio::join!(desk.post("/v1/plans/loan/sessions", &start), desk.post("/v1/plans/loan/sessions", &start));
    assert_eq!(first.status, 201, "{}", first.text);
    second.refused(503, "busy");
    assert_eq!(second.headers["retry-after"], "1");
    assert_eq!(desk.post("/v1/plans/loan/sessions", &start).await.status, 201);
}

#[tokio::test]
async fn within_the_queue_requests_wait_and_are_served() {
    let desk = Desk::with_workers(network(), Workers::new(NonZero::<usize>::MIN, 1));
    let start = json!({"public": {"amount": 5000}});
    let (first, second) =
        tokio::join!(desk.post("/v1/plans/loan/sessions", &start), desk.post("/v1/plans/loan/sessions", &start));
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 201));
}
