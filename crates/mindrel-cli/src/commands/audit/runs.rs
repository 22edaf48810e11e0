//! Which runs an audit makes, and which of them its report is about.

use std::path::Path;

use anyhow::{anyhow, bail};
use mindrel::core_test::{Test, TimeLimit};
use mindrel::model::ProvedBy;
use mindrel::session::StartError;
use mindrel::{Plan, Rules, Selector};
use mindrel_audit::{Rule, Run};

use super::AuditArguments;
use crate::commands::clock::clock;

/// The failure probabilities where none are named.
const DELTAS: [f64; 4] = [0.0, 0.01, 0.05, 0.1];

/// Those of a report on a plan that takes long to decide.
const FEW_DELTAS: [f64; 2] = [0.0, 0.05];

impl AuditArguments {
    /// The runs of one plan, named by its file where there are others.
    pub(super) fn asking_runs(&self, plan: &Plan, path: &Path) -> anyhow::Result<Vec<Run>> {
        let runs = if self.calibrated {
            let run = Run::calibrated(plan);
            let run = run.ok_or_else(|| {
                anyhow!("{}: {}, with `mindrel calibrate`", path.display(), StartError::NotCalibrated)
            })?;
            std::iter::once(run).chain(self.around_calibrated(plan)?).collect()
        } else {
            self.runs(plan)?
        };
        Ok(runs.into_iter().map(|run| self.named(run, path)).collect())
    }

    fn runs(&self, plan: &Plan) -> anyhow::Result<Vec<Run>> {
        let own = self.rules.over(plan.rules());
        let tests = self.test.clone().unwrap_or_else(|| vec![own.test]);
        // What the model cannot serve is refused even where no delta is 0.
        for &test in &tests {
            plan.with_rules(Rules { test, ..own })?;
        }
        let mut runs = Vec::new();
        for delta in self.deltas(plan) {
            let tests = if delta == 0.0 { &tests[..] } else { &[own.test] };
            for selector in self.selectors(plan) {
                for &test in tests {
                    runs.push(self.asking(plan, Rules { delta, selector, test, ..own })?);
                }
            }
        }
        Ok(runs)
    }

    fn asking(&self, plan: &Plan, rules: Rules) -> anyhow::Result<Run> {
        let run = Run::asking(plan, rules)?;
        Ok(match self.rules.each_step() {
            Some(each) => run.within(TimeLimit { clock, each }),
            None => run,
        })
    }

    fn named(&self, run: Run, path: &Path) -> Run {
        if self.compare.is_empty() { run } else { run.named(path.display().to_string()) }
    }

    /// The failure probabilities that are named, or the usual ones with the plan's own among them.
    fn deltas(&self, plan: &Plan) -> Vec<f64> {
        self.delta.clone().unwrap_or_else(|| {
            let usual = if self.report.is_none() || is_quick(plan) { &DELTAS[..] } else { &FEW_DELTAS };
            let mut deltas = [usual, &[plan.rules().delta]].concat();
            deltas.sort_by(f64::total_cmp);
            deltas.dedup();
            deltas
        })
    }

    /// The selectors that are named, or the plan's own.
    fn selectors(&self, plan: &Plan) -> Vec<Selector> {
        self.selector.clone().unwrap_or_else(|| vec![plan.rules().selector])
    }

    /// What the report sets beside calibrated rules: the same without the calibration, at the usual failure
    /// probabilities.
    fn around_calibrated(&self, plan: &Plan) -> anyhow::Result<Vec<Run>> {
        let Some(calibration) = plan.calibration().filter(|_| self.report.is_some()) else {
            return Ok(Vec::new());
        };
        let deltas = self.deltas(plan).into_iter();
        deltas.map(|delta| Ok(Run::asking(plan, Rules { delta, ..calibration.rules })?)).collect()
    }

    /// The place of the run that a report is about, among those of the first plan.
    pub(super) fn chosen(&self, plan: &Plan, runs: &[Run]) -> usize {
        if self.calibrated {
            return 0;
        }
        let delta = self.delta.as_ref().and_then(|deltas| deltas.first()).copied().unwrap_or(plan.rules().delta);
        let selector = self.selectors(plan).first().copied();
        let test = self.test.as_ref().and_then(|tests| tests.first()).copied().unwrap_or(plan.rules().test);
        let is_chosen = |run: &Run| {
            let asks = matches!(run.rule(), Rule::Asking(by) if Some(by) == selector);
            asks && run.delta() == delta && run.test().is_none_or(|by: Test| by == test)
        };
        runs.iter().position(is_chosen).unwrap_or(0)
    }

    /// What a report sets beside the chosen run where no selectors are named: other rules that stop as it does.
    pub(super) fn rivals(&self, plan: &Plan, chosen: &Run) -> anyhow::Result<Vec<Run>> {
        if self.report.is_none() || self.selector.is_some() || self.calibrated {
            return Ok(Vec::new());
        }
        let own = self.rules.over(plan.rules());
        let rivals = [Selector::FScore, Selector::Importance].into_iter();
        let has_importance = plan.model().proved_by() != ProvedBy::Nothing;
        let rivals = rivals.filter(|&rival| match rival {
            Selector::FScore => is_quick(plan),
            _ => has_importance,
        });
        let rivals = rivals.filter(|&rival| rival != own.selector);
        rivals
            .map(|selector| {
                let test = chosen.test().unwrap_or(own.test);
                let run = self.asking(plan, Rules { delta: chosen.delta(), selector, test, ..own })?;
                Ok(self.named(run, &self.plan))
            })
            .collect()
    }

    pub(super) fn baseline_runs(&self, plan: &Plan) -> anyhow::Result<Vec<Run>> {
        let plan = plan.with_rules(self.rules.over(plan.rules()))?;
        let is_black_box = plan.model().proved_by() == ProvedBy::Nothing;
        let usual: &[Rule] = if is_black_box { &[Rule::All] } else { &Rule::BASELINES };
        let rules = self.baseline.as_ref().map_or_else(|| Ok(usual.to_vec()), |names| baselines(names))?;
        if is_black_box && rules.contains(&Rule::Optimal) {
            bail!(
                "nothing can be proved about a black box, so its optimum is unknown; leave out the baseline `optimal`"
            );
        }
        Ok(rules
            .into_iter()
            .map(|rule| if rule == Rule::All { Run::all(&plan) } else { Run::optimal(&plan) })
            .collect())
    }
}

/// Baselines by their names, of which `none` is no baseline.
fn baselines(names: &[String]) -> anyhow::Result<Vec<Rule>> {
    let named = |name: &String| {
        let rule = Rule::named(name).filter(|rule| rule.is_baseline());
        rule.ok_or_else(|| anyhow!("there is no baseline `{name}`; choose from all, optimal, none"))
    };
    names.iter().filter(|name| *name != "none").map(named).collect()
}

/// Whether many people can be decided about in little time, by the f-score too: a linear model and one Gaussian.
fn is_quick(plan: &Plan) -> bool {
    plan.model().proved_by() == ProvedBy::Sums && plan.belief().gaussian().is_some()
}
