//! Which sensitive questions to have at all: accuracy against what a classifier needs to know to prove its decisions.
//!
//! Several classifiers are trained on the same rows: logistic regressions of several strengths of regularisation, some
//! with questions left out, and a network. For each, everybody held out is decided about at δ = 0 by `decisive`.
//!
//! The held-out rows are two parts. On the first (*validation*) one model is chosen: of those whose accuracy is close
//! enough to the best, the one that asks least. A choice is optimistic about the rows it was made by, so what is
//! reported of it is measured on the second (*test*), which nothing was chosen by.

mod candidates;
mod choice;
mod measure;
mod page;
mod split;

pub use candidates::{Candidate, ModelKind, candidates};
pub use choice::{Choice, PairedDifference};
pub use measure::Measure;
pub use page::page;
pub use split::Split;

use mindrel::plan::Training;
use mindrel::schema::Visibility;
use mindrel::{People, Plan, Rules, Schema};
use mindrel_train::FitError;
use mindrel_train::mlp::MlpOptions;
use serde::{Deserialize, Serialize};

/// Which classifiers to try, and what is close enough.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierOptions {
    /// The strengths of regularisation of logistic regressions with all questions.
    pub strengths: Vec<f64>,
    /// Whether to leave out sensitive questions, one after the other.
    pub leave_out: bool,
    /// A network with all questions.
    pub network: Option<MlpOptions>,
    /// By how much the chosen model's accuracy may be below the best.
    pub within: f64,
    /// The work that a step with a network may take.
    pub budget: u64,
    /// Up to how many people of each held-out part are decided about, from all over.
    pub people: Option<usize>,
}

impl Default for FrontierOptions {
    fn default() -> Self {
        FrontierOptions {
            strengths: vec![1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.1],
            leave_out: true,
            network: Some(MlpOptions::default()),
            within: 0.005,
            budget: Rules::default().budget,
            people: None,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frontier {
    /// How many sensitive questions the schema has.
    pub questions: usize,
    /// How many rows were trained on.
    pub training: usize,
    /// The share of rows held out, half of them to choose by.
    pub holdout: f64,
    /// What the split was drawn from.
    pub seed: u64,
    /// The SHA-256 of the table.
    pub table: String,
    /// Every model, in the order they were tried.
    pub models: Vec<FrontierModel>,
    /// Which was chosen, and how.
    #[serde(flatten)]
    pub choice: Choice,
}

/// What was found of one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrontierModel {
    /// What it is called.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: ModelKind,
    /// The sensitive questions it does without.
    pub left_out: Vec<String>,
    /// How many it has.
    pub questions: usize,
    /// The fingerprint of its plan.
    pub plan: String,
    /// On the part to choose by.
    pub validation: Measure,
    /// On the part that nothing was chosen by.
    pub test: Measure,
    /// Whether on the part to choose by no other model is as right and asks less, or is more right and asks no more.
    pub on_frontier: bool,
}

/// Why there is no frontier.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum FrontierError {
    /// A model could not be trained.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// Nothing can be left out.
    #[error("no question is sensitive, so there is nothing to do without; make at least one sensitive")]
    NothingSensitive,
    /// Nobody to decide about.
    #[error("nobody is left to {what}; add rows, or hold more of them out")]
    Nobody { what: &'static str },
}

/// Where the work stands, in words: how many models of how many are measured, and which comes next.
pub type Telling<'a> = dyn Fn(usize, usize, &str) + Sync + 'a;

/// Trains, measures and chooses; returns the chosen plan too.
///
/// `training` says how the rows are split; its number of rows is filled in.
///
/// # Errors
/// When a model cannot be trained, or nobody is left to choose by or to report on.
pub fn frontier(
    schema: &Schema,
    people: &People,
    training: &Training,
    options: &FrontierOptions,
    telling: &Telling<'_>,
) -> Result<(Frontier, Plan), FrontierError> {
    let questions = schema.ids_with(Visibility::Sensitive).count();
    if questions == 0 {
        return Err(FrontierError::NothingSensitive);
    }
    let split = Split::new(people, training, options.people);
    for (part, what) in [(&split.validation, "choose by"), (&split.test, "report on")] {
        if part.is_empty() {
            return Err(FrontierError::Nobody { what });
        }
    }
    let candidates = candidates(schema, &split, options, telling)?;
    let mut measured = Vec::with_capacity(candidates.len());
    for (done, candidate) in candidates.iter().enumerate() {
        telling(candidates.len() + done, 2 * candidates.len(), &format!("deciding by {}", candidate.name));
        let measure = |part: &People| measure::measure(candidate, schema, part);
        measured.push((measure(&split.validation), measure(&split.test)));
    }
    let accuracies: Vec<(&Measure, &Measure)> = measured.iter().map(|(one, other)| (&one.0, &other.0)).collect();
    let right: Vec<&[bool]> = measured.iter().map(|(_, test)| test.1.as_slice()).collect();
    let choice = choice::choose(&accuracies, &right, &candidates, options.within);
    let on_frontier = choice::on_frontier(&accuracies);
    let plan = candidates[choice.chosen].plan.clone();
    let reports = candidates.into_iter().zip(measured).zip(on_frontier);
    let models = reports.map(|((candidate, (validation, test)), on_frontier)| FrontierModel {
        questions: candidate.plan.sensitive().len(),
        plan: candidate.plan.fingerprint().to_string(),
        name: candidate.name,
        kind: candidate.kind,
        left_out: candidate.left_out,
        validation: validation.0,
        test: test.0,
        on_frontier,
    });
    let report = Frontier {
        questions,
        training: split.training.rows,
        holdout: training.holdout,
        seed: training.seed,
        table: training.table.clone(),
        models: models.collect(),
        choice,
    };
    Ok((report, plan))
}
