//! The columns as the search sees them: near zero, and with a known size.

use std::borrow::Cow;

use crate::moments::{mean, mean_square};
use crate::{TrainError, TrainingSet};

/// A column whose mean is further from zero than this many of its standard deviations is centred.
///
/// Below, the intercept and the column are told apart well enough, and the zeros of one-hot columns stay zeros.
const FAR_FROM_ZERO: f64 = 10.0;

/// The rows of a training set, minus a centre for each column that lies far from zero.
///
/// ```text
/// b + w·x = (b + w·centre) + w·(x − centre)
/// ```
///
/// The intercept is not penalised, so the optimum is the same; but a year such as 2020 ± 3, nearly a multiple of the
/// intercept's constant 1, no longer costs the digits that the difference is made of.
pub(crate) struct Columns<'a> {
    /// One row after the other.
    pub(crate) rows: Cow<'a, [f64]>,
    /// What was subtracted from each column, mostly zero.
    pub(crate) centres: Vec<f64>,
    /// The root mean square of each column as it is in `rows`; 1 where a column is all zero.
    pub(crate) scales: Vec<f64>,
}

impl<'a> Columns<'a> {
    /// The columns of a training set.
    ///
    /// # Errors
    /// When the squares of a column times `loss_factor` do not sum to a finite number.
    pub(crate) fn new(set: &'a TrainingSet, loss_factor: f64) -> Result<Self, TrainError> {
        let centres = centres(set);
        let squares = mean_square(set, &centres);
        let largest = loss_factor * set.n_rows() as f64;
        if let Some(column) = squares.iter().position(|square| !(square * largest).is_finite()) {
            return Err(TrainError::TooLarge { column });
        }
        let scale = |square: &f64| if *square > 0.0 { square.sqrt() } else { 1.0 };
        let scales = squares.iter().map(scale).collect();
        Ok(Columns { rows: subtract(set, &centres), centres, scales })
    }
}

fn centres(set: &TrainingSet) -> Vec<f64> {
    let mut centres = mean(set);
    let variances = mean_square(set, &centres);
    for (centre, variance) in centres.iter_mut().zip(variances) {
        // False for a NaN, which numbers too large to add up leave behind.
        let is_far = centre.abs() > FAR_FROM_ZERO * variance.sqrt();
        *centre = if is_far { *centre } else { 0.0 };
    }
    centres
}

fn subtract<'a>(set: &'a TrainingSet, centres: &[f64]) -> Cow<'a, [f64]> {
    if centres.iter().all(|centre| *centre == 0.0) {
        return Cow::Borrowed(set.rows());
    }
    let rows = set.rows().chunks_exact(set.n_columns());
    rows.flat_map(|row| row.iter().zip(centres).map(|(value, centre)| value - centre)).collect()
}
