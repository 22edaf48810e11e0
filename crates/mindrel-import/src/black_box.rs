//! ONNX graphs that can only be run: nothing about them can be proved.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use mindrel::Schema;
use mindrel::model::{BlackBox, BlackBoxParts, Classifier, Model};
use mindrel::schema::{Answer, Kind, Question, QuestionId};
use rten::{NodeId, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;
use serde::{Deserialize, Serialize};

use crate::lower::{match_inputs, order_of};
use crate::{LowerError, ReadError, graph_threads, onnx};

/// What such a black box is called in a plan.
pub const FORMAT: &str = "onnx";

/// How many people are run at once: enough to make a matrix product worthwhile, in little memory.
const BATCH: usize = 1024;

/// Why a graph cannot be run for a schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum BlackBoxError {
    /// The file is damaged, or its inputs are not columns of a table.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its inputs or classes are not the schema's.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// The runtime does not run it.
    #[error("it cannot be run either ({why}); export the model with other operators")]
    Runtime { why: String },
    /// No output holds scores.
    #[error("the graph has no output of one score, or of one for each of the {classes} classes; export the scores")]
    Outputs { classes: usize },
}

/// What a plan keeps of such a black box.
#[derive(Serialize, Deserialize)]
struct Payload {
    /// The output that holds the scores, by its place.
    output: usize,
    /// What is subtracted from a single score: a half if it is a probability.
    offset: f64,
    /// The class of the schema that each class of the graph is.
    order: Vec<usize>,
    /// The file, in hexadecimal.
    file: String,
}

/// A graph with a runtime.
struct Runtime {
    model: rten::Model,
    inputs: Vec<GraphInput>,
    n_columns: usize,
    n_scores: usize,
    payload: Payload,
}

/// An input of a graph: a number for each person, from the encoded answer to a question.
struct GraphInput {
    question: Question,
    columns: Range<usize>,
    /// The number of each level of a category.
    levels: Vec<f64>,
}

impl fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an ONNX graph")
    }
}

/// Wraps a graph of numbers as a black box over the columns of a schema.
///
/// `classes` are the graph's classes in its own order; `None` takes the schema's in sorted order. Encoded columns are
/// decoded to answers before each run, which is exact up to rounding.
///
/// # Errors
/// When the file is damaged, its inputs or classes are not the schema's, or the runtime lacks one of its operators.
pub fn black_box(bytes: &[u8], classes: Option<&[String]>, schema: &Schema) -> Result<Classifier, BlackBoxError> {
    let n_classes = schema.target().classes.len();
    let n_scores = if n_classes == 2 { 1 } else { n_classes };
    let order = order_of(classes, n_scores, schema)?.places().to_vec();
    let payload = Payload { output: 0, offset: 0.0, order, file: hex::encode(bytes) };
    let mut runtime = Runtime::new(bytes, schema, n_scores, payload)?;
    let middle = vec![0.0; schema.n_columns()];
    let widths =
        (0..runtime.model.output_ids().len()).map(|output| runtime.run(&middle, output).map(|(_, width)| width));
    let widths: Vec<Result<usize, BlackBoxError>> = widths.collect();
    let fits = |width: &Result<usize, BlackBoxError>| matches!(width, Ok(width) if *width == n_classes || (*width == 1 && n_classes == 2));
    let Some(output) = widths.iter().position(fits) else {
        let failed = widths.into_iter().find_map(Result::err);
        return Err(failed.unwrap_or(BlackBoxError::Outputs { classes: n_classes }));
    };
    let is_probability = onnx::interface(bytes)?.sigmoid_outputs.contains(&output) && widths[output] == Ok(1);
    runtime.payload.output = output;
    runtime.payload.offset = if is_probability { 0.5 } else { 0.0 };
    let payload = serde_json::to_string(&runtime.payload).expect("plain data");
    let parts = BlackBoxParts { format: FORMAT.to_owned(), n_columns: schema.n_columns(), n_scores, payload };
    let black_box = BlackBox::new(parts, Arc::new(runtime)).map_err(LowerError::from)?;
    Ok(Classifier::BlackBox(black_box))
}

/// The runtime of a plan's black box; `None` if it is not an ONNX graph, or cannot be run over this schema.
#[must_use]
pub fn runtime(parts: &BlackBoxParts, schema: &Schema) -> Option<Arc<dyn Model>> {
    if parts.format != FORMAT {
        return None;
    }
    let payload: Payload = serde_json::from_str(&parts.payload).ok()?;
    let order = &payload.order;
    let sound = order.len() == parts.n_scores.max(2) && order.iter().all(|class| *class < order.len());
    let bytes = hex::decode(&payload.file).ok().filter(|_| sound)?;
    let runtime = Runtime::new(&bytes, schema, parts.n_scores, payload).ok()?;
    let runs = runtime.run(&vec![0.0; runtime.n_columns], runtime.payload.output).is_ok();
    runs.then(|| Arc::new(runtime) as Arc<dyn Model>)
}

