//! Plans whose steps take longer than a moment.

use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex};

use crate::common::{Desk, plan};
use mindrel::Plan;
use mindrel::model::{BlackBox, BlackBoxParts, Model};
use mindrel::plan::PlanParts;
use mindrel_serve::Workers;
use serde_json::json;

/// A model that gives no score before it is let go.
#[derive(Debug, Default)]
struct Held {
    may_go: Mutex<bool>,
    let_go: Condvar,
}

impl Held {
    fn let_go(&self) {
        *self.may_go.lock().unwrap() = true;
        self.let_go.notify_all();
    }
}

impl Model for Held {
    fn n_columns(&self) -> usize {
        7
    }

    fn n_scores(&self) -> usize {
        1
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        drop(self.let_go.wait_while(self.may_go.lock().unwrap(), |may_go| !*may_go).unwrap());
        scores[0] = columns.iter().sum();
    }
}

/// The usual questions, decided by a model that is held.
fn held_plan() -> (Arc<Held>, Plan) {
    let held = Arc::new(Held::default());
    let parts = BlackBoxParts { format: "held".to_owned(), n_columns: 7, n_scores: 1, payload: String::new() };
    let model = BlackBox::new(parts, held.clone()).expect("a sound model").into();
    (held, Plan::try_from(PlanParts { model, ..plan(0.2).to_parts() }).expect("a sound plan"))
}

/// The first request is still being computed when the second comes: its model is let go only afterwards.
#[tokio::test]
async fn past_the_queue_requests_are_told_to_come_back() {
    let (held, plan) = held_plan();
    let desk = Desk::with_workers(plan, Workers::new(NonZero::<usize>::MIN, 0));
    let start = json!({"public": {"amount": 5000}});
    let second = async {
        let second = desk.post("/v1/plans/loan/sessions", &start).await;
        held.let_go();
        second
    };
    let (first, second) = tokio::join!(desk.post("/v1/plans/loan/sessions", &start), second);
    assert_eq!(first.status, 201, "{}", first.text);
    second.refused(503, "busy");
    assert_eq!(second.headers["retry-after"], "1");
    assert_eq!(desk.post("/v1/plans/loan/sessions", &start).await.status, 201);
}

#[tokio::test]
async fn within_the_queue_requests_wait_and_are_served() {
    let (held, plan) = held_plan();
    let desk = Desk::with_workers(plan, Workers::new(NonZero::<usize>::MIN, 1));
    let start = json!({"public": {"amount": 5000}});
    let let_go = async { held.let_go() };
    let (first, second, ()) = tokio::join!(
        desk.post("/v1/plans/loan/sessions", &start),
        desk.post("/v1/plans/loan/sessions", &start),
        let_go
    );
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (201, 201));
}
