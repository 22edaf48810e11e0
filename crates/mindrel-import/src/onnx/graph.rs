//! Running a graph in symbols: what each tensor is in terms of the raw columns.

use std::collections::HashMap;

use rten_onnx::onnx::{DataType, GraphProto, ValueInfoProto};

use super::features::FeatureArithmetic;
use super::graph_value::{ClassifierOutput, Element, Features, GraphValue, Layers, OutputForm};
use super::node::GraphNode;
use super::tensor::Tensor;
use super::{linear_operators, tree_operators};
use crate::ReadError;
use crate::pipeline::{Feature, FeatureStep, Predictor, RawInput};

/// More columns than a table has.
const MOST_COLUMNS: usize = 100_000;

/// What all tensors may hold together: many nodes could copy a large one any number of times.
const MOST_HELD: usize = 50_000_000;

/// A graph on its way through.
pub(super) struct Graph {
    pub inputs: Vec<RawInput>,
    pub classes: Option<Vec<String>>,
    values: HashMap<String, GraphValue>,
}

impl Graph {
    /// Follows every node.
    pub fn run(graph: &GraphProto) -> Result<Self, ReadError> {
        let mut result = Graph { inputs: Vec::new(), classes: None, values: HashMap::new() };
        for tensor in &graph.initializer {
            let name = tensor.name.clone().unwrap_or_default();
            result.values.insert(name, GraphValue::Constant(Tensor::read(tensor)?));
        }
        result.read_inputs(graph)?;
        let mut room = MOST_HELD;
        for (place, proto) in graph.node.iter().enumerate() {
            let node = GraphNode { proto, place };
            let value = result.value_of(&node)?;
            for (place, name) in proto.output.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                let left = room.checked_sub(value.size());
                room = left.ok_or_else(|| node.damaged("the graph holds more than can be followed"))?;
                result.values.insert(name.clone(), as_output(&value, &node, place));
            }
        }
        Ok(result)
    }

    /// The columns of a graph that takes numbers of single precision only.
    #[cfg(feature = "onnx-runtime")]
    pub fn number_inputs(graph: &GraphProto) -> Result<Vec<RawInput>, ReadError> {
        let mut result = Graph { inputs: Vec::new(), classes: None, values: HashMap::new() };
        let constants = graph.initializer.iter().map(|tensor| tensor.name.clone().unwrap_or_default());
        let empty = || GraphValue::Constant(Tensor { dims: Vec::new(), values: Vec::new(), single: true });
        result.values = constants.map(|name| (name, empty())).collect();
        result.read_inputs(graph)?;
        let other = result.values.iter().find_map(|(name, value)| match value {
            GraphValue::Features(features) if features.element != Element::Single => Some(name),
            _ => None,
        });
        match other {
            Some(name) => {
                let remedy = "give it numbers of single precision";
                Err(ReadError::unsupported(format!("input \"{name}\""), "an input of another kind than float", remedy))
            }
            None => Ok(result.inputs),
        }
    }

    /// The classifier behind one of the outputs.
    pub fn output(&self, graph: &GraphProto) -> Result<ClassifierOutput, ReadError> {
        let values = graph.output.iter().filter_map(|output| self.values.get(output.name.as_deref()?));
        let values: Vec<&GraphValue> = values.collect();
        if let Some(output) = values.iter().find_map(|value| self.classifier(value)) {
            return Ok(output);
        }
        let unknown = values.iter().find_map(|value| match value {
            GraphValue::Unknown { operator, place } => Some((operator.clone(), place.clone())),
            _ => None,
        });
        let (operator, place) =
            unknown.unwrap_or_else(|| ("a graph without a classifier".to_owned(), "the outputs".to_owned()));
        Err(ReadError::unsupported(place, format!("the operator {operator} there"), "export the model without it"))
    }

    fn classifier(&self, value: &GraphValue) -> Option<ClassifierOutput> {
        match value {
            GraphValue::Output(output) => Some(output.clone()),
            GraphValue::Layers(layers) => as_scores(layers),
            _ => None,
        }
    }

    /// One column for each input of width one, by name; or the columns of one matrix, without.
    fn read_inputs(&mut self, graph: &GraphProto) -> Result<(), ReadError> {
        let infos: Vec<&ValueInfoProto> = graph
            .input
            .iter()
            .filter(|info| !self.values.contains_key(info.name.as_deref().unwrap_or_default()))
            .collect();
        let alone = infos.len() == 1;
        for info in infos {
            let name = info.name.clone().unwrap_or_default();
            let place = || format!("input \"{name}\"");
            let tensor = info.r#type.as_ref().and_then(|kind| kind.tensor_type.as_ref());
            let element = match tensor.and_then(|tensor| tensor.elem_type) {
                Some(DataType::FLOAT) => Element::Single,
                Some(DataType::DOUBLE) => Element::Double,
                Some(DataType::INT64 | DataType::INT32 | DataType::BOOL) => Element::Integer,
                Some(DataType::STRING) => Element::Text,
                _ => return Err(ReadError::unsupported(place(), "an input of this kind", "give it numbers or texts")),
            };
            let dims = tensor.and_then(|tensor| tensor.shape.as_ref()).map_or(&[][..], |shape| &shape.dim);
            let width = match dims {
                [_] if !alone => Some(1),
                [_, last] => last.dim_value.and_then(|width| usize::try_from(width).ok()),
                _ => None,
            };
            let Some(width) = width.filter(|width| (1..=MOST_COLUMNS).contains(width)) else {
                let remedy = "export it with rows of a fixed number of columns";
                return Err(ReadError::unsupported(
                    place(),
                    "an input that is no table of a known number of columns",
                    remedy,
                ));
            };
            let first = self.inputs.len();
            let named = width == 1 && !alone;
            self.inputs.extend((0..width).map(|_| RawInput { name: named.then(|| name.clone()), levels: None }));
            if !alone && !named {
                let remedy = "give each column an input of its own, or all of them one";
                return Err(ReadError::unsupported(place(), "one of several inputs with several columns", remedy));
            }
            let steps = if element == Element::Single { vec![FeatureStep::Single] } else { vec![] };
            let columns = (first..first + width).map(|input| Feature { input, steps: steps.clone() }).collect();
            self.values.insert(name, GraphValue::Features(Features { columns, element }));
        }
        if self.inputs.is_empty() {
            return Err(ReadError::damaged("the inputs", "there are none"));
        }
        Ok(())
    }

    fn value_of(&mut self, node: &GraphNode<'_>) -> Result<GraphValue, ReadError> {
        if let Some(classes) = node.classes() {
            self.classes = Some(classes);
        }
        let values = std::mem::take(&mut self.values);
        let taken: Vec<Option<&GraphValue>> = node.proto.input.iter().map(|name| values.get(name)).collect();
        let value = self.value_from(node, &taken);
        self.values = values;
        value
    }

    fn value_from(&mut self, node: &GraphNode<'_>, taken: &[Option<&GraphValue>]) -> Result<GraphValue, ReadError> {
        // What is unknown stays so, by the operator that began it.
        if let Some(unknown) = taken.iter().flatten().find(|value| matches!(value, GraphValue::Unknown { .. })) {
            return Ok((*unknown).clone());
        }
        let value = match (node.operator(), taken) {
            ("LinearClassifier", [Some(GraphValue::Features(features)), ..]) => {
                linear_operators::read(node, features)?.map(GraphValue::Output)
            }
            ("TreeEnsembleClassifier" | "TreeEnsembleRegressor", [Some(GraphValue::Features(features)), ..]) => {
                tree_operators::read(node, features)?.map(GraphValue::Output)
            }
            ("Constant", []) => node.tensor("value")?.map(GraphValue::Constant),
            _ => self.follow(node, taken),
        };
        Ok(value.unwrap_or_else(|| GraphValue::Unknown { operator: node.operator().to_owned(), place: node.name() }))
    }

    fn follow(&mut self, node: &GraphNode<'_>, taken: &[Option<&GraphValue>]) -> Option<GraphValue> {
        let first = (*taken.first()?)?;
        let second = taken.get(1).copied().flatten();
        match node.operator() {
            "Identity" | "Dropout" | "Reshape" | "Flatten" | "Squeeze" | "Unsqueeze" => Some(first.clone()),
            "Concat" | "FeatureVectorizer" => concat(node, taken),
            "Add" => arithmetic(FeatureArithmetic::Add, first, second?),
            "Sub" => arithmetic(FeatureArithmetic::Subtract, first, second?),
            "Mul" => arithmetic(FeatureArithmetic::Multiply, first, second?),
            "Div" => arithmetic(FeatureArithmetic::Divide, first, second?),
            "MatMul" => product(first, second?, false),
            "Gemm" => gemm(node, first, second?, taken.get(2).copied().flatten()),
            "ZipMap" | "Normalizer" | "ArgMax" | "Cast" | "Sigmoid" | "Softmax" | "LogSoftmax" | "LabelEncoder" => {
                self.follow_output(node, first)
            }
            "Relu" => match first {
                GraphValue::Layers(layers) => Some(GraphValue::Layers(layers.rectify())),
                _ => None,
            },
            "ArrayFeatureExtractor" | "Gather" => self.extract(first, second?),
            _ => {
                let GraphValue::Features(features) = first else { return None };
                let features = match node.operator() {
                    "Scaler" => features.scaler(node),
                    "Imputer" => features.imputer(node),
                    "OneHotEncoder" => features.one_hot(node, &mut self.inputs),
                    "Clip" => features.clip(bound(node, taken, "min", 1)?, bound(node, taken, "max", 2)?),
                    _ => None,
                };
                features.map(GraphValue::Features)
            }
        }
    }

    /// What is done to scores without changing which is the largest.
    fn follow_output(&mut self, node: &GraphNode<'_>, first: &GraphValue) -> Option<GraphValue> {
        match (node.operator(), first) {
            ("Cast", GraphValue::Features(features)) => features.cast(node.integer("to")?).map(GraphValue::Features),
            ("Cast", GraphValue::Constant(_)) => Some(first.clone()),
            ("LabelEncoder", GraphValue::Features(features)) => {
                features.label_encoder(node, &mut self.inputs).map(GraphValue::Features)
            }
            ("LabelEncoder", GraphValue::Output(output)) if output.form == OutputForm::Label => {
                let names = node.texts("values_strings");
                self.classes = (!names.is_empty()).then(|| names.to_vec()).or(self.classes.take());
                Some(first.clone())
            }
            ("ArgMax", GraphValue::Layers(layers)) => {
                Some(GraphValue::Output(ClassifierOutput { form: OutputForm::Label, ..as_scores(layers)? }))
            }
            ("ArgMax", GraphValue::Output(output)) if output.form == OutputForm::Classes => {
                Some(GraphValue::Output(ClassifierOutput { form: OutputForm::Label, ..output.clone() }))
            }
            ("Cast" | "ZipMap" | "Normalizer", GraphValue::Output(_)) => Some(first.clone()),
            ("Sigmoid", GraphValue::Output(output))
                if matches!(output.form, OutputForm::One { .. } | OutputForm::Classes) =>
            {
                Some(first.clone())
            }
            ("Softmax" | "LogSoftmax", GraphValue::Output(output)) if output.form == OutputForm::Classes => {
                Some(first.clone())
            }
            ("Sigmoid" | "Softmax" | "LogSoftmax", GraphValue::Layers(layers)) => {
                // The softmax of one number is one, whatever it is.
                (node.operator() == "Sigmoid" || layers.n_units() > 1).then_some(())?;
                as_scores(layers).map(GraphValue::Output)
            }
            _ => None,
        }
    }

    fn extract(&mut self, first: &GraphValue, second: &GraphValue) -> Option<GraphValue> {
        match (first, second) {
            (GraphValue::Features(features), GraphValue::Constant(places)) => {
                features.gather(places).map(GraphValue::Features)
            }
            // Classes by their place.
            (GraphValue::Constant(classes), GraphValue::Output(output)) if output.form == OutputForm::Label => {
                if !classes.values.is_empty() {
                    self.classes = Some(classes.values.iter().map(f64::to_string).collect());
                }
                Some(GraphValue::Output(output.clone()))
            }
            _ => None,
        }
    }
}

