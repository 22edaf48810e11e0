//! The encoded rows that beliefs are fitted to, and their labels, which classifiers learn.

use std::fmt;
use std::ops::Deref;

use crate::TrainError;

/// Encoded people, checked once for all fits: every value is finite, and there is at least one row and column.
#[derive(Clone, PartialEq)]
pub struct EncodedRows {
    values: Vec<f64>,
    n_columns: usize,
}

/// Encoded people and their classes: the [rows](EncodedRows), and one label for each.
///
/// Every label is below `n_classes`, and at least two classes occur.
#[derive(Clone, PartialEq)]
pub struct TrainingSet {
    rows: EncodedRows,
    labels: Vec<usize>,
    n_classes: usize,
}

impl EncodedRows {
    /// Rows from their values, one row after the other.
    ///
    /// # Errors
    /// When there are no rows or columns, the last row is cut off, or a value is not finite.
    pub fn new(values: Vec<f64>, n_columns: usize) -> Result<Self, TrainError> {
        if n_columns == 0 {
            return Err(TrainError::NoColumns);
        }
        if values.is_empty() {
            return Err(TrainError::NoRows);
        }
        let expected = values.len().next_multiple_of(n_columns);
        if values.len() != expected {
            return Err(TrainError::ValueCount { expected, found: values.len() });
        }
        if let Some(place) = values.iter().position(|value| !value.is_finite()) {
            return Err(TrainError::NotFinite { row: place / n_columns, column: place % n_columns });
        }
        Ok(EncodedRows { values, n_columns })
    }

    /// All values, row after row.
    #[must_use]
    pub fn rows(&self) -> &[f64] {
        &self.values
    }

    /// One encoded person.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.n_columns..(row + 1) * self.n_columns]
    }

    /// How many people there are.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.values.len() / self.n_columns
    }

    /// How many columns each has.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }
}

impl TrainingSet {
    /// A training set from its rows, one after the other, and one label for each.
    ///
    /// # Errors
    /// When there are no rows or columns, the sizes do not fit, a value is not finite, a label is not below
    /// `n_classes`, or all rows have the same class.
    ///
    /// # Example
    /// ```
    /// use mindrel_train::{TrainError, TrainingSet};
    ///
    /// let set = TrainingSet::new(vec![0.5, -1.0, 0.25, 1.0], 2, vec![0, 1], 2)?;
    /// assert_eq!(set.row(1), [0.25, 1.0]);
    /// # Ok::<(), TrainError>(())
    /// ```
    pub fn new(rows: Vec<f64>, n_columns: usize, labels: Vec<usize>, n_classes: usize) -> Result<Self, TrainError> {
        if labels.is_empty() {
            return Err(TrainError::NoRows);
        }
        let expected = labels.len().saturating_mul(n_columns);
        if rows.len() != expected {
            return Err(TrainError::ValueCount { expected, found: rows.len() });
        }
        let rows = EncodedRows::new(rows, n_columns)?;
        if let Some(row) = labels.iter().position(|&label| label >= n_classes) {
            return Err(TrainError::LabelOutOfRange { row, n_classes });
        }
        let class = labels[0];
        if labels.iter().all(|&label| label == class) {
            return Err(TrainError::OneClass { class });
        }
        Ok(TrainingSet { rows, labels, n_classes })
    }

    /// The class of each row.
    #[must_use]
    pub fn labels(&self) -> &[usize] {
        &self.labels
    }

    /// How many classes were declared.
    #[must_use]
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Refuses a declared class without rows.
    pub(crate) fn check_classes(&self) -> Result<(), TrainError> {
        let without = (0..self.n_classes).find(|class| !self.labels.contains(class));
        without.map_or(Ok(()), |class| Err(TrainError::ClassWithoutRows { class }))
    }
}

impl Deref for TrainingSet {
    type Target = EncodedRows;

    fn deref(&self) -> &EncodedRows {
        &self.rows
    }
}

/// The sizes only: what people answered is not for logs.
impl fmt::Debug for EncodedRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("EncodedRows");
        shown.field("n_rows", &self.n_rows()).field("n_columns", &self.n_columns).finish_non_exhaustive()
    }
}

/// The sizes only: what people answered is not for logs.
impl fmt::Debug for TrainingSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TrainingSet")
            .field("n_rows", &self.n_rows())
            .field("n_columns", &self.n_columns())
            .field("n_classes", &self.n_classes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_must_have_rows_and_columns() {
        assert_eq!(TrainingSet::new(vec![], 1, vec![], 2), Err(TrainError::NoRows));
        assert_eq!(TrainingSet::new(vec![], 0, vec![0, 1], 2), Err(TrainError::NoColumns));
        assert_eq!(EncodedRows::new(vec![], 2), Err(TrainError::NoRows));
        assert_eq!(EncodedRows::new(vec![1.0], 0), Err(TrainError::NoColumns));
    }

    #[test]
    fn the_values_must_fill_one_row_for_each_label() {
        let error = TrainError::ValueCount { expected: 4, found: 3 };
        assert_eq!(TrainingSet::new(vec![1.0; 3], 2, vec![0, 1], 2), Err(error.clone()));
        assert_eq!(EncodedRows::new(vec![1.0; 3], 2), Err(error));
    }

    #[test]
    fn a_value_that_is_not_finite_is_named_by_its_place() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let rows = vec![0.0, 1.0, 2.0, bad];
            let error = TrainError::NotFinite { row: 1, column: 1 };
            assert_eq!(TrainingSet::new(rows, 2, vec![0, 1], 2), Err(error));
        }
    }

    #[test]
    fn a_label_must_be_below_the_number_of_classes() {
        let error = TrainError::LabelOutOfRange { row: 1, n_classes: 2 };
        assert_eq!(TrainingSet::new(vec![0.0, 1.0], 1, vec![0, 2], 2), Err(error));
    }

    #[test]
    fn one_class_alone_is_refused_and_named() {
        let error = TrainingSet::new(vec![0.0, 1.0], 1, vec![1, 1], 3).unwrap_err();
        assert_eq!(error, TrainError::OneClass { class: 1 });
        assert!(error.to_string().starts_with("every row has the same class `1`; add rows"));
    }

    #[test]
    fn neither_debug_nor_an_error_shows_a_cell() {
        let set = TrainingSet::new(vec![123.456, 1.0], 1, vec![0, 1], 2).expect("a valid set");
        assert!(!format!("{set:?}").contains("123"));
        let error = TrainingSet::new(vec![123.456, f64::NAN], 1, vec![0, 1], 2).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("123"));
    }
}
