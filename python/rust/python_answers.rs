//! Answers given as Python values.

use mindrel::Schema;
use mindrel::schema::{NOT_KNOWN, StatedAnswer};
use mindrel::session::Answers;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::value_error;

/// Answers by name.
pub fn answers(schema: &Schema, given: &Bound<'_, PyDict>) -> PyResult<Answers> {
    let mut answers = Answers::new();
    for (name, value) in given {
        let name: String = name.extract().map_err(|_| PyTypeError::new_err("questions are named by texts"))?;
        let id = schema.require(&name).map_err(value_error)?;
        let answer = schema.question(id).accept(&stated(&name, &value)?).map_err(value_error)?;
        answers.insert(id, answer);
    }
    Ok(answers)
}

/// An answer as a Python value.
pub fn python_value(py: Python<'_>, stated: StatedAnswer) -> PyResult<Bound<'_, PyAny>> {
    match stated {
        StatedAnswer::Number(value) => value.into_bound_py_any(py),
        StatedAnswer::Boolean(value) => value.into_bound_py_any(py),
        StatedAnswer::Text(text) => text.into_bound_py_any(py),
    }
}

/// An answer given as a Python value; `None` and NaN are an answer that is not known. The error names the question and
/// the type, never the value.
pub fn stated(name: &str, value: &Bound<'_, PyAny>) -> PyResult<StatedAnswer> {
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(StatedAnswer::Boolean(value.is_true()));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(StatedAnswer::Text(text));
    }
    if value.is_none() || value.extract::<f64>().is_ok_and(f64::is_nan) {
        return Ok(StatedAnswer::Text(NOT_KNOWN.to_owned()));
    }
    value.extract::<f64>().map(StatedAnswer::Number).map_err(|_| {
        let kind = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "the answer to `{name}` is of type {kind}; give a number, a text or True/False, or decline()"
        ))
    })
}
