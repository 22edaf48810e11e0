//! Cholesky factorisation of a symmetric positive definite matrix, in place on a slice.

use crate::kernel::dot;

/// A pivot below this part of its diagonal entry is mostly the rounding of the sums that make up the matrix.
const SMALLEST_PIVOT: f64 = 1e-13;

/// Overwrites the lower triangle of `matrix` with its factor `L`, where `matrix = L Lᵀ`.
///
/// # Errors
/// The index of the first pivot that is not a positive number well above rounding: to the accuracy of the matrix, that
/// variable is a combination of the ones before it.
pub(crate) fn factorise(matrix: &mut [f64], size: usize) -> Result<(), usize> {
    for i in 0..size {
        let (above, line) = matrix.split_at_mut(i * size);
        for j in 0..i {
            let finished = &above[j * size..=j * size + j];
            line[j] = (line[j] - dot(&line[..j], &finished[..j])) / finished[j];
        }
        let pivot = line[i] - dot(&line[..i], &line[..i]);
        if pivot.is_nan() || pivot <= SMALLEST_PIVOT * line[i].abs() || pivot.is_infinite() {
            return Err(i);
        }
        line[i] = pivot.sqrt();
    }
    Ok(())
}

/// Overwrites `vector` with the solution of `L Lᵀ x = vector`.
pub(crate) fn solve(factor: &[f64], vector: &mut [f64]) {
    let size = vector.len();
    for i in 0..size {
        let line = &factor[i * size..=i * size + i];
        vector[i] = (vector[i] - dot(&line[..i], &vector[..i])) / line[i];
    }
    for i in (0..size).rev() {
        let line = &factor[i * size..=i * size + i];
        vector[i] /= line[i];
        let value = vector[i];
        for (earlier, entry) in vector[..i].iter_mut().zip(line) {
            *earlier -= entry * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A well-conditioned system of this size loses a few units in the last place.
    const TOLERANCE: f64 = 1e-13;

    #[test]
    fn the_solution_solves_the_system() {
        let size = 13;
        let entry = |i: usize, j: usize| {
            if i == j { 3.0 } else { 1.0 / (1.0 + i as f64 + j as f64) }
        };
        let mut matrix: Vec<f64> = (0..size * size).map(|k| entry(k / size, k % size)).collect();
        let original = matrix.clone();
        let right: Vec<f64> = (0..size).map(|i| i as f64 - 4.0).collect();
        factorise(&mut matrix, size).expect("the matrix is diagonally dominant");
        let mut solution = right.clone();
        solve(&matrix, &mut solution);
        for (line, right) in original.chunks_exact(size).zip(right) {
            assert!((dot(line, &solution) - right).abs() < TOLERANCE);
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused_at_its_pivot() {
        assert_eq!(factorise(&mut [1.0, 1.0, 1.0, 1.0], 2), Err(1));
        assert_eq!(factorise(&mut [1.0, 1.0, 1.0, 1.0 + 1e-15], 2), Err(1));
        for bad in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert_eq!(factorise(&mut [bad], 1), Err(0));
        }
    }
}
