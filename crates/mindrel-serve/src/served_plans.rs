//! The plans that a service offers.

use std::sync::Arc;

use mindrel::Plan;
use mindrel::model::ProvedBy;

/// A plan and what clients may do with it.
#[derive(Debug)]
pub struct ServedPlan {
    /// Its name in addresses.
    pub name: String,
    /// The plan.
    pub plan: Plan,
    /// The largest δ a client may ask for.
    pub most_delta: f64,
}

/// Why plans cannot be served together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum PlanNameError {
    /// Two have the same name.
    #[error("two plans are called `{name}`; rename one of the files")]
    Duplicate { name: String },
    /// The name cannot be part of an address.
    #[error("`{name}` cannot be a plan's name in an address; use letters, digits, `-`, `_` and `.`")]
    Invalid { name: String },
}

/// Several plans, by name and by fingerprint.
#[derive(Debug, Default)]
pub struct ServedPlans {
    plans: Vec<Arc<ServedPlan>>,
}

impl ServedPlan {
    /// A plan under a name. Clients may ask for a δ up to the plan's own.
    #[must_use]
    pub fn new(name: impl Into<String>, plan: Plan) -> Self {
        ServedPlan { name: name.into(), most_delta: plan.rules().delta, plan }
    }

    /// Whether sessions follow the plan's calibration.
    #[must_use]
    pub fn is_calibrated(&self) -> bool {
        self.plan.calibration().is_some()
    }

    /// Whether a step takes microseconds, so that it need not be moved to another thread.
    pub(crate) fn is_quick(&self) -> bool {
        self.plan.model().proved_by() == ProvedBy::Sums
    }
}

impl ServedPlans {
    /// Plans with different names.
    ///
    /// # Errors
    /// When two have the same name, or a name cannot be part of an address.
    pub fn new(plans: Vec<ServedPlan>) -> Result<Self, PlanNameError> {
        let mut all = ServedPlans::default();
        for plan in plans {
            let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
            if plan.name.is_empty() || !plan.name.chars().all(allowed) {
                return Err(PlanNameError::Invalid { name: plan.name });
            }
            if all.find(&plan.name).is_some() {
                return Err(PlanNameError::Duplicate { name: plan.name });
            }
            all.plans.push(Arc::new(plan));
        }
        Ok(all)
    }

    /// All plans, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<ServedPlan>> {
        self.plans.iter()
    }

    /// The plan with a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<ServedPlan>> {
        self.plans.iter().find(|plan| plan.name == name)
    }

    /// The plan with a fingerprint.
    #[must_use]
    pub fn with_fingerprint(&self, fingerprint: &[u8; 32]) -> Option<&Arc<ServedPlan>> {
        self.plans.iter().find(|served| served.plan.fingerprint().bytes() == fingerprint)
    }
}
