//! The plan: schema + model + belief + rules, checked once and then only read.

mod calibration;
mod plan_error;
mod prepared;

pub use crate::rules::{Rules, RulesError};
pub use calibration::{
    Calibration, CalibrationError, Evidence, GroupThreshold, Promise, PromisedGroup, check_promise, levels_of,
};
pub use plan_error::PlanError;
pub(crate) use prepared::{EngineTables, GaussianTables, PlanTables};

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::belief::Belief;
use crate::math::mix::mix;
use crate::model::{Classifier, Model, ModelError, PartModel, ProvedBy, TreeEnsemble, n_classes};
use crate::region::check_implications;
use crate::rules::{Estimate, Selector, Test};
use crate::schema::{Domain, Question, QuestionId, Schema, Visibility};

/// Everything needed to decide about people: what can be asked, the model, what is believed of the open columns, and
/// the rules.
///
/// A plan refuses impossible combinations before anyone is asked anything, and never changes; a copy is cheap.
#[derive(Debug, Clone)]
pub struct Plan {
    parts: Arc<SharedParts>,
    rules: Rules,
}

#[derive(Debug)]
struct SharedParts {
    schema: Schema,
    model: Classifier,
    belief: Belief,
    defaults: Rules,
    logistic_weights: Option<Vec<f64>>,
    training: Option<Training>,
    calibration: Option<Calibration>,
    fingerprint: Fingerprint,
    prepared: PlanTables,
}

/// What is written of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanParts {
    /// What can be asked.
    pub schema: Schema,
    /// The classifier.
    pub model: Classifier,
    /// What is believed of the open columns.
    pub belief: Belief,
    /// The rules where nothing else is said.
    pub rules: Rules,
    /// For each question, the size ‖θ_q‖₂ of its weights in a logistic regression on the same rows [TF23, App. D]; what
    /// `importance-logistic` goes by where the model has no such weights itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub logistic_weights: Option<Vec<f64>>,
    /// Where model and belief come from, if they were trained here.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub training: Option<Training>,
    /// How loosely it may stop, if that was calibrated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub calibration: Option<Calibration>,
}

/// What a plan was trained on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// How many rows the model was trained on.
    pub rows: usize,
    /// The share of the table's rows that was held out.
    pub holdout: f64,
    /// What the split was drawn from.
    pub seed: u64,
    /// The SHA-256 of the table, so that the held-out rows are looked for in no other.
    pub table: String,
    /// With what privacy the belief's moments were released, if with any. It covers them alone: not the model, nor
    /// bounds and levels inferred from the same rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub private_moments: Option<ReleasedPrivacy>,
}

/// An (ε, δ)-differential privacy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReleasedPrivacy {
    /// ε.
    pub epsilon: f64,
    /// δ.
    pub delta: f64,
}

impl Training {
    /// Whether a row, known by its line in the table, was held out.
    ///
    /// ```text
    /// held out  ⇔  hash(seed, line) < holdout · 2⁶⁴
    /// ```
    ///
    /// Every row decides for itself, so that a table can be split while it streams by.
    #[must_use]
    pub fn is_held_out(&self, line: u64) -> bool {
        let mixed = mix(self.seed.wrapping_add(mix(line)));
        (mixed as f64) < self.holdout * 2f64.powi(64)
    }
}

/// Tells plans apart: the SHA-256 of everything in the plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

impl Plan {
    /// A plan, once its parts are seen to fit together.
    ///
    /// # Errors
    /// When they do not.
    pub fn new(
        schema: Schema,
        model: impl Into<Classifier>,
        belief: impl Into<Belief>,
        rules: Rules,
    ) -> Result<Self, PlanError> {
        let (model, belief) = (model.into(), belief.into());
        PlanParts { schema, model, belief, rules, logistic_weights: None, training: None, calibration: None }.try_into()
    }

    /// The same plan under other rules.
    ///
    /// # Errors
    /// When the rules cannot be followed.
    pub fn with_rules(&self, rules: Rules) -> Result<Self, PlanError> {
        check_rules(&self.parts.model, self.parts.logistic_weights.as_deref(), &rules)?;
        Ok(Plan { parts: Arc::clone(&self.parts), rules })
    }

    /// The same plan with something else that runs its black box; a plan with another model is returned as it is.
    ///
    /// # Errors
    /// When the runtime has a different number of columns or scores.
    pub fn with_runtime(&self, runtime: Arc<dyn Model>) -> Result<Self, ModelError> {
        let Classifier::BlackBox(black_box) = self.model() else { return Ok(self.clone()) };
        let model = black_box.clone().with_runtime(runtime)?.into();
        let plan = Plan::try_from(PlanParts { model, ..self.to_parts() }).expect("only what runs the model changed");
        Ok(Plan { rules: self.rules, ..plan })
    }

