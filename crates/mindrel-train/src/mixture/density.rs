//! The logarithm of a normal density at sparse rows.

use super::table::Row;
use crate::kernel::{add_scaled, dot};
use crate::{Moments, cholesky};

/// A normal density, factorised.
///
/// ```text
/// Σ = L Lᵀ,   W = L⁻¹,   ln f(x) = −½ ‖W x − W μ‖² − Σ_j ln L_jj − ½ d ln 2π
/// ```
///
/// # Numerics
/// With `W` written out, a row costs O(its entries that are not zero · columns): zeros cost nothing, as they would in a
/// triangular solve.
#[derive(Debug, Clone)]
pub(super) struct Density {
    /// `Wᵀ`: line j is column j of `W`, which begins at j.
    inverse: Vec<f64>,
    /// `−W μ`.
    offset: Vec<f64>,
    /// `Σ_j ln L_jj`.
    half_ln_determinant: f64,
}

impl Density {
    /// # Errors
    /// The column whose variance is nothing but rounding once the ones before it are known.
    pub(super) fn new(moments: &Moments) -> Result<Self, usize> {
        let size = moments.mean.len();
        let mut factor = moments.covariance.clone();
        cholesky::factorise(&mut factor, size)?;
        let half_ln_determinant = (0..size).map(|j| factor[j * size + j].ln()).sum();
        let inverse = transposed_inverse(&factor, size);
        let mut offset = vec![0.0; size];
        for (j, mean) in moments.mean.iter().enumerate() {
            add_scaled(&mut offset, -mean, &inverse[j * size..(j + 1) * size]);
        }
        Ok(Density { inverse, offset, half_ln_determinant })
    }

    /// `ln f(x)`; `scratch` has one place for each column.
    pub(super) fn ln_density(&self, row: Row<'_>, scratch: &mut [f64]) -> f64 {
        let size = scratch.len();
        scratch.copy_from_slice(&self.offset);
        let columns = row.columns.chunks_exact(4);
        let values = row.values.chunks_exact(4);
        let rest = columns.remainder().iter().zip(values.remainder());
        for (columns, values) in columns.zip(values) {
            // Columns rise, so that from the first of them on all four lines count.
            let first = columns[0] as usize;
            let line = |i: usize| &self.inverse[columns[i] as usize * size + first..(columns[i] as usize + 1) * size];
            let sums = scratch[first..].iter_mut().zip(line(0)).zip(line(1)).zip(line(2)).zip(line(3));
            for ((((sum, a), b), c), d) in sums {
                *sum += (values[0] * a + values[1] * b) + (values[2] * c + values[3] * d);
            }
        }
        for (&column, &value) in rest {
            let column = column as usize;
            let line = &self.inverse[column * size + column..(column + 1) * size];
            scratch[column..].iter_mut().zip(line).for_each(|(sum, entry)| *sum += value * entry);
        }
        -0.5 * (dot(scratch, scratch) + size as f64 * std::f64::consts::TAU.ln()) - self.half_ln_determinant
    }

    /// `ln |Σ| + tr(Σ⁻¹ P)` of another covariance `P`.
    pub(super) fn divergence_from(&self, covariance: &[f64]) -> f64 {
        let size = self.offset.len();
        let mut trace = 0.0;
        let mut product = vec![0.0; size];
        // tr(W P Wᵀ) = Σ_jk P_jk (Wᵀ W)_jk, where (Wᵀ W)_jk is the product of lines j and k of Wᵀ.
        for j in 0..size {
            let line = &self.inverse[j * size..(j + 1) * size];
            for (k, product) in product.iter_mut().enumerate().take(j + 1) {
                *product = dot(&line[j..], &self.inverse[k * size + j..(k + 1) * size]);
            }
            let entries = &covariance[j * size..=j * size + j];
            trace += 2.0 * dot(&entries[..j], &product[..j]) + entries[j] * product[j];
        }
        2.0 * self.half_ln_determinant + trace
    }
}

