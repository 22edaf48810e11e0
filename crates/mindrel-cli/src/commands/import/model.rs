//! The model file, and the names of its columns.

use std::path::Path;

use anyhow::{Context, bail};
use mindrel::Schema;
use mindrel_import::{Format, Pipeline, ReadError, read as read_model};
use mindrel_io::input::read_whole;

/// Larger than any model of a table.
const LARGEST_FILE: u64 = 1 << 30;

/// What a model file holds.
pub enum ModelSource {
    /// A model of a family about which decisions can be proved.
    Known(Format, Pipeline),
    /// A graph that can only be run, and why it cannot be imported.
    Graph { bytes: Vec<u8>, why: ReadError },
}

/// Reads a model file.
pub fn read(path: &Path) -> anyhow::Result<ModelSource> {
    let name = || path.display().to_string();
    let bytes = read_whole(path, LARGEST_FILE)?;
    match read_model(&bytes) {
        Ok((format, pipeline)) => Ok(ModelSource::Known(format, pipeline)),
        Err(why @ ReadError::Unsupported { .. }) if Format::of(&bytes) == Some(Format::Onnx) => {
            Ok(ModelSource::Graph { bytes, why })
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
