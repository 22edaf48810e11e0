//! Tables, schema files, plan files, certificates and answers on disk.
//!
//! Everything that touches a file for [`mindrel`] is here:
//!
//! - [`table`]: comma-separated tables, read in blocks that are decoded in parallel, and what can be inferred from one;
//! - [`schema_file`]: the schema as a person writes it (TOML);
//! - [`plan_file`]: the plan, versioned and self-contained (JSON);
//! - [`certificate_file`], [`answers_file`]: JSON;
//! - [`input`]: files that are read whole, up to a limit;
//! - [`output`]: files that are either written whole or not at all.
//!
//! Errors name the file, the line and the column, never a cell's value.

pub mod answers_file;
pub mod certificate_file;
mod error;
pub mod input;
mod json;
pub mod output;
pub mod plan_file;
pub mod schema_file;
pub mod table;

pub use error::{CellProblem, Error, GroupProblem, Result};
