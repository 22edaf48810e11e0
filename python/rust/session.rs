//! One person, asked one question at a time.

use std::sync::{Mutex, PoisonError};

use mindrel::Session;
use mindrel::schema::{Kind, Placement, QuestionId};
use mindrel::session::Next;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::value_error;
use crate::plan::PyPlan;
use crate::python_answers::{answers, stated};

/// One person's session under a plan. It shows no answers.
#[pyclass(frozen, name = "Session", module = "mindrel._mindrel")]
pub struct PySession {
    plan: PyPlan,
    session: Mutex<Session>,
}

#[pymethods]
impl PySession {
    /// Starts a session, given the public answers by name.
    #[new]
    fn new(py: Python<'_>, plan: &PyPlan, public: &Bound<'_, PyDict>) -> PyResult<Self> {
        let answers = answers(plan.plan.schema(), public)?;
        let session = py.detach(|| Session::start(&plan.plan, &answers));
        plan.check()?;
        let session = session.map_err(value_error)?;
        Ok(PySession { plan: plan.clone(), session: Mutex::new(session) })
    }

    /// The question being asked and why, or `None`.
    fn question<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Next::Ask { question: id, reason } = self.with(py, |session| session.next())? else { return Ok(None) };
        let question = self.plan.plan.schema().question(id);
        let (kind, bounds) = match question.kind {
            Kind::Number { lower, upper, .. } => ("number", Some((lower, upper))),
            Kind::Integer { lower, upper, .. } => ("integer", Some((lower, upper))),
            Kind::Boolean => ("boolean", None),
            Kind::Category { .. } => ("category", None),
        };
        let shown = PyDict::new(py);
        shown.set_item("name", &question.name)?;
        shown.set_item("prompt", &question.prompt)?;
        shown.set_item("help", &question.help)?;
        shown.set_item("why", reason.to_string())?;
        shown.set_item("kind", kind)?;
        shown.set_item("bounds", bounds)?;
        let levels = question.levels().filter(|_| kind == "category");
        let labels = levels.iter().flatten().enumerate().map(|(level, _)| question.level_words(level));
        shown.set_item("labels", levels.is_some().then(|| labels.collect::<Vec<&str>>()))?;
        shown.set_item("levels", &levels)?;
        Ok(Some(shown))
    }

    /// Answers the question being asked. Returns whether the answer lies within its domain.
    fn answer(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = self.asked(py)?;
        let question = self.plan.plan.schema().question(id);
        let answer = question.accept(&stated(&question.name, value)?).map_err(value_error)?;
        let placement = self.with(py, |session| session.answer(id, answer))?.map_err(value_error)?;
        Ok(placement == Placement::Inside)
    }

    /// Declines the question being asked.
    fn decline(&self, py: Python<'_>) -> PyResult<()> {
        let id = self.asked(py)?;
        self.with(py, |session| session.decline(id))?.map_err(value_error)
    }

    /// The settled decision: the index of its class, and its guarantee.
    fn decision(&self, py: Python<'_>) -> PyResult<Option<(usize, &'static str)>> {
        Ok(match self.with(py, |session| session.next())? {
            Next::Done(decision) => Some((decision.label.index(), decision.guarantee.name())),
            Next::Ask { .. } | Next::Undecided(_) => None,
        })
    }

    /// The most likely class and its probability under the belief.
    fn outlook(&self, py: Python<'_>) -> PyResult<(usize, f64)> {
        let outlook = self.with(py, |session| session.outlook())?;
        Ok((outlook.label.index(), outlook.probability))
    }

    /// The questions that were answered, in the order they were asked.
    fn revealed(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.names(self.with(py, |session| session.revealed().collect())?))
    }

    /// The questions that were declined.
    fn declined(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.names(self.with(py, |session| session.declined().to_vec())?))
    }

    /// The sensitive questions that were never asked.
    fn never_asked(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.names(self.with(py, |session| session.never_asked().collect())?))
    }

    /// The certificate of a settled decision, as JSON. It contains the answers.
    fn certificate(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let certificate = self.with(py, |session| session.certificate())?;
        certificate.map(|certificate| serde_json::to_string(&certificate).map_err(value_error)).transpose()
    }
}

impl PySession {
    /// Works with the session. The interpreter's lock is released, because a model may have to take it.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Session) -> T + Send) -> PyResult<T> {
        let done = py.detach(|| work(&mut self.session.lock().unwrap_or_else(PoisonError::into_inner)));
        self.plan.check().map(|()| done)
    }

    fn asked(&self, py: Python<'_>) -> PyResult<QuestionId> {
        match self.with(py, |session| session.next())? {
            Next::Ask { question, .. } => Ok(question),
            Next::Done(_) | Next::Undecided(_) => {
                Err(PyRuntimeError::new_err("no question is being asked: the session has ended; look at `decision`"))
            }
        }
    }

    fn names(&self, ids: Vec<QuestionId>) -> Vec<String> {
        ids.into_iter().map(|id| self.plan.plan.schema().question(id).name.clone()).collect()
    }
}
