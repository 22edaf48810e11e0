//! One person, asked one question at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mindrel::Session;
use mindrel::schema::{Answer, AnswerError, Kind, Placement, QuestionId};
use mindrel::session::{Answers, Next, PastStep};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::{Deserialize, Serialize};

use crate::errors::value_error;
use crate::plan::PyPlan;
use crate::python_answers::{answers, python_value, stated};
use crate::work::{Work, is_stopped, until_stopped};

/// One person's session under a plan. It shows no answers.
#[pyclass(frozen, name = "Session", module = "mindrel._mindrel")]
pub struct PySession {
    plan: PyPlan,
    work: Work,
    /// Whether it goes by the calibrated rules.
    calibrated: bool,
    state: Mutex<SessionState>,
}

/// A session, and what it can be resumed from.
struct SessionState {
    /// `None` after a step was interrupted: the session is then resumed from what was said before it.
    session: Option<Session>,
    said: Said,
}

/// What a person said, in the order it was said. It has no `Debug`: it holds answers.
#[derive(Clone, Serialize, Deserialize)]
struct Said {
    public: Vec<(usize, u64)>,
    /// The bits of the code of each answer, or `None` if the question was declined.
    steps: Vec<(usize, Option<u64>)>,
    /// After how many questions a step was cut short by a time limit, and what was asked.
    late: Vec<(usize, usize)>,
}

/// A question that follows from others: its name, its answer, and their names.
type ToldImplied<'py> = (String, Bound<'py, PyAny>, Vec<String>);

#[pymethods]
impl PySession {
    /// Starts a session, given the public answers by name.
    #[new]
    fn new(py: Python<'_>, plan: &PyPlan, public: &Bound<'_, PyDict>, work: Work, calibrated: bool) -> PyResult<Self> {
        let answers = answers(plan.plan.schema(), public)?;
        let code = |id: QuestionId| (id.index(), answers.get(id).expect("it is among them").code().to_bits());
        let public = answers.questions().map(code).collect();
        PySession::resumed(py, plan, Said { public, steps: Vec::new(), late: Vec::new() }, work, calibrated)
    }

    /// A session from the text of `said`.
    #[staticmethod]
    fn resume(py: Python<'_>, plan: &PyPlan, said: &str, work: Work, calibrated: bool) -> PyResult<Self> {
        let said = serde_json::from_str(said).map_err(|_| value_error("this is no session of this version"))?;
        PySession::resumed(py, plan, said, work, calibrated)
    }

    /// What was said so far, as a text from which the session can be resumed. It contains the answers.
    fn said(&self, py: Python<'_>) -> PyResult<String> {
        let said = self.step(py, |session, said| {
            let steps = session.late_steps().iter();
            let late = steps.map(|step| (step.after, session.plan().sensitive()[step.place].index())).collect();
            Said { late, ..said.clone() }
        });
        serde_json::to_string(&said?).map_err(value_error)
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
        let code = answer.code().to_bits();
        let placement = self.step(py, |session, said| {
            let placement = session.answer(id, answer)?;
            said.steps.push((id.index(), Some(code)));
            Ok::<Placement, AnswerError>(placement)
        })?;
        Ok(placement.map_err(value_error)? == Placement::Inside)
    }

    /// Declines the question being asked.
    fn decline(&self, py: Python<'_>) -> PyResult<()> {
        let id = self.asked(py)?;
        let declined = self.step(py, |session, said| {
            session.decline(id)?;
            said.steps.push((id.index(), None));
            Ok::<(), AnswerError>(())
        })?;
        declined.map_err(value_error)
    }

