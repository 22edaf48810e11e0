//! Quartiles of a column that is too long to be held in memory.

/// The quartiles of up to this many people are exact; of more, they are those of a sample of this size.
const MOST_DRAWN: usize = 1 << 16;

/// A sample of a column, drawn by lines alone, so it is the same whenever the table is read.
pub(super) struct NumberSample {
    most: usize,
    /// The numbers of the lines with the lowest hashes, with these hashes.
    numbers: Vec<(u64, f64)>,
    largest: Option<f64>,
}

impl Default for NumberSample {
    fn default() -> Self {
        NumberSample::of_up_to(MOST_DRAWN)
    }
}

impl NumberSample {
    /// A sample of up to this many numbers.
    pub fn of_up_to(most: usize) -> Self {
        NumberSample { most, numbers: Vec::new(), largest: None }
    }

    pub fn add(&mut self, number: f64, line: u64) {
        self.largest = Some(self.largest.map_or(number, |largest| largest.max(number)));
        self.numbers.push((scattered(line), number));
        if self.numbers.len() == 2 * self.most {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.numbers.len() > self.most {
            self.numbers.select_nth_unstable_by_key(self.most, |(rank, _)| *rank);
            self.numbers.truncate(self.most);
        }
    }

    /// The numbers that one `parts`-th of the sample is at or below, two, and so on; none if there is no number.
    pub fn quantiles(mut self, parts: usize) -> Vec<f64> {
        self.cut();
        let mut numbers: Vec<f64> = self.numbers.into_iter().map(|(_, number)| number).collect();
        if numbers.is_empty() {
            return numbers;
        }
        numbers.sort_by(f64::total_cmp);
        (1..parts).map(|share| numbers[(share * numbers.len()).div_ceil(parts).max(1) - 1]).collect()
    }

    /// The distinct quartiles below the largest number, so that no group is empty.
    pub fn quartiles(mut self) -> Vec<f64> {
        self.cut();
        let largest = self.largest.expect("many numbers were seen");
        let below = self.numbers.iter().map(|(_, number)| *number).filter(|number| *number < largest);
        let last_below = below.max_by(f64::total_cmp);
        let mut cuts: Vec<f64> = self.quantiles(4).into_iter().filter(|cut| *cut < largest).collect();
        if cuts.is_empty() {
            // Three quarters and more have the largest number.
            cuts.extend(last_below);
        }
        cuts.dedup();
        cuts
    }
}

/// A hash of the line, independent of the order of lines.
fn scattered(line: u64) -> u64 {
    // SplitMix64's finaliser; written out so that it is the same with every version of the standard library.
    let mut mixed = line.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quartiles(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut drawn = NumberSample::default();
        numbers.zip(2..).for_each(|(number, line)| drawn.add(number, line));
        drawn.quartiles()
    }

    #[test]
    fn a_quarter_lies_at_or_below_each_cut() {
        assert_eq!(quartiles((1..=100).map(f64::from)), [25.0, 50.0, 75.0]);
        assert_eq!(quartiles((1..=101).map(f64::from)), [26.0, 51.0, 76.0]);
    }

    #[test]
    fn numbers_that_most_people_share_make_fewer_groups_and_no_empty_one() {
        let mostly =
            |usual: f64| quartiles((0..100).map(move |place| if place < 90 { usual } else { f64::from(place) }));
        assert_eq!(mostly(0.0), [0.0]);
        assert_eq!(mostly(200.0), [99.0]);
    }

    /// 65,536 of 400,000 sorted numbers are drawn. The share below a quartile then has a standard error of 0.0016; six
    /// of them are allowed.
    #[test]
    fn quartiles_of_a_long_and_sorted_column_are_those_of_all_of_it() {
        let count = 400_000;
        for (cut, share) in quartiles((0..count).map(f64::from)).iter().zip([0.25, 0.5, 0.75]) {
            assert!((cut / f64::from(count) - share).abs() < 0.01, "{cut}");
        }
    }
}
