//! Plans: fitting, reading, writing, and using them on whole tables.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use mindrel::model::{BlackBoxParts, Classifier, Model};
use mindrel::plan::PlanParts;
use mindrel::{Certificate, Plan, Rules, Schema, verify};
use mindrel_io::{certificate_file, plan_file};
use mindrel_train::{EncodedRows, TrainingProgress, fit_belief};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answer_columns::{AnswerColumns, LentColumn};
use crate::audit::{AuditSettings, PyAudit, audit, cells_of};
use crate::belief::believer;
use crate::calibration::{CalibrationSettings, calibrate};
use crate::callable::{Callable, FORMAT};
use crate::core_test::{self, KnownPerson, Tested};
use crate::decide::{self, Arrays, GUARANTEES, NO_GUARANTEE};
use crate::errors::{file_error, value_error};
use crate::pipeline::PyPipeline;
use crate::python_answers;
use crate::work::Work;

/// A plan: schema, classifier, belief and rules. It is immutable.
#[pyclass(frozen, name = "Plan", module = "mindrel._mindrel", skip_from_py_object)]
#[derive(Clone)]
pub struct PyPlan {
    /// The plan.
    pub plan: Plan,
    /// The Python function behind its model, if there is one.
    pub callable: Option<Arc<Callable>>,
}

#[pymethods]
impl PyPlan {
    /// A plan from a described model, with a belief fitted to the rows.
    #[staticmethod]
    fn fit(
        py: Python<'_>,
        schema: &str,
        pipeline: &PyPipeline,
        columns: Vec<LentColumn<'_>>,
        belief: &str,
        rules: &str,
        work: Work,
    ) -> PyResult<Self> {
        let schema = parse_schema(schema)?;
        let classifier = pipeline.lower(&schema)?;
        Ok(PyPlan { plan: fit(py, &schema, classifier, &columns, belief, rules, &work)?, callable: None })
    }

    /// A plan from a function that computes scores, with a belief fitted to the rows.
    #[staticmethod]
    #[pyo3(signature = (schema, function, payload, columns, belief, rules, work))]
    #[expect(clippy::too_many_arguments, reason = "called from one place, which names them")]
    fn fit_callable(
        py: Python<'_>,
        schema: &str,
        function: Py<PyAny>,
        payload: String,
        columns: Vec<LentColumn<'_>>,
        belief: &str,
        rules: &str,
        work: Work,
    ) -> PyResult<Self> {
        let schema = parse_schema(schema)?;
        let n_classes = schema.target().classes.len();
        let n_scores = if n_classes == 2 { 1 } else { n_classes };
        let callable = Arc::new(Callable::new(function, &schema, n_scores));
        let fitted = fit(py, &schema, callable.classifier(payload)?, &columns, belief, rules, &work);
        callable.check()?;
        Ok(PyPlan { plan: fitted?, callable: Some(callable) })
    }

    /// A plan from an ONNX graph that can only be run, with a belief fitted to the rows.
    #[staticmethod]
    fn fit_graph(
        py: Python<'_>,
        schema: &str,
        content: &[u8],
        columns: Vec<LentColumn<'_>>,
        belief: &str,
        rules: &str,
        work: Work,
    ) -> PyResult<Self> {
        let schema = parse_schema(schema)?;
        let classes = &schema.target().classes;
        let classifier = mindrel_import::black_box::black_box(content, Some(classes), &schema).map_err(value_error)?;
        Ok(PyPlan { plan: fit(py, &schema, classifier, &columns, belief, rules, &work)?, callable: None })
    }

    /// A plan from a file, possibly written by the command line. If the model is a Python function, `make` turns its
    /// payload into the function.
    #[staticmethod]
    #[pyo3(signature = (path, make=None))]
    fn read(path: PathBuf, make: Option<Py<PyAny>>) -> PyResult<Self> {
        let found = RefCell::new(None);
        let plan = plan_file::read_with_runtimes(&path, &|parts, schema| runtime(parts, schema, make.as_ref(), &found));
        let callable = found.into_inner().transpose()?;
        Ok(PyPlan { plan: plan.map_err(file_error)?, callable })
    }

