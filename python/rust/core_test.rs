//! The certified test on its own: do some answers settle the decision, whatever the others are?

use mindrel::optimal::{Verdict, certify};
use mindrel::rules::{Budget, Deadline, TimeLimit};
use mindrel::schema::{AnswerError, Visibility};
use mindrel::session::Answers;
use mindrel::{Plan, Schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::python_answers::python_value;
use crate::work::Work;

/// What `Plan.core_test` returns: the outcome, the index of the settled class, and the answers of the two people.
pub type Tested<'py> = (&'static str, Option<usize>, Option<(Bound<'py, PyDict>, Bound<'py, PyDict>)>);

/// Someone whose answers are known in part.
pub struct KnownPerson {
    encoded: Vec<f64>,
    /// The places of the sensitive questions whose answers are known.
    revealed: Vec<usize>,
}

impl KnownPerson {
    /// Encodes the known answers, among which must be all public ones.
    pub fn new(plan: &Plan, known: &Answers) -> Result<Self, AnswerError> {
        let schema = plan.schema();
        let mut encoded = vec![0.0; schema.n_columns()];
        for id in schema.ids() {
            let question = schema.question(id);
            if let Some(answer) = known.get(id) {
                question.admit(answer)?;
                schema.encode(id, answer, &mut encoded)?;
            } else if question.visibility == Visibility::Public {
                return Err(AnswerError::PublicMissing { question: question.name.clone() });
            }
        }
        let sensitive = plan.sensitive().iter().enumerate();
        let revealed = sensitive.filter(|(_, id)| known.get(**id).is_some()).map(|(place, _)| place).collect();
        Ok(KnownPerson { encoded, revealed })
    }

    /// Tests whether the known answers are a core feature set.
    pub fn test(&self, plan: &Plan, budget: Budget) -> Verdict {
        certify(plan, &self.encoded, &self.revealed, budget)
    }
}

/// A budget of work, and of time if a limit is given.
pub fn budget(operations: u64, work: &Work) -> Budget {
    let TimeLimit { clock, each } = work.limit();
    Budget::of(operations).until(Deadline { clock, at: clock().saturating_add(each) })
}

/// A verdict as Python values.
pub fn told<'py>(py: Python<'py>, schema: &Schema, verdict: &Verdict) -> PyResult<Tested<'py>> {
    Ok(match verdict {
        Verdict::Core(label) => ("core", Some(label.index()), None),
        Verdict::Open(witness) => {
            ("open", None, Some((answers(py, schema, &witness.person)?, answers(py, schema, &witness.other)?)))
        }
        Verdict::OutOfBudget => ("out of budget", None, None),
    })
}

/// The answers of an encoded person, by name.
fn answers<'py>(py: Python<'py>, schema: &Schema, person: &[f64]) -> PyResult<Bound<'py, PyDict>> {
    let answers = PyDict::new(py);
    for id in schema.ids() {
        let question = schema.question(id);
        let stated = question.state(&question.decode(&person[schema.columns(id)]));
        answers.set_item(&question.name, python_value(py, stated)?)?;
    }
    Ok(answers)
}
