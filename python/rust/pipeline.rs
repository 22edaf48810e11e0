//! Models of other libraries, described by Python.

use mindrel::Schema;
use mindrel::model::{Classifier, ComposedValue, Model};
use mindrel_import::pipeline::{Composed, ComposedPredictor, Feature, Predictor, RawInput};
use mindrel_import::{Format, Pipeline, ReadError};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::answer_columns::{AnswerColumns, LentColumn};
use crate::decide;
use crate::errors::value_error;
use crate::plan::parse_schema;
use crate::tree_arrays::{TreeArrays, raw_tree};
use crate::work::Work;

/// What a model does to the raw columns of a table.
#[pyclass(frozen, name = "Pipeline", module = "mindrel._mindrel")]
pub struct PyPipeline {
    pipeline: Pipeline,
}

#[pymethods]
impl PyPipeline {
    /// From its JSON form, that of `mindrel_import::Pipeline`.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(PyPipeline { pipeline: serde_json::from_str(text).map_err(value_error)? })
    }

    /// A composition of predictors over the same inputs: `composition` has the `values`, `outputs` and `tie_order` of a
    /// `mindrel_import::pipeline::Composed`.
    #[staticmethod]
    fn composed(inputs: &str, parts: Vec<PyRef<'_, PyPipeline>>, composition: &str) -> PyResult<Self> {
        let inputs: Vec<RawInput> = serde_json::from_str(inputs).map_err(value_error)?;
        let Composition { values, outputs, tie_order } = serde_json::from_str(composition).map_err(value_error)?;
        let part = |part: &PyRef<'_, PyPipeline>| ComposedPredictor {
            features: part.pipeline.features.clone(),
            predictor: part.pipeline.predictor.clone(),
        };
        let predictors = parts.iter().map(part).collect();
        let predictor = Predictor::Composed(Composed { predictors, values, outputs, tie_order });
        Ok(PyPipeline { pipeline: Pipeline { inputs, features: Vec::new(), predictor, classes: None } })
    }

    /// From the bytes of an ONNX, XGBoost or LightGBM file. For an ONNX graph that can only be run, returns `None` and
    /// the reason.
    #[staticmethod]
    fn read_model(content: &[u8]) -> PyResult<(Option<Self>, String)> {
        match mindrel_import::read(content) {
            Ok((_, pipeline)) => Ok((Some(PyPipeline { pipeline }), String::new())),
            Err(why @ ReadError::Unsupported { .. }) if Format::of(content) == Some(Format::Onnx) => {
                Ok((None, why.to_string()))
            }
            Err(error) => Err(value_error(error)),
        }
    }

    /// The model's replacement for a missing value of each input.
    fn stand_ins(&self) -> Vec<Option<f64>> {
        let mut found = vec![None; self.pipeline.inputs.len()];
        for feature in self.pipeline.all_features() {
            if let (Some(place), Some(value)) = (found.get_mut(feature.input), feature.stand_in()) {
                *place = Some(value);
            }
        }
        found
    }

    /// The number of scores: one for two classes.
    fn n_scores(&self) -> usize {
        self.pipeline.predictor.n_scores()
    }

    /// The same model behind some preprocessing: its inputs are these features of those inputs.
    fn behind(&self, inputs: &str, features: &str) -> PyResult<Self> {
        let inputs: Vec<RawInput> = serde_json::from_str(inputs).map_err(value_error)?;
        let before: Vec<Feature> = serde_json::from_str(features).map_err(value_error)?;
        if before.len() != self.pipeline.inputs.len() {
            let (takes, gets) = (self.pipeline.inputs.len(), before.len());
            return Err(value_error(format!("the model takes {takes} features, the preprocessing makes {gets}")));
        }
        let features = self.pipeline.features.iter().map(|feature| {
            let Feature { input, steps } = &before[feature.input];
            Feature { input: *input, steps: steps.iter().chain(&feature.steps).cloned().collect() }
        });
        let features = features.collect();
        Ok(PyPipeline { pipeline: Pipeline { inputs, features, ..self.pipeline.clone() } })
    }

    /// The same ensemble with these trees.
    fn with_trees(&self, trees: Vec<TreeArrays<'_>>) -> PyResult<Self> {
        let mut pipeline = self.pipeline.clone();
        let Predictor::Trees(ensemble) = &mut pipeline.predictor else {
            return Err(value_error("only an ensemble has trees"));
        };
        ensemble.trees = trees.iter().map(raw_tree).collect::<PyResult<_>>()?;
        Ok(PyPipeline { pipeline })
    }

    /// The scores of everyone, over the questions of a schema.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        schema: &str,
        columns: Vec<LentColumn<'_>>,
        work: Work,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let schema = parse_schema(schema)?;
        let columns = AnswerColumns::new(schema.questions(), &columns, None)?;
        let classifier = self.lower(&schema)?;
        let scores = work.run(py, |progress| decide::scores(&classifier, &columns, progress))??;
        scores.into_pyarray(py).reshape([columns.n_rows(), classifier.n_scores()])
    }

    /// The names and levels of its inputs, as JSON.
    fn inputs(&self) -> PyResult<String> {
        serde_json::to_string(&self.pipeline.inputs).map_err(value_error)
    }

    /// The names of its classes, if it has names, as JSON.
    fn classes(&self) -> PyResult<String> {
        serde_json::to_string(&self.pipeline.classes).map_err(value_error)
    }

    /// The same model with names for its classes.
    fn with_classes(&self, classes: Vec<String>) -> Self {
        PyPipeline { pipeline: Pipeline { classes: Some(classes), ..self.pipeline.clone() } }
    }
}

/// What is made of the scores of several predictors.
#[derive(Deserialize)]
struct Composition {
    values: Vec<ComposedValue>,
    outputs: Vec<usize>,
    tie_order: Vec<usize>,
}

impl PyPipeline {
    /// The classifier over a schema's encoded columns.
    pub fn lower(&self, schema: &Schema) -> PyResult<Classifier> {
        mindrel_import::lower(&self.pipeline, schema).map_err(value_error)
    }
}
