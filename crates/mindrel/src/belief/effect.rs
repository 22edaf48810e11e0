//! What revealing one question would do to the distribution of the scores.

use std::ops::Range;

use crate::math::reveal::Symmetric;

/// How the scores answer to one open question, given a set of known ones.
///
/// ```text
/// E[scores | x_q] = E[scores] + Σ_{j ∈ q} G_j (x_j − mean_j),     Cov[scores | x_q] = C_after
/// ```
///
/// Neither depends on the answers, only on which questions are known.
#[derive(Debug, Clone)]
pub(crate) struct QuestionEffect {
    n_scores: usize,
    /// Row `j`: the answer of every score to the surprise in the question's `j`-th column.
    gain: Vec<f64>,
    /// Covariance of the scores once the question is known, row after row.
    covariance_after: Vec<f64>,
}

impl QuestionEffect {
    /// From the joint covariance of the question's columns (first) and the scores (after them).
    pub(crate) fn new(mut joint: Symmetric, n_question_columns: usize, known_below: &[f64]) -> Self {
        let n_scores = joint.size() - n_question_columns;
        let columns: Vec<usize> = (0..n_question_columns).collect();
        let gains = joint.reveal_all(&columns, known_below);
        let scores: Vec<usize> = (n_question_columns..joint.size()).collect();
        QuestionEffect {
            n_scores,
            gain: gains.iter().flat_map(|gain| gain[n_question_columns..].to_vec()).collect(),
            covariance_after: joint.select(&scores).entries().to_vec(),
        }
    }

    /// The same from its parts: the variances up to which the columns count as known, the scores' covariance,
    /// row after row, that of two columns, and that of a score and a column.
    pub(crate) fn of(
        columns: Range<usize>,
        known_below: &[f64],
        scores: &[f64],
        covariance: impl Fn(usize, usize) -> f64,
        cross: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let (n_columns, n_scores) = (columns.len(), scores.len().isqrt());
        let entry = |row: usize, column: usize| match (row.checked_sub(n_columns), column.checked_sub(n_columns)) {
            (None, None) => covariance(columns.start + row, columns.start + column),
            (Some(score), None) => cross(score, columns.start + column),
            (None, Some(score)) => cross(score, columns.start + row),
            (Some(left), Some(right)) => scores[left * n_scores + right],
        };
        let size = n_columns + n_scores;
        let entries = (0..size * size).map(|place| entry(place / size, place % size)).collect();
        QuestionEffect::new(Symmetric::new(size, entries), n_columns, known_below)
    }

    /// The answer of every score to the surprise in one of the question's columns.
    pub fn gain(&self, column: usize) -> &[f64] {
        &self.gain[column * self.n_scores..(column + 1) * self.n_scores]
    }

    /// Covariance of the scores once the question is known, row after row.
    pub fn covariance_after(&self) -> &[f64] {
        &self.covariance_after
    }
}
