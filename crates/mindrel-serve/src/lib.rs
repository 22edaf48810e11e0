//! mindrel as a service: an HTTP API and a form that stop asking as soon as a decision is settled.
//!
//! ```text
//!  request ─► guard ─► token opened ─► session taken up ─► one step ─┬─► next question, new token
//!                                                                        └─► ledger entry ─► decision
//! ```
//!
//! The service keeps no answers: what a session knows travels with the client as a [sealed token](token), and the
//! [ledger] records that little was asked, never what was answered. [`app`] is the whole service without a socket;
//! [`server::serve`] puts it on one.

mod api;
mod app;
pub mod conversation;
mod form;
mod guard;
pub mod ledger;
mod metrics;
pub mod plans;
pub mod problem;
pub mod reply;
mod room;
pub mod server;
pub mod service;
pub mod token;
mod words;
mod work;

pub use api::openapi;
pub use app::{LONGEST_BODY, app};
pub use guard::{ApiKeys, GuardOptions, Guarded, Passing};
pub use metrics::Metrics;
pub use service::Service;
