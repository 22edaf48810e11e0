//! Orthant probabilities in four and more dimensions, by integration over a lattice.

use crate::math::normal::{cdf, density, quantile};

/// Number of lattice points used by [`super::orthant_probability`].
pub const POINTS: usize = 4093;

/// Residual variances below this, of a unit variance, count as zero.
const RESIDUAL_TOLERANCE: f64 = 1e-12;

/// One inequality on the variable it is filed under, divided by the size of that variable's coefficient.
///
/// ```text
/// y_j ≥ −(mean + Σ_{k<j} coefficients_k y_k)   or, if upper,   y_j ≤ mean + Σ_{k<j} coefficients_k y_k
/// ```
struct Row {
    variable: usize,
    upper: bool,
    mean: f64,
    coefficients: Vec<f64>,
}

/// P(X ≥ 0) for X with unit variances, the given means and correlations (row-major).
pub(super) fn lattice_probability(mean: &[f64], correlation: &[f64], points: usize) -> f64 {
    let (rows, rank) = separate(mean, correlation);
    integrate(&rows, rank, points)
}

/// Pivoted Cholesky; at each step the variable least likely to be non-negative comes next.
fn separate(mean: &[f64], correlation: &[f64]) -> (Vec<Row>, usize) {
    let n = mean.len();
    let mut factor: Vec<Vec<f64>> = vec![Vec::new(); n];
    let mut residual = vec![1.0_f64; n];
    let mut expected: Vec<f64> = mean.to_vec();
    let mut open: Vec<usize> = (0..n).collect();
    let mut rows = Vec::with_capacity(n);
    let mut rank = 0;
    while !open.is_empty() {
        let score = |&i: &usize| expected[i] / residual[i].sqrt();
        let pivot = open
            .iter()
            .copied()
            .min_by(|a, b| score(a).total_cmp(&score(b)))
            .expect("open is not empty");
        let deviation = residual[pivot].sqrt();
        let pivot_row = factor[pivot].clone();
        for &i in &open {
            let dot: f64 = factor[i].iter().zip(&pivot_row).map(|(a, b)| a * b).sum();
            let entry = if i == pivot {
                deviation
            } else {
                (correlation[i * n + pivot] - dot) / deviation
            };
            factor[i].push(entry);
            residual[i] -= entry * entry;
        }
        residual[pivot] = 0.0;
        // The expected value of the new variable, given its own inequality, steers the order of the rest.
        let bound = -expected[pivot] / deviation;
        let tail = cdf(-bound);
        let value = if tail > 1e-300 {
            density(bound) / tail
        } else {
            bound
        };
        for &i in &open {
            expected[i] += factor[i][rank] * value;
        }
        open.retain(|&i| {
            let settled = residual[i] <= RESIDUAL_TOLERANCE;
            if settled {
                let last = factor[i][rank];
                let scale = 1.0 / last.abs();
                rows.push(Row {
                    variable: rank,
                    upper: last < 0.0,
                    mean: mean[i] * scale,
                    coefficients: factor[i][..rank].iter().map(|c| c * scale).collect(),
                });
            }
            !settled
        });
        rank += 1;
    }
    (rows, rank)
}

/// The mean over the lattice of the product of conditional probabilities.
fn integrate(rows: &[Row], rank: usize, points: usize) -> f64 {
    let generator: Vec<f64> = primes().take(rank).map(|p| (p as f64).sqrt().fract()).collect();
    let mut sample = vec![0.0; rank];
    let count = if rank <= 1 { 1 } else { points };
    let mut sum = 0.0;
    for point in 0..count {
        sum += product(rows, rank, &generator, point, &mut sample);
    }
    sum / count as f64
}

fn product(rows: &[Row], rank: usize, generator: &[f64], point: usize, sample: &mut [f64]) -> f64 {
    let mut weight = 1.0;
    let mut next = 0;
    for variable in 0..rank {
        let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
        while next < rows.len() && rows[next].variable == variable {
            let row = &rows[next];
            let sum = row.mean
                + row
                    .coefficients
                    .iter()
                    .zip(&*sample)
                    .map(|(c, y)| c * y)
                    .sum::<f64>();
            if row.upper {
                upper = upper.min(sum);
            } else {
                lower = lower.max(-sum);
            }
            next += 1;
        }
        if lower >= upper {
            return 0.0;
        }
        // Work in the tail where both probabilities are small, so that neither rounds to one.
        let flip = lower + upper > 0.0;
        let (low, high) = if flip {
            (cdf(-upper), cdf(-lower))
        } else {
            (cdf(lower), cdf(upper))
        };
        let mass = high - low;
        weight *= mass;
        if weight == 0.0 || variable + 1 == rank {
            return weight;
        }
        let shifted = ((point as f64 + 0.5) * generator[variable]).fract();
        let tent = 1.0 - (2.0 * shifted - 1.0).abs();
        let inside = quantile(low + tent * mass).clamp(-38.0, 38.0);
        sample[variable] = if flip { -inside } else { inside };
    }
    weight
}

/// The primes in ascending order.
fn primes() -> impl Iterator<Item = u32> {
    (2u32..).filter(|n| (2..).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}
