//! Which values sums of contributions can take, enclosed by a few intervals.
//!
//! ```text
//! margin(x) = K + Σ_{q open} c_q,     K = b + Σ_{q known} c_q
//! ```
//!
//! A set of known questions leaves the winner of a pair open for somebody only if some K that people can have lies
//! where the open questions can still turn it: K + L < 0 ≤ K + U, with L and U the sums of their smallest and largest
//! contributions. The values K are enclosed from outside, so that "no such K" is a proof.

use crate::core_test::exact_margins::{contribution_at, is_flat};
use crate::core_test::linear_tables::LinearTables;
use crate::core_test::pairs::Pair;
use crate::model::{LinearModel, Model};
use crate::region::Asked;
use crate::schema::Domain;

/// Beyond this many intervals, neighbours are joined.
const MOST_INTERVALS: usize = 512;

/// A grid of more points counts as everything between its ends.
const MOST_POINTS: usize = 64;

/// Of a nonzero weight: its products with encoded answers, which are 0 or at least 10⁻¹⁶ in size, stay exact.
const SMALLEST_WEIGHT: f64 = 1e-250;

/// Values that a sum may have: intervals that rise and do not touch.
#[derive(Debug, Clone)]
pub(super) struct ReachableSums(Vec<(f64, f64)>);

impl ReachableSums {
    pub fn at(value: f64) -> Self {
        ReachableSums(vec![(value, value)])
    }

    /// With one more term, which is one of some values or between them.
    pub fn plus(&self, term: &Term) -> Self {
        let shifted = |(low, high): &(f64, f64)| (self.0.iter().map(move |own| (own.0 + low, own.1 + high))).collect();
        let mut all: Vec<(f64, f64)> = term.0.iter().flat_map(|part| -> Vec<(f64, f64)> { shifted(part) }).collect();
        all.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut joined = join(all, |before, next| next <= before);
        while joined.len() > MOST_INTERVALS {
            let mut even = false;
            joined = join(joined, |_, _| {
                even = !even;
                even
            });
        }
        ReachableSums(joined)
    }

    /// Whether some value lies between two bounds, give or take some slack.
    pub fn meets(&self, lower: f64, upper: f64, slack: f64) -> bool {
        self.0.iter().any(|(low, high)| *low <= upper + slack && *high >= lower - slack)
    }
}

