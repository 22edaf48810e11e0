//! A part of the domain: what the open columns can be within a branch.

use std::ops::Range;

use super::open::{OpenColumns, OpenQuestion};
use crate::schema::{Domain, HALF, MISSING, is_missing};

/// Bounds on every open column.
///
/// A number lies between its bounds, on a grid if its question has one, whose points both bounds then are. A level of a
/// category that is still possible has the upper bound 1, any other 0; exactly one of the possible ones is 1. The
/// bounds of a number that may be missing are those of [`NumberOrMissing`], column by column, and tell what it can be.
#[derive(Default, PartialEq)]
pub(crate) struct Region {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// What a number that may be missing can be. One of the two is possible.
#[derive(Clone, Copy)]
pub(crate) struct NumberOrMissing {
    /// Numbers from one to another.
    pub numbers: Option<(f64, f64)>,
    pub missing: bool,
}

/// How a region is cut in two.
#[derive(Clone, PartialEq)]
pub(crate) enum RegionCut {
    /// Numbers up to the first value, and from the second on: the same one, or the next point of a grid.
    Number { question: usize, low: f64, high: f64 },
    /// A number that may be missing, likewise, or without a cut all its numbers in one part; missing goes to one of the
    /// parts.
    OrMissing { question: usize, numbers: Option<(f64, f64)>, missing_first: bool },
    /// The levels that go to the first part, among those possible.
    Levels { question: usize, first: Vec<usize> },
}

impl Clone for Region {
    fn clone(&self) -> Self {
        Region { lower: self.lower.clone(), upper: self.upper.clone() }
    }

    /// Reuses what is allocated.
    fn clone_from(&mut self, other: &Self) {
        self.lower.clone_from(&other.lower);
        self.upper.clone_from(&other.upper);
    }
}

impl NumberOrMissing {
    /// The points among which every linear function has its extremes.
    pub fn vertices(self) -> impl Iterator<Item = [f64; 2]> {
        let numbers = self.numbers.into_iter().flat_map(|(low, high)| [[low; 2], [high; 2]]);
        numbers.chain(self.missing.then_some(MISSING))
    }

    /// The least and the most of a linear function.
    pub fn extremes(self, coefficients: &[f64]) -> (f64, f64) {
        let values = self.vertices().map(|[first, second]| coefficients[0] * first + coefficients[1] * second);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    }

    /// The columns of some answer.
    fn some(self) -> [f64; 2] {
        self.numbers.map_or(MISSING, |(low, _)| [low; 2])
    }

    /// Moves the columns of an answer of the domain to the nearest that is possible.
    pub fn bring_in(self, columns: &mut [f64]) {
        match self.numbers {
            Some((low, high)) if !(self.missing && is_missing(columns)) => columns.fill(columns[0].clamp(low, high)),
            _ => columns.copy_from_slice(&MISSING),
        }
    }

    /// What is left on one side of a cut.
    fn keep(self, numbers: Option<(f64, f64)>, missing_first: bool, first_side: bool) -> Self {
        let has_missing = missing_first == first_side;
        let kept = match (numbers, self.numbers) {
            (Some((low, _)), Some((lower, _))) if first_side => Some((lower, low)),
            (Some((_, high)), Some((_, upper))) => Some((high, upper)),
            (_, all) => all.filter(|_| !has_missing),
        };
        NumberOrMissing { numbers: kept, missing: self.missing && has_missing }
    }
}

impl Region {
    /// The whole domain.
    pub fn whole(open: &OpenColumns) -> Self {
        let mut whole = Region::default();
        whole.set_whole(open);
        whole
    }

    /// Becomes the whole domain.
    pub fn set_whole(&mut self, open: &OpenColumns) {
        self.lower.clear();
        self.lower.resize(open.n_plain, -1.0);
        self.lower.resize(open.width, 0.0);
        self.upper.clear();
        self.upper.resize(open.len(), 1.0);
        self.upper.resize(open.width, 0.0);
        for question in open.numbers_or_missing() {
            self.set_numbers(&question.columns, NumberOrMissing { numbers: Some((-HALF, HALF)), missing: true });
        }
    }

    /// What a number that may be missing can be.
    pub fn numbers(&self, columns: &Range<usize>) -> NumberOrMissing {
        let (lower, upper) = (self.lower[columns.start], self.upper[columns.start + 1]);
        let missing = self.upper[columns.start] == MISSING[0];
        NumberOrMissing { numbers: (lower < MISSING[0]).then_some((lower, upper)), missing }
    }

    fn set_numbers(&mut self, columns: &Range<usize>, possible: NumberOrMissing) {
        let [above, below] = MISSING;
        let (low, high) = possible.numbers.unwrap_or((above, below));
        self.lower[columns.start] = low;
        self.upper[columns.start] = if possible.missing { above } else { high };
        self.lower[columns.start + 1] = if possible.missing { below } else { low };
        self.upper[columns.start + 1] = high;
    }

    /// Whether a level of a category is possible.
    pub fn allows(&self, column: usize) -> bool {
        self.upper[column] == 1.0
    }

