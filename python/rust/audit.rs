//! Auditing a table.

use mindrel::{Plan, Rules, Selector};
use mindrel_audit::{Audit, AuditOutcome, Rule, Run};
use pyo3::PyResult;
use serde::Deserialize;

use crate::answer_columns::{AnswerColumns, CellError};
use crate::errors::value_error;

/// How many people are encoded at a time.
const BLOCK: usize = 4096;

/// What is audited: every selector at every δ, and the baselines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    deltas: Vec<f64>,
    selectors: Vec<Selector>,
    baselines: Vec<String>,
}

impl AuditSettings {
    /// Reads the settings from JSON.
    pub fn parse(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map_err(value_error)
    }

    /// The runs of the audit.
    pub fn runs(&self, plan: &Plan) -> PyResult<Vec<Run>> {
        let mut runs = Vec::new();
        for &delta in &self.deltas {
            for &selector in &self.selectors {
                let rules = Rules { delta, selector, ..*plan.rules() };
                runs.push(Run::asking(plan, rules).map_err(value_error)?);
            }
        }
        for baseline in &self.baselines {
            runs.push(match Rule::named(baseline) {
                Some(Rule::All) => Run::all(plan),
                Some(Rule::Optimal) => Run::optimal(plan),
                _ => return Err(value_error(format!("there is no baseline `{baseline}`; choose from all, optimal"))),
            });
        }
        Ok(runs)
    }
}

/// Audits the people.
pub fn audit(plan: &Plan, runs: &[Run], columns: &AnswerColumns<'_>) -> Result<AuditOutcome, CellError> {
    let n_rows = columns.n_rows();
    let blocks = (0..n_rows.div_ceil(BLOCK)).map(|block| Ok(block * BLOCK..n_rows.min((block + 1) * BLOCK)));
    Audit::new(plan, runs).run(blocks, |rows| columns.people(rows))
}