    /// The notes that are kept beside the plan in a file, as JSON, if there are any.
    #[staticmethod]
    fn notes(path: PathBuf) -> PyResult<Option<String>> {
        Ok(plan_file::notes(&path).map_err(file_error)?.map(|notes| notes.to_string()))
    }

    /// A plan from the bytes of `to_bytes`; `make` is as in `read`.
    #[staticmethod]
    #[pyo3(signature = (bytes, make=None))]
    fn from_bytes(bytes: &[u8], make: Option<Py<PyAny>>) -> PyResult<Self> {
        let (mut parts, rules): (PlanParts, Rules) = serde_json::from_slice(bytes).map_err(value_error)?;
        let found = RefCell::new(None);
        if let Classifier::BlackBox(black_box) = &mut parts.model
            && let Some(runtime) = runtime(black_box.parts(), &parts.schema, make.as_ref(), &found)
        {
            *black_box = black_box.clone().with_runtime(runtime).map_err(value_error)?;
        }
        let callable = found.into_inner().transpose()?;
        let plan = Plan::try_from(parts).and_then(|plan| plan.with_rules(rules)).map_err(value_error)?;
        Ok(PyPlan { plan, callable })
    }

    /// The plan as bytes, including its current rules.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = serde_json::to_vec(&(self.plan.to_parts(), self.plan.rules())).map_err(value_error)?;
        Ok(PyBytes::new(py, &text))
    }

    /// Writes a file that the command line can read, completely or not at all. The current rules become those of the
    /// plan. `notes` are kept beside it, as JSON.
    fn write(&self, path: PathBuf, notes: &str) -> PyResult<()> {
        let parts = PlanParts { rules: *self.plan.rules(), ..self.plan.to_parts() };
        let plan = Plan::try_from(parts).map_err(value_error)?;
        let notes = serde_json::from_str(notes).map_err(value_error)?;
        plan_file::write_with_notes(&path, &plan, Some(notes)).map_err(file_error)
    }

    /// The same plan under other rules.
    fn with_rules(&self, rules: &str) -> PyResult<Self> {
        let rules: Rules = serde_json::from_str(rules).map_err(value_error)?;
        Ok(PyPlan { plan: self.plan.with_rules(rules).map_err(value_error)?, callable: self.callable.clone() })
    }

    /// The questions and the classes, as JSON.
    #[getter]
    fn schema(&self) -> PyResult<String> {
        serde_json::to_string(self.plan.schema()).map_err(value_error)
    }

    /// The current rules, as JSON.
    #[getter]
    fn rules(&self) -> PyResult<String> {
        serde_json::to_string(self.plan.rules()).map_err(value_error)
    }

    /// The fingerprint, which identifies the plan.
    #[getter]
    fn fingerprint(&self) -> String {
        self.plan.fingerprint().to_string()
    }

    /// A description of the classifier.
    #[getter]
    fn model(&self) -> String {
        self.plan.model().describe()
    }

    /// Whether its decisions can be proved.
    #[getter]
    fn certifiable(&self) -> bool {
        !matches!(self.plan.model(), Classifier::BlackBox(_))
    }

    /// A description of the belief.
    #[getter]
    fn belief(&self) -> String {
        self.plan.belief().describe()
    }

    /// The rules that plans have by default, as JSON: those of black boxes if nothing can be certified.
    #[staticmethod]
    #[pyo3(signature = (certifiable=true))]
    fn default_rules(certifiable: bool) -> PyResult<String> {
        let rules = if certifiable { Rules::default() } else { Rules::of_black_boxes() };
        serde_json::to_string(&rules).map_err(value_error)
    }

    /// The names of guarantees, in the order of the indices that `decide` returns.
    #[staticmethod]
    fn guarantees() -> Vec<&'static str> {
        GUARANTEES.iter().map(|guarantee| guarantee.name()).chain([NO_GUARANTEE]).collect()
    }

    /// What people are told instead of those names.
    #[staticmethod]
    fn guarantees_in_words() -> Vec<&'static str> {
        GUARANTEES.iter().map(|guarantee| guarantee.in_words()).chain([NO_GUARANTEE]).collect()
    }

    /// What is wrong with each row that is not a person: the rows in order, and what is wrong with them.
    fn unfit_rows(
        &self,
        py: Python<'_>,
        columns: Vec<LentColumn<'_>>,
        work: Work,
    ) -> PyResult<(Vec<usize>, Vec<String>)> {
        let columns = AnswerColumns::new(self.plan.schema().questions(), &columns, None)?;
        let unfit = work.run(py, |progress| columns.unfit_rows(progress))?;
        Ok(unfit.into_iter().map(|error| (error.row, error.cause.to_string())).unzip())
    }

    /// Decides about everyone: labels, guarantees, tests out of budget, who is outside, how many sensitive questions
    /// were implied, and when each was asked.
    fn decide<'py>(&self, py: Python<'py>, columns: Vec<LentColumn<'_>>, work: Work) -> PyResult<Arrays<'py>> {
        let columns = AnswerColumns::new(self.plan.schema().questions(), &columns, None)?;
        let limit = work.limit_under(&self.plan);
        let decisions = work.run(py, |progress| decide::decide(&self.plan, &columns, limit, progress));
        self.check()?;
        decisions??.into_arrays(py, self.plan.sensitive().len())
    }

    /// The scores of everyone with everything revealed.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<LentColumn<'_>>,
        work: Work,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns = AnswerColumns::new(self.plan.schema().questions(), &columns, None)?;
        let scores = work.run(py, |progress| decide::scores(self.plan.model(), &columns, progress));
        self.check()?;
        scores??.into_pyarray(py).reshape([columns.n_rows(), self.plan.model().n_scores()])
    }

    /// Tests whether the known answers (by name, all public ones among them) settle the decision, within some
    /// operations. Returns the outcome, the index of the settled class, and the answers of two people who agree in
    /// everything known and have different classes.
    fn core_test<'py>(
        &self,
        py: Python<'py>,
        known: &Bound<'py, PyDict>,
        operations: u64,
        work: Work,
    ) -> PyResult<Tested<'py>> {
        let known = python_answers::answers(self.plan.schema(), known)?;
        let person = KnownPerson::new(&self.plan, &known).map_err(value_error)?;
        let work = work.alone();
        let verdict = work.run(py, |_| person.test(&self.plan, core_test::budget(operations, &work)));
        self.check()?;
        core_test::told(py, self.plan.schema(), &verdict?)
    }

    /// Audits everyone. `rows` are the numbers of the rows in the table they come from, `cells` their groups.
    #[pyo3(signature = (columns, labels, rows, cells, settings, work))]
    #[expect(clippy::too_many_arguments, reason = "called from one place, which names them")]
    fn audit(
        &self,
        py: Python<'_>,
        columns: Vec<LentColumn<'_>>,
        labels: Option<PyReadonlyArray1<'_, i64>>,
        rows: Option<PyReadonlyArray1<'_, i64>>,
        cells: Option<PyReadonlyArray1<'_, i64>>,
        settings: &str,
        work: Work,
    ) -> PyResult<PyAudit> {
        let n_classes = self.plan.schema().target().classes.len() as i64;
        if labels.as_ref().is_some_and(|labels| labels.as_array().iter().any(|label| !(0..n_classes).contains(label))) {
            return Err(value_error(format!("a class is none of the {n_classes} of the model")));
        }
        let columns = AnswerColumns::new(self.plan.schema().questions(), &columns, labels.as_ref())?;
        let columns = columns.numbered(rows.as_ref())?;
        let settings = AuditSettings::parse(settings)?;
        let runs = settings.runs(&self.plan, &work)?;
        let cells = cells_of(cells.as_ref(), &settings, columns.n_rows())?;
        let found = work.run(py, |progress| audit(&self.plan, &runs, &settings, &columns, cells, progress));
        self.check()?;
        Ok(PyAudit { plan: self.plan.clone(), outcome: found?? })
    }

    /// The plan, calibrated on the people.
    fn calibrate(&self, py: Python<'_>, columns: Vec<LentColumn<'_>>, settings: &str, work: Work) -> PyResult<Self> {
        let columns = AnswerColumns::new(self.plan.schema().questions(), &columns, None)?;
        let settings = CalibrationSettings::parse(settings, &self.plan)?;
        let calibrated = work.run(py, |progress| calibrate(&self.plan, settings, &columns, progress));
        self.check()?;
        Ok(PyPlan { plan: calibrated??, callable: self.callable.clone() })
    }

    /// What the plan was calibrated for, as JSON, if it was.
    #[getter]
    fn calibration(&self) -> PyResult<Option<String>> {
        self.plan.calibration().map(|found| serde_json::to_string(found).map_err(value_error)).transpose()
    }

    /// Checks a certificate, given as JSON, and returns its label and guarantee.
    fn verify(&self, py: Python<'_>, certificate: &str, work: Work) -> PyResult<(usize, &'static str)> {
        let certificate: Certificate =
            serde_json::from_str(certificate).map_err(|_| value_error("this is no certificate of this version"))?;
        let verified = work.alone().run(py, |_| verify::verify(&self.plan, &certificate));
        self.check()?;
        let verified = verified?.map_err(value_error)?;
        Ok((verified.label.index(), verified.guarantee.name()))
    }

    /// A certificate file as JSON.
    #[staticmethod]
    fn read_certificate(path: PathBuf) -> PyResult<String> {
        let certificate = certificate_file::read(&path).map_err(file_error)?;
        serde_json::to_string(&certificate).map_err(value_error)
    }

    /// Writes a certificate to a file that only its owner can read.
    #[staticmethod]
    fn write_certificate(path: PathBuf, certificate: &str) -> PyResult<()> {
        let certificate: Certificate =
            serde_json::from_str(certificate).map_err(|_| value_error("this is no certificate of this version"))?;
        certificate_file::write(&path, &certificate).map_err(file_error)
    }
}