    /// Whether only one point is left.
    pub fn is_point(&self, open: &OpenColumns) -> bool {
        self.lower[..open.n_numbers] == self.upper[..open.n_numbers]
            && open
                .categories()
                .all(|category| category.columns.clone().filter(|&column| self.allows(column)).count() == 1)
    }

    /// Whether nothing is left to choose for a question.
    pub fn is_settled(&self, question: &OpenQuestion) -> bool {
        let columns = question.columns.clone();
        match question.domain {
            Domain::OneOf { .. } => columns.filter(|&column| self.allows(column)).count() <= 1,
            Domain::Interval | Domain::Grid { .. } | Domain::OrMissing { .. } => {
                self.lower[columns.clone()] == self.upper[columns]
            }
        }
    }

    /// Writes some point of the region: the lower end of numbers, the first possible level.
    pub fn some_point_into(&self, open: &OpenColumns, point: &mut Vec<f64>) {
        point.clone_from(&self.lower);
        for question in open.numbers_or_missing() {
            point[question.columns.clone()].copy_from_slice(&self.numbers(&question.columns).some());
        }
        for category in open.categories() {
            let level = category.columns.clone().find(|&column| self.allows(column));
            category.columns.clone().for_each(|column| point[column] = f64::from(u8::from(Some(column) == level)));
        }
    }

    /// Writes the middle of every column, or the lower end on a grid, where nobody may be in the middle.
    pub fn middle_into(&self, open: &OpenColumns, point: &mut Vec<f64>) {
        point.clear();
        point.extend(self.lower.iter().zip(&self.upper).map(|(lower, upper)| f64::midpoint(*lower, *upper)));
        for question in open.questions.iter().filter(|question| matches!(question.domain, Domain::Grid { .. })) {
            point[question.columns.start] = self.lower[question.columns.start];
        }
        for question in open.numbers_or_missing() {
            let possible = self.numbers(&question.columns);
            let middle = match possible.numbers {
                Some((low, high)) if question.domain == (Domain::OrMissing { points: None }) => {
                    [f64::midpoint(low, high); 2]
                }
                _ => possible.some(),
            };
            point[question.columns.clone()].copy_from_slice(&middle);
        }
    }

    /// Moves the numbers of a point of the domain to the nearest within the region.
    pub fn pull_in(&self, open: &OpenColumns, point: &mut [f64]) {
        let bounds = self.lower.iter().zip(&self.upper).take(open.n_plain);
        point.iter_mut().zip(bounds).for_each(|(value, (lower, upper))| *value = value.clamp(*lower, *upper));
        for question in open.numbers_or_missing() {
            self.numbers(&question.columns).bring_in(&mut point[question.columns.clone()]);
        }
    }

    /// Brings a point into the domain and then the region: numbers to the nearest, a level that is not possible to the
    /// first that is.
    pub fn bring_in(&self, open: &OpenColumns, point: &mut [f64]) {
        open.bring_in(point);
        self.pull_in(open, point);
        for category in open.categories() {
            let is_possible = category.columns.clone().any(|column| point[column] == 1.0 && self.allows(column));
            let first = category.columns.clone().find(|&column| self.allows(column));
            if !is_possible {
                category.columns.clone().for_each(|column| point[column] = f64::from(u8::from(Some(column) == first)));
            }
        }
    }

    /// Keeps one side of a cut.
    pub fn keep(&mut self, open: &OpenColumns, cut: &RegionCut, first_side: bool) {
        match cut {
            RegionCut::Number { question, low, high } => {
                for column in open.questions[*question].columns.clone() {
                    if first_side {
                        self.upper[column] = *low;
                    } else {
                        self.lower[column] = *high;
                    }
                }
            }
            RegionCut::OrMissing { question, numbers, missing_first } => {
                let columns = &open.questions[*question].columns;
                let kept = self.numbers(columns).keep(*numbers, *missing_first, first_side);
                self.set_numbers(columns, kept);
            }
            RegionCut::Levels { question, first } => {
                let columns = open.questions[*question].columns.clone();
                for (level, column) in columns.enumerate() {
                    if first.contains(&level) != first_side {
                        self.upper[column] = 0.0;
                    }
                }
            }
        }
    }

    /// Cuts a number in the middle, or from being missing where it may be; `None` if nothing lies strictly between.
    pub fn halve(&self, open: &OpenColumns, question: usize) -> Option<RegionCut> {
        let OpenQuestion { columns, domain, .. } = &open.questions[question];
        let (mut lower, mut upper) = (self.lower[columns.start], self.upper[columns.start]);
        if let Domain::OrMissing { .. } = domain {
            let possible = self.numbers(columns);
            if possible.missing {
                let cut = RegionCut::OrMissing { question, numbers: None, missing_first: false };
                return possible.numbers.is_some().then_some(cut);
            }
            (lower, upper) = possible.numbers.expect("a number that is not missing");
        }
        let (low, high) = domain.numbers()?.middle(lower, upper);
        let shrinks = lower <= low && low < upper && lower < high && high <= upper;
        shrinks.then_some(RegionCut::Number { question, low, high })
    }
}
