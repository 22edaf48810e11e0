//! The model file, and the names of its columns.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use mindrel::Schema;
use mindrel_import::{Format, Pipeline, ReadError, read as read_model};

/// Larger than any model of a table.
const LARGEST_FILE: u64 = 1 << 30;

/// What a model file holds.
pub enum Source {
    /// A model of a family about which decisions can be proved.
    Known(Format, Pipeline),
    /// A graph that can only be run, and why it cannot be imported.
    Graph { bytes: Vec<u8>, why: ReadError },
}

/// Reads a model file.
pub fn read(path: &Path) -> anyhow::Result<Source> {
    let name = || path.display().to_string();
    let size = std::fs::metadata(path).map(|data| data.len());
    let size = size.with_context(|| format!("{}: cannot be read; check the path", name()))?;
    ensure!(
        size <= LARGEST_FILE,
        "{}: the file is larger than 1 GB, too large for a model of a table; check the path",
        name()
    );
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot be read; check the path", name()))?;
    match read_model(&bytes) {
        Ok((format, pipeline)) => Ok(Source::Known(format, pipeline)),
        Err(why @ ReadError::Unsupported { .. }) if Format::of(&bytes) == Some(Format::Onnx) => {
            Ok(Source::Graph { bytes, why })
        }
        Err(error) => Err(error).with_context(name),
    }
}

/// Names unnamed inputs after the table's columns, in order, without the label and ignored columns.
pub fn name_inputs(pipeline: &mut Pipeline, header: &[String], schema: &Schema) -> anyhow::Result<()> {
    if pipeline.inputs.iter().any(|input| input.name.is_some()) {
        return Ok(());
    }
    let names: Vec<&String> = header.iter().filter(|column| schema.find(column).is_some()).collect();
    if names.len() != pipeline.inputs.len() {
        bail!(
            "the model takes {} unnamed columns, but the table has {} questions ({}); leave out the others with \
             --ignore, or train the model on named columns",
            pipeline.inputs.len(),
            names.len(),
            names.iter().map(|name| name.as_str()).collect::<Vec<&str>>().join(", ")
        );
    }
    for (input, name) in pipeline.inputs.iter_mut().zip(names) {
        input.name = Some(name.clone());
    }
    Ok(())
}
