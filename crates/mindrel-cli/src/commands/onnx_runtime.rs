//! The ONNX runtime, which a build has only with the feature `onnx-runtime`.

/// What to do about a build without the runtime.
pub const REMEDY: &str = "this build of mindrel has no ONNX runtime; `cargo install --path crates/mindrel-cli \
                          --features onnx-runtime` builds one that has";

#[cfg(feature = "onnx-runtime")]
pub use mindrel_import::black_box::{black_box, runtime};

#[cfg(not(feature = "onnx-runtime"))]
mod without {
    use std::sync::Arc;

    use mindrel::Schema;
    use mindrel::model::{BlackBoxParts, Classifier, Model};

    /// Refuses to run the graph.
    pub fn black_box(_: &[u8], _: Option<&[String]>, _: &Schema) -> anyhow::Result<Classifier> {
        anyhow::bail!("it could only be run as a black box, and {}", super::REMEDY)
    }

    /// Runs nothing.
    pub fn runtime(_: &BlackBoxParts, _: &Schema) -> Option<Arc<dyn Model>> {
        None
    }
}

#[cfg(not(feature = "onnx-runtime"))]
pub use without::{black_box, runtime};
