//! Certificates as JSON files.

use std::path::Path;

use mindrel::Certificate;
use mindrel::certificate::{FORMAT, VERSION};
use serde::Deserialize;

use crate::output::write_whole;
use crate::plan_file::where_it_fails;
use crate::{Error, Result};

#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

/// Writes a certificate, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, certificate: &Certificate) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(certificate).expect("a certificate is plain data with finite numbers");
    text.push(b'\n');
    write_whole(path, &text)
}

/// Reads a certificate; whether it holds is for [`mindrel::verify`] to say.
///
/// # Errors
/// When the file is missing, cut off, newer than this version or no certificate.
pub fn read(path: &Path) -> Result<Certificate> {
    let text = std::fs::read(path).map_err(|cause| Error::Read { path: path.to_owned(), cause })?;
    let malformed = |problem: String| Error::Malformed { path: path.to_owned(), what: "certificate", problem };
    let header: Header = serde_json::from_slice(&text).map_err(|error| malformed(where_it_fails(&error)))?;
    if header.format != FORMAT {
        return Err(malformed("another kind of file".to_owned()));
    }
    if header.version > u64::from(VERSION) {
        let (found, known) = (header.version, u64::from(VERSION));
        return Err(Error::Newer { path: path.to_owned(), what: "certificate", found, known });
    }
    serde_json::from_slice(&text).map_err(|error| malformed(where_it_fails(&error)))
}
