//! Rows of numbers.

/// The sum of products of two slices, up to the end of the shorter.
///
/// Four sums run side by side: one sum alone would wait for each addition to finish.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let length = left.len().min(right.len());
    let (left, right) = (left[..length].chunks_exact(4), right[..length].chunks_exact(4));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(left, right)| left * right).sum();
    let mut sums = [0.0; 4];
    for (left, right) in left.zip(right) {
        for lane in 0..4 {
            sums[lane] += left[lane] * right[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
