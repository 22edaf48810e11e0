//! What a person can still be, question by question.
//!
//! A [`Region`] holds everything that is known of a person: values narrow it to a point, rules between questions to
//! what they imply ([`implications`]), and a proof cuts it in two ([`RegionCut`]). One question is left for tests,
//! bounds, selectors and verification: is the label constant on the region?

pub(crate) mod implications;
pub(crate) mod open;
pub(crate) mod part;

pub(crate) use implications::Implications;
pub use implications::check_implications;
pub(crate) use open::{Asked, OpenColumns, OpenQuestion};

use std::ops::Range;

use part::QuestionPart;

use crate::schema::{Domain, HALF, MISSING, is_missing};

/// Bounds on columns, all of a person's or those of the questions that are open.
///
/// A number lies between its bounds, on a grid if its question has one, whose points both bounds then are. A level of a
/// category that is still possible has the upper bound 1, any other 0; exactly one of the possible ones is 1. The
/// bounds of a number that may be missing are those of [`NumberOrMissing`], column by column, and tell what it can be.
/// A question is known when both bounds agree in all of its columns. Its `Debug` shows none of them.
#[derive(Default, PartialEq)]
pub(crate) struct Region {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// What a number that may be missing can be. One of the two is possible.
#[derive(Clone, Copy, PartialEq)]
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

impl std::fmt::Debug for Region {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Region({} columns)", self.lower.len())
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
    /// Nothing is known: every question is anything in its domain. The questions have all `n_columns` between them.
    pub fn whole<'a>(n_columns: usize, questions: impl Iterator<Item = &'a Asked>) -> Self {
        let mut whole = Region { lower: vec![0.0; n_columns], upper: vec![0.0; n_columns] };
        questions.for_each(|question| whole.open(question));
        whole
    }

    /// A question becomes anything in its domain again.
    pub fn open(&mut self, question: &Asked) {
        let columns = question.columns.clone();
        match question.domain {
            Domain::Interval | Domain::Grid { .. } => {
                (self.lower[columns.start], self.upper[columns.start]) = (-1.0, 1.0);
            }
            Domain::OneOf { .. } => {
                self.lower[columns.clone()].fill(0.0);
                self.upper[columns].fill(1.0);
            }
            Domain::OrMissing { .. } => {
                self.set_numbers(&columns, NumberOrMissing { numbers: Some((-HALF, HALF)), missing: true });
            }
        }
    }

    /// The columns of everyone in the region where they are known; where not, their lower bounds.
    pub fn values(&self) -> &[f64] {
        &self.lower
    }

    /// Narrows some columns to one value each.
    pub fn set_point(&mut self, columns: Range<usize>, values: &[f64]) {
        self.lower[columns.clone()].copy_from_slice(values);
        self.upper[columns].copy_from_slice(values);
    }

    /// Whether a question, by its columns, is known.
    pub fn is_known(&self, columns: &Range<usize>) -> bool {
        self.lower[columns.clone()] == self.upper[columns.clone()]
    }

    /// The points among which every linear function of a question's columns has its extremes.
    pub fn vertices_of(&self, question: &Asked) -> Vec<Vec<f64>> {
        let columns = question.columns.clone();
        match question.domain {
            Domain::Interval | Domain::Grid { .. } => {
                vec![vec![self.lower[columns.start]], vec![self.upper[columns.start]]]
            }
            Domain::OrMissing { .. } => self.numbers(&columns).vertices().map(|vertex| vertex.to_vec()).collect(),
            Domain::OneOf { levels } => {
                let possible = (0..levels).filter(|level| self.allows(columns.start + level));
                possible.map(|level| (0..levels).map(|column| f64::from(u8::from(column == level))).collect()).collect()
            }
        }
    }

    /// What a question can be, if it is not known and not everything in a whole region.
    pub fn narrowed_part(&self, question: &Asked, whole: &Region) -> Option<QuestionPart> {
        let columns = question.columns.clone();
        let is_whole = self.lower[columns.clone()] == whole.lower[columns.clone()]
            && self.upper[columns.clone()] == whole.upper[columns.clone()];
        (!is_whole && !self.is_known(&columns)).then(|| match question.domain {
            Domain::Interval | Domain::Grid { .. } => {
                QuestionPart::Numbers(self.lower[columns.start], self.upper[columns.start])
            }
            Domain::OrMissing { .. } => {
                let possible = self.numbers(&columns);
                QuestionPart::OrMissing(possible.numbers, possible.missing)
            }
            Domain::OneOf { .. } => QuestionPart::Levels(columns.map(|column| self.allows(column)).collect()),
        })
    }

    /// Marks the level of a category as known if it is the only one that is possible.
    fn settle_levels(&mut self, columns: &Range<usize>) {
        let mut possible = columns.clone().filter(|&column| self.upper[column] == 1.0);
        if let (Some(only), None) = (possible.next(), possible.next()) {
            self.lower[only] = 1.0;
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
        open.questions.iter().for_each(|question| question.domain.bring_in(&mut point[question.columns.clone()]));
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
        let (RegionCut::Number { question, .. }
        | RegionCut::OrMissing { question, .. }
        | RegionCut::Levels { question, .. }) = cut;
        self.keep_at(&open.questions[*question].columns, cut, first_side);
    }

    /// The same of a question that is known by its columns.
    pub fn keep_at(&mut self, columns: &Range<usize>, cut: &RegionCut, first_side: bool) {
        match cut {
            RegionCut::Number { low, high, .. } => {
                for column in columns.clone() {
                    if first_side {
                        self.upper[column] = *low;
                    } else {
                        self.lower[column] = *high;
                    }
                }
            }
            RegionCut::OrMissing { numbers, missing_first, .. } => {
                let kept = self.numbers(columns).keep(*numbers, *missing_first, first_side);
                self.set_numbers(columns, kept);
            }
            RegionCut::Levels { first, .. } => {
                for (level, column) in columns.clone().enumerate() {
                    if first.contains(&level) != first_side {
                        self.upper[column] = 0.0;
                    }
                }
            }
        }
    }

    /// Becomes a copy of the columns of some questions of a larger region.
    fn pick(&mut self, from: &Region, columns: &[usize], width: usize) {
        for (bounds, source) in [(&mut self.lower, &from.lower), (&mut self.upper, &from.upper)] {
            bounds.clear();
            bounds.extend(columns.iter().map(|&column| source[column]));
            bounds.resize(width, 0.0);
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
