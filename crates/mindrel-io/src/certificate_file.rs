//! Certificates as JSON files.

use std::path::Path;

use mindrel::Certificate;
use mindrel::certificate::{FORMAT, VERSION};

use crate::Result;
use crate::json::{self, FileFormat};
use crate::output::{Readers, write_whole};

/// Writes a certificate, whole or not at all, readable by its owner alone: it holds answers.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, certificate: &Certificate) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(certificate).expect("a certificate is plain data with finite numbers");
    text.push(b'\n');
    write_whole(path, &text, Readers::Owner)
}

/// Reads a certificate; whether it holds is for [`mindrel::verify`] to say.
///
/// # Errors
/// When the file is missing or truncated, has another version, or is not a certificate.
pub fn read(path: &Path) -> Result<Certificate> {
    let remedy = "Check it with the mindrel that wrote it, or ask again under a plan fitted by this one.";
    json::read(path, &FileFormat { what: "certificate", format: FORMAT, version: u64::from(VERSION), remedy })
}