/// A classifier gives the label first and then scores; what others give besides is not known.
fn as_output(value: &GraphValue, node: &GraphNode<'_>, place: usize) -> GraphValue {
    match (value, place) {
        (GraphValue::Output(output), 0) if node.operator().ends_with("Classifier") => {
            GraphValue::Output(ClassifierOutput { form: OutputForm::Label, ..output.clone() })
        }
        (GraphValue::Output(_), 1) if node.operator().ends_with("Classifier") => value.clone(),
        (_, 0) => value.clone(),
        _ => GraphValue::Unknown { operator: node.operator().to_owned(), place: node.name() },
    }
}

fn as_scores(layers: &Layers) -> Option<ClassifierOutput> {
    let form = if layers.n_units() == 1 { OutputForm::One { second: true } } else { OutputForm::Classes };
    let (features, mut layers) = layers.scores()?;
    let predictor = if layers.len() == 1 {
        let layer = layers.remove(0);
        Predictor::Linear { weights: layer.weights, intercepts: layer.biases }
    } else {
        Predictor::Network { layers }
    };
    Some(ClassifierOutput { features, predictor, form })
}

/// Columns side by side; or the probabilities of two classes, from one and what it leaves.
fn concat(node: &GraphNode<'_>, taken: &[Option<&GraphValue>]) -> Option<GraphValue> {
    if node.operator() == "Concat" && !matches!(node.integer("axis"), Some(1 | -1)) {
        return None;
    }
    if let [Some(GraphValue::Output(first)), Some(GraphValue::Output(second))] = taken {
        let forms = (first.form, second.form) == (OutputForm::One { second: false }, OutputForm::One { second: true });
        let same = first.predictor == second.predictor && first.features == second.features;
        return (forms && same)
            .then(|| GraphValue::Output(ClassifierOutput { form: OutputForm::Classes, ..first.clone() }));
    }
    let mut columns = Vec::new();
    let mut element = None;
    for value in taken {
        let Some(GraphValue::Features(features)) = value else { return None };
        columns.extend(features.columns.iter().cloned());
        if element.is_some_and(|element| element != features.element) || columns.len() > MOST_COLUMNS {
            return None;
        }
        element = Some(features.element);
    }
    Some(GraphValue::Features(Features { columns, element: element? }))
}

