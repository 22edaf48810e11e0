//! The compiled half of the Python package, which does all the computing.
//!
//! ```text
//! columns (numpy) ──► questions (schema) ─┐
//! Pipeline (a described model)           ─┼─► Plan ──► decide, audit, scores, core_test, Session
//! belief, rules                          ─┘
//! ```
//!
//! Columns are arrays of numbers, or of indices of their levels; they are interpreted here. Small values (schemas,
//! rules, reports) are passed as JSON. Long computations release the interpreter's lock.

mod answer_columns;
mod audit;
mod belief;
mod calibration;
mod callable;
mod command_line;
mod core_test;
mod decide;
mod drawing;
mod errors;
mod infer;
mod pipeline;
mod plan;
mod python_answers;
mod session;
mod tree_arrays;
mod work;

use pyo3::prelude::*;

/// The compiled half of the package `mindrel`.
#[pymodule]
mod _mindrel {
    #[pymodule_export]
    use super::audit::PyAudit;
    #[pymodule_export]
    use super::command_line::run_command_line;
    #[pymodule_export]
    use super::drawing::{path_drawing, question_tree};
    #[pymodule_export]
    use super::infer::{answer_codes, infer};
    #[pymodule_export]
    use super::pipeline::PyPipeline;
    #[pymodule_export]
    use super::plan::PyPlan;
    #[pymodule_export]
    use super::session::PySession;
}
