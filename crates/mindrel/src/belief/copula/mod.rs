//! The latent Gaussian belief: a copula with the margins of the data.

mod guide;
mod margin;

pub(crate) use guide::QuantileGuide;
pub use margin::{Marginal, SCORE_LIMIT};
pub(crate) use margin::{number_at, place_value};

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{BeliefError, GaussianBelief};
use crate::checked::read_by_new;
use crate::schema::Schema;

/// Draws of which a posterior is made.
pub(crate) const POINTS: usize = 512;

/// How far from those of standard normal numbers means and variances of the latent numbers may be.
const TOLERANCE: f64 = 1e-9;

/// One latent normal number for each question, and what each answer is as a function of it.
///
/// ```text
/// Z ~ N(0, R),   x_q = Q_q(Z_q);   given x_K:   Z_U | Z_K = z_K,   z_q the normal score of the answer to q
/// ```
///
/// Numbers go through the quantiles of their own distribution, and of a category the levels lie side by side on one
/// line: skewed numbers, heaps and rare levels are then as the data have them, and only the dependence between
/// questions is normal. An answer that many give is conditioned on as one point, the normal score of the middle of its
/// ranks, not as the interval it stands for. Goes beyond [TF23, §4.1]; docs/decisions/0009-copula.md has the figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CopulaParts")]
pub struct CopulaBelief {
    margins: Vec<Marginal>,
    correlation: GaussianBelief,
    /// The columns of each question.
    #[serde(skip_serializing)]
    columns: Vec<Range<usize>>,
}

impl CopulaBelief {
    /// A belief from the margins of all questions, in order, and the latent distribution: means zero, variances one.
    ///
    /// # Errors
    /// When a marginal is invalid, there is not one for each latent number, or these are not standard normal.
    pub fn new(margins: Vec<Marginal>, correlation: GaussianBelief) -> Result<Self, BeliefError> {
        if margins.len() != correlation.n_columns() {
            return Err(BeliefError::Margins { latent: correlation.n_columns(), found: margins.len() });
        }
        for (question, margin) in margins.iter().enumerate() {
            margin.check(question)?;
        }
        let is_standard = |place: usize| {
            let variance = correlation.covariance().at(place, place);
            correlation.mean()[place].abs() <= TOLERANCE && (variance - 1.0).abs() <= TOLERANCE
        };
        if !(0..margins.len()).all(is_standard) {
            return Err(BeliefError::NotStandard);
        }
        let mut next = 0;
        let columns = margins.iter().map(|margin| {
            let start = next;
            next += margin.n_columns();
            start..next
        });
        Ok(CopulaBelief { columns: columns.collect(), margins, correlation })
    }

    /// How many columns.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.columns.last().map_or(0, |columns| columns.end)
    }

    /// The margin of each question.
    #[must_use]
    pub fn margins(&self) -> &[Marginal] {
        &self.margins
    }

    /// The latent numbers, one for each question.
    #[must_use]
    pub fn correlation(&self) -> &GaussianBelief {
        &self.correlation
    }

    /// The columns of each question.
    pub(crate) fn columns(&self) -> &[Range<usize>] {
        &self.columns
    }

    /// The question that a column belongs to.
    pub(crate) fn question_of(&self, column: usize) -> usize {
        self.columns.partition_point(|columns| columns.end <= column)
    }

    /// The normal score of an encoded person's answer to a question.
    pub(crate) fn score(&self, question: usize, person: &[f64]) -> f64 {
        self.margins[question].score(&person[self.columns[question].clone()])
    }

    /// Mean and standard deviation of a column before anything is known.
    pub(super) fn marginal(&self, column: usize) -> (f64, f64) {
        let question = self.question_of(column);
        self.margins[question].moments(column - self.columns[question].start)
    }

    /// Whether the margins are those of the questions of a schema.
    pub(crate) fn fits(&self, schema: &Schema) -> bool {
        let questions = schema.questions();
        questions.len() == self.margins.len()
            && questions.iter().zip(&self.margins).all(|(question, margin)| margin.fits(question.domain()))
    }
}

read_by_new!(CopulaBelief from CopulaParts { margins: Vec<Marginal>, correlation: GaussianBelief } or BeliefError);
