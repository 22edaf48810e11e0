//! A part of the domain: what the open questions can be in it.

use std::ops::Range;

use super::Facts;
use super::implied::narrowed;
use super::interval::Interval;
use crate::proof::ProofCut;
use crate::schema::{Domain, Kind, QuestionId, Schema};
use crate::verify::Statement;

/// The open questions. Their columns are counted among the open ones, question after question.
pub(super) struct OpenQuestions<'a> {
    schema: &'a Schema,
    pub questions: Vec<(QuestionId, Range<usize>)>,
    /// The encoded column behind each open column.
    pub columns: Vec<usize>,
    /// How a number that can be anything is cut.
    between: Between,
    whole: DomainPart,
    facts: &'a Facts,
}

/// What two halves of an interval have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// The number they meet in.
    Shared,
    /// Nothing: the second starts at the number after the one the first ends at.
    Next,
}

/// What every open question can be. It has no `Debug`: it tells about answers.
#[derive(Clone)]
pub(super) struct DomainPart(pub Vec<Possible>);

/// What one question can be.
#[derive(Clone, PartialEq)]
pub(super) enum Possible {
    /// Any number from the first to the second; on a grid, any of its points from the one to the other.
    Between(f64, f64),
    /// A number that may be missing: any number from the first to the second, as each of its columns has it, or that it
    /// is missing. One of the two is possible.
    OrMissing(Option<(f64, f64)>, bool),
    /// Any of the levels marked.
    Levels(Vec<bool>),
}

/// The columns of a missing number, and how large others are in them.
pub(super) const MISSING: [f64; 2] = [1.0, -1.0];
pub(super) const LARGEST_BESIDE_MISSING: f64 = 0.5;

impl<'a> OpenQuestions<'a> {
    pub fn new(statement: &Statement<'a>, between: Between) -> Self {
        let schema = statement.plan.schema();
        let (mut questions, mut columns) = (Vec::new(), Vec::new());
        for id in statement.open() {
            let start = columns.len();
            columns.extend(schema.columns(id));
            questions.push((id, start..columns.len()));
        }
        let facts = statement.facts;
        let whole = DomainPart(questions.iter().map(|(id, _)| facts.possible[id.index()].clone()).collect());
        OpenQuestions { schema, questions, columns, between, whole, facts }
    }

    /// Everything the questions can be.
    pub fn whole(&self) -> DomainPart {
        self.whole.clone()
    }

    /// A part narrowed to what the rules between questions imply; `None` if nobody is left in it.
    pub fn narrowed(&self, part: &DomainPart) -> Option<DomainPart> {
        let mut possible = self.facts.possible.clone();
        for ((id, _), here) in self.questions.iter().zip(&part.0) {
            possible[id.index()] = here.clone();
        }
        let narrowed = narrowed(&self.facts.rules, possible)?;
        Some(DomainPart(self.questions.iter().map(|(id, _)| narrowed[id.index()].clone()).collect()))
    }

    pub fn domain(&self, id: QuestionId) -> Domain {
        self.schema.question(id).domain()
    }

    /// The place of an open question among the open ones.
    fn place(&self, name: &str) -> Option<usize> {
        self.questions.iter().position(|(id, _)| self.schema.question(*id).name == name)
    }
}

impl DomainPart {
    /// Where a linear function of the open columns lies: the sum of where its terms lie.
    pub fn range(&self, open: &OpenQuestions<'_>, coefficients: &[Interval]) -> Interval {
        let terms = self.0.iter().zip(&open.questions).map(|(possible, (_, columns))| {
            let coefficients = &coefficients[columns.clone()];
            match possible {
                Possible::Between(low, high) => coefficients[0] * Interval { low: *low, high: *high },
                Possible::OrMissing(numbers, missing) => {
                    let both = coefficients[0] + coefficients[1];
                    let numbers = numbers.map(|(low, high)| both * Interval { low, high });
                    let missing = missing.then(|| coefficients[0] + -coefficients[1]);
                    numbers.into_iter().chain(missing).reduce(Interval::or).expect("a number or missing")
                }
                Possible::Levels(possible) => {
                    let terms = coefficients.iter().zip(possible).filter(|(_, possible)| **possible);
                    terms.map(|(term, _)| *term).reduce(Interval::or).expect("a part has possible levels")
                }
            }
        });
        terms.fold(Interval::ZERO, |sum, term| sum + term)
    }

    /// The one point that is left, if it is one.
    pub fn point(&self) -> Option<Vec<f64>> {
        let mut point = Vec::new();
        for possible in &self.0 {
            match possible {
                Possible::Between(low, high) if low == high => point.push(*low),
                Possible::OrMissing(Some((low, high)), false) if low == high => point.extend([*low; 2]),
                Possible::OrMissing(None, _) => point.extend(MISSING),
                Possible::Levels(levels) if levels.iter().filter(|level| **level).count() == 1 => {
                    point.extend(levels.iter().map(|&level| f64::from(u8::from(level))));
                }
                _ => return None,
            }
        }
        Some(point)
    }

