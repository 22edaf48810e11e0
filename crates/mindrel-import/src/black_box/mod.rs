//! ONNX graphs that are only run: nothing about them can be proved.

mod columns;
mod hexadecimal;

use std::fmt;
use std::sync::Arc;

use mindrel::Schema;
use mindrel::model::{BlackBox, BlackBoxParts, Classifier, Model};
use rten::{NodeId, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;
use serde::{Deserialize, Serialize};

use crate::lower::{match_inputs, order_of};
use crate::{LowerError, ReadError, onnx};
use columns::RawColumn;

/// What such a black box is called in a plan.
pub const FORMAT: &str = "onnx";

/// People that are run at once: enough for a matrix product to be worth it, and little memory.
const BATCH: usize = 1024;

/// Why a graph cannot be run for a schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlackBoxError {
    /// The file is damaged, or its inputs are none of a table.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its inputs or classes are not the schema's.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// The runtime does not run it.
    #[error("it cannot be run either ({why}); export the model with other operators")]
    Runtime {
        /// What the runtime says.
        why: String,
    },
    /// No output is a number for each class.
    #[error("no output of the graph is one number, or one for each of the {classes} classes; export the scores")]
    Outputs {
        /// Classes of the label.
        classes: usize,
    },
}

/// What is written of such a black box into a plan.
#[derive(Serialize, Deserialize)]
struct Payload {
    /// How the graph's inputs, in order, come from encoded columns.
    columns: Vec<RawColumn>,
    n_columns: usize,
    n_scores: usize,
    /// The output that holds the scores, by its place.
    output: usize,
    /// What is taken off a single score: a half, where it is a probability.
    offset: f64,
    /// The class of the schema that each class of the graph is.
    order: Vec<usize>,
    /// The file, in hexadecimal.
    file: String,
}

/// A graph with a runtime.
struct Runtime {
    model: rten::Model,
    payload: Payload,
}

impl fmt::Debug for Runtime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an ONNX graph")
    }
}

/// A graph of numbers as a black box over the columns of a schema; `classes` are its classes in its own order, if they are known.
///
/// Encoded columns are decoded to raw numbers before each run, which is exact up to rounding.
///
/// # Errors
/// When the file is damaged, its inputs or classes are not the schema's, or the runtime lacks one of its operators.
pub fn black_box(bytes: &[u8], classes: Option<&[String]>, schema: &Schema) -> Result<Classifier, BlackBoxError> {
    let graph = onnx::interface(bytes)?;
    let ids = match_inputs(&graph.inputs, schema)?;
    let columns = ids.into_iter().map(|id| RawColumn::new(schema, id)).collect::<Result<Vec<_>, _>>()?;
    let n_classes = schema.target().classes.len();
    let n_scores = if n_classes == 2 { 1 } else { n_classes };
    let order = order_of(classes, n_scores, schema)?.places().to_vec();
    let file = hexadecimal::write(bytes);
    let payload = Payload { columns, n_columns: schema.n_columns(), n_scores, output: 0, offset: 0.0, order, file };
    let mut runtime = Runtime { model: load(bytes)?, payload };
    let middle = vec![0.0; schema.n_columns()];
    let widths = (0..runtime.model.output_ids().len()).map(|output| runtime.width(output, &middle));
    let fits = |width: &Result<usize, BlackBoxError>| matches!(width, Ok(width) if *width == n_classes || (*width == 1 && n_classes == 2));
    let widths: Vec<Result<usize, BlackBoxError>> = widths.collect();
    let Some(output) = widths.iter().position(fits) else {
        let failed = widths.into_iter().find_map(Result::err);
        return Err(failed.unwrap_or(BlackBoxError::Outputs { classes: n_classes }));
    };
    runtime.payload.output = output;
    runtime.payload.offset = if graph.sigmoid_outputs.contains(&output) && widths[output] == Ok(1) { 0.5 } else { 0.0 };
    let payload = serde_json::to_string(&runtime.payload).expect("plain data");
    let parts = BlackBoxParts { format: FORMAT.to_owned(), n_columns: schema.n_columns(), n_scores, payload };
    let black_box = BlackBox::new(parts, Arc::new(runtime)).map_err(LowerError::from)?;
    Ok(Classifier::BlackBox(black_box))
}

