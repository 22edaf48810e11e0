//! The functions that values are made by, as they are computed.

/// `1 / (1 + e^(−x))`, wrong by less than 4 ε of itself.
pub(crate) fn sigmoid(value: f64) -> f64 {
    if value >= 0.0 {
        1.0 / (1.0 + libm::exp(-value))
    } else {
        let power = libm::exp(value);
        power / (1.0 + power)
    }
}

/// The height of a table at a value. Never falls, as computed: within a piece every operation is monotone, and the
/// result stays between the piece's ends.
pub(crate) fn table(at: &[f64], heights: &[f64], value: f64) -> f64 {
    let last = at.len() - 1;
    // A value that is not a number goes to the first corner.
    let above = at.partition_point(|corner| *corner <= value);
    if above == 0 {
        return heights[0];
    }
    if above > last {
        return heights[last];
    }
    let (low, high) = (heights[above - 1], heights[above]);
    let slope = (high - low) / (at[above] - at[above - 1]);
    let height = low + slope * (value - at[above - 1]);
    // Corners as near as can be have an endless slope between them, and nobody strictly between.
    if height.is_nan() { low } else { height.clamp(low, high) }
}

/// `e^(own) / Σ e^(values)`.
pub(crate) fn softmax(values: impl Iterator<Item = f64> + Clone, own: f64) -> f64 {
    let largest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = values.map(|value| libm::exp(value - largest)).sum();
    libm::exp(own - largest) / sum
}

/// `own / Σ values`, not above 1; an equal share if all are zero.
pub(crate) fn share(values: impl Iterator<Item = f64> + Clone, own: f64) -> f64 {
    let n_values = values.clone().count();
    let sum: f64 = values.sum();
    if sum == 0.0 { 1.0 / n_values as f64 } else { (own / sum).min(1.0) }
}

/// A number in single precision; what is beyond becomes the largest.
pub(crate) fn single(value: f64) -> f64 {
    let most = f64::from(f32::MAX);
    f64::from(value.clamp(-most, most) as f32)
}

/// `x / (3 (|x| + 1))`, monotone as computed but for 4 ε of itself.
pub(crate) fn confidence(value: f64) -> f64 {
    value / (3.0 * (value.abs() + 1.0))
}

/// The place of the largest of some values, the first of equals.
pub(crate) fn first_largest(values: impl Iterator<Item = f64>) -> usize {
    let mut best: Option<(usize, f64)> = None;
    for (place, value) in values.enumerate() {
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((place, value));
        }
    }
    best.map_or(0, |(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_constant_beyond_its_ends_and_exact_at_its_corners() {
        let (at, heights) = ([-1.0, 0.0, 2.0], [0.25, 0.5, 1.0]);
        let seen = [-9.0, -1.0, -0.5, 0.0, 1.0, 2.0, 9.0].map(|value| table(&at, &heights, value));
        assert_eq!(seen, [0.25, 0.25, 0.375, 0.5, 0.75, 1.0, 1.0]);
        assert_eq!(table(&[3.0], &[0.5], -7.0), 0.5);
        let nearest = [0.0, f64::from_bits(1)];
        assert_eq!(nearest.map(|value| table(&nearest, &[0.0, 1.0], value)), [0.0, 1.0]);
    }

    #[test]
    fn nothing_overflows_at_large_values() {
        assert_eq!([sigmoid(-1e300), sigmoid(0.0), sigmoid(1e300)], [0.0, 0.5, 1.0]);
        assert_eq!(softmax([1e300, 1e300].into_iter(), 1e300), 0.5);
        assert_eq!(share([0.0, 0.0].into_iter(), 0.0), 0.5);
    }
}
