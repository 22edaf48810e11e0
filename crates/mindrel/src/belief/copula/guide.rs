//! Finding a place among sorted numbers without searching for it.

use super::SCORE_LIMIT;

/// How many equal parts the line is cut into.
const PARTS: usize = 256;

/// Where to start looking among sorted numbers from −[`SCORE_LIMIT`] to [`SCORE_LIMIT`], for each part of the line.
#[derive(Debug)]
pub(crate) struct QuantileGuide {
    starts: Vec<u32>,
}

impl QuantileGuide {
    pub fn new(sorted: &[f64]) -> Self {
        let start = |part: usize| {
            // A little to the left: rounding may put a number into the part beside its own.
            let edge = -SCORE_LIMIT + 2.0 * SCORE_LIMIT * (part as f64 / PARTS as f64) - 1e-9;
            let before = if part == 0 { 0 } else { sorted.partition_point(|number| *number < edge) };
            u32::try_from(before).expect("fewer numbers than 2³²")
        };
        QuantileGuide { starts: (0..PARTS).map(start).collect() }
    }

    /// How many of the numbers are at most `at`.
    pub fn count_up_to(&self, sorted: &[f64], at: f64) -> usize {
        // What is left of the line falls into the first part, what is right of it into the last.
        let part = ((at + SCORE_LIMIT) * (PARTS as f64 / (2.0 * SCORE_LIMIT))) as usize;
        let start = self.starts[part.min(PARTS - 1)] as usize;
        start + sorted[start..].iter().take_while(|number| **number <= at).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_the_one_a_search_finds() {
        let sorted: Vec<f64> = (0..400).map(|index| ((index * index) as f64 / 20_000.0) - 4.0).collect();
        for numbers in [&sorted[..], &[0.0, 0.0, 0.5], &[]] {
            let guide = QuantileGuide::new(numbers);
            for step in -1000..=1000 {
                let at = f64::from(step) / 200.0;
                assert_eq!(guide.count_up_to(numbers, at), numbers.partition_point(|number| *number <= at));
            }
            for at in numbers {
                assert_eq!(guide.count_up_to(numbers, *at), numbers.partition_point(|number| number <= at));
            }
        }
    }
}
