//! The design matrix: the rows as the search reads them.

use std::ops::Range;

use crate::kernel::{add_scaled, dot};
use crate::moments::{mean, mean_square};
use crate::{TrainError, TrainingSet};

/// A column whose mean is further from zero than this many of its standard deviations is centred.
///
/// Below, the intercept and the column are told apart well enough, and the zeros of one-hot columns stay zeros.
const FAR_FROM_ZERO: f64 = 10.0;

/// A column with at most this share of nonzero values is stored as a list of them, as one-hot columns should be.
const SPARSE_SHARE: f64 = 0.25;

/// The rows of a training set with a constant 1 for the intercept, dense columns apart from sparse ones.
///
/// ```text
/// b + w·x = (b + w·centre) + w·(x − centre)
/// ```
///
/// Columns far from zero are centred. The intercept is not penalised, so the optimum is the same; but a year such as
/// 2020 ± 3, nearly a multiple of the intercept's constant 1, no longer costs the digits of the differences.
///
/// Each column has a *place*: the dense columns come first, then the intercept, then the sparse columns.
pub(super) struct DesignMatrix {
    /// The column of the table at each place; `None` for the intercept.
    columns: Vec<Option<usize>>,
    /// What was subtracted from the column at each place, mostly zero.
    centres: Vec<f64>,
    /// The root mean square of the column at each place; 1 where a column is all zero.
    scales: Vec<f64>,
    /// How many places are dense, that of the intercept included.
    n_dense: usize,
    /// The dense values, row after row.
    dense: Vec<f64>,
    /// Where the sparse values of each row start, and at last where those of the last row end.
    starts: Vec<usize>,
    /// The place of each sparse value, in ascending order within a row.
    places: Vec<u32>,
    sparse: Vec<f64>,
}

/// One row of a design matrix.
#[derive(Clone, Copy)]
pub(super) struct DesignRow<'a> {
    pub(super) dense: &'a [f64],
    pub(super) places: &'a [u32],
    pub(super) sparse: &'a [f64],
}

impl DesignMatrix {
    /// The design matrix of a training set.
    ///
    /// # Errors
    /// When the squares of a column times `loss_factor` do not sum to a finite number.
    pub(super) fn new(set: &TrainingSet, loss_factor: f64) -> Result<Self, TrainError> {
        let column_centres = centres(set);
        let squares = mean_square(set, &column_centres);
        let largest = loss_factor * set.n_rows() as f64;
        if let Some(column) = squares.iter().position(|square| !(square * largest).is_finite()) {
            return Err(TrainError::TooLarge { column });
        }
        let is_sparse = sparse_columns(set, &column_centres);
        let (sparse, dense): (Vec<usize>, Vec<usize>) = (0..set.n_columns()).partition(|&column| is_sparse[column]);
        let n_dense = dense.len() + 1;
        let (dense, sparse) = (dense.into_iter().map(Some), sparse.into_iter().map(Some));
        let columns: Vec<Option<usize>> = dense.chain([None]).chain(sparse).collect();
        let scale = |square: f64| if square > 0.0 { square.sqrt() } else { 1.0 };
        let mut matrix = DesignMatrix {
            centres: columns.iter().map(|column| column.map_or(0.0, |column| column_centres[column])).collect(),
            scales: columns.iter().map(|column| column.map_or(1.0, |column| scale(squares[column]))).collect(),
            columns,
            n_dense,
            dense: Vec::with_capacity(set.n_rows() * n_dense),
            starts: vec![0],
            places: Vec::new(),
            sparse: Vec::new(),
        };
        set.rows().chunks_exact(set.n_columns()).for_each(|row| matrix.push(row));
        Ok(matrix)
    }

    fn push(&mut self, row: &[f64]) {
        for (place, (column, centre)) in self.columns.iter().zip(&self.centres).enumerate() {
            let value = column.map_or(1.0, |column| row[column] - centre);
            if place < self.n_dense {
                self.dense.push(value);
            } else if value != 0.0 {
                self.places.push(u32::try_from(place).expect("a table has fewer than 2³² columns"));
                self.sparse.push(value);
            }
        }
        self.starts.push(self.places.len());
    }

    /// How many places there are: the columns and the intercept.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The place of the intercept.
    pub(super) fn intercept(&self) -> usize {
        self.n_dense - 1
    }

    pub(super) fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// The column of the table at a place; `None` for the intercept.
    pub(super) fn column(&self, place: usize) -> Option<usize> {
        self.columns[place]
    }

    pub(super) fn row(&self, row: usize) -> DesignRow<'_> {
        let sparse = self.starts[row]..self.starts[row + 1];
        DesignRow {
            dense: &self.dense[row * self.n_dense..(row + 1) * self.n_dense],
            places: &self.places[sparse.clone()],
            sparse: &self.sparse[sparse],
        }
    }

    /// The weights of a score in the columns as they were given, and its intercept.
    pub(super) fn to_columns(&self, parameters: &[f64]) -> (Vec<f64>, f64) {
        let mut weights = vec![0.0; self.width() - 1];
        for (column, parameter) in self.columns.iter().zip(parameters) {
            if let Some(column) = column {
                weights[*column] = *parameter;
            }
        }
        (weights, parameters[self.intercept()] - dot(parameters, &self.centres))
    }
}

impl<'a> DesignRow<'a> {
    /// The score of the row under `parameters`.
    pub(super) fn score(self, parameters: &[f64]) -> f64 {
        let sparse = self.places.iter().zip(self.sparse).map(|(&place, value)| parameters[place as usize] * value);
        dot(&parameters[..self.dense.len()], self.dense) + sparse.sum::<f64>()
    }

    /// `sums += factor · row`.
    pub(super) fn add_to(self, sums: &mut [f64], factor: f64) {
        add_scaled(&mut sums[..self.dense.len()], factor, self.dense);
        for (&place, value) in self.places.iter().zip(self.sparse) {
            sums[place as usize] += factor * value;
        }
    }

    /// The values at some places.
    pub(super) fn part(self, places: &Range<usize>) -> DesignRow<'a> {
        let n_dense = self.dense.len();
        let start = self.places.partition_point(|&place| (place as usize) < places.start);
        let end = self.places.partition_point(|&place| (place as usize) < places.end);
        DesignRow {
            dense: &self.dense[places.start.min(n_dense)..places.end.min(n_dense)],
            places: &self.places[start..end],
            sparse: &self.sparse[start..end],
        }
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

fn sparse_columns(set: &TrainingSet, centres: &[f64]) -> Vec<bool> {
    let mut counts = vec![0_usize; set.n_columns()];
    for row in set.rows().chunks_exact(set.n_columns()) {
        for ((count, value), centre) in counts.iter_mut().zip(row).zip(centres) {
            *count += usize::from(value != centre);
        }
    }
    let most = SPARSE_SHARE * set.n_rows() as f64;
    counts.iter().map(|&count| count as f64 <= most).collect()
}