fn load(bytes: &[u8]) -> Result<rten::Model, BlackBoxError> {
    onnx::check_wire(bytes)?;
    graph_threads::load(bytes).map_err(|why| BlackBoxError::Runtime { why })
}

impl GraphInput {
    fn new(schema: &Schema, id: QuestionId) -> Result<Self, LowerError> {
        let question = schema.question(id).clone();
        let number = |level: &String| {
            let error = || LowerError::LevelIsNoNumber { question: question.name.clone(), level: level.clone() };
            level.trim().parse::<f64>().map_err(|_| error())
        };
        let levels = match &question.kind {
            Kind::Category { levels, .. } => levels.iter().map(number).collect::<Result<_, _>>()?,
            Kind::Number { .. } | Kind::Integer { .. } | Kind::Boolean => Vec::new(),
        };
        Ok(GraphInput { columns: schema.columns(id), levels, question })
    }

    /// The number the graph gets for an encoded person.
    fn of(&self, person: &[f64]) -> f32 {
        match self.question.decode(&person[self.columns.clone()]) {
            Answer::Level(level) => self.levels[level] as f32,
            answer => answer.code() as f32,
        }
    }
}

impl Runtime {
    fn new(bytes: &[u8], schema: &Schema, n_scores: usize, payload: Payload) -> Result<Self, BlackBoxError> {
        let ids = match_inputs(&onnx::interface(bytes)?.inputs, schema)?;
        let inputs = ids.into_iter().map(|id| GraphInput::new(schema, id)).collect::<Result<_, _>>()?;
        Ok(Runtime { model: load(bytes)?, inputs, n_columns: schema.n_columns(), n_scores, payload })
    }

    /// The values of one output for some people, and how many of them each has.
    fn run(&self, people: &[f64], output: usize) -> Result<(Vec<f32>, usize), BlackBoxError> {
        let failed = |why: String| BlackBoxError::Runtime { why };
        let n_people = people.len() / self.n_columns;
        let output = self.model.output_ids().get(output).ok_or_else(|| failed("it has no such output".to_owned()))?;
        let values = self
            .model
            .run(self.inputs(people, n_people), &[*output], Some(graph_threads::run_options()))
            .map_err(|error| failed(error.to_string()))?;
        let value = values.into_iter().next().ok_or_else(|| failed("it has no outputs".to_owned()))?;
        let tensor: Tensor<f32> = value.try_into().map_err(|_| failed("an output is not numeric".to_owned()))?;
        let values = tensor.to_vec();
        if n_people == 0 || values.is_empty() || !values.len().is_multiple_of(n_people) {
            return Err(failed("an output and the input have different numbers of rows".to_owned()));
        }
        let width = values.len() / n_people;
        Ok((values, width))
    }

    /// One matrix, or a column for each input.
    fn inputs(&self, people: &[f64], n_people: usize) -> Vec<(NodeId, ValueOrView<'static>)> {
        let rows = || people.chunks_exact(self.n_columns);
        if let [id] = self.model.input_ids() {
            let values = rows().flat_map(|row| self.inputs.iter().map(|input| input.of(row))).collect::<Vec<f32>>();
            return vec![(*id, Tensor::from_data(&[n_people, self.inputs.len()], values).into())];
        }
        let column = |(id, input): (&NodeId, &GraphInput)| {
            let values: Vec<f32> = rows().map(|row| input.of(row)).collect();
            (*id, Tensor::from_data(&[n_people, 1], values).into())
        };
        self.model.input_ids().iter().zip(&self.inputs).map(column).collect()
    }

    /// The scores of one person, from the values of the output.
    fn put(&self, values: &[f32], scores: &mut [f64]) {
        let order = &self.payload.order;
        match (values, scores) {
            ([one], [score]) => {
                let lead = f64::from(*one) - self.payload.offset;
                *score = if order[0] == 0 { lead } else { -lead };
            }
            ([first, second], [score]) => {
                let lead = f64::from(*second) - f64::from(*first);
                *score = if order[0] == 0 { lead } else { -lead };
            }
            (values, scores) => order.iter().zip(values).for_each(|(class, value)| scores[*class] = f64::from(*value)),
        }
    }
}

impl Model for Runtime {
    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn n_scores(&self) -> usize {
        self.n_scores
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.scores_of_many(columns, scores);
    }

    /// The scores are NaN if the run fails.
    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        let batches = people.chunks(BATCH * self.n_columns).zip(scores.chunks_mut(BATCH * self.n_scores));
        for (people, scores) in batches {
            match self.run(people, self.payload.output) {
                Ok((values, width)) => {
                    let rows = values.chunks_exact(width).zip(scores.chunks_exact_mut(self.n_scores));
                    rows.for_each(|(values, scores)| self.put(values, scores));
                }
                Err(_) => scores.fill(f64::NAN),
            }
        }
    }
}
