//! What revealing one question would do to the distribution of the scores.

use crate::math::reveal::Symmetric;

/// How the scores answer to one open question, given a set of known ones.
///
/// ```text
/// E[scores | x_q] = E[scores] + Σ_{j ∈ q} G_j (x_j − mean_j),     Cov[scores | x_q] = C_after
/// ```
///
/// Neither depends on anybody's values, only on which questions are known.
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

    /// The answer of every score to the surprise in one of the question's columns.
    pub fn gain(&self, column: usize) -> &[f64] {
        &self.gain[column * self.n_scores..(column + 1) * self.n_scores]
    }

    /// Covariance of the scores once the question is known, row after row.
    pub fn covariance_after(&self) -> &[f64] {
        &self.covariance_after
    }
}
