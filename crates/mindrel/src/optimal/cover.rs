//! The smallest or the cheapest set of items whose gains cover every deficit, by branch and bound.

/// A gain this small beside the deficits cannot make the difference between covered and not; it leaves room for
/// rounding.
const ROUNDING: f64 = 1e-9;

/// Items with a gain towards each of several deficits.
pub(super) struct Cover {
    /// Items, the most useful first.
    items: Vec<usize>,
    /// Row of a deficit: the gain of each item, in the order of `items`.
    gains: Vec<Vec<f64>>,
    deficits: Vec<f64>,
    /// How far rounding can have put a sum of gains and a deficit from where it belongs: a deficit may be what is
    /// left of much larger numbers, and its own size does not tell.
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

    /// The cheapest set that `covers`, starting from one that is `known` to; `costs` by item.
    ///
    /// Items are taken or left in the order of their use. A branch is given up when what it has and, for some
    /// deficit, the cheapest fractions of items that could cover the rest cost as much as the best set so far.
    pub fn cheapest(&self, costs: &[f64], known: Vec<usize>, covers: impl Fn(&[usize]) -> bool) -> CheapestCover {
        let cost_of = |items: &[usize]| items.iter().map(|&item| costs[item]).sum();
        let mut search = CheapestCoverSearch {
            cover: self,
            costs: self.items.iter().map(|&item| costs[item]).collect(),
            by_ratio: self.gains.iter().map(|gains| by_ratio(gains, &self.items, costs)).collect(),
            best_cost: cost_of(&known),
            best: known,
            nodes: 0,
        };
        let mut left = self.deficits.clone();
        search.visit(0, 0.0, &mut Vec::new(), &mut left, &covers);
        CheapestCover { items: search.best, is_given_up: search.nodes > MOST_NODES }
    }

    /// How far rounding can have put what is left of a deficit from where it belongs.
    fn slack(&self, row: usize) -> f64 {
        let sizes = self.deficits[row].abs() + self.gains[row].iter().map(|gain| gain.abs()).sum::<f64>();
        ROUNDING * sizes + self.rounding
    }

    /// With one deficit the largest gains first are optimal.
    fn largest_first(&self, covers: impl Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
        let mut left = self.deficits[0];
        let slack = self.slack(0);
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

/// A search for a cheapest set looks at no more branches than this for one person.
const MOST_NODES: usize = 100_000;

/// A set that covers.
pub(super) struct CheapestCover {
    pub items: Vec<usize>,
    /// Whether the search was given up, so that a cheaper set may exist.
    pub is_given_up: bool,
}

/// A search for the cheapest set that covers.
struct CheapestCoverSearch<'a> {
    cover: &'a Cover,
    /// In the order of the cover's items.
    costs: Vec<f64>,
    /// For each deficit, the places of the items that add to it, the most gain per cost first.
    by_ratio: Vec<Vec<usize>>,
    best: Vec<usize>,
    best_cost: f64,
    nodes: usize,
}

impl CheapestCoverSearch<'_> {
    fn visit(
        &mut self,
        start: usize,
        cost: f64,
        chosen: &mut Vec<usize>,
        left: &mut [f64],
        covers: &impl Fn(&[usize]) -> bool,
    ) {
        self.nodes += 1;
        let is_dearer = |cost: f64| cost >= self.best_cost * (1.0 - ROUNDING);
        if self.nodes > MOST_NODES || is_dearer(cost + self.least_further_cost(start, left)) {
            return;
        }
        let may_cover = (0..left.len()).all(|row| left[row] <= self.cover.slack(row));
        if may_cover && covers(chosen) {
            (self.best, self.best_cost) = (chosen.clone(), cost);
            return;
        }
        for place in start..self.costs.len() {
            self.cover.take(place, 1.0, left);
            chosen.push(self.cover.items[place]);
            self.visit(place + 1, cost + self.costs[place], chosen, left, covers);
            chosen.pop();
            self.cover.take(place, -1.0, left);
        }
    }

    /// What covering the rest costs at least, with the items from `start` on; infinite if they cannot.
    fn least_further_cost(&self, start: usize, left: &[f64]) -> f64 {
        let of_row = |row: usize| {
            let (mut missing, mut cost) = (left[row] - self.cover.slack(row), 0.0);
            for &place in self.by_ratio[row].iter().filter(|&&place| place >= start) {
                if missing <= 0.0 {
                    break;
                }
                let gain = self.cover.gains[row][place];
                cost += self.costs[place] * (missing / gain).min(1.0);
                missing -= gain;
            }
            if missing <= 0.0 { cost } else { f64::INFINITY }
        };
        (0..left.len()).map(of_row).fold(0.0, f64::max)
    }
}

fn by_ratio(gains: &[f64], items: &[usize], costs: &[f64]) -> Vec<usize> {
    let ratio = |place: usize| gains[place] / costs[items[place]];
    let mut places: Vec<usize> = (0..gains.len()).filter(|&place| gains[place] > 0.0).collect();
    places.sort_by(|&left, &right| ratio(right).total_cmp(&ratio(left)));
    places
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

    /// The first deficit is zero but for rounding, and nothing adds to it. Its own size once was the measure of its
    /// rounding, so that no set was tried.
    #[test]
    fn a_deficit_that_is_only_rounding_rules_no_set_out() {
        let cover = Cover::new(&[vec![0.0, 0.0], vec![1.0, 0.5]], &[1e-16, 1.0], 1e-13);
        assert_eq!(cover.smallest(|chosen| chosen.contains(&0)), Some(vec![0]));
        let cover = Cover::new(&[vec![0.0, 0.0]], &[1e-16], 1e-13);
        assert_eq!(cover.smallest(|_| true), Some(vec![]));
    }
}