/// What runs a black box of a plan, if it is one of these and this build can.
#[must_use]
pub fn runtime(parts: &BlackBoxParts) -> Option<Arc<dyn Model>> {
    if parts.format != FORMAT {
        return None;
    }
    let payload: Payload = serde_json::from_str(&parts.payload).ok()?;
    let bytes = hexadecimal::read(&payload.file)?;
    let sound = payload.columns.iter().all(|column| column.fits(payload.n_columns))
        && payload.order.len() == payload.n_scores.max(2)
        && payload.order.iter().all(|class| *class < payload.order.len());
    let model = load(&bytes).ok().filter(|_| sound)?;
    let runtime = Runtime { model, payload };
    let runs = runtime.run(&vec![0.0; runtime.payload.n_columns], runtime.payload.output).is_ok();
    runs.then(|| Arc::new(runtime) as Arc<dyn Model>)
}

fn load(bytes: &[u8]) -> Result<rten::Model, BlackBoxError> {
    onnx::check_wire(bytes)?;
    rten::Model::load(bytes.to_vec()).map_err(|error| BlackBoxError::Runtime { why: error.to_string() })
}

impl Runtime {
    /// The values of one output for some people, and how many of them each has.
    fn run(&self, people: &[f64], output: usize) -> Result<(Vec<f32>, usize), BlackBoxError> {
        let failed = |why: String| BlackBoxError::Runtime { why };
        let n_people = people.len() / self.payload.n_columns;
        let output = self.model.output_ids().get(output).ok_or_else(|| failed("it has no such output".to_owned()))?;
        let values = self
            .model
            .run(self.inputs(people, n_people), &[*output], None)
            .map_err(|error| failed(error.to_string()))?;
        let value = values.into_iter().next().ok_or_else(|| failed("it gives nothing".to_owned()))?;
        let tensor: Tensor<f32> = value.try_into().map_err(|_| failed("an output holds no numbers".to_owned()))?;
        let values = tensor.to_vec();
        if n_people == 0 || values.is_empty() || !values.len().is_multiple_of(n_people) {
            return Err(failed("an output has not as many rows as the input".to_owned()));
        }
        let width = values.len() / n_people;
        Ok((values, width))
    }

    fn width(&self, output: usize, person: &[f64]) -> Result<usize, BlackBoxError> {
        self.run(person, output).map(|(_, width)| width)
    }

    /// One matrix, or a column for each input.
    fn inputs(&self, people: &[f64], n_people: usize) -> Vec<(NodeId, ValueOrView<'static>)> {
        let (ids, columns) = (self.model.input_ids(), &self.payload.columns);
        let rows = || people.chunks_exact(self.payload.n_columns);
        if let [id] = ids {
            let values = rows().flat_map(|row| columns.iter().map(|column| column.raw(row))).collect::<Vec<f32>>();
            return vec![(*id, Tensor::from_data(&[n_people, columns.len()], values).into())];
        }
        let column = |(id, column): (&NodeId, &RawColumn)| {
            let values: Vec<f32> = rows().map(|row| column.raw(row)).collect();
            (*id, Tensor::from_data(&[n_people, 1], values).into())
        };
        ids.iter().zip(columns).map(column).collect()
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
        self.payload.n_columns
    }

    fn n_scores(&self) -> usize {
        self.payload.n_scores
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.scores_of_many(columns, scores);
    }

    /// A run that fails, which one on other people did not, gives scores that are no numbers.
    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        let batches =
            people.chunks(BATCH * self.payload.n_columns).zip(scores.chunks_mut(BATCH * self.payload.n_scores));
        for (people, scores) in batches {
            match self.run(people, self.payload.output) {
                Ok((values, width)) => {
                    let rows = values.chunks_exact(width).zip(scores.chunks_exact_mut(self.payload.n_scores));
                    rows.for_each(|(values, scores)| self.put(values, scores));
                }
                Err(_) => scores.fill(f64::NAN),
            }
        }
    }
}
