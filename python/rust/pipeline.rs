//! Models of other libraries, described by Python.

use mindrel::Schema;
use mindrel::model::{Classifier, ComposedValue, Model};
use mindrel_import::pipeline::{
    ComposedPredictor, Cut, Feature, Predictor, RawComposition, RawCondition, RawInput, RawNode, Response,
};
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
    /// `mindrel_import::pipeline::RawComposition`.
    #[staticmethod]
    fn composed(inputs: &str, parts: Vec<PyRef<'_, PyPipeline>>, composition: &str) -> PyResult<Self> {
        let inputs: Vec<RawInput> = serde_json::from_str(inputs).map_err(value_error)?;
        let ValuesAndOutputs { values, outputs, tie_order } = serde_json::from_str(composition).map_err(value_error)?;
        let part = |part: &PyRef<'_, PyPipeline>| ComposedPredictor {
            features: part.pipeline.features.clone(),
            predictor: part.pipeline.predictor.clone(),
        };
        let predictors = parts.iter().map(part).collect();
        let predictor = Predictor::Composition(RawComposition { predictors, values, outputs, tie_order });
        Ok(PyPipeline {
            pipeline: Pipeline { inputs, features: Vec::new(), predictor, classes: None, probability: None },
        })
    }

    /// Whether it is a composition of predictors.
    fn is_composed(&self) -> bool {
        matches!(self.pipeline.predictor, Predictor::Composition(_))
    }

    /// From the bytes of an ONNX, XGBoost, LightGBM or CatBoost file. For a model that can only be run, returns `None`
    /// and the reason; of files, only ONNX graphs can.
    #[staticmethod]
    #[pyo3(signature = (content, can_be_run=None))]
    fn read_model(content: &[u8], can_be_run: Option<bool>) -> PyResult<(Option<Self>, String)> {
        let can_be_run = can_be_run.unwrap_or_else(|| Format::of(content) == Some(Format::Onnx));
        match mindrel_import::read(content) {
            Ok((_, pipeline)) => Ok((Some(PyPipeline { pipeline }), String::new())),
            Err(why @ ReadError::Unsupported { .. }) if can_be_run => Ok((None, why.to_string())),
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

    /// The same model, cut elsewhere: a class is decided for if its probability, or its score, is at least a threshold.
    fn cut(&self, of_probability: bool, threshold: f64, of_second: bool) -> PyResult<Self> {
        let response = if of_probability { Response::Probability } else { Response::Score };
        let cut = Cut { response, threshold, of_second };
        Ok(PyPipeline { pipeline: self.pipeline.cut(cut).map_err(value_error)? })
    }

    /// The same model if its features are sums of others: a row of weights and a constant for each. `None` for trees.
    fn over_sums(&self, weights: Vec<Vec<f64>>, constants: Vec<f64>) -> Option<Self> {
        self.pipeline.over_sums(&weights, &constants).map(|pipeline| PyPipeline { pipeline })
    }

    /// The thresholds of an ensemble's splits on an input, and whether the numbers at the threshold itself go left;
    /// `None` if it is no ensemble, or the input is a category.
    fn thresholds(&self, input: usize) -> Option<Vec<(f64, bool)>> {
        let Predictor::Trees(trees) = &self.pipeline.predictor else { return None };
        let splits = trees.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
            RawNode::Split { feature, condition, .. } => Some((self.pipeline.features.get(*feature)?, condition)),
            RawNode::Leaf(_) => None,
        });
        let mut found = splits
            .filter(|(feature, _)| feature.input == input)
            .map(|(_, condition)| match condition {
                RawCondition::AtMost(threshold) => Some((*threshold, true)),
                RawCondition::Below(threshold) => Some((*threshold, false)),
                RawCondition::OneOf(_) => None,
            })
            .collect::<Option<Vec<(f64, bool)>>>()?;
        found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        found.dedup();
        Some(found)
    }

    /// What it does to each of its inputs first, as JSON.
    fn features(&self) -> PyResult<String> {
        serde_json::to_string(&self.pipeline.features).map_err(value_error)
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
struct ValuesAndOutputs {
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
