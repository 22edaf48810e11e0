//! Plan files: versioned, self-contained JSON with a fingerprint.

use std::path::Path;
use std::sync::Arc;

use mindrel::belief::Belief;
use mindrel::model::{BlackBoxParts, Classifier, Model};
use mindrel::plan::PlanParts;
use mindrel::{Plan, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::{self, FileFormat};
use crate::output::{Readers, write_whole};
use crate::{Error, Result};

const FORMAT: &str = "mindrel-plan";
const VERSION: u64 = 4;
const FORM: FileFormat =
    FileFormat { what: "plan", format: FORMAT, version: VERSION, remedy: "Fit the plan again with `mindrel fit`." };

#[derive(Serialize, Deserialize)]
struct PlanFile {
    format: String,
    version: u64,
    fingerprint: String,
    plan: PlanParts,
    /// See [`write_with_notes`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notes: Option<Value>,
}

/// Writes a plan, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, plan: &Plan) -> Result<()> {
    write_with_notes(path, plan, None)
}

/// The same with notes: what a program that made the plan needs to use it as before, such as the types that its classes
/// have in Python. They are no part of the plan, nor of its fingerprint.
///
/// # Errors
/// When the file cannot be written.
pub fn write_with_notes(path: &Path, plan: &Plan, notes: Option<Value>) -> Result<()> {
    let file = PlanFile {
        format: FORMAT.to_owned(),
        version: VERSION,
        fingerprint: plan.fingerprint().to_string(),
        plan: plan.to_parts(),
        notes,
    };
    let mut text = serde_json::to_vec(&file).expect("a plan is plain data with finite numbers");
    text.push(b'\n');
    write_whole(path, &text, Readers::Anyone)
}

/// Finds what runs a black box over a schema, or `None`.
pub type Runtimes<'a> = dyn Fn(&BlackBoxParts, &Schema) -> Option<Arc<dyn Model>> + 'a;

/// The notes that are kept with a plan, if there are any.
///
/// # Errors
/// When the file is missing, truncated or damaged, or has another version.
pub fn notes(path: &Path) -> Result<Option<Value>> {
    #[derive(Deserialize)]
    struct Noted {
        notes: Option<Value>,
    }
    json::read::<Noted>(path, &FORM).map(|file| file.notes)
}

/// Reads a plan that is not a black box's; for those see [`read_with_runtimes`].
///
/// # Errors
/// When the file is missing, truncated or damaged, has another version, or its parts do not fit together.
pub fn read(path: &Path) -> Result<Plan> {
    read_with_runtimes(path, &|_, _| None)
}

/// Reads a plan; if its classifier is a black box, `runtimes` finds what runs it.
///
/// # Errors
/// As [`read`]; also when nothing runs the black box.
pub fn read_with_runtimes(path: &Path, runtimes: &Runtimes<'_>) -> Result<Plan> {
    let mut file: PlanFile = json::read(path, &FORM).map_err(|error| unknown_belief(path, &FORM).unwrap_or(error))?;
    let plan_error = |cause| Error::Plan { path: path.to_owned(), cause };
    if let Classifier::BlackBox(black_box) = &mut file.plan.model
        && let Some(runtime) = runtimes(black_box.parts(), &file.plan.schema)
    {
        *black_box = black_box.clone().with_runtime(runtime).map_err(|cause| plan_error(cause.into()))?;
    }
    let plan = Plan::try_from(file.plan).map_err(plan_error)?;
    if plan.fingerprint().to_string() != file.fingerprint {
        return Err(Error::Fingerprint { path: path.to_owned() });
    }
    Ok(plan)
}

/// The error for a plan that cannot be read, if the kind of its belief is why.
fn unknown_belief(path: &Path, form: &FileFormat) -> Option<Error> {
    let file: Value = json::read(path, form).ok()?;
    let kind = file.pointer("/plan/belief/kind")?.as_str()?;
    let is_known = Belief::KINDS.contains(&kind);
    (!is_known).then(|| Error::UnknownBelief { path: path.to_owned(), kind: kind.to_owned() })
}

#[cfg(test)]
mod tests {
    use mindrel::Rules;
    use mindrel::belief::GaussianBelief;
    use mindrel::core_test::Test;
    use mindrel::model::{BlackBox, LinearModel};
    use mindrel::schema::{Question, Target};

    use super::*;

    fn runtime() -> Arc<dyn Model> {
        Arc::new(LinearModel::new(1, vec![1.0], vec![0.0]).unwrap())
    }

    fn black_box_plan() -> Plan {
        let target = Target::new("z", "", ["no", "yes"]);
        let schema = Schema::new(target, vec![Question::number("x", -1.0, 1.0)]).unwrap();
        let parts = BlackBoxParts { format: "abacus".into(), n_columns: 1, n_scores: 1, payload: "beads".into() };
        let model = BlackBox::new(parts, runtime()).unwrap();
        let belief = GaussianBelief::new(vec![0.0], vec![0.2]).unwrap();
        Plan::new(schema, model, belief, Rules { test: Test::Sampled, ..Rules::default() }).unwrap()
    }

    #[test]
    fn notes_are_read_again_and_change_no_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noted.plan");
        let plan = black_box_plan();
        let told = serde_json::json!({"classes": [0.0, "007"]});
        write_with_notes(&path, &plan, Some(told.clone())).unwrap();
        assert_eq!(notes(&path).unwrap(), Some(told));
        assert_eq!(read_with_runtimes(&path, &|_, _| Some(runtime())).unwrap().fingerprint(), plan.fingerprint());
        write(&path, &plan).unwrap();
        assert_eq!(notes(&path).unwrap(), None);
    }

    #[test]
    fn a_plan_of_a_black_box_is_read_with_what_runs_it_and_refused_without() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("box.plan");
        let plan = black_box_plan();
        write(&path, &plan).unwrap();
        let runs_abacus = |parts: &BlackBoxParts, _: &Schema| (parts.format == "abacus").then(runtime);
        let read_back = read_with_runtimes(&path, &runs_abacus).unwrap();
        assert_eq!(read_back.fingerprint(), plan.fingerprint());
        let refused = read(&path).unwrap_err().to_string();
        assert!(refused.contains("cannot run a black box of the format `abacus`"), "{refused}");
    }
}
