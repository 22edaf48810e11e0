//! The rows as the search reads them: independent columns only, in units of their deviation, zeros left out.

use mindrel::math::reveal::Symmetric;

use crate::{Moments, TrainingSet};

/// The independent columns of some rows, shifted and scaled, as a sparse matrix.
///
/// ```text
/// value = (x_j − shift_j) / √Σ_jj,   j independent
/// ```
///
/// A column is left out when it is constant or counts as known once the columns before it are: the indicators of one
/// category sum to one, so the last of them is. Which are known follows [`Symmetric::reveal`] on the pooled covariance.
///
/// # Numerics
/// The shift is the value of more than half of the rows where there is one, else the mean. So most entries of a one-hot
/// encoding are zero and cost nothing, and second moments about the shift are at most twice the variance: sums of them
/// lose no digits when the mean is taken away.
#[derive(Debug, Clone)]
pub(super) struct Table {
    /// Where each row begins in `columns` and `values`, and where the last one ends.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    pub(super) units: Units,
}

/// Which columns a table has, and in which units.
#[derive(Debug, Clone)]
pub(super) struct Units {
    /// The columns of the training set that are independent, in rising order.
    pub(super) independent: Vec<usize>,
    shifts: Vec<f64>,
    deviations: Vec<f64>,
    /// The pooled moments in these units.
    pub(super) pooled: Moments,
}

/// The entries of one row that are not zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) columns: &'a [u32],
    pub(super) values: &'a [f64],
}

impl Table {
    pub(super) fn new(set: &TrainingSet, pooled: &Moments) -> Self {
        let units = Units::new(set, pooled);
        let mut table = Table { starts: vec![0], columns: Vec::new(), values: Vec::new(), units };
        for row in set.rows().chunks_exact(set.n_columns()) {
            for (place, &column) in table.units.independent.iter().enumerate() {
                let value = row[column] - table.units.shifts[place];
                if value != 0.0 {
                    table.columns.push(place as u32);
                    table.values.push(value / table.units.deviations[place]);
                }
            }
            table.starts.push(table.columns.len());
        }
        table
    }

    /// Some of the rows, in the order given and in the same units.
    pub(super) fn select(&self, rows: &[usize]) -> Table {
        let mut table = Table { starts: vec![0], columns: Vec::new(), values: Vec::new(), units: self.units.clone() };
        for row in rows.iter().map(|&row| self.row(row)) {
            table.columns.extend(row.columns);
            table.values.extend(row.values);
            table.starts.push(table.columns.len());
        }
        table
    }

    pub(super) fn n_rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many independent columns: the rank of the pooled covariance.
    pub(super) fn n_columns(&self) -> usize {
        self.units.independent.len()
    }

    pub(super) fn row(&self, row: usize) -> Row<'_> {
        let range = self.starts[row]..self.starts[row + 1];
        Row { columns: &self.columns[range.clone()], values: &self.values[range] }
    }
}

impl Units {
    fn new(set: &TrainingSet, pooled: &Moments) -> Self {
        let size = set.n_columns();
        let mut rest = Symmetric::new(size, pooled.covariance.clone());
        let known_below = rest.known_below();
        let mut new = |column: usize| !set.is_constant(column) && rest.reveal(column, known_below[column]).is_some();
        let independent: Vec<usize> = (0..size).filter(|&column| new(column)).collect();
        let shift = |&column: &usize| majority(set, column).unwrap_or(pooled.mean[column]);
        let deviation = |&column: &usize| pooled.covariance[column * size + column].sqrt();
        let mut units = Units {
            shifts: independent.iter().map(shift).collect(),
            deviations: independent.iter().map(deviation).collect(),
            pooled: Moments { mean: vec![], covariance: vec![] },
            independent,
        };
        units.pooled = units.of(pooled);
        units
    }

    /// Moments of all columns, in these units.
    pub(super) fn of(&self, moments: &Moments) -> Moments {
        let size = moments.mean.len();
        let places = || self.independent.iter().zip(&self.deviations);
        let mean =
            places().zip(&self.shifts).map(|((&column, deviation), shift)| (moments.mean[column] - shift) / deviation);
        let covariance = places().flat_map(|(&row, of_row)| {
            places().map(move |(&column, of_column)| moments.covariance[row * size + column] / of_row / of_column)
        });
        Moments { mean: mean.collect(), covariance: covariance.collect() }
    }

    /// By how much a log-likelihood of so many rows is larger in these units than in the columns' own.
    pub(super) fn ln_volume(&self, n_rows: usize) -> f64 {
        n_rows as f64 * self.deviations.iter().map(|deviation| deviation.ln()).sum::<f64>()
    }
}

fn column_of(set: &TrainingSet, column: usize) -> impl Iterator<Item = f64> {
    set.rows().iter().skip(column).step_by(set.n_columns()).copied()
}

/// The value of more than half of the rows, by the vote of Boyer and Moore: O(rows).
fn majority(set: &TrainingSet, column: usize) -> Option<f64> {
    let (mut candidate, mut lead) = (0.0, 0_usize);
    for value in column_of(set, column) {
        match (lead, value == candidate) {
            (0, _) => (candidate, lead) = (value, 1),
            (_, true) => lead += 1,
            (_, false) => lead -= 1,
        }
    }
    let votes = column_of(set, column).filter(|&value| value == candidate).count();
    (2 * votes > set.n_rows()).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments;

    /// A one-hot category of three levels, a constant, the double of the number before it, and a number.
    fn set() -> TrainingSet {
        let row = |i: usize| {
            let level = [0, 0, 0, 1, 2][i % 5];
            let number = ((i * 7) % 11) as f64 / 11.0;
            let indicator = |of: usize| f64::from(u8::from(level == of));
            [indicator(0), indicator(1), indicator(2), 0.1, number, 2.0 * number]
        };
        let labels = (0..55).map(|i| i % 2).collect();
        TrainingSet::new((0..55).flat_map(row).collect(), 6, labels, 2).expect("a valid set")
    }

    #[test]
    fn constant_columns_and_columns_known_from_those_before_them_are_left_out() {
        let set = set();
        let table = Table::new(&set, &moments(&set));
        assert_eq!(table.units.independent, [0, 1, 4]);
        assert_eq!((table.n_rows(), table.n_columns()), (55, 3));
    }

    #[test]
    fn the_value_of_most_rows_is_stored_as_nothing() {
        let set = set();
        let table = Table::new(&set, &moments(&set));
        assert_eq!(table.row(0).columns, [2]);
        assert_eq!(table.row(3).columns, [0, 1, 2]);
        assert!((table.row(3).values[0] + 1.0 / (0.6_f64 * 0.4).sqrt()).abs() < 1e-15);
        assert_eq!(table.select(&[3, 0]).row(0).values, table.row(3).values);
    }

    #[test]
    fn a_majority_is_more_than_half() {
        let of = |values: &[f64]| {
            let labels = (0..values.len()).map(|i| i % 2).collect();
            majority(&TrainingSet::new(values.to_vec(), 1, labels, 2).expect("a valid set"), 0)
        };
        assert_eq!(of(&[1.0, 2.0, 1.0]), Some(1.0));
        assert_eq!(of(&[1.0, 2.0, 2.0, 3.0, 2.0]), Some(2.0));
        assert_eq!(of(&[1.0, 2.0]), None);
        assert_eq!(of(&[1.0, 2.0, 3.0]), None);
    }
}
