//! The loops where training spends its time, on plain slices so that the compiler can vectorise them.

/// How many rows are worked on together: enough to amortise a pass, few enough to stay in the cache.
pub(crate) const BLOCK_ROWS: usize = 64;

/// How many running sums a dot product keeps, since a single one could not be vectorised.
const LANES: usize = 8;

/// `Σ_j left_j right_j`, summed in eight interleaved parts.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let (left_lanes, right_lanes) = (left.chunks_exact(LANES), right.chunks_exact(LANES));
    let tails = left_lanes.remainder().iter().zip(right_lanes.remainder());
    let tail: f64 = tails.map(|(a, b)| a * b).sum();
    let mut sums = [0.0; LANES];
    for (a, b) in left_lanes.zip(right_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    tail + ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}

/// `target += factor · source`.
pub(crate) fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    for (sum, value) in target.iter_mut().zip(source) {
        *sum += factor * value;
    }
}

/// Adds weighted outer products of rows to the lower triangle of a square matrix.
///
/// ```text
/// lower_jk += Σ_i weight_i row_ij row_ik,   k ≤ j
/// ```
///
/// Four rows at a time, which reads and writes the matrix a quarter as often; where all four are zero in column j, as
/// most columns of a one-hot encoding are, the whole line j is skipped. The lines of the matrix are `stride` apart;
/// where that is more than the rows have columns, the other columns stay as they are.
pub(crate) fn add_outer_products(lower: &mut [f64], stride: usize, rows: &[f64], weights: &[f64]) {
    let n_columns = rows.len() / weights.len().max(1);
    if n_columns == 0 {
        return;
    }
    let quadruples = rows.chunks_exact(4 * n_columns);
    let rest = quadruples.remainder().chunks_exact(n_columns);
    let (together, single) = weights.split_at(weights.len() / 4 * 4);
    for (quadruple, weights) in quadruples.zip(together.chunks_exact(4)) {
        let row = |index: usize| &quadruple[index * n_columns..(index + 1) * n_columns];
        let weights = [weights[0], weights[1], weights[2], weights[3]];
        add_outer_products_of(lower, stride, [row(0), row(1), row(2), row(3)], weights);
    }
    for (row, &weight) in rest.zip(single) {
        add_outer_products_of(lower, stride, [row], [weight]);
    }
}

fn add_outer_products_of<const N: usize>(lower: &mut [f64], stride: usize, rows: [&[f64]; N], weights: [f64; N]) {
    for (j, line) in lower.chunks_exact_mut(stride).take(rows[0].len()).enumerate() {
        let factors: [f64; N] = std::array::from_fn(|i| weights[i] * rows[i][j]);
        if factors == [0.0; N] {
            continue;
        }
        let line = &mut line[..=j];
        let rows = rows.map(|row| &row[..=j]);
        for k in 0..line.len() {
            let mut sum = 0.0;
            for i in 0..N {
                sum += factors[i] * rows[i][k];
            }
            line[k] += sum;
        }
    }
}

/// Copies the lower triangle of a square matrix to its upper one.
pub(crate) fn mirror_lower(matrix: &mut [f64], size: usize) {
    for j in 1..size {
        for k in 0..j {
            matrix[k * size + j] = matrix[j * size + k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small whole numbers, so that every order of summation gives the same result.
    fn whole_numbers(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * 7 + i / 5) % 9) as f64 - 4.0).collect()
    }

    #[test]
    fn a_dot_product_is_the_plain_sum_at_every_length() {
        for n in 0..40 {
            let (left, right) = (whole_numbers(n), whole_numbers(n + 3));
            let plain: f64 = left.iter().zip(&right[3..]).map(|(a, b)| a * b).sum();
            assert_eq!(dot(&left, &right[3..]), plain);
        }
    }

    #[test]
    fn outer_products_are_the_plain_sums_whatever_the_number_of_rows() {
        let n_columns = 5;
        for n_rows in 0..11 {
            let rows = whole_numbers(n_rows * n_columns);
            let weights = whole_numbers(n_rows);
            let mut matrix = vec![0.0; n_columns * n_columns];
            add_outer_products(&mut matrix, n_columns, &rows, &weights);
            mirror_lower(&mut matrix, n_columns);
            for j in 0..n_columns {
                for k in 0..n_columns {
                    let term = |i: usize| weights[i] * rows[i * n_columns + j] * rows[i * n_columns + k];
                    assert_eq!(matrix[j * n_columns + k], (0..n_rows).map(term).sum::<f64>());
                }
            }
        }
    }
}