    /// Takes back the last answer, or that the last question was declined, and asks it again. Returns whether there
    /// was one.
    fn undo(&self, py: Python<'_>) -> PyResult<bool> {
        self.step(py, |session, said| {
            said.steps.pop();
            session.back()
        })
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

    /// The sensitive questions that are not asked because their answers follow from others: each with its answer, and
    /// the questions it follows from.
    fn implied<'py>(&self, py: Python<'py>) -> PyResult<Vec<ToldImplied<'py>>> {
        let implied = self.with(py, |session| session.implied().collect::<Vec<_>>())?;
        let told = implied.into_iter().map(|implied| {
            let question = self.plan.plan.schema().question(implied.question);
            let answer = python_value(py, question.state(&implied.answer))?;
            Ok((question.name.clone(), answer, self.names(implied.follows_from)))
        });
        told.collect()
    }

    /// What is promised of sessions like this one, as JSON, if it goes by calibrated rules.
    fn promise(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let promise = self.with(py, |session| session.promise().cloned())?;
        promise.map(|promise| serde_json::to_string(&promise).map_err(value_error)).transpose()
    }

    /// The certificate of a settled decision, as JSON. It contains the answers.
    fn certificate(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let certificate = self.step(py, |session, _| session.certificate())?;
        certificate.map(|certificate| serde_json::to_string(&certificate).map_err(value_error)).transpose()
    }
}

impl PySession {
    fn resumed(py: Python<'_>, plan: &PyPlan, said: Said, work: Work, calibrated: bool) -> PyResult<Self> {
        let work = work.alone();
        let state = Mutex::new(SessionState { session: None, said });
        let session = PySession { plan: plan.clone(), work, calibrated, state };
        session.step(py, |_, _| ())?;
        Ok(session)
    }

    /// Takes a step, which may take a while. One that is interrupted, or that the model fails on, was not taken.
    ///
    /// The state is locked without the interpreter's lock only, because a model may have to take that.
    fn step<T: Send>(&self, py: Python<'_>, step: impl FnOnce(&mut Session, &mut Said) -> T + Send) -> PyResult<T> {
        let done = self.work.run(py, |_| {
            let mut state = self.state();
            let mut session = match state.session.take() {
                Some(session) => session,
                None => self.again(&state.said)?,
            };
            let mut said = state.said.clone();
            let result = step(&mut session, &mut said);
            if !is_stopped() && !self.plan.has_failed() {
                *state = SessionState { session: Some(session), said };
            }
            Ok(result)
        });
        self.plan.check()?;
        done?
    }

    /// Looks at the session.
    fn with<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&Session) -> T + Send) -> PyResult<T> {
        let mut look = Some(look);
        let mut seen = |session: &Session| look.take().map(|look| look(session));
        let done = py.detach(|| self.state().session.as_ref().and_then(&mut seen));
        self.plan.check()?;
        match done {
            Some(done) => Ok(done),
            None => Ok(self.step(py, |session, _| seen(session))?.expect("nobody has looked yet")),
        }
    }

    /// The session as it stands after what was said.
    fn again(&self, said: &Said) -> PyResult<Session> {
        let plan = &self.plan.plan;
        let known = |id: usize| plan.schema().ids().nth(id);
        let answer = |id: QuestionId, code: u64| plan.schema().question(id).from_code(f64::from_bits(code));
        let unfit = || value_error("this session belongs to another plan");
        let mut public = Answers::new();
        for &(id, code) in &said.public {
            let id = known(id).ok_or_else(unfit)?;
            public.insert(id, answer(id, code).map_err(value_error)?);
        }
        let step = |&(id, code): &(usize, Option<u64>)| -> PyResult<PastStep> {
            let id = known(id).ok_or_else(unfit)?;
            let answer: Option<Answer> = code.map(|code| answer(id, code)).transpose().map_err(value_error)?;
            Ok((id, answer))
        };
        let steps = said.steps.iter().map(step).collect::<PyResult<Vec<PastStep>>>()?;
        let late = said.late.iter().map(|&(after, id)| known(id).map(|id| (after, id)).ok_or_else(unfit));
        let late = late.collect::<PyResult<Vec<(usize, QuestionId)>>>()?;
        if self.calibrated {
            // A deadline would make the promise depend on how busy this machine is.
            return Session::resume_calibrated(plan, public, &steps, Some(until_stopped())).map_err(value_error);
        }
        Session::resume_after(plan, public, &steps, &late, Some(self.work.limit())).map_err(value_error)
    }

    fn state(&self) -> MutexGuard<'_, SessionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