    /// The same plan with a calibration; a new plan, by its fingerprint.
    ///
    /// # Errors
    /// When the calibration does not fit the plan.
    pub fn with_calibration(&self, calibration: Calibration) -> Result<Self, PlanError> {
        let plan = Plan::try_from(PlanParts { calibration: Some(calibration), ..self.to_parts() })?;
        Ok(Plan { rules: self.rules, ..plan })
    }

    /// The same plan where these questions are sensitive and all others are public; a new plan, without the
    /// calibration, which was one of other questions.
    ///
    /// # Errors
    /// When the belief is one for other sensitive questions.
    pub fn with_sensitive(&self, sensitive: &[QuestionId]) -> Result<Self, PlanError> {
        let parts = self.to_parts();
        let visibility = |id| if sensitive.contains(&id) { Visibility::Sensitive } else { Visibility::Public };
        let questions = parts.schema.ids().zip(parts.schema.questions());
        let questions = questions.map(|(id, question)| Question { visibility: visibility(id), ..question.clone() });
        let schema = Schema::new(parts.schema.target().clone(), questions.collect());
        let schema = schema.expect("only visibilities changed");
        let plan = Plan::try_from(PlanParts { schema, calibration: None, ..parts })?;
        Ok(Plan { rules: self.rules, ..plan })
    }

    /// The same plan without rules between questions; a new plan, by its fingerprint.
    #[must_use]
    pub fn without_implications(&self) -> Self {
        let parts = self.to_parts();
        let schema = parts.schema.with_implications(Vec::new()).expect("no rule is wrong");
        let plan = Plan::try_from(PlanParts { schema, ..parts }).expect("only the rules between questions changed");
        Plan { rules: self.rules, ..plan }
    }

    /// What can be asked.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.parts.schema
    }

    /// The classifier.
    #[must_use]
    pub fn model(&self) -> &Classifier {
        &self.parts.model
    }

    /// What is believed of the columns before anything is known.
    #[must_use]
    pub fn belief(&self) -> &Belief {
        &self.parts.belief
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Tells this plan from every other; the rules in force do not enter, only those it was made with.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.parts.fingerprint
    }

    /// The sensitive questions, in order.
    #[must_use]
    pub fn sensitive(&self) -> &[QuestionId] {
        &self.prepared().questions.sensitive
    }

    /// The rules between questions that an encoded person breaks, by their places in
    /// [`Schema::implications`]. Such a person is outside: no guarantee holds.
    pub fn broken_implications<'a>(&'a self, person: &'a [f64]) -> impl Iterator<Item = usize> + 'a {
        let rules = self.prepared().questions.implications.rules.iter();
        rules.filter(|rule| rule.is_broken_at(person)).map(|rule| rule.number)
    }

    /// Whether a value of an encoded person, public or sensitive, lies outside its domain, or the person breaks a rule
    /// between questions. A session would refuse it, and no guarantee holds.
    #[must_use]
    pub fn is_outside(&self, person: &[f64]) -> bool {
        let schema = self.schema();
        schema.ids().any(|id| !schema.question(id).domain().contains(&person[schema.columns(id)]))
            || self.broken_implications(person).next().is_some()
    }

    /// The sensitive questions that so many rules join that proofs about a linear model use only what follows from single
    /// rules.
    #[must_use]
    pub fn relaxed(&self) -> Vec<QuestionId> {
        match &self.prepared().engine {
            EngineTables::LinearGaussian(tables, _) | EngineTables::Linear(tables) => {
                tables.joined.relaxed.iter().map(|&place| self.sensitive()[place]).collect()
            }
            EngineTables::Searched(_) => Vec::new(),
        }
    }

    /// Where model and belief come from, if they were trained here.
    #[must_use]
    pub fn training(&self) -> Option<&Training> {
        self.parts.training.as_ref()
    }

    /// How loosely it may stop, if that was calibrated.
    #[must_use]
    pub fn calibration(&self) -> Option<&Calibration> {
        self.parts.calibration.as_ref()
    }

    /// The calibrated rules for an encoded person, of whom only public columns are read; `None` if the plan is not
    /// calibrated.
    ///
    /// Somebody of no group the calibration knows is asked until there is a proof.
    #[must_use]
    pub fn calibrated_rules(&self, person: &[f64]) -> Option<Rules> {
        let calibration = self.calibration()?;
        Some(calibration.place(self.schema(), person).map_or(calibration.rules, |group| calibration.rules_of(group)))
    }

    /// What is written of this plan.
    #[must_use]
    pub fn to_parts(&self) -> PlanParts {
        let SharedParts { schema, model, belief, defaults, logistic_weights, training, calibration, .. } = &*self.parts;
        PlanParts {
            schema: schema.clone(),
            model: model.clone(),
            belief: belief.clone(),
            rules: *defaults,
            logistic_weights: logistic_weights.clone(),
            training: training.clone(),
            calibration: calibration.clone(),
        }
    }

    pub(crate) fn prepared(&self) -> &PlanTables {
        &self.parts.prepared
    }
}

