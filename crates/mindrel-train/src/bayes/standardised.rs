//! Columns brought to one scale, so that a unit prior on the weights means the same for all of them.

use std::fmt;

use crate::moments::{mean, mean_square};
use crate::{EncodedRows, TrainError};

/// A column whose deviation is a smaller share of its mean is constant up to rounding.
const CONSTANT_SHARE: f64 = 1e-12;

/// The rows of a training set with every column at mean 0 and deviation 1, and how they were brought there.
///
/// ```text
/// z_j = (x_j − centre_j) / scale_j
/// ```
#[derive(Clone, PartialEq)]
pub struct Standardised {
    centres: Vec<f64>,
    scales: Vec<f64>,
    rows: Vec<f64>,
}

impl Standardised {
    /// Standardises the rows of a set by their means and deviations; a constant column has scale 1.
    ///
    /// # Errors
    /// When the squares of a column do not sum to a finite number.
    pub fn new(set: &EncodedRows) -> Result<Self, TrainError> {
        let centres = mean(set);
        let squares = mean_square(set, &centres);
        if let Some(column) = squares.iter().position(|square| !square.is_finite()) {
            return Err(TrainError::TooLarge { column });
        }
        let scale = |(square, centre): (&f64, &f64)| {
            let deviation = square.sqrt();
            if deviation > CONSTANT_SHARE * centre.abs() { deviation } else { 1.0 }
        };
        let scales: Vec<f64> = squares.iter().zip(&centres).map(scale).collect();
        let mut rows = set.rows().to_vec();
        for row in rows.chunks_exact_mut(centres.len()) {
            for ((value, centre), scale) in row.iter_mut().zip(&centres).zip(&scales) {
                *value = (*value - centre) / scale;
            }
        }
        Ok(Standardised { centres, scales, rows })
    }

    /// The mean of every column.
    #[must_use]
    pub fn centres(&self) -> &[f64] {
        &self.centres
    }

    /// The deviation of every column; 1 where that is zero.
    #[must_use]
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// How many columns there are.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.centres.len()
    }

    /// How many rows there are.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.rows.len() / self.n_columns()
    }

    /// One standardised row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.rows[row * self.n_columns()..(row + 1) * self.n_columns()]
    }
}

/// The sizes only: what people answered is not for logs.
impl fmt::Debug for Standardised {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Standardised")
            .field("n_rows", &self.n_rows())
            .field("n_columns", &self.n_columns())
            .finish_non_exhaustive()
    }
}
