//! The compiled half of the Python package: everything that touches numbers.
//!
//! ```text
//! columns (numpy) ──► questions (schema) ─┐
//! Pipeline (a described model)           ─┼─► Plan ──► decide, audit, scores, Session
//! belief, rules                          ─┘
//! ```
//!
//! Columns come as arrays of numbers, or of places among their own levels; what they mean for a question is decided here. What is small
//! (schemas, rules, reports) crosses as JSON. Long work runs without the interpreter's lock.

mod answer_columns;
mod audit;
mod belief;
mod callable;
mod decide;
mod errors;
mod infer;
mod pipeline;
mod plan;
mod session;
mod tree_arrays;

use pyo3::prelude::*;

/// The compiled half of the package `mindrel`.
#[pymodule]
mod _mindrel {
    #[pymodule_export]
    use super::infer::{answer_codes, infer};
    #[pymodule_export]
    use super::pipeline::PyPipeline;
    #[pymodule_export]
    use super::plan::PyPlan;
    #[pymodule_export]
    use super::session::PySession;
}
