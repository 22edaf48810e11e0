//! Plan files: versioned, self-contained JSON with a fingerprint.

use std::path::Path;

use mindrel::Plan;
use mindrel::plan::PlanParts;
use serde::{Deserialize, Serialize};

use crate::json::{self, Form};
use crate::output::{Readers, write_whole};
use crate::{Error, Result};

const FORMAT: &str = "mindrel-plan";
const VERSION: u64 = 3;

#[derive(Serialize, Deserialize)]
struct PlanFile {
    format: String,
    version: u64,
    fingerprint: String,
    plan: PlanParts,
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
    write_whole(path, &text, Readers::Anyone)
}

/// Reads a plan.
///
/// # Errors
/// When the file is missing, cut off, damaged, of another version than this one, or its parts do not fit together.
pub fn read(path: &Path) -> Result<Plan> {
    let remedy = "Fit the plan again with `mindrel fit`.";
    let file: PlanFile = json::read(path, &Form { what: "plan", format: FORMAT, version: VERSION, remedy })?;
    let plan = Plan::try_from(file.plan).map_err(|cause| Error::Plan { path: path.to_owned(), cause })?;
    if plan.fingerprint().to_string() != file.fingerprint {
        return Err(Error::Fingerprint { path: path.to_owned() });
    }
    Ok(plan)
}
