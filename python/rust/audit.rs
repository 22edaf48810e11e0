//! Auditing a table.

use mindrel::session::StartError;
use mindrel::{Plan, Rules, Selector};
use mindrel_audit::{Audit, AuditOutcome, Cohort, GroupColumn, Groups, Rule, Run};
use mindrel_report::{PeopleTaken, ReportFacts, ReportFindings};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::answer_columns::{AnswerColumns, CellError};
use crate::errors::value_error;
use crate::work::{Progress, Work};

/// How many people are encoded at a time.
const BLOCK: usize = 4096;

/// What is audited: every selector at every δ, or the calibrated rules, and the baselines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    deltas: Vec<f64>,
    selectors: Vec<Selector>,
    baselines: Vec<String>,
    calibrated: bool,
    giveaway: bool,
    smallest_group: u64,
    /// The columns by which people are grouped, with their levels.
    groups: Vec<(String, Vec<String>)>,
}

impl AuditSettings {
    /// Reads the settings from JSON.
    pub fn parse(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map_err(value_error)
    }

    /// The runs of the audit.
    pub fn runs(&self, plan: &Plan, work: &Work) -> PyResult<Vec<Run>> {
        let mut runs = Vec::new();
        if self.calibrated {
            runs.push(Run::calibrated(plan).ok_or_else(|| value_error(StartError::NotCalibrated))?);
        }
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
        let limited = |run: Run| match work.limit_under(plan) {
            Some(limit) => run.within(limit),
            None => run,
        };
        Ok(runs.into_iter().map(limited).collect())
    }

    /// The groups that are compared.
    pub fn groups(&self) -> Option<Groups> {
        let column =
            |(name, levels): &(String, Vec<String>)| GroupColumn { name: name.clone(), levels: levels.clone() };
        (!self.groups.is_empty()).then(|| Groups::new(self.groups.iter().map(column).collect()))
    }
}

/// Audits the people; `cells` are their groups, if they are grouped.
pub fn audit(
    plan: &Plan,
    runs: &[Run],
    settings: &AuditSettings,
    columns: &AnswerColumns<'_>,
    cells: Option<&[i64]>,
    progress: &Progress,
) -> Result<AuditOutcome, CellError> {
    let n_rows = columns.n_rows();
    progress.expect(n_rows * runs.len());
    let groups = settings.groups();
    let decided = |decisions| progress.advance(decisions);
    let audit = Audit::new(plan, runs).by(groups.as_ref()).with_giveaway(settings.giveaway);
    let audit = audit.with_smallest_group(settings.smallest_group).telling(&decided);
    let blocks = (0..n_rows.div_ceil(BLOCK)).map(|block| Ok(block * BLOCK..n_rows.min((block + 1) * BLOCK)));
    audit.run(blocks, |rows: std::ops::Range<usize>| {
        progress.go_on();
        let people = columns.people(rows.clone())?;
        Ok(match cells {
            Some(cells) => Cohort::new(people, cells[rows].iter().map(|&cell| cell as u32).collect()),
            None => Cohort::from(people),
        })
    })
}

/// The groups of all rows, checked against the number of groups there are.
pub fn cells_of<'a>(
    cells: Option<&'a PyReadonlyArray1<'_, i64>>,
    settings: &AuditSettings,
    n_rows: usize,
) -> PyResult<Option<&'a [i64]>> {
    let n_cells = settings.groups().map_or(0, |groups| groups.n_cells() as i64);
    let cells = cells.map(PyReadonlyArray1::as_slice).transpose().map_err(value_error)?;
    let fits = |cells: &&[i64]| cells.len() == n_rows && cells.iter().all(|cell| (0..n_cells).contains(cell));
    if cells.is_some() != (n_cells > 0) || cells.is_some_and(|cells| !fits(&cells)) {
        return Err(value_error("there is not one group for each row"));
    }
    Ok(cells)
}

/// What an audit found. It contains counts and shares only, never a person's answers.
#[pyclass(frozen, name = "Audit", module = "mindrel._mindrel")]
pub struct PyAudit {
    /// The plan that was audited.
    pub plan: Plan,
    /// What was found.
    pub outcome: AuditOutcome,
}

/// What a report says of the audit itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    when: String,
    command: String,
    plan: String,
    table: String,
    left_out: Vec<(u64, String)>,
    chosen: usize,
}

#[pymethods]
impl PyAudit {
    /// The figures, as JSON.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.outcome).map_err(value_error)
    }

    /// The report as one page of HTML, about the run with some index; `facts` is JSON.
    fn page(&self, facts: &str) -> PyResult<String> {
        Ok(mindrel_report::page(&self.outcome, &self.plan, &self.about(facts)?))
    }

    /// The charts of the report: the name of each, its title, and the drawing.
    fn figures(&self, facts: &str) -> PyResult<Vec<(String, String, String)>> {
        let figures = mindrel_report::figures(&self.outcome, &self.plan, &self.about(facts)?);
        Ok(figures.into_iter().map(|(name, figure)| (name, figure.title.clone(), figure.to_svg())).collect())
    }

    /// The headline of the report, and its warnings.
    fn findings(&self, facts: &str) -> PyResult<(String, Vec<String>)> {
        let ReportFindings { headline, warnings } =
            mindrel_report::findings(&self.outcome, &self.plan, &self.about(facts)?);
        Ok((headline, warnings))
    }
}

impl PyAudit {
    fn about(&self, facts: &str) -> PyResult<ReportFacts> {
        let Facts { when, command, plan, table, left_out, chosen } =
            serde_json::from_str(facts).map_err(value_error)?;
        let n_runs = self.outcome.runs.len();
        if chosen >= n_runs {
            return Err(value_error(format!("there is no run {chosen}; the audit has {n_runs}, counted from 0")));
        }
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let taken = PeopleTaken::Everyone;
        Ok(ReportFacts { version, command, when, plan, table, digest: None, held_out: false, taken, left_out, chosen })
    }
}
