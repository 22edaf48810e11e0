//! A part of the domain: what the open columns can be within a branch.

use super::open::{OpenColumns, OpenQuestion};
use crate::schema::Domain;

/// Bounds on every open column.
///
/// A number lies between its bounds, on a grid if its question has one, whose points both bounds then are. A level of a category
/// that is still possible has the upper bound 1, any other 0; exactly one of the possible ones is 1.
#[derive(Default, PartialEq)]
pub(crate) struct Region {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// How a region is cut in two.
#[derive(Clone, PartialEq)]
pub(crate) enum RegionCut {
    /// Numbers up to the first value, and from the second on: the same one, or the next point of a grid.
    Number { question: usize, low: f64, high: f64 },
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
        self.lower.resize(open.n_numbers, -1.0);
        self.lower.resize(open.len(), 0.0);
        self.lower.resize(open.width, 0.0);
        self.upper.clear();
        self.upper.resize(open.len(), 1.0);
        self.upper.resize(open.width, 0.0);
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
        match question.domain {
            Domain::OneOf { .. } => question.columns.clone().filter(|&column| self.allows(column)).count() <= 1,
            Domain::Interval | Domain::Grid { .. } => {
                let column = question.columns.start;
                self.lower[column] == self.upper[column]
            }
        }
    }

    /// Writes some point of the region: the lower end of numbers, the first possible level.
    pub fn some_point_into(&self, open: &OpenColumns, point: &mut Vec<f64>) {
        point.clone_from(&self.lower);
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
    }

    /// Moves the numbers of a point to the nearest within the region.
    pub fn pull_in(&self, open: &OpenColumns, point: &mut [f64]) {
        let bounds = self.lower.iter().zip(&self.upper).take(open.n_numbers);
        point.iter_mut().zip(bounds).for_each(|(value, (lower, upper))| *value = value.clamp(*lower, *upper));
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
                let column = open.questions[*question].columns.start;
                if first_side {
                    self.upper[column] = *low;
                } else {
                    self.lower[column] = *high;
                }
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

    /// Cuts a number in the middle; `None` if there is no number strictly between.
    pub fn halve(&self, open: &OpenColumns, question: usize) -> Option<RegionCut> {
        let column = open.questions[question].columns.start;
        let (lower, upper) = (self.lower[column], self.upper[column]);
        let (low, high) = match open.questions[question].domain {
            Domain::Grid { points } if points > 1 => {
                let index = |value: f64| ((value + 1.0) / 2.0 * (points - 1) as f64).round() as usize;
                let middle = usize::midpoint(index(lower), index(upper));
                (grid_value(middle, points), grid_value(middle + 1, points))
            }
            _ => {
                let middle = f64::midpoint(lower, upper);
                (middle, middle)
            }
        };
        let shrinks = lower <= low && low < upper && lower < high && high <= upper;
        shrinks.then_some(RegionCut::Number { question, low, high })
    }
}

/// The value of a point of a grid, as an answer is encoded.
pub(crate) fn grid_value(index: usize, points: usize) -> f64 {
    -1.0 + 2.0 * (index as f64 / (points - 1) as f64)
}