impl PyPlan {
    /// Raises the exception of the Python function behind the model, if it raised one.
    pub fn check(&self) -> PyResult<()> {
        self.callable.as_ref().map_or(Ok(()), |callable| callable.check())
    }

    /// Whether it has raised one that is not yet checked.
    pub fn has_failed(&self) -> bool {
        self.callable.as_ref().is_some_and(|callable| callable.has_failed())
    }
}

/// The function behind a plan that was read, or the exception raised while making it.
type CallableSlot = RefCell<Option<PyResult<Arc<Callable>>>>;

/// The runtime of a black box. A Python function is also stored in `found`.
fn runtime(
    parts: &BlackBoxParts,
    schema: &Schema,
    make: Option<&Py<PyAny>>,
    found: &CallableSlot,
) -> Option<Arc<dyn Model>> {
    if parts.format != FORMAT {
        return mindrel_import::black_box::runtime(parts, schema);
    }
    let make = make?;
    let function = Python::attach(|py| make.call1(py, (&parts.payload,)));
    let callable = function.map(|function| Arc::new(Callable::new(function, schema, parts.n_scores)));
    let runtime = callable.as_ref().ok().map(|callable| Arc::clone(callable) as Arc<dyn Model>);
    found.replace(Some(callable));
    runtime
}

