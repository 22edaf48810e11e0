//! Plan files, with what runs the black boxes in them.

use std::path::Path;
use std::sync::Arc;

use mindrel::Plan;
use mindrel::model::{BlackBoxParts, Model};
use mindrel_io::plan_file;

/// Reads a plan; a black box gets its runtime, where this build has one.
pub fn read(path: &Path) -> mindrel_io::Result<Plan> {
    plan_file::read_with_runtimes(path, &runtime)
}

#[cfg(feature = "onnx-runtime")]
fn runtime(parts: &BlackBoxParts) -> Option<Arc<dyn Model>> {
    mindrel_import::black_box::runtime(parts)
}

#[cfg(not(feature = "onnx-runtime"))]
fn runtime(_: &BlackBoxParts) -> Option<Arc<dyn Model>> {
    None
}
