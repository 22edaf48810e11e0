//! Classifiers: what turns an encoded person into a label.
//!
//! A binary model has one score, and its label is 1 when that score is at least zero. A model of three or more classes
//! has one score for each, and its label is the class of the largest one, the first of equals.

mod black_box;
mod classifier;
mod composition;
mod distinct;
mod error;
mod linear;
mod network;
mod threshold;
mod trees;

pub use black_box::{BlackBox, BlackBoxParts};
pub use classifier::{Classifier, ProvedBy};
pub(crate) use composition::functions;
pub use composition::{ComposedValue, Composition, CompositionError, CompositionParts, PartModel, QuadraticModel};
pub use error::ModelError;
use error::check_n_scores;
pub use linear::LinearModel;
pub use network::{Layer, Network};
pub use trees::{Arithmetic, Combine, Condition, Node, Tree, TreeEnsemble, TreeEnsembleParts, TreeError};
pub(crate) use trees::{NodeKind, Nodes};

use crate::Label;

/// A trained classifier [TF23, §2: f_θ and its soft prediction f̃_θ].
///
/// Three methods make a classifier. A [`Plan`](crate::Plan) takes those of [`Classifier`], whose decisions can be
/// proved, and any other as a [`BlackBox`].
pub trait Model: std::fmt::Debug + Send + Sync {
    /// How many columns an encoded person has.
    fn n_columns(&self) -> usize;

    /// One for a binary model, otherwise the number of classes.
    fn n_scores(&self) -> usize;

    /// Writes the scores of one encoded person; `scores` has [`n_scores`](Model::n_scores) places.
    fn scores(&self, columns: &[f64], scores: &mut [f64]);

    /// Writes the scores of several encoded people, person after person.
    fn scores_of_many(&self, people: &[f64], scores: &mut [f64]) {
        let rows = people.chunks_exact(self.n_columns()).zip(scores.chunks_exact_mut(self.n_scores()));
        rows.for_each(|(person, scores)| self.scores(person, scores));
    }

    /// The label of one encoded person.
    fn label(&self, columns: &[f64]) -> Label {
        let mut scores = vec![0.0; self.n_scores()];
        self.scores(columns, &mut scores);
        label_of_scores(&scores)
    }

    /// The labels of several encoded people, person after person.
    fn labels_of_many(&self, people: &[f64]) -> Vec<Label> {
        people.chunks_exact(self.n_columns()).map(|person| self.label(person)).collect()
    }
}

/// How many classes a number of scores tells apart.
#[must_use]
pub fn n_classes(n_scores: usize) -> usize {
    n_scores.max(2)
}

/// The label of some scores: one score ≥ 0 is label 1; of several, the largest, the first of equals.
#[must_use]
pub fn label_of_scores(scores: &[f64]) -> Label {
    if let [score] = scores {
        return if *score >= 0.0 { Label::POSITIVE } else { Label::NEGATIVE };
    }
    let mut best = 0;
    for (class, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = class;
        }
    }
    Label::new(best)
}
