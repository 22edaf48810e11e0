//! Cross-entropy of the scores of a batch, and its slopes.

use super::{LANES, Lanes};

/// The summed loss of a batch, whose slopes in the scores, times `factor`, are left in `slopes`.
///
/// ```text
/// 2 classes:   loss = ln(1 + exp(s)) − y s,       ∂/∂s   = 1 / (1 + exp(−s)) − y
/// 3+ classes:  loss = ln Σ_c exp(s_c) − s_label,  ∂/∂s_c = exp(s_c) / Σ_k exp(s_k) − [c = label]
/// ```
///
/// The rows that fill up the last tile get slopes of zero, and so count for nothing.
///
/// # Numerics
/// Exponents are never positive, so nothing overflows.
pub(super) fn cross_entropy(scores: &[Lanes], labels: &[usize], factor: f64, slopes: &mut [Lanes]) -> f64 {
    let n_tiles = labels.len().div_ceil(LANES);
    slopes.iter_mut().skip(n_tiles - 1).step_by(n_tiles).for_each(|last| *last = [0.0; LANES]);
    let loss_of = if scores.len() == n_tiles { logistic } else { softmax };
    let rows = labels.iter().enumerate();
    rows.map(|(row, &label)| loss_of(scores, label, factor, slopes, Place { row, n_tiles })).sum()
}

/// Where the scores of one row stand.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    n_tiles: usize,
}

impl Place {
    fn of(self, class: usize) -> (usize, usize) {
        (class * self.n_tiles + self.row / LANES, self.row % LANES)
    }
}

fn logistic(scores: &[Lanes], label: usize, factor: f64, slopes: &mut [Lanes], place: Place) -> f64 {
    let (tile, lane) = place.of(0);
    let score = scores[tile][lane];
    let small = (-score.abs()).exp();
    let probability = if score >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) };
    slopes[tile][lane] = factor * (probability - label as f64);
    let against = if label == 1 { -score } else { score };
    // Not `f64::max`, which would drop a NaN.
    (if against < 0.0 { 0.0 } else { against }) + small.ln_1p()
}

fn softmax(scores: &[Lanes], label: usize, factor: f64, slopes: &mut [Lanes], place: Place) -> f64 {
    let n_classes = scores.len() / place.n_tiles;
    let score = |class: usize| {
        let (tile, lane) = place.of(class);
        scores[tile][lane]
    };
    let best = (1..n_classes).fold(0, |best, next| if score(next) > score(best) { next } else { best });
    let largest = score(best);
    // The largest term is exactly 1 and stays out of the sum, so that a tiny loss keeps its digits.
    let mut others = 0.0;
    for class in 0..n_classes {
        let (tile, lane) = place.of(class);
        let small = if class == best { 0.0 } else { (score(class) - largest).exp() };
        slopes[tile][lane] = small;
        others += small;
    }
    for class in 0..n_classes {
        let (tile, lane) = place.of(class);
        let share = if class == best { 1.0 } else { slopes[tile][lane] };
        slopes[tile][lane] = factor * (share / (1.0 + others) - f64::from(u8::from(class == label)));
    }
    (largest - score(label)) + others.ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scores of one row, and what follows from them.
    fn of_row(scores: &[f64], label: usize) -> (f64, Vec<f64>) {
        let scores: Vec<Lanes> = scores.iter().map(|&score| [score; LANES]).collect();
        let mut slopes = vec![[f64::NAN; LANES]; scores.len()];
        let loss = cross_entropy(&scores, &[label], 1.0, &mut slopes);
        assert!(slopes.iter().all(|slopes| slopes[1..] == [0.0; LANES - 1]), "the other rows count for nothing");
        (loss, slopes.iter().map(|slopes| slopes[0]).collect())
    }

    #[test]
    fn scores_too_large_to_exponentiate_still_have_a_loss_and_a_slope() {
        assert_eq!(of_row(&[800.0], 1), (0.0, vec![0.0]));
        assert_eq!(of_row(&[800.0], 0), (800.0, vec![1.0]));
        assert_eq!(of_row(&[-800.0], 1), (800.0, vec![-1.0]));
        assert_eq!(of_row(&[0.0, 800.0, -800.0], 1), (0.0, vec![0.0, 0.0, 0.0]));
        assert_eq!(of_row(&[0.0, 800.0, -800.0], 2), (1600.0, vec![0.0, 1.0, -1.0]));
    }

    #[test]
    fn a_score_that_is_not_a_number_is_not_dropped() {
        assert!(of_row(&[f64::NAN], 0).0.is_nan());
        for place in 0..3 {
            let mut scores = [0.5, 1.0, -1.0];
            scores[place] = f64::NAN;
            assert!((0..3).all(|label| of_row(&scores, label).0.is_nan()));
        }
    }
}
