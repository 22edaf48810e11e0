//! An audit as the report reads it: the chosen run, and the others for comparison.

use mindrel::Plan;
use mindrel::core_test::Test;
use mindrel::schema::Question;
use mindrel_audit::{AuditOutcome, Rule, RunOutcome};

use crate::{ReportFacts, words};

/// An audit, its plan, and the facts about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub outcome: &'a AuditOutcome,
    pub plan: &'a Plan,
    pub about: &'a ReportFacts,
}

impl<'a> Reading<'a> {
    /// The run that the report is about.
    pub fn chosen(&self) -> &'a RunOutcome {
        &self.outcome.runs[self.about.chosen]
    }

    /// The baseline in which everything is revealed, if it was run.
    pub fn all(&self) -> Option<&'a RunOutcome> {
        self.outcome.runs.iter().find(|run| run.rule == Rule::All)
    }

    /// The baseline of smallest core sets, if it was run.
    pub fn optimal(&self) -> Option<&'a RunOutcome> {
        self.outcome.runs.iter().find(|run| run.rule == Rule::Optimal)
    }

    /// Every run, and whether it is the chosen one.
    pub fn runs(&self) -> impl Iterator<Item = (bool, &'a RunOutcome)> + use<'a> {
        let chosen = self.about.chosen;
        self.outcome.runs.iter().enumerate().map(move |(place, run)| (place == chosen, run))
    }

    /// The runs that differ from the chosen one in δ only, by ascending δ and one for each; without calibrated rules.
    pub fn ladder(&self) -> Vec<&'a RunOutcome> {
        let chosen = self.chosen();
        let alike = |run: &&RunOutcome| {
            run.rule == chosen.rule && run.name == chosen.name && run.calibrated.is_none() && !run.rule.is_baseline()
        };
        let mut ladder: Vec<&RunOutcome> = self.outcome.runs.iter().filter(alike).collect();
        // If there are several tests at one δ, the chosen run's comes first.
        ladder.sort_by(|left, right| {
            let other = |run: &RunOutcome| !std::ptr::eq(run, chosen) && run.test != chosen.test;
            left.delta.total_cmp(&right.delta).then(other(left).cmp(&other(right)))
        });
        ladder.dedup_by(|later, first| later.delta == first.delta);
        ladder
    }

    /// The sensitive questions, in the order of the schema.
    pub fn questions(&self) -> impl Iterator<Item = &'a Question> + use<'a> {
        let plan = self.plan;
        plan.sensitive().iter().map(move |&id| plan.schema().question(id))
    }

    /// Whether the people audited are those the plan was fitted on.
    pub fn on_training_people(&self) -> bool {
        let training = self.plan.training();
        !self.about.held_out && training.is_some_and(|training| self.about.is_table(&training.table))
    }

    /// Whether they are those on whom its rules were calibrated.
    pub fn on_calibration_people(&self) -> bool {
        let calibration = self.plan.calibration().filter(|_| self.chosen().calibrated.is_some());
        calibration.is_some_and(|calibration| self.about.is_table(&calibration.table))
    }

    /// The name of a run, which distinguishes it from the others: `decisive, δ = 0.05`.
    pub fn name(&self, run: &RunOutcome) -> String {
        let mut name = run.rule.to_string();
        if run.rule.is_baseline() {
            return name;
        }
        name += &if run.calibrated.is_some() {
            ", calibrated".to_owned()
        } else {
            format!(", {}", words::delta(run.delta))
        };
        if run.test == Some(Test::Sampled) {
            name += ", no proof";
        }
        if let Some(plan) = &run.name {
            name += &format!(" ({plan})");
        }
        name
    }
}