impl TryFrom<PlanParts> for Plan {
    type Error = PlanError;

    fn try_from(parts: PlanParts) -> Result<Self, PlanError> {
        parts.rules.check()?;
        let fingerprint = Fingerprint::of(&parts);
        let PlanParts { schema, model, belief, rules, logistic_weights, training, calibration } = parts;
        if let Some(format) = model.missing_runtime() {
            return Err(PlanError::NoRuntime { format: format.to_owned() });
        }
        let columns = (schema.n_columns(), model.n_columns(), belief.n_columns());
        if columns.0 != columns.1 || columns.0 != columns.2 {
            return Err(PlanError::Columns { schema: columns.0, model: columns.1, belief: columns.2 });
        }
        let classes = (schema.target().classes.len(), n_classes(model.n_scores()));
        if classes.0 != classes.1 {
            return Err(PlanError::Classes { schema: classes.0, model: classes.1 });
        }
        if let Some(weights) = &logistic_weights {
            let sound = weights.len() == schema.questions().len() && weights.iter().all(|weight| weight.is_finite());
            if !sound {
                return Err(PlanError::LogisticWeights { questions: schema.questions().len() });
            }
        }
        if !asks_for_missing_where_it_may_be(&model, &schema) {
            return Err(PlanError::NeverMissing);
        }
        if !belief.has_margins_of(&schema) {
            return Err(PlanError::Margins);
        }
        check_rules(&model, logistic_weights.as_deref(), &rules)?;
        if let Some(calibration) = &calibration {
            calibration.check(&schema, &model)?;
            for group in 0..calibration.groups.len() {
                check_rules(&model, logistic_weights.as_deref(), &calibration.rules_of(group))?;
            }
        }
        check_implications(&schema)?;
        let prepared =
            PlanTables::new(&schema, &model, &belief, logistic_weights.as_deref()).ok_or(PlanError::Regressors)?;
        let defaults = rules;
        Ok(Plan {
            parts: Arc::new(SharedParts {
                schema,
                model,
                belief,
                defaults,
                logistic_weights,
                training,
                calibration,
                fingerprint,
                prepared,
            }),
            rules,
        })
    }
}

/// Whether trees ask whether a number is missing only where that is an answer.
fn asks_for_missing_where_it_may_be(model: &Classifier, schema: &Schema) -> bool {
    let ensembles: Vec<&TreeEnsemble> = match model {
        Classifier::Trees(trees) => vec![trees],
        Classifier::Composition(composition) => {
            let parts = composition.models().iter();
            parts.filter_map(|part| if let PartModel::Trees(trees) = part { Some(trees) } else { None }).collect()
        }
        _ => return true,
    };
    let may_be_missing = |id| matches!(schema.question(id).domain(), Domain::OrMissing { .. });
    let first_columns: HashSet<usize> =
        schema.ids().filter(|&id| may_be_missing(id)).map(|id| schema.columns(id).start).collect();
    ensembles.iter().flat_map(|trees| trees.asked_whether_missing()).all(|column| first_columns.contains(&column))
}

/// Whether a model can follow the rules: `importance-logistic` needs the weights of a logistic regression, which only
/// some plans have, a linear model is not sampled where it is proved in a sum, nothing is certified about a black
/// box, and only what has gradients is expanded.
fn check_rules(model: &Classifier, logistic_weights: Option<&[f64]>, rules: &Rules) -> Result<(), PlanError> {
    rules.check()?;
    let proved_by = model.proved_by();
    if rules.selector == Selector::ImportanceLogistic && proved_by != ProvedBy::Sums && logistic_weights.is_none() {
        return Err(PlanError::NoLogisticWeights);
    }
    if rules.test == Test::Sampled && proved_by == ProvedBy::Sums {
        return Err(PlanError::SampledLinear);
    }
    if rules.test == Test::Certified && rules.delta == 0.0 && proved_by == ProvedBy::Nothing {
        return Err(PlanError::NothingCertified);
    }
    if rules.selector == Selector::Importance && proved_by == ProvedBy::Nothing {
        return Err(PlanError::NoImportance);
    }
    if rules.estimate == Estimate::Taylor && !model.has_gradients() {
        return Err(PlanError::NoGradients { family: model.describe() });
    }
    Ok(())
}

impl Fingerprint {
    /// The SHA-256 of what is written of a plan, as canonical JSON [RFC 8785]: the same for every writer of the file.
    #[must_use]
    pub fn of(parts: &PlanParts) -> Self {
        let written = serde_json_canonicalizer::to_vec(parts).expect("a plan is plain data with finite numbers");
        Fingerprint(Sha256::digest(written).into())
    }

    /// The digest itself.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