fn arithmetic(operation: FeatureArithmetic, first: &GraphValue, second: &GraphValue) -> Option<GraphValue> {
    use FeatureArithmetic::{Add, Multiply, Subtract};
    match (first, second) {
        (GraphValue::Features(features), GraphValue::Constant(constants)) => {
            features.arithmetic(operation, constants).map(GraphValue::Features)
        }
        (GraphValue::Layers(layers), GraphValue::Constant(constants)) => {
            layers.arithmetic(operation, constants).map(GraphValue::Layers)
        }
        (GraphValue::Constant(_), GraphValue::Features(_) | GraphValue::Layers(_))
            if matches!(operation, Add | Multiply) =>
        {
            arithmetic(operation, second, first)
        }
        (GraphValue::Constant(_), GraphValue::Layers(layers)) if operation == Subtract => {
            arithmetic(Add, &GraphValue::Layers(layers.negated()?), first)
        }
        // One minus the probability of the second class.
        (GraphValue::Constant(one), GraphValue::Output(output)) if operation == Subtract && one.values == [1.0] => {
            let OutputForm::One { second } = output.form else { return None };
            Some(GraphValue::Output(ClassifierOutput { form: OutputForm::One { second: !second }, ..output.clone() }))
        }
        _ => None,
    }
}