/// `(L⁻¹)ᵀ`, line after line.
fn transposed_inverse(factor: &[f64], size: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; size * size];
    for j in 0..size {
        let line = &mut inverse[j * size..(j + 1) * size];
        line[j] = 1.0 / factor[j * size + j];
        for i in j + 1..size {
            line[i] = -dot(&factor[i * size + j..i * size + i], &line[j..i]) / factor[i * size + i];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::super::table::Table;
    use super::*;
    use crate::{TrainingSet, moments};

    /// Logarithms of densities of a dozen columns, by two ways whose matrices have condition numbers of about a hundred.
    const TOLERANCE: f64 = 1e-10;

    /// A one-hot category of three levels, a number, its double, a constant and another number.
    fn set() -> TrainingSet {
        let row = |i: usize| {
            let level = [0, 1, 0, 0, 2][i * i % 5];
            let number = ((i * 7) % 11) as f64 / 11.0;
            let indicator = |of: usize| f64::from(u8::from(level == of));
            let other = number * number + ((i * 5) % 13) as f64 / 13.0;
            [indicator(0), indicator(1), indicator(2), number, 2.0 * number, 0.1, other]
        };
        let labels = (0..143).map(|i| i % 2).collect();
        TrainingSet::new((0..143).flat_map(row).collect(), 7, labels, 2).expect("a valid set")
    }

    /// `−½ (x − μ)ᵀ Σ⁺ (x − μ) − ½ ln pdet Σ − ½ rank ln 2π`, from the eigenvalues of all columns' covariance.
    fn by_pseudo_inverse(moments: &Moments, row: &[f64], rank: usize) -> f64 {
        let size = moments.mean.len();
        let eigen = DMatrix::from_row_slice(size, size, &moments.covariance).symmetric_eigen();
        let surprise = DMatrix::from_iterator(size, 1, row.iter().zip(&moments.mean).map(|(x, mean)| x - mean));
        let turned = eigen.eigenvectors.transpose() * surprise;
        let mut terms: Vec<(f64, f64)> = eigen.eigenvalues.iter().copied().zip(turned.iter().copied()).collect();
        terms.sort_by(|left, right| right.0.total_cmp(&left.0));
        assert!(terms[rank..].iter().all(|(value, turned)| value.abs() < 1e-12 && turned.abs() < 1e-12));
        let term = |&(value, turned): &(f64, f64)| turned * turned / value + value.ln() + std::f64::consts::TAU.ln();
        -0.5 * terms[..rank].iter().map(term).sum::<f64>()
    }

    /// Both densities are of the same plane, with respect to volumes that differ by a constant factor.
    #[test]
    fn a_density_is_that_of_the_pseudo_inverse_up_to_the_unit_of_volume() {
        let set = set();
        let pooled = moments(&set);
        let table = Table::new(&set, &pooled);
        assert_eq!(table.n_columns(), 4);
        let mut scratch = vec![0.0; 4];
        let mut differences = Vec::new();
        for (shares, half) in [(1.0, 0), (0.3, 1), (0.8, 2)] {
            // The moments of all rows, mixed with those of a part: another distribution on the same plane.
            let part: Vec<f64> =
                (0..143).filter(|i| half == 0 || i % 3 == half).flat_map(|i| set.row(i).to_vec()).collect();
            let labels = (0..part.len() / 7).map(|i| i % 2).collect();
            let part = moments(&TrainingSet::new(part, 7, labels, 2).expect("a valid set"));
            let mix = |all: &[f64], part: &[f64]| -> Vec<f64> {
                all.iter().zip(part).map(|(all, part)| shares * all + (1.0 - shares) * part).collect()
            };
            let mixed =
                Moments { mean: mix(&pooled.mean, &part.mean), covariance: mix(&pooled.covariance, &part.covariance) };
            let density = Density::new(&table.units.of(&mixed)).expect("independent columns");
            for i in (0..143).step_by(10) {
                let ours = density.ln_density(table.row(i), &mut scratch);
                differences.push(ours - by_pseudo_inverse(&mixed, set.row(i), 4));
            }
        }
        assert!(
            differences.iter().all(|difference| (difference - differences[0]).abs() < TOLERANCE),
            "{differences:?}"
        );
    }

    #[test]
    fn the_prior_is_its_definition() {
        let set = set();
        let pooled = moments(&set);
        let table = Table::new(&set, &pooled);
        let matrix = DMatrix::from_row_slice(4, 4, &table.units.pooled.covariance);
        let other = &matrix * &matrix + DMatrix::identity(4, 4);
        let density = Density::new(&table.units.pooled).expect("independent columns");
        let expected = matrix.determinant().ln() + (matrix.try_inverse().expect("independent") * &other).trace();
        assert!((density.divergence_from(other.as_slice()) - expected).abs() < TOLERANCE);
    }

    #[test]
    fn a_column_without_variance_of_its_own_is_named() {
        let moments = Moments { mean: vec![0.0; 2], covariance: vec![1.0; 4] };
        assert_eq!(Density::new(&moments).map(|_| ()), Err(1));
    }
}
