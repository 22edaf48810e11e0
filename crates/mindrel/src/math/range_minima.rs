//! The least of whole numbers in a row, over any range of it.

/// Answers for every range, from the minima of ranges whose lengths are powers of two.
///
/// ```text
/// levels[k][i] = min(values[i], …, values[i + 2^k − 1])
/// ```
///
/// It works both ways: [`build`](Self::build), then ask for ranges in O(1); or [`reset`](Self::reset), lower ranges in
/// O(1), then [`spread`](Self::spread) what they were lowered to over single values.
#[derive(Default)]
pub struct RangeMinima {
    levels: Vec<Vec<i64>>,
}

impl RangeMinima {
    /// Starts with nothing: every value is as large as can be.
    pub fn reset(&mut self, len: usize) {
        let n_levels = len.ilog2() as usize + 1;
        if self.levels.len() < n_levels {
            self.levels.resize_with(n_levels, Vec::new);
        }
        for (level, minima) in self.levels[..n_levels].iter_mut().enumerate() {
            minima.clear();
            minima.resize(len + 1 - (1 << level), i64::MAX);
        }
    }

    /// Starts with some values, at least one.
    pub fn build(&mut self, values: &[i64]) {
        self.reset(values.len());
        self.levels[0].copy_from_slice(values);
        for level in 1..=values.len().ilog2() as usize {
            let (below, above) = self.levels.split_at_mut(level);
            let (below, width) = (&below[level - 1], 1 << (level - 1));
            let halves = below.iter().zip(&below[width..]);
            above[0].iter_mut().zip(halves).for_each(|(least, (first, second))| *least = *first.min(second));
        }
    }

    /// The least value from one place to another, both included.
    #[must_use]
    pub fn least(&self, first: usize, last: usize) -> i64 {
        let level = (last - first + 1).ilog2() as usize;
        self.levels[level][first].min(self.levels[level][last + 1 - (1 << level)])
    }

    /// Lowers every value from one place to another that is larger than this; [`spread`](Self::spread) shows it.
    pub fn lower(&mut self, first: usize, last: usize, value: i64) {
        let level = (last - first + 1).ilog2() as usize;
        let minima = &mut self.levels[level];
        minima[first] = minima[first].min(value);
        let second = last + 1 - (1 << level);
        minima[second] = minima[second].min(value);
    }

    /// Writes the values, after ranges of them were lowered.
    pub fn spread(&mut self, values: &mut [i64]) {
        for level in (1..=values.len().ilog2() as usize).rev() {
            let (below, above) = self.levels.split_at_mut(level);
            let (below, width) = (&mut below[level - 1], 1 << (level - 1));
            below.iter_mut().zip(&above[0]).for_each(|(value, least)| *value = (*value).min(*least));
            below[width..].iter_mut().zip(&above[0]).for_each(|(value, least)| *value = (*value).min(*least));
        }
        values.copy_from_slice(&self.levels[0]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranges_are_as_if_looked_through(values in proptest::collection::vec(-9_i64..9, 1..40), ends in (0_usize..40, 0_usize..40)) {
            let (one, other) = (ends.0 % values.len(), ends.1 % values.len());
            let (first, last) = (one.min(other), one.max(other));
            let mut minima = RangeMinima::default();
            minima.build(&values);
            prop_assert_eq!(minima.least(first, last), *values[first..=last].iter().min().expect("a range"));
        }

        #[test]
        fn lowered_ranges_show_in_every_value(len in 1_usize..40, ranges in proptest::collection::vec((0_usize..40, 0_usize..40, -9_i64..9), 0..12)) {
            let mut plain = vec![i64::MAX; len];
            let mut minima = RangeMinima::default();
            minima.reset(len);
            for (one, other, value) in ranges {
                let (first, last) = ((one % len).min(other % len), (one % len).max(other % len));
                minima.lower(first, last, value);
                plain[first..=last].iter_mut().for_each(|entry| *entry = value.min(*entry));
            }
            let mut values = vec![0; len];
            minima.spread(&mut values);
            prop_assert_eq!(values, plain);
        }
    }
}
