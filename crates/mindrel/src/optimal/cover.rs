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
    ///
    /// Past [`MOST_NODES`] the most useful items are taken until they cover, and what turns out superfluous is dropped.
    pub fn smallest(&self, covers: impl Fn(&[usize]) -> bool) -> Option<FoundCover> {
        if self.gains.len() == 1 {
            let items = self.largest_first(covers)?;
            return Some(FoundCover { items, is_given_up: false });
        }
        let mut search = SmallestCoverSearch {
            cover: self,
            covers: &covers,
            chosen: Vec::new(),
            left: self.deficits.clone(),
            nodes: 0,
        };
        for size in 0..=self.items.len() {
            if search.adds(0, size) {
                return Some(FoundCover { items: search.chosen, is_given_up: false });
            }
            if search.nodes > MOST_NODES {
                let items = self.most_useful(&covers)?;
                return Some(FoundCover { items, is_given_up: true });
            }
        }
        None
    }

    /// The most useful items until they cover, without those that the others make superfluous.
    fn most_useful(&self, covers: impl Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
        let mut chosen = (0..=self.items.len()).map(|size| &self.items[..size]).find(|items| covers(items))?.to_vec();
        for place in (0..chosen.len()).rev() {
            let item = chosen.remove(place);
            if !covers(&chosen) {
                chosen.insert(place, item);
            }
        }
        Some(chosen)
    }

    /// The cheapest set that `covers`, starting from one that is `known` to; `costs` by item.
    ///
    /// Items are taken or left in the order of their use. A branch is given up when what it has and, for some
    /// deficit, the cheapest fractions of items that could cover the rest cost as much as the best set so far.
    pub fn cheapest(&self, costs: &[f64], known: Vec<usize>, covers: impl Fn(&[usize]) -> bool) -> FoundCover {
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
        FoundCover { items: search.best, is_given_up: search.nodes > MOST_NODES }
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

/// A search looks at no more branches than this for one person.
const MOST_NODES: usize = 100_000;

/// A set that covers.
#[derive(Debug, PartialEq)]
pub(super) struct FoundCover {
    pub items: Vec<usize>,
    /// Whether the search was given up, so that a smaller or cheaper set may exist.
    pub is_given_up: bool,
}

/// A search for the smallest set that covers.
struct SmallestCoverSearch<'a, C> {
    cover: &'a Cover,
    covers: &'a C,
    chosen: Vec<usize>,
    /// What is left of each deficit.
    left: Vec<f64>,
    nodes: usize,
}

impl<C: Fn(&[usize]) -> bool> SmallestCoverSearch<'_, C> {
    /// Adds exactly `size` items from `start` on; false, with everything as before, when none cover.
    fn adds(&mut self, start: usize, size: usize) -> bool {
        self.nodes += 1;
        if self.nodes > MOST_NODES || !self.cover.within_reach(start, size, &self.left) {
            return false;
        }
        if size == 0 {
            return (self.covers)(&self.chosen);
        }
        for place in start..=self.cover.items.len() - size {
            self.cover.take(place, 1.0, &mut self.left);
            self.chosen.push(self.cover.items[place]);
            if self.adds(place + 1, size - 1) {
                return true;
            }
            self.chosen.pop();
            self.cover.take(place, -1.0, &mut self.left);
        }
        false
    }
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
        let found = |items: Vec<usize>| Some(FoundCover { items, is_given_up: false });
        assert_eq!(cover.smallest(|chosen| chosen.contains(&0)), found(vec![0]));
        let cover = Cover::new(&[vec![0.0, 0.0]], &[1e-16], 1e-13);
        assert_eq!(cover.smallest(|_| true), found(vec![]));
    }

    /// Eleven deficits and 300 items, each of some use against all: an exact search would not end.
    #[test]
    fn a_search_that_is_given_up_still_covers_and_holds_nothing_superfluous() {
        let gain = |row: usize, item: usize| 0.5 + ((row * 131 + item * 71 + row * item * 17) % 97) as f64 / 97.0;
        let gains: Vec<Vec<f64>> = (0..11).map(|row| (0..300).map(|item| gain(row, item)).collect()).collect();
        let cover = Cover::new(&gains, &[100.0; 11], 1e-12);
        let covers =
            |chosen: &[usize]| gains.iter().all(|row| chosen.iter().map(|item| row[*item]).sum::<f64>() >= 100.0);
        let found = cover.smallest(covers).expect("all of them cover");
        assert!(found.is_given_up && covers(&found.items));
        for place in 0..found.items.len() {
            let mut fewer = found.items.clone();
            fewer.remove(place);
            assert!(!covers(&fewer));
        }
    }
}
