//! The smallest set of items whose gains cover every deficit, by branch and bound.

/// A gain this small beside the deficits cannot make the difference between covered and not; it leaves room for rounding.
const ROUNDING: f64 = 1e-9;

/// Items with a gain towards each of several deficits.
pub(super) struct Cover {
    /// Items, the most useful first.
    items: Vec<usize>,
    /// Row of a deficit: the gain of each item, in the order of `items`.
    gains: Vec<Vec<f64>>,
    deficits: Vec<f64>,
    /// How far rounding can have put a sum of gains and a deficit from where it belongs: a deficit may be what is left of much
    /// larger numbers, and its own size does not tell.
    rounding: f64,
    /// `reach[deficit][start][count]`: the largest sum of `count` gains among the items from `start` on.
    reach: Vec<Vec<Vec<f64>>>,
}

impl Cover {
    pub fn new(gains: &[Vec<f64>], deficits: &[f64], rounding: f64) -> Self {
        let n_items = gains.first().map_or(0, Vec::len);
        let open: Vec<usize> = (0..deficits.len()).filter(|&row| deficits[row] > 0.0).collect();
        let usefulness = |item: usize| open.iter().map(|&row| (gains[row][item] / deficits[row]).min(1.0)).sum::<f64>();
        let mut items: Vec<usize> = (0..n_items).collect();
        items.sort_by(|&left, &right| usefulness(right).total_cmp(&usefulness(left)));
        if let [only] = gains {
            items.sort_by(|&left, &right| only[right].total_cmp(&only[left]));
        }
        let gains: Vec<Vec<f64>> = gains.iter().map(|row| items.iter().map(|&item| row[item]).collect()).collect();
        let reach = if gains.len() > 1 { gains.iter().map(|row| reach(row)).collect() } else { Vec::new() };
        Cover { items, gains, deficits: deficits.to_vec(), rounding, reach }
    }

    /// The smallest set that `covers`, which decides where rounding could matter; `None` if there is none.
    pub fn smallest(&self, covers: impl Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
        if self.gains.len() == 1 {
            return self.largest_first(covers);
        }
        (0..=self.items.len()).find_map(|size| {
            let mut chosen = Vec::with_capacity(size);
            let mut left: Vec<f64> = self.deficits.clone();
            self.search(0, size, &mut chosen, &mut left, &covers).then_some(chosen)
        })
    }

    /// With one deficit the largest gains first are optimal.
    fn largest_first(&self, covers: impl Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
        let mut left = self.deficits[0];
        let sizes = left.abs() + self.gains[0].iter().map(|gain| gain.abs()).sum::<f64>();
        let slack = ROUNDING * sizes + self.rounding;
        (0..=self.items.len()).find_map(|size| {
            if size > 0 {
                left -= self.gains[0][size - 1];
            }
            (left <= slack && covers(&self.items[..size])).then(|| self.items[..size].to_vec())
        })
    }

    /// Adds exactly `size` items from `start` on; false, with everything as before, when none cover.
    fn search(
        &self,
        start: usize,
        size: usize,
        chosen: &mut Vec<usize>,
        left: &mut [f64],
        covers: &impl Fn(&[usize]) -> bool,
    ) -> bool {
        if !self.within_reach(start, size, left) {
            return false;
        }
        if size == 0 {
            return covers(chosen);
        }
        for place in start..=self.items.len() - size {
            self.take(place, 1.0, left);
            chosen.push(self.items[place]);
            if self.search(place + 1, size - 1, chosen, left, covers) {
                return true;
            }
            chosen.pop();
            self.take(place, -1.0, left);
        }
        false
    }

    /// Whether for every deficit on its own, `size` items from `start` on could cover what is left of it.
    fn within_reach(&self, start: usize, size: usize, left: &[f64]) -> bool {
        self.reach.iter().zip(left).zip(&self.deficits).all(|((reach, left), deficit)| {
            let most = reach[start][size];
            let sizes = deficit.abs() + reach[0][reach[0].len() - 1].abs() + most.abs();
            left - most <= ROUNDING * sizes + self.rounding
        })
    }

    fn take(&self, place: usize, sign: f64, left: &mut [f64]) {
        for (left, gains) in left.iter_mut().zip(&self.gains) {
            *left -= sign * gains[place];
        }
    }
}

/// For every start and count, the largest sum of that many gains from there on.
fn reach(gains: &[f64]) -> Vec<Vec<f64>> {
    (0..=gains.len())
        .map(|start| {
            let mut rest = gains[start..].to_vec();
            rest.sort_by(|left, right| right.total_cmp(left));
            let mut sums = vec![0.0];
            for gain in rest {
                sums.push(sums[sums.len() - 1] + gain);
            }
            sums
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first deficit is zero but for rounding, and nothing adds to it. Its own size once was the measure of its rounding, so
    /// that no set was tried.
    #[test]
    fn a_deficit_that_is_only_rounding_rules_no_set_out() {
        let cover = Cover::new(&[vec![0.0, 0.0], vec![1.0, 0.5]], &[1e-16, 1.0], 1e-13);
        assert_eq!(cover.smallest(|chosen| chosen.contains(&0)), Some(vec![0]));
        let cover = Cover::new(&[vec![0.0, 0.0]], &[1e-16], 1e-13);
        assert_eq!(cover.smallest(|_| true), Some(vec![]));
    }
}