    /// Some point of it.
    pub fn some_point(&self) -> Vec<f64> {
        let mut point = Vec::new();
        for possible in &self.0 {
            match possible {
                Possible::Between(low, _) => point.push(*low),
                Possible::OrMissing(numbers, _) => point.extend(numbers.map_or(MISSING, |(low, _)| [low; 2])),
                Possible::Levels(levels) => {
                    let first = levels.iter().position(|level| *level);
                    point.extend((0..levels.len()).map(|level| f64::from(u8::from(Some(level) == first))));
                }
            }
        }
        point
    }

    /// The two halves of a cut: each smaller, and together everything that is possible here; `None` if they are not.
    pub fn halves(&self, open: &OpenQuestions<'_>, cut: &ProofCut) -> Option<(DomainPart, DomainPart)> {
        let place = open.place(cut.question())?;
        let id = open.questions[place].0;
        let (first, second) = match (&self.0[place], cut) {
            (Possible::Between(low, high), ProofCut::Number { low: end, high: start, .. }) => {
                let (one, other) = number_halves(open.domain(id), open.between, (*low, *high), (*end, *start))?;
                (Possible::Between(one.0, one.1), Possible::Between(other.0, other.1))
            }
            (Possible::OrMissing(Some(numbers), false), ProofCut::Number { low: end, high: start, .. }) => {
                let (one, other) = number_halves(open.domain(id), open.between, *numbers, (*end, *start))?;
                (Possible::OrMissing(Some(one), false), Possible::OrMissing(Some(other), false))
            }
            (Possible::OrMissing(Some(all), true), ProofCut::OrMissing { missing_first, numbers, .. }) => {
                let (one, other) = match numbers {
                    Some(ends) => {
                        let (one, other) = number_halves(open.domain(id), open.between, *all, *ends)?;
                        (Some(one), Some(other))
                    }
                    None => (Some(*all).filter(|_| !missing_first), Some(*all).filter(|_| *missing_first)),
                };
                (Possible::OrMissing(one, *missing_first), Possible::OrMissing(other, !missing_first))
            }
            (Possible::Levels(possible), ProofCut::Levels { first, .. }) => {
                let Kind::Category { levels, .. } = &open.schema.question(id).kind else { return None };
                level_halves(levels, possible, first)?
            }
            _ => return None,
        };
        let (mut one, mut other) = (self.clone(), self.clone());
        (one.0[place], other.0[place]) = (first, second);
        Some((one, other))
    }
}

/// Numbers up to `end`, and from `start` on.
///
/// ```text
/// low ≤ end < high,   low < start ≤ high,   and nothing possible strictly between end and start:
/// end = start, or start the next number after end,   or on a grid of n points   end = g(i), start = g(i + 1),   g(i) = −1 + 2 (i / (n − 1))
/// ```
fn number_halves(
    domain: Domain,
    between: Between,
    (low, high): (f64, f64),
    (end, start): (f64, f64),
) -> Option<((f64, f64), (f64, f64))> {
    let nothing_between = match domain {
        Domain::Interval | Domain::OrMissing { points: None } if between == Between::Next => start == end.next_up(),
        // A cut by a rule keeps apart what meets its condition and what does not.
        Domain::Interval | Domain::OrMissing { points: None } => end == start || start == end.next_up(),
        Domain::Grid { points } => are_neighbours(points, end, start),
        Domain::OrMissing { points: Some(points) } => {
            are_neighbours(points, end / LARGEST_BESIDE_MISSING, start / LARGEST_BESIDE_MISSING)
        }
        Domain::OneOf { .. } => false,
    };
    let smaller = low <= end && end < high && low < start && start <= high;
    (nothing_between && smaller).then_some(((low, end), (start, high)))
}

/// Whether two values are points of a grid that follow each other.
fn are_neighbours(points: usize, end: f64, start: f64) -> bool {
    let last = points.saturating_sub(1);
    let value = |index: usize| -1.0 + 2.0 * (index as f64 / last as f64);
    let index = ((end + 1.0) / 2.0 * last as f64).round() as usize;
    index < last && value(index) == end && value(index + 1) == start
}

/// Some of the levels that are possible, and the others.
fn level_halves(levels: &[String], possible: &[bool], first: &[String]) -> Option<(Possible, Possible)> {
    let mut one = vec![false; levels.len()];
    for name in first {
        let level = levels.iter().position(|level| level == name)?;
        if !possible[level] || one[level] {
            return None;
        }
        one[level] = true;
    }
    let other: Vec<bool> = possible.iter().zip(&one).map(|(possible, first)| *possible && !first).collect();
    let proper = one.contains(&true) && other.contains(&true);
    proper.then_some((Possible::Levels(one), Possible::Levels(other)))
}
