//! The service that is measured: a linear model with ten sensitive questions at δ = 0, and an SQLite ledger.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mindrel::belief::GaussianBelief;
use mindrel::model::LinearModel;
use mindrel::schema::{Question, Target};
use mindrel::{Plan, Rules, Schema};
use mindrel_serve::ledger::{Ledger, SqliteStore};
use mindrel_serve::served_plans::{ServedPlan, ServedPlans};
use mindrel_serve::token::{Keys, Sealer};
use mindrel_serve::{Metrics, Service, Workers};

pub const QUESTIONS: usize = 10;

/// The plan. Someone who answers every question with 0.1 is asked nine of them.
pub fn plan() -> Plan {
    let mut questions = vec![Question::number("q0", -1.0, 1.0).public()];
    questions.extend((1..=QUESTIONS).map(|place| Question::number(format!("q{place}"), -1.0, 1.0)));
    let target = Target::new("y", "y?", ["no", "yes"]);
    let n_columns = QUESTIONS + 1;
    let weights = (0..n_columns).map(|place| 1.0 / (1.0 + place as f64)).collect();
    let covariance =
        (0..n_columns * n_columns).map(|place| if place % (n_columns + 1) == 0 { 0.3 } else { 0.05 }).collect();
    let model = LinearModel::new(n_columns, weights, vec![0.1]).expect("a sound model");
    let belief = GaussianBelief::new(vec![0.0; n_columns], covariance).expect("a sound belief");
    let schema = Schema::new(target, questions).expect("a sound schema");
    Plan::new(schema, model, belief, Rules::default()).expect("a sound plan")
}

/// A service that offers the plan under a name, with its ledger in a folder.
pub fn service(name: &str, folder: &Path) -> Arc<Service> {
    let store = SqliteStore::open(&folder.join("ledger.db")).expect("a ledger");
    Arc::new(Service {
        plans: ServedPlans::new(vec![ServedPlan::new(name, plan())]).expect("a valid name"),
        sealer: Sealer::new(Keys::random()),
        ledger: Ledger::new(Box::new(store)),
        metrics: Metrics::new(),
        workers: Workers::default(),
        token_life: Duration::from_secs(600),
        clock: || 1_700_000_000,
    })
}
