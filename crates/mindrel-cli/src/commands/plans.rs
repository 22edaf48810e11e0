//! Plan files, with what runs the black boxes in them.

use std::path::Path;

use anyhow::anyhow;
use mindrel::Plan;
use mindrel::plan::PlanError;
use mindrel_io::{Error, plan_file};

use super::onnx_runtime;

/// Reads a plan; a black box gets its runtime, where this build has one.
pub fn read(path: &Path) -> anyhow::Result<Plan> {
    plan_file::read_with_runtimes(path, &onnx_runtime::runtime).map_err(|error| match &error {
        Error::Plan { cause: PlanError::NoRuntime { format }, .. }
            if format == "onnx" && !cfg!(feature = "onnx-runtime") =>
        {
            anyhow!("{}: the plan runs an ONNX graph, and {}", path.display(), onnx_runtime::REMEDY)
        }
        _ => error.into(),
    })
}