/// Reads a schema from JSON.
pub fn parse_schema(text: &str) -> PyResult<Schema> {
    serde_json::from_str(text).map_err(|error| {
        let problem = error.to_string();
        value_error(problem.split(" at line").next().unwrap_or_default())
    })
}

/// Makes a plan of a classifier and a belief fitted to the rows.
fn fit(
    py: Python<'_>,
    schema: &Schema,
    classifier: Classifier,
    columns: &[LentColumn<'_>],
    belief: &str,
    rules: &str,
    work: &Work,
) -> PyResult<Plan> {
    let rules: Rules = serde_json::from_str(rules).map_err(value_error)?;
    let believer = believer(belief, rules.seed)?;
    let columns = AnswerColumns::new(schema.questions(), columns, None)?;
    if columns.n_rows() < 2 {
        return Err(value_error("a belief needs at least two rows to be fitted to"));
    }
    let fitted = work.run(py, |progress| {
        let people = columns.people(0..columns.n_rows())?;
        let rows = EncodedRows::new(people.columns().to_vec(), people.n_columns()).map_err(value_error)?;
        let mut tell = |trained: TrainingProgress| match trained {
            TrainingProgress::BeliefEpoch { epochs, n_epochs, .. } => {
                progress.expect(n_epochs);
                progress.reach(epochs);
            }
            _ => progress.go_on(),
        };
        let belief = fit_belief(schema, &rows, &classifier, &believer, &mut tell).map_err(value_error)?;
        progress.go_on();
        Plan::new(schema.clone(), classifier, belief, rules).map_err(value_error)
    });
    fitted?
}
