//! Where labels go along a line so that they do not overlap.

/// The places nearest to those wanted at which labels keep their order and their distance.
///
/// ```text
/// minimise Σ (p_i − w_i)²   subject to   p_{i+1} ≥ p_i + d,   lower ≤ p_0,   p_{n−1} ≤ upper
/// ```
///
/// With q_i = p_i − i·d it is a monotone regression, which pooling of neighbours that violate the order solves exactly,
/// and limits only cut it off. Of wishes in descending order the first comes first. `None` where there is no room.
pub(crate) fn spread(wanted: &[f64], distance: f64, lower: f64, upper: f64) -> Option<Vec<f64>> {
    let room = upper - lower - distance * wanted.len().saturating_sub(1) as f64;
    if room < 0.0 {
        return None;
    }
    let mut pools: Vec<(f64, usize)> = vec![];
    for (place, wish) in wanted.iter().enumerate() {
        let mut pool = (wish - place as f64 * distance, 1);
        while let Some(&(mean, count)) = pools.last().filter(|(mean, _)| *mean >= pool.0) {
            pools.pop();
            let total = count + pool.1;
            pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / total as f64, total);
        }
        pools.push(pool);
    }
    let shifts = pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    Some(shifts.enumerate().map(|(place, shift)| shift.clamp(lower, lower + room) + place as f64 * distance).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sums of distances are rounded.
    const ROUNDING: f64 = 1e-9;

    proptest! {
        #[test]
        fn labels_keep_their_order_their_distance_and_to_the_panel(
            mut wanted in prop::collection::vec(-20.0..220.0, 0..12),
            distance in 5.0..20.0,
        ) {
            wanted.sort_by(f64::total_cmp);
            match spread(&wanted, distance, 0.0, 200.0) {
                None => prop_assert!((wanted.len() - 1) as f64 * distance > 200.0),
                Some(places) => {
                    prop_assert_eq!(places.len(), wanted.len());
                    prop_assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= distance - ROUNDING));
                    prop_assert!(places.iter().all(|place| (-ROUNDING..=200.0 + ROUNDING).contains(place)));
                }
            }
        }

        #[test]
        fn labels_that_have_room_are_not_moved(start in 0.0..50.0, gap in 15.0..30.0) {
            let wanted: Vec<f64> = (0..5).map(|place| start + gap * f64::from(place)).collect();
            let places = spread(&wanted, 15.0, 0.0, 200.0).expect("five labels have room");
            prop_assert!(places.iter().zip(&wanted).all(|(place, wish)| (place - wish).abs() < ROUNDING));
        }
    }

    #[test]
    fn labels_of_one_place_are_spread_around_it() {
        assert_eq!(spread(&[100.0; 3], 15.0, 0.0, 200.0), Some(vec![85.0, 100.0, 115.0]));
        assert_eq!(spread(&[0.0; 2], 15.0, 0.0, 200.0), Some(vec![0.0, 15.0]));
    }
}
