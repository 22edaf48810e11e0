//! The compiled half of the Python package: everything that touches numbers.
//!
//! ```text
//! Pipeline (a described model) ─┐
//! schema, columns (numpy)       ─┼─► Plan ──► decide, audit, scores, Session
//! belief, rules                 ─┘
//! ```
//!
//! Columns come as one array for each question: numbers as they are, categories as places among the schema's levels. What is small
//! (schemas, rules, reports) crosses as JSON. Long work runs without the interpreter's lock.

mod audit;
mod belief;
mod callable;
mod columns;
mod decide;
mod errors;
mod pipeline;
mod plan;
mod session;
mod trees;

use pyo3::prelude::*;

/// The compiled half of the package `mindrel`.
#[pymodule]
mod _mindrel {
    #[pymodule_export]
    use super::pipeline::Pipeline;
    #[pymodule_export]
    use super::plan::Plan;
    #[pymodule_export]
    use super::session::Session;
}
