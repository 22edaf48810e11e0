//! Audits: what a plan asks of many people, under many rules, next to the baselines.
//!
//! People stream through in blocks, which are decoded and decided on all cores. Everything that is counted is a whole number,
//! so the result does not depend on how the blocks fell to the cores.

mod clock;
mod report;
mod run;
mod stream;
mod tally;

pub use clock::clock;
pub use report::{AuditReport, RunReport};
pub use run::{Rule, Run};
pub use stream::{audit, audit_telling};
