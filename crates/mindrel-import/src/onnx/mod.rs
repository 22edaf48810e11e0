//! ONNX graphs, as skl2onnx and PyTorch write them.

mod features;
mod graph;
mod graph_value;
mod layers;
mod linear_operators;
mod node;
mod tensor;
mod tree_operators;
mod votes;
mod wire;

pub(crate) use rten_onnx::onnx::{GraphProto, ModelProto};

use crate::ReadError;
use crate::pipeline::{Feature, Pipeline, Predictor, RawInput, link_of_votes};

/// Reads an ONNX file whose graph is preprocessing and a classifier of a family that can be proved about.
///
/// The graph is run in symbols: a tensor is a list of features, layers over features, or a classifier's output. What
/// comes after the scores and changes no order (sigmoid, softmax, a map of names) is left out.
///
/// # Errors
/// When the file is damaged, or an operator that leads to its outputs is not supported; the error names it.
pub fn read(bytes: &[u8]) -> Result<Pipeline, ReadError> {
    let proto = parse(bytes)?;
    let graph = graph::Graph::run(&proto)?;
    let output = graph.output(&proto)?;
    let (inputs, features) = only_used(graph.inputs, output.features);
    let probability = match &output.predictor {
        Predictor::Trees(trees) => link_of_votes(trees),
        _ => None,
    };
    Ok(Pipeline { inputs, features, predictor: output.predictor, classes: graph.classes, probability })
}

/// Whether a file may be parsed at all.
pub(crate) fn check_wire(bytes: &[u8]) -> Result<(), ReadError> {
    wire::check(bytes).map_err(|unsound| ReadError::damaged("the file", unsound.words()))
}

fn parse(bytes: &[u8]) -> Result<GraphProto, ReadError> {
    check_wire(bytes)?;
    let damaged = |what: String| ReadError::damaged("the file", what);
    let model = ModelProto::parse_buf(bytes).map_err(|error| damaged(error.to_string()))?;
    model.graph.ok_or_else(|| damaged("it has no graph".to_owned()))
}

/// The inputs and outputs of a graph.
#[cfg(feature = "onnx-runtime")]
pub(crate) struct Interface {
    pub inputs: Vec<RawInput>,
    /// The outputs that are probabilities, by their place.
    pub sigmoid_outputs: Vec<usize>,
}

#[cfg(feature = "onnx-runtime")]
pub(crate) fn interface(bytes: &[u8]) -> Result<Interface, ReadError> {
    let proto = parse(bytes)?;
    let inputs = graph::Graph::number_inputs(&proto)?;
    let made_by_sigmoid = |name: &Option<String>| {
        let name = name.as_deref().unwrap_or_default();
        let maker = proto.node.iter().find(|node| node.output.iter().any(|output| output == name));
        maker.is_some_and(|node| node.op_type.as_deref() == Some("Sigmoid"))
    };
    let outputs = proto.output.iter().enumerate().filter(|(_, output)| made_by_sigmoid(&output.name));
    Ok(Interface { inputs, sigmoid_outputs: outputs.map(|(place, _)| place).collect() })
}

/// Leaves out inputs by name that no feature is made of: they need not be questions.
fn only_used(inputs: Vec<RawInput>, mut features: Vec<Feature>) -> (Vec<RawInput>, Vec<Feature>) {
    let mut places = vec![None; inputs.len()];
    let mut kept = Vec::new();
    for (place, input) in inputs.into_iter().enumerate() {
        if input.name.is_none() || features.iter().any(|feature| feature.input == place) {
            places[place] = Some(kept.len());
            kept.push(input);
        }
    }
    for feature in &mut features {
        feature.input = places[feature.input].expect("a feature's input is kept");
    }
    (kept, features)
}
