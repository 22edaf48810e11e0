//! Versioned JSON files: a format, a version, and content.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::input::{LONGEST_PLAN, read_whole};
use crate::{Error, Result};

/// A file format and its one supported version.
pub(crate) struct FileFormat {
    /// What messages call it.
    pub what: &'static str,
    pub format: &'static str,
    pub version: u64,
    /// What to do about an older version, as a sentence.
    pub remedy: &'static str,
}

/// What every version of a file has.
#[derive(Deserialize)]
struct FileHeader {
    format: String,
    version: u64,
}

/// Reads a file of this format.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, form: &FileFormat) -> Result<T> {
    let text = read_whole(path, LONGEST_PLAN)?;
    let malformed = |problem: String| Error::Malformed { path: path.to_owned(), what: form.what, problem };
    let other = || Error::OtherFile { path: path.to_owned(), what: form.what };
    if !text.is_empty() && !text.trim_ascii_start().starts_with(b"{") {
        return Err(other());
    }
    let header: FileHeader = serde_json::from_slice(&text).map_err(|error| malformed(where_it_fails(&error)))?;
    if header.format != form.format || header.version == 0 {
        return Err(other());
    }
    let (what, found, known) = (form.what, header.version, form.version);
    if found > known {
        return Err(Error::Newer { path: path.to_owned(), what, found, known });
    }
    if found < known {
        return Err(Error::Older { path: path.to_owned(), what, found, known, remedy: form.remedy });
    }
    serde_json::from_slice(&text).map_err(|error| malformed(where_it_fails(&error)))
}

/// Where a JSON text becomes invalid, without any of its content.
pub(crate) fn where_it_fails(error: &serde_json::Error) -> String {
    let what = if error.is_eof() { "it ends too early" } else { "it cannot be understood" };
    format!("{what} at line {}, column {}", error.line(), error.column())
}
