//! The classifiers among which one is chosen.

use mindrel::model::LinearModel;
use mindrel::plan::PlanParts;
use mindrel::schema::{QuestionId, Visibility};
use mindrel::{People, Plan, Rules, Schema};
use mindrel_train::logistic::LogisticOptions;
use mindrel_train::{Believer, FitError, Learner, fit_plan};
use serde::{Deserialize, Serialize};

use super::{FrontierError, FrontierOptions, Split, Telling};

/// One of them, trained.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: ModelKind,
    /// The sensitive questions it does without.
    pub left_out: Vec<String>,
    /// Its plan, which asks by `decisive` at δ = 0.
    pub plan: Plan,
}

/// What kind of classifier it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ModelKind {
    /// A logistic regression.
    Logistic {
        /// The strength of its penalty.
        regularization: f64,
    },
    /// A network.
    Network {
        /// The widths of its hidden layers.
        hidden: Vec<usize>,
    },
}

/// Trains all of them, on the same rows.
///
/// Questions are left out of a logistic regression of the usual strength one by one: first the one with the least
///
/// ```text
/// Σ_scores Var(Σ_{j ∈ q} w_j x_j)   over the rows trained on,
/// ```
///
/// and what is left is fitted again. That looks at training rows alone.
///
/// # Errors
/// When one cannot be trained.
pub fn candidates(
    schema: &Schema,
    split: &Split,
    options: &FrontierOptions,
    telling: &Telling<'_>,
) -> Result<Vec<Candidate>, FrontierError> {
    let usual = LogisticOptions::default().regularization;
    let mut strengths = options.strengths.clone();
    if strengths.is_empty() || (options.leave_out && !strengths.contains(&usual)) {
        strengths.push(usual);
    }
    let sensitive: Vec<QuestionId> = schema.ids_with(Visibility::Sensitive).collect();
    let n_public = schema.questions().len() - sensitive.len();
    // A classifier needs something to go by.
    let most_left_out = if options.leave_out { sensitive.len() - usize::from(n_public == 0) } else { 0 };
    let total = strengths.len() + most_left_out + usize::from(options.network.is_some());
    let trainer = Trainer { schema, split, budget: options.budget };
    let mut found: Vec<Candidate> = Vec::with_capacity(total);
    for &strength in &strengths {
        telling(found.len(), 2 * total, &format!("training with regularization {strength}"));
        found.push(trainer.logistic(strength, &[])?);
    }
    let mut left_out = Vec::new();
    let mut last = found.iter().find(|one| one.kind == ModelKind::Logistic { regularization: usual }).cloned();
    for _ in 0..most_left_out {
        let before = last.expect("the usual strength is among them");
        let least = least_moving(schema, &split.kept, &before.plan, &left_out);
        left_out.push(least);
        telling(found.len(), 2 * total, &format!("training without {}", schema.question(least).name));
        let next = trainer.logistic(usual, &left_out)?;
        found.push(next.clone());
        last = Some(next);
    }
    if let Some(network) = &options.network {
        telling(found.len(), 2 * total, "training a network");
        let learner = Learner::Network(network.clone());
        let kind = ModelKind::Network { hidden: network.hidden.clone() };
        let widths: Vec<String> = network.hidden.iter().map(usize::to_string).collect();
        found.push(trainer.train(format!("network {}", widths.join(",")), kind, &learner, &[])?);
    }
    Ok(found)
}

struct Trainer<'a> {
    schema: &'a Schema,
    split: &'a Split,
    budget: u64,
}

impl Trainer<'_> {
    fn logistic(&self, regularization: f64, left_out: &[QuestionId]) -> Result<Candidate, FitError> {
        let learner = Learner::Logistic(LogisticOptions { regularization, ..LogisticOptions::default() });
        let name = match left_out {
            [] => format!("logistic, regularization {regularization}"),
            [.., last] => format!("logistic, {} left out (+ {})", left_out.len(), self.schema.question(*last).name),
        };
        self.train(name, ModelKind::Logistic { regularization }, &learner, left_out)
    }

    fn train(
        &self,
        name: String,
        kind: ModelKind,
        learner: &Learner,
        left_out: &[QuestionId],
    ) -> Result<Candidate, FitError> {
        let schema = without_questions(self.schema, left_out);
        let people = without_columns(self.schema, &self.split.kept, left_out);
        let training = Some(self.split.training.clone());
        let plan = fit_plan(&schema, &people, learner, &Believer::Gaussian, training, &mut |_| ())?;
        // Plans hold the usual rules, as those of `fit` do; only the budget here may be another.
        let plan = plan.with_rules(Rules { budget: self.budget, ..*plan.rules() })?;
        let left_out = left_out.iter().map(|id| self.schema.question(*id).name.clone()).collect();
        Ok(Candidate { name, kind, left_out, plan })
    }
}

/// The schema without some questions.
fn without_questions(schema: &Schema, left_out: &[QuestionId]) -> Schema {
    let kept = schema.ids().filter(|id| !left_out.contains(id)).map(|id| schema.question(id).clone());
    Schema::new(schema.target().clone(), kept.collect()).expect("some questions of a sound schema are one")
}

/// People without the columns of some questions.
pub(super) fn without_columns(schema: &Schema, people: &People, left_out: &[QuestionId]) -> People {
    if left_out.is_empty() {
        return people.clone();
    }
    let columns: Vec<usize> =
        schema.ids().filter(|id| !left_out.contains(id)).flat_map(|id| schema.columns(id)).collect();
    let mut kept = People::new(columns.len());
    for person in people.iter() {
        let row = kept.push(person.line);
        row.iter_mut().zip(&columns).for_each(|(value, &column)| *value = person.columns[column]);
        kept.set_label(person.label);
    }
    kept
}

/// The remaining sensitive question that moves the scores of a plan's linear model least, by its id in the full schema.
fn least_moving(schema: &Schema, people: &People, plan: &Plan, left_out: &[QuestionId]) -> QuestionId {
    let PlanParts { schema: own, model, .. } = plan.to_parts();
    let model = model.linear().expect("questions are left out of logistic regressions").clone();
    let moves = |id: &QuestionId| {
        let name = &schema.question(*id).name;
        let place = own.find(name).expect("it is still there");
        spread(&model, own.columns(place).start, people, schema.columns(*id))
    };
    let open = schema.ids_with(Visibility::Sensitive).filter(|id| !left_out.contains(id));
    let rated: Vec<(QuestionId, f64)> = open.map(|id| (id, moves(&id))).collect();
    let least = rated.iter().min_by(|left, right| left.1.total_cmp(&right.1));
    least.expect("some question is left").0
}

/// The variance of what some columns of the people contribute to the scores, whose weights start at a place.
fn spread(model: &LinearModel, start: usize, people: &People, columns: std::ops::Range<usize>) -> f64 {
    use mindrel::model::Model;
    let of_score = |score: usize| {
        let weights = &model.weights(score)[start..start + columns.len()];
        let contribution = |person: &[f64]| -> f64 {
            person[columns.clone()].iter().zip(weights).map(|(value, weight)| value * weight).sum()
        };
        let values: Vec<f64> = people.iter().map(|person| contribution(person.columns)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64
    };
    (0..model.n_scores()).map(of_score).sum()
}
