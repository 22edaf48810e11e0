//! The latent Gaussian belief: margins from the rows, and how their normal scores correlate.
//!
//! ```text
//! number      knots of the empirical quantile function; z = Φ⁻¹(middle of the ranks)
//! category    levels in the order of the mean score that the model gives to their rows, as wide as they are frequent
//! R           correlation of the normal scores, eigenvalues at least 10⁻³, diagonal one
//! ```

use mindrel::Schema;
use mindrel::belief::{CopulaBelief, GaussianBelief, Marginal, SCORE_LIMIT};
use mindrel::math::normal;
use mindrel::model::{Classifier, Model};
use mindrel::plan::PlanError;
use mindrel::schema::{Encoding, Kind, MissingNumber};
use nalgebra::{DMatrix, SymmetricEigen};

use crate::moments::raise_eigenvalues;
use crate::{EncodedRows, FitError, moments};

/// Values at most of which each is a step of its own.
const MOST_STEPS: usize = 100;

/// A value that this share of the rows has is a step of its own in any case.
const STEP_SHARE: f64 = 0.01;

/// How far the knots of all other values are apart at least, in normal scores.
const KNOT_DISTANCE: f64 = 0.08;

/// The smallest eigenvalue of a correlation, where their mean is one.
const SMALLEST_EIGENVALUE: f64 = 1e-3;

/// Fits the latent Gaussian belief to the rows of a training set.
///
/// Levels of a category are ordered by the mean score that `model` gives to their rows, so that the order says what the
/// category tells about the decision. With two classes that is the score; with more, the leading principal component of
/// the class scores. Levels without rows are placed at the mean of all rows.
///
/// # Errors
/// When schema, model and rows have different numbers of columns.
pub fn fit(set: &EncodedRows, schema: &Schema, model: &Classifier) -> Result<CopulaBelief, FitError> {
    let columns = (schema.n_columns(), model.n_columns(), set.n_columns());
    if columns.0 != columns.1 || columns.0 != columns.2 {
        return Err(PlanError::Columns { schema: columns.0, model: columns.1, belief: columns.2 }.into());
    }
    let keys = decision_scores(set, model);
    let margins: Vec<Marginal> = schema
        .ids()
        .map(|id| {
            let columns = schema.columns(id);
            let answers = (0..set.n_rows()).map(|row| &set.row(row)[columns.clone()]);
            match &schema.question(id).kind {
                Kind::Category { levels, encoding } => level_margin(*encoding, levels.len(), answers, &keys),
                Kind::Number { missing: Some(MissingNumber::Answer), .. }
                | Kind::Integer { missing: Some(MissingNumber::Answer), .. } => {
                    // Only a missing number has two columns that differ.
                    let numbers: Vec<f64> =
                        answers.filter(|answer| answer[0] == answer[1]).map(|answer| answer[0]).collect();
                    let n_missing = set.n_rows() - numbers.len();
                    let missing_below = Some(score_of_rank(n_missing as f64, set.n_rows() as f64));
                    let (scores, values) = knots(numbers, n_missing);
                    Marginal::Number { scores, values, missing_below }
                }
                Kind::Number { .. } | Kind::Integer { .. } | Kind::Boolean => {
                    let (scores, values) = knots(answers.map(|answer| answer[0]).collect(), 0);
                    Marginal::Number { scores, values, missing_below: None }
                }
            }
        })
        .collect();
    let correlation = correlation(set, schema, &margins)?;
    Ok(CopulaBelief::new(margins, correlation)?)
}

/// How the model decides about each row, as one centred number: the score, or the first principal component of several.
fn decision_scores(set: &EncodedRows, model: &Classifier) -> Vec<f64> {
    let (n_rows, n_scores) = (set.n_rows(), model.n_scores());
    let mut scores = vec![0.0; n_rows * n_scores];
    model.scores_of_many(set.rows(), &mut scores);
    let rows = DMatrix::from_row_slice(n_rows, n_scores, &scores);
    let centre = rows.row_mean();
    let centred = DMatrix::from_fn(n_rows, n_scores, |row, score| rows[(row, score)] - centre[score]);
    let eigen = SymmetricEigen::new(centred.transpose() * &centred);
    let mut direction = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    // Which way it points is arbitrary; the same rows shall give the same belief.
    if direction[direction.iamax()] < 0.0 {
        direction.neg_mut();
    }
    (centred * direction).as_slice().to_vec()
}

