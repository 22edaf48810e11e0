//! The command `mindrel`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line, the program's own name first, and returns its exit code; `None` if this build has none.
#[pyfunction]
pub fn run_command_line(py: Python<'_>, words: Vec<OsString>) -> Option<u8> {
    py.detach(|| run(words))
}

#[cfg(feature = "command-line")]
fn run(words: Vec<OsString>) -> Option<u8> {
    Some(mindrel_cli::run(words))
}

#[cfg(not(feature = "command-line"))]
fn run(_: Vec<OsString>) -> Option<u8> {
    None
}
