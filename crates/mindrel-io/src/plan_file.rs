//! Plan files: versioned, self-contained JSON with a fingerprint.

use std::path::Path;

use mindrel::Plan;
use mindrel::plan::PlanParts;
use serde::{Deserialize, Serialize};

use crate::output::write_whole;
use crate::{Error, Result};

const FORMAT: &str = "mindrel-plan";
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
struct PlanFile {
    format: String,
    version: u64,
    fingerprint: String,
    plan: PlanParts,
}

/// What every version of a plan file has.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

/// Writes a plan, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, plan: &Plan) -> Result<()> {
    let file = PlanFile {
        format: FORMAT.to_owned(),
        version: VERSION,
        fingerprint: plan.fingerprint().to_string(),
        plan: plan.to_parts(),
    };
    let mut text = serde_json::to_vec(&file).expect("a plan is plain data with finite numbers");
    text.push(b'\n');
    write_whole(path, &text)
}

/// Reads a plan.
///
/// # Errors
/// When the file is missing, cut off, damaged, newer than this version, or its parts do not fit together.
pub fn read(path: &Path) -> Result<Plan> {
    let text = std::fs::read(path).map_err(|cause| Error::Read { path: path.to_owned(), cause })?;
    parse(path, &text)
}

fn parse(path: &Path, text: &[u8]) -> Result<Plan> {
    let malformed = |problem: String| Error::Malformed { path: path.to_owned(), what: "plan", problem };
    let header: Header = serde_json::from_slice(text).map_err(|error| malformed(where_it_fails(&error)))?;
    if header.format != FORMAT {
        return Err(malformed("another kind of file".to_owned()));
    }
    if header.version > VERSION {
        return Err(Error::Newer { path: path.to_owned(), what: "plan", found: header.version, known: VERSION });
    }
    let file: PlanFile = serde_json::from_slice(text).map_err(|error| malformed(where_it_fails(&error)))?;
    let plan = Plan::try_from(file.plan).map_err(|cause| Error::Plan { path: path.to_owned(), cause })?;
    if plan.fingerprint().to_string() != file.fingerprint {
        return Err(Error::Fingerprint { path: path.to_owned() });
    }
    Ok(plan)
}

/// The place where a JSON text stops making sense, without any of its content.
pub(crate) fn where_it_fails(error: &serde_json::Error) -> String {
    let what = if error.is_eof() { "it ends too early" } else { "it cannot be understood" };
    format!("{what} at line {}, column {}", error.line(), error.column())
}