fn product(first: &GraphValue, second: &GraphValue, transposed: bool) -> Option<GraphValue> {
    match (first, second) {
        (GraphValue::Features(features), GraphValue::Constant(weights)) => {
            Layers::first(features, weights, transposed).map(GraphValue::Layers)
        }
        (GraphValue::Layers(layers), GraphValue::Constant(weights)) => {
            layers.multiply(weights, transposed).map(GraphValue::Layers)
        }
        _ => None,
    }
}

/// `α A B + β C`.
fn gemm(
    node: &GraphNode<'_>,
    first: &GraphValue,
    second: &GraphValue,
    third: Option<&GraphValue>,
) -> Option<GraphValue> {
    (node.integer("transA").unwrap_or(0) == 0).then_some(())?;
    let factor = |name: &str| {
        GraphValue::Constant(Tensor {
            dims: vec![],
            values: vec![f64::from(node.float(name).unwrap_or(1.0))],
            single: true,
        })
    };
    let product = product(first, second, node.integer("transB").unwrap_or(0) != 0)?;
    let scaled = arithmetic(FeatureArithmetic::Multiply, &product, &factor("alpha"))?;
    let Some(third) = third else { return Some(scaled) };
    let GraphValue::Constant(biases) = third else { return None };
    let beta = f64::from(node.float("beta").unwrap_or(1.0));
    let biases = Tensor { values: biases.values.iter().map(|value| beta * value).collect(), ..biases.clone() };
    arithmetic(FeatureArithmetic::Add, &scaled, &GraphValue::Constant(biases))
}

/// A bound of a clip: an attribute in older files, an input in newer ones; it may be left out.
fn bound(node: &GraphNode<'_>, taken: &[Option<&GraphValue>], name: &str, place: usize) -> Option<Option<f64>> {
    match taken.get(place) {
        None | Some(None) => Some(node.float(name).map(f64::from)),
        Some(Some(GraphValue::Constant(value))) if value.values.len() == 1 => Some(Some(value.values[0])),
        Some(Some(_)) => None,
    }
}