/// The quantile function of some values above `n_missing` others, as scores and values: a step for each value if there
/// are few or it is frequent, else knots in the middle of the ranks, joined by lines.
fn knots(mut sorted: Vec<f64>, n_missing: usize) -> (Vec<f64>, Vec<f64>) {
    if sorted.is_empty() {
        return (vec![SCORE_LIMIT], vec![0.0]);
    }
    sorted.sort_by(f64::total_cmp);
    let n_rows = (n_missing + sorted.len()) as f64;
    let runs: Vec<&[f64]> = sorted.chunk_by(|left, right| left == right).collect();
    let (mut scores, mut values) = (Vec::new(), Vec::new());
    let mut rank = n_missing;
    for (place, run) in runs.iter().enumerate() {
        let (below, up_to) = (rank as f64, (rank + run.len()) as f64);
        let middle = score_of_rank(f64::midpoint(below, up_to), n_rows);
        if runs.len() <= MOST_STEPS || run.len() as f64 >= STEP_SHARE * n_rows {
            scores.extend([score_of_rank(below, n_rows), score_of_rank(up_to, n_rows)]);
            values.extend([run[0]; 2]);
        } else if place + 1 == runs.len() || scores.last().is_none_or(|last| middle - last >= KNOT_DISTANCE) {
            scores.push(middle);
            values.push(run[0]);
        }
        rank += run.len();
    }
    (scores, values)
}

/// Levels side by side, in the order of the mean key of their rows.
fn level_margin<'a>(
    encoding: Encoding,
    n_levels: usize,
    answers: impl Iterator<Item = &'a [f64]>,
    keys: &[f64],
) -> Marginal {
    let (mut counts, mut sums) = (vec![0usize; n_levels], vec![0.0; n_levels]);
    for (answer, key) in answers.zip(keys) {
        let level = encoding.level_of(n_levels, answer);
        counts[level] += 1;
        sums[level] += key;
    }
    let mean = |level: usize| if counts[level] == 0 { 0.0 } else { sums[level] / counts[level] as f64 };
    let mut order: Vec<usize> = (0..n_levels).collect();
    order.sort_by(|left, right| mean(*left).total_cmp(&mean(*right)));
    let mut rank = 0;
    let thresholds = order[..n_levels - 1].iter().map(|&level| {
        rank += counts[level];
        score_of_rank(rank as f64, keys.len() as f64)
    });
    Marginal::Levels { encoding, thresholds: thresholds.collect(), order }
}

/// `Φ⁻¹(rank / n)`, half a rank from either end at least.
fn score_of_rank(rank: f64, n_rows: f64) -> f64 {
    normal::quantile(rank.clamp(0.5, n_rows - 0.5) / n_rows).clamp(-SCORE_LIMIT, SCORE_LIMIT)
}

/// The correlation of the rows' normal scores; of a question that all answer alike, none.
fn correlation(set: &EncodedRows, schema: &Schema, margins: &[Marginal]) -> Result<GaussianBelief, FitError> {
    let size = margins.len();
    let mut scores = Vec::with_capacity(set.n_rows() * size);
    for row in 0..set.n_rows() {
        let person = set.row(row);
        scores.extend(schema.ids().zip(margins).map(|(id, margin)| margin.score(&person[schema.columns(id)])));
    }
    let scores = EncodedRows::new(scores, size)?;
    let covariance = DMatrix::from_row_slice(size, size, &moments(&scores).covariance);
    let varies = |place: usize| covariance[(place, place)] > f64::EPSILON;
    let entry = |row: usize, column: usize| match (row == column, varies(row) && varies(column)) {
        (true, _) => 1.0,
        (false, true) => covariance[(row, column)] / (covariance[(row, row)] * covariance[(column, column)]).sqrt(),
        (false, false) => 0.0,
    };
    Ok(GaussianBelief::new(vec![0.0; size], with_floor(&DMatrix::from_fn(size, size, entry)))?)
}

/// A correlation without eigenvalues near zero: questions that determine each other in the sample may differ a little.
fn with_floor(correlation: &DMatrix<f64>) -> Vec<f64> {
    let size = correlation.nrows();
    let floored = raise_eigenvalues(correlation.clone(), SMALLEST_EIGENVALUE);
    let scale: Vec<f64> = (0..size).map(|place| floored[(place, place)].sqrt()).collect();
    let entry = |row: usize, column: usize| {
        let (low, high) = (row.min(column), row.max(column));
        if row == column { 1.0 } else { floored[(high, low)] / (scale[low] * scale[high]) }
    };
    (0..size * size).map(|place| entry(place / size, place % size)).collect()
}