/// Joins neighbours where a rule says so of the end of one and the start of the next.
fn join(intervals: Vec<(f64, f64)>, mut touches: impl FnMut(f64, f64) -> bool) -> Vec<(f64, f64)> {
    let mut joined: Vec<(f64, f64)> = Vec::with_capacity(intervals.len());
    for (low, high) in intervals {
        match joined.last_mut() {
            Some(last) if touches(last.1, low) => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    joined
}

/// What one question can contribute to a margin: one of some intervals.
#[derive(Debug, Clone)]
pub(super) struct Term(Vec<(f64, f64)>);

impl Term {
    fn new(model: &LinearModel, pair: &Pair, question: &Asked) -> Self {
        let at = |vertex| contribution_at(model, pair, question, vertex);
        let numbers = |points: Option<usize>| match points {
            Some(points) if points <= MOST_POINTS => {
                let place = |point: usize| point as f64 / (points - 1).max(1) as f64;
                let value = |point| at(0) + place(point) * (at(1) - at(0));
                (0..points).map(|point| (value(point), value(point))).collect()
            }
            _ => vec![(at(0).min(at(1)), at(0).max(at(1)))],
        };
        match question.domain {
            Domain::OneOf { levels } => Term((0..levels).map(|level| (at(level), at(level))).collect()),
            Domain::Interval => Term(numbers(None)),
            Domain::Grid { points } => Term(numbers(Some(points))),
            Domain::OrMissing { points } => Term([numbers(points), vec![(at(2), at(2))]].concat()),
        }
    }

    fn lowest(&self) -> f64 {
        self.0.iter().map(|(low, _)| *low).fold(f64::INFINITY, f64::min)
    }

    fn highest(&self) -> f64 {
        self.0.iter().map(|(_, high)| *high).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The margin of one label over a later one: what is known of everybody, and what each sensitive question can add.
struct PairSums {
    /// The intercept and everything public.
    public: ReachableSums,
    terms: Vec<Term>,
    /// Whether a question adds the same whatever its answer.
    flat: Vec<bool>,
}

/// The margins of a linear model.
pub(super) struct MarginSums {
    pairs: Vec<PairSums>,
    slack: f64,
    /// For each sensitive question, whether it moves any margin as sessions compute them.
    can_move: Vec<bool>,
}

impl MarginSums {
    /// Returns `None` where rounding could keep the exact test itself from being certain.
    pub fn new(tables: &LinearTables, public: &[Asked]) -> Option<Self> {
        let LinearTables { model, margins, questions, .. } = tables;
        let mut weights = (0..model.n_scores()).flat_map(|score| model.weights(score));
        if weights.any(|weight| *weight != 0.0 && weight.abs() < SMALLEST_WEIGHT) {
            return None;
        }
        let sums = |pair: &Pair| {
            let start = ReachableSums::at(pair.difference(model.n_scores(), |score| model.intercept(score)));
            let known = |reach: ReachableSums, question: &Asked| reach.plus(&Term::new(model, pair, question));
            PairSums {
                public: public.iter().fold(start, known),
                terms: questions.asked.iter().map(|question| Term::new(model, pair, question)).collect(),
                flat: questions.asked.iter().map(|question| is_flat(model, pair, question)).collect(),
            }
        };
        // Of two labels the one that wins ties: the other's margin is the negative.
        let pairs = margins.pairs().iter().filter(|pair| pair.wins_ties).map(sums).collect();
        let can_move = (0..questions.len()).map(|question| margins.can_move(question)).collect();
        Some(MarginSums { pairs, slack: 2.0 * model.rounding_bound(1.0), can_move })
    }

    /// Whether somebody's label may still be open once some questions are known; `false` is a proof.
    pub fn may_be_open(&self, is_known: impl Fn(usize) -> bool) -> bool {
        self.pairs.iter().any(|pair| pair.may_be_open(&is_known, self.slack))
    }

    /// Whether every question that can move a margin also does as sessions compute it, and no other.
    pub fn are_as_computed(&self) -> bool {
        self.can_move.iter().enumerate().all(|(question, can_move)| self.is_flat(question) != *can_move)
    }

    /// Whether a question moves no margin, whatever its answer.
    pub fn is_flat(&self, question: usize) -> bool {
        self.pairs.iter().all(|pair| pair.flat[question])
    }
}

impl PairSums {
    fn may_be_open(&self, is_known: impl Fn(usize) -> bool, slack: f64) -> bool {
        let open = || (0..self.terms.len()).filter(|&question| !is_known(question));
        if open().all(|question| self.flat[question]) {
            return false;
        }
        let lower: f64 = open().map(|question| self.terms[question].lowest()).sum();
        let upper: f64 = open().map(|question| self.terms[question].highest()).sum();
        let known = (0..self.terms.len()).filter(|&question| is_known(question));
        let reach = known.fold(self.public.clone(), |reach, question| reach.plus(&self.terms[question]));
        reach.meets(-upper, -lower, slack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_levels_leave_gaps_and_sums_of_intervals_close_them() {
        let level = |values: &[f64]| Term(values.iter().map(|value| (*value, *value)).collect());
        let reach = ReachableSums::at(0.0).plus(&level(&[-10.0, 10.0])).plus(&level(&[-1.0, 1.0]));
        assert!(reach.meets(8.5, 9.5, 0.0) && !reach.meets(-8.0, 8.0, 0.0));
        assert!(reach.plus(&Term(vec![(-9.0, 9.0)])).meets(-0.1, 0.1, 0.0));
    }

    #[test]
    fn many_sums_are_enclosed_by_few_intervals() {
        let mut reach = ReachableSums::at(0.0);
        for power in 0..20 {
            reach = reach.plus(&Term(vec![(0.0, 0.0), (f64::from(power).exp2(), f64::from(power).exp2())]));
        }
        assert!(reach.0.len() <= MOST_INTERVALS);
        for whole in [0.0, 77.0, 4097.0, 1_048_575.0] {
            assert!(reach.meets(whole, whole, 0.0));
        }
    }
}
