//! Python exceptions. Their texts are those of the library: they name the place and the remedy, never an answer.

use std::fmt::Display;
use std::io::ErrorKind;

use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};

/// An invalid argument.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A missing, unreadable or invalid file.
pub fn file_error(error: mindrel_io::Error) -> PyErr {
    let text = error.to_string();
    match &error {
        mindrel_io::Error::Read { cause, .. } if cause.kind() == ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(text)
        }
        mindrel_io::Error::Read { .. } | mindrel_io::Error::Write { .. } => PyOSError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
