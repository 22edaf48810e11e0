//! Models that live in Python and can only be called.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use mindrel::Schema;
use mindrel::model::{BlackBox, BlackBoxParts, Classifier, Model};
use mindrel::schema::Question;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use crate::errors::value_error;
use crate::work::is_stopped;

/// The format of such a black box.
pub const FORMAT: &str = "callable";

/// A function from answers to scores. It is called with one array per question, which contains the
/// [codes](mindrel::schema::Answer::code) of all people at once.
pub struct Callable {
    function: Py<PyAny>,
    questions: Vec<Question>,
    n_columns: usize,
    n_scores: usize,
    /// The exception it raised. Scoring cannot fail, so the caller looks here afterwards.
    failure: Mutex<Option<PyErr>>,
}

impl Callable {
    /// A function of the answers to a schema's questions.
    pub fn new(function: Py<PyAny>, schema: &Schema, n_scores: usize) -> Self {
        let (questions, n_columns) = (schema.questions().to_vec(), schema.n_columns());
        Callable { function, questions, n_columns, n_scores, failure: Mutex::new(None) }
    }

    /// The function as a classifier; `payload` is what plan files say about it.
    pub fn classifier(self: &Arc<Self>, payload: String) -> PyResult<Classifier> {
        let (n_columns, n_scores) = (self.n_columns, self.n_scores);
        let parts = BlackBoxParts { format: FORMAT.to_owned(), n_columns, n_scores, payload };
        let runtime: Arc<dyn Model> = Arc::clone(self) as Arc<dyn Model>;
        Ok(Classifier::BlackBox(BlackBox::new(parts, runtime).map_err(value_error)?))
    }

    /// Raises the exception that the function has raised since the last check, if any.
    pub fn check(&self) -> PyResult<()> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }

    /// Whether the function has raised an exception since the last check.
    pub fn has_failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn call(&self, py: Python<'_>, people: &[f64], scores: &mut [f64]) -> PyResult<()> {
        let mut start = 0;
        let answers = self.questions.iter().map(|question| {
            let columns = start..start + question.n_columns();
            start = columns.end;
            let rows = people.chunks_exact(self.n_columns);
            PyArray1::from_iter(py, rows.map(|row| question.decode(&row[columns.clone()]).code()))
        });
        let answers = PyList::new(py, answers.collect::<Vec<_>>())?;
        let found = self.function.bind(py).call1((answers,))?;
        let found: PyReadonlyArray1<'_, f64> = found.extract()?;
        let found = found.as_slice().map_err(value_error)?;
        if found.len() != scores.len() {
            let (expected, got) = (scores.len(), found.len());
            return Err(value_error(format!("the model gave {got} scores where {expected} were expected")));
        }
        scores.copy_from_slice(found);
        Ok(())
    }
}

impl Model for Callable {
    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn n_scores(&self) -> usize {
        self.n_scores
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.scores_of_many(columns, scores);
    }

    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if failure.is_some() || is_stopped() {
            return scores.fill(-1.0);
        }
        drop(failure);
        if let Err(error) = Python::attach(|py| self.call(py, people, scores)) {
            scores.fill(-1.0);
            failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error);
        }
    }
}

impl fmt::Debug for Callable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Callable").field("n_columns", &self.n_columns).finish_non_exhaustive()
    }
}
