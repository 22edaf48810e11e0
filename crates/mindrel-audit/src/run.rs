//! A run: a plan under a rule.

use mindrel::core_test::{Estimate, Test, TimeLimit};
use mindrel::model::ProvedBy;
use mindrel::plan::{Calibration, PlanError};
use mindrel::{Plan, Rules, Selector};

use crate::rule::Rule;

/// One setting of an audit.
#[derive(Debug, Clone)]
pub struct Run {
    pub(crate) plan: Plan,
    pub(crate) rule: Rule,
    /// How long each step may take, or each search for a smallest set.
    pub(crate) each_step: Option<TimeLimit>,
    /// Whether each person is asked by the calibrated rules of their group.
    pub(crate) calibrated: bool,
    /// The name of the plan, if several are compared.
    pub(crate) name: Option<String>,
}

impl Run {
    /// A plan under some rules.
    ///
    /// # Errors
    /// When the rules cannot be followed.
    pub fn asking(plan: &Plan, rules: Rules) -> Result<Self, PlanError> {
        Ok(Run::new(plan.with_rules(rules)?, Rule::Asking(rules.selector)))
    }

    /// A plan under its calibrated rules, each person with the δ of their group; `None` if the plan is not calibrated.
    ///
    /// Draws for each person start from the seed of the rules, as in a calibrated session.
    #[must_use]
    pub fn calibrated(plan: &Plan) -> Option<Self> {
        let rules = plan.calibration()?.rules;
        let plan = plan.with_rules(rules).expect("a plan can follow its calibrated rules");
        Some(Run { calibrated: true, ..Run::new(plan, Rule::Asking(rules.selector)) })
    }

    fn new(plan: Plan, rule: Rule) -> Self {
        Run { plan, rule, each_step: None, calibrated: false, name: None }
    }

    /// The same run with a name, to distinguish it from runs of other plans.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Run { name: Some(name.into()), ..self }
    }

    /// The plan under the rules of each group; one plan if it is not calibrated.
    pub(crate) fn group_plans(&self) -> Vec<Plan> {
        match self.calibration() {
            None => vec![self.plan.clone()],
            Some(calibration) => {
                let groups = 0..calibration.groups.len();
                let under = |group| self.plan.with_rules(calibration.rules_of(group));
                groups.map(|group| under(group).expect("a plan can follow its calibrated rules")).collect()
            }
        }
    }

    /// The index of an encoded person's group.
    pub(crate) fn group_of(&self, person: &[f64]) -> usize {
        let group = |calibration: &Calibration| calibration.place(self.plan.schema(), person);
        self.calibration().map_or(0, |it| group(it).expect("a table's levels are those of the schema"))
    }

    /// The calibration that the run follows, if any.
    pub(crate) fn calibration(&self) -> Option<&Calibration> {
        self.plan.calibration().filter(|_| self.calibrated)
    }

    /// The baseline in which everything is revealed.
    #[must_use]
    pub fn all(plan: &Plan) -> Self {
        Run::new(plan.clone(), Rule::All)
    }

    /// The baseline of smallest pure core sets; for a network, those proved within the plan's budget.
    #[must_use]
    pub fn optimal(plan: &Plan) -> Self {
        Run::new(plan.clone(), Rule::Optimal)
    }

    /// The same run with a time limit for each step, and each search for a smallest set; the questions then depend on
    /// how busy the machine is.
    #[must_use]
    pub fn within(self, limit: TimeLimit) -> Self {
        Run { each_step: Some(limit), ..self }
    }

    /// The name of the plan, if several are compared.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The failure probability: of calibrated groups the largest, and 0 for the baselines, which never differ from the
    /// model.
    #[must_use]
    pub fn delta(&self) -> f64 {
        if let Some(calibration) = self.calibration() {
            return calibration.groups.iter().fold(0.0, |largest, group| largest.max(group.delta));
        }
        match self.rule {
            Rule::Asking(_) => self.plan.rules().delta,
            Rule::All | Rule::Optimal => 0.0,
        }
    }

    /// The test of core sets. `None` at δ > 0, where a probability is enough, and if nothing is tested.
    #[must_use]
    pub fn test(&self) -> Option<Test> {
        match self.rule {
            Rule::Asking(_) => (self.delta() == 0.0).then_some(self.plan.rules().test),
            Rule::Optimal => Some(Test::Certified),
            Rule::All => None,
        }
    }

    /// Whether its decisions may differ from the full model's: at δ > 0, and with the sampled test.
    pub(crate) fn may_flip(&self) -> bool {
        matches!(self.rule, Rule::Asking(_)) && (self.delta() > 0.0 || self.test() == Some(Test::Sampled))
    }

    /// Whether everyone reveals everything.
    pub(crate) fn asks_everything(&self) -> bool {
        self.rule == Rule::All
    }

    /// How the distribution of the scores is computed. `None` for a linear model, and if it is not needed: at δ = 0
    /// without an f-score.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let by_score = matches!(self.rule, Rule::Asking(Selector::FScore | Selector::FScoreMc));
        let estimates = self.plan.model().proved_by() != ProvedBy::Sums && (by_score || self.delta() > 0.0);
        estimates.then_some(self.plan.rules().estimate)
    }
}
