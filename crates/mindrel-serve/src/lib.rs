//! mindrel as a service: an HTTP API and a form that stop asking as soon as the decision is settled.
//!
//! ```text
//!  request ─► layers ─► token opened ─► session resumed ─► one step ─┬─► next question, new token
//!                                                                     └─► ledger entry ─► decision
//! ```
//!
//! The service stores no answers: the state of a session travels with the client as a [sealed token](token), and the
//! [ledger] records how little was asked, never what was answered. [`app`] is the whole service without a socket;
//! [`server::serve`] puts it on one.

mod api;
mod explanation;
mod form;
mod http;
pub mod ledger;
mod metrics;
pub mod problem;
pub mod reply;
pub mod served_plans;
pub mod server;
pub mod service;
pub mod token;
pub mod transcript;
mod workers;

pub use api::openapi;
pub use http::{ApiKeys, HttpOptions, LONGEST_BODY, app};
pub use metrics::Metrics;
pub use service::Service;
pub use workers::Workers;
