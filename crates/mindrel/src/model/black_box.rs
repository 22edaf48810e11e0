//! Classifiers that can only be run.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::distinct::Distinct;
use super::{Model, ModelError, check_n_scores, label_of_scores};
use crate::Label;

/// A classifier of which only scores are known. Nothing about it can be proved.
///
/// It is written as a description of what to run; who reads it must know how, and attach a runtime
/// ([`with_runtime`](BlackBox::with_runtime)). Two are equal when their descriptions are.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "BlackBoxParts", into = "BlackBoxParts")]
pub struct BlackBox {
    parts: Arc<BlackBoxParts>,
    runtime: Option<Arc<dyn Model>>,
}

/// What is written of a black box.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlackBoxParts {
    /// What kind of thing is to be run, such as `onnx` or `callable`.
    pub format: String,
    /// How many columns an encoded person has.
    pub n_columns: usize,
    /// One for a binary model, otherwise the number of classes.
    pub n_scores: usize,
    /// What is to be run, as a text of the writer's choosing. It enters the fingerprint of a plan.
    pub payload: String,
}

impl BlackBox {
    /// A black box and what runs it.
    ///
    /// # Errors
    /// When no classifier has this number of scores, or the runtime has a different number of columns or scores.
    pub fn new(parts: BlackBoxParts, runtime: Arc<dyn Model>) -> Result<Self, ModelError> {
        BlackBox::try_from(parts)?.with_runtime(runtime)
    }

    /// The same with something that runs it.
    ///
    /// # Errors
    /// When the runtime has a different number of columns or scores.
    pub fn with_runtime(self, runtime: Arc<dyn Model>) -> Result<Self, ModelError> {
        let expected = (self.parts.n_columns, self.parts.n_scores);
        let found = (runtime.n_columns(), runtime.n_scores());
        if expected != found {
            return Err(ModelError::Runtime { expected, found });
        }
        Ok(BlackBox { runtime: Some(runtime), ..self })
    }

    /// What is written of it.
    #[must_use]
    pub fn parts(&self) -> &BlackBoxParts {
        &self.parts
    }

    /// Whether it can be run.
    #[must_use]
    pub fn has_runtime(&self) -> bool {
        self.runtime.is_some()
    }

    fn runtime(&self) -> &dyn Model {
        self.runtime.as_deref().expect("a plan refuses a black box that nothing runs")
    }
}

impl Model for BlackBox {
    fn n_columns(&self) -> usize {
        self.parts.n_columns
    }

    fn n_scores(&self) -> usize {
        self.parts.n_scores
    }

    fn scores(&self, columns: &[f64], scores: &mut [f64]) {
        self.runtime().scores(columns, scores);
    }

    /// Whoever is there several times is run once.
    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        let Some(distinct) = Distinct::of(people, self.n_columns()) else {
            return self.runtime().scores_of_many(people, scores);
        };
        let n_scores = self.n_scores();
        let mut found = vec![0.0; distinct.people.len() / self.n_columns() * n_scores];
        self.runtime().scores_of_many(&distinct.people, &mut found);
        for (scores, place) in scores.chunks_exact_mut(n_scores).zip(distinct.places) {
            scores.copy_from_slice(&found[place * n_scores..(place + 1) * n_scores]);
        }
    }

    fn label(&self, columns: &[f64]) -> Label {
        self.runtime().label(columns)
    }

    /// It is run once for all of them.
    fn labels_of_many(&self, people: &[f64]) -> Vec<Label> {
        let mut scores = vec![0.0; people.len() / self.n_columns() * self.n_scores()];
        self.scores_of_many(people, &mut scores);
        scores.chunks_exact(self.n_scores()).map(label_of_scores).collect()
    }
}

impl PartialEq for BlackBox {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

/// Leaves out the payload, which may be a whole file.
impl fmt::Debug for BlackBoxParts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("BlackBoxParts");
        shown.field("format", &self.format).field("n_columns", &self.n_columns).field("n_scores", &self.n_scores);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Debug for BlackBox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("BlackBox").field(&self.parts).finish()
    }
}

impl TryFrom<BlackBoxParts> for BlackBox {
    type Error = ModelError;

    fn try_from(parts: BlackBoxParts) -> Result<Self, ModelError> {
        check_n_scores(parts.n_scores)?;
        if parts.n_columns == 0 {
            return Err(ModelError::NoColumns);
        }
        Ok(BlackBox { parts: Arc::new(parts), runtime: None })
    }
}

impl From<BlackBox> for BlackBoxParts {
    fn from(black_box: BlackBox) -> Self {
        Arc::unwrap_or_clone(black_box.parts)
    }
}
