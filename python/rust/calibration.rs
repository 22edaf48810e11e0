//! Calibrating a plan on a table.

use mindrel::plan::{check_promise, levels_of};
use mindrel::{Plan, Rules};
use mindrel_audit::{CalibrationOptions, THRESHOLDS, calibrate as calibrate_plan};
use pyo3::PyResult;
use serde::Deserialize;

use crate::answer_columns::AnswerColumns;
use crate::errors::value_error;
use crate::work::{Progress, until_stopped};

/// What is promised, and to whom.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationSettings {
    flips: f64,
    confidence: f64,
    by: Option<String>,
    rules: Rules,
    table: String,
}

impl CalibrationSettings {
    /// Reads the settings from JSON and checks them against the plan.
    pub fn parse(text: &str, plan: &Plan) -> PyResult<Self> {
        let settings: CalibrationSettings = serde_json::from_str(text).map_err(value_error)?;
        check_promise(settings.flips, settings.confidence).map_err(value_error)?;
        if let Some(name) = &settings.by {
            levels_of(plan.schema(), name).map_err(value_error)?;
        }
        plan.with_rules(settings.rules).map_err(value_error)?;
        Ok(settings)
    }
}

/// The plan, calibrated on the people.
pub fn calibrate(
    plan: &Plan,
    settings: CalibrationSettings,
    columns: &AnswerColumns<'_>,
    progress: &Progress,
) -> PyResult<Plan> {
    let people = columns.people(0..columns.n_rows())?;
    if people.is_empty() {
        return Err(value_error("there is no one to calibrate on; give rows that the plan was not fitted on"));
    }
    progress.expect(people.len() * THRESHOLDS.len());
    let CalibrationSettings { flips, confidence, by, rules, table } = settings;
    let options = CalibrationOptions { flips, confidence, by, rules, table, stopped_by: Some(until_stopped()) };
    let calibration = calibrate_plan(plan, &people, &options, &|decisions| progress.advance(decisions));
    plan.with_calibration(calibration.map_err(value_error)?).map_err(value_error)
}
