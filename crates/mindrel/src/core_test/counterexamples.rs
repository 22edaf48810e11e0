//! The search for a counterexample around one person, when the model can only be run.
//!
//! A proof is impossible, so the points most likely to contradict a label are tried: single answers changed from the
//! expected person's, corners and other far points of the domain, and from the points where the label wins least, one
//! answer after the other moved to where it wins less. A small domain is tried whole. What is found is certain; that
//! nothing is found is not a proof.

use rand_core::Rng;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;

use super::certified::runner::BlackBoxRunner;
use super::tried::Tried;
use crate::Label;
use crate::region::open::OpenColumns;
use crate::schema::{Domain, MISSING, grid_value};

/// A number is tried at this many values, evenly spread from one end to the other.
const VALUES: usize = 5;

/// Far points that are tried before the first answer is moved.
const FAR_POINTS: usize = 192;

/// From how many points answers are moved in each round, and how many rounds there are.
const STARTS: usize = 6;
const ROUNDS: usize = 4;

/// A domain of no more points is tried whole.
const MOST_ENUMERATED: usize = 2048;

/// The seed of the far points, which are the same for everyone.
const SEED: u64 = 0x6661_7220;

/// What the search may do to a person, and where it stands. It has no `Debug`: it tells about answers.
#[derive(Default)]
pub(crate) struct CounterexampleSearch {
    /// The values that each open question is tried at, question after question.
    moves: Vec<Move>,
    /// The place of the expected person among the points tried.
    expected: usize,
    /// Of each move from the expected person, the place of the point.
    from_expected: Vec<usize>,
    /// Places that answers were moved from.
    left: Vec<usize>,
    point: Vec<f64>,
}

/// An answer to an open question.
#[derive(Debug, Clone, Copy)]
struct Move {
    question: usize,
    value: Value,
}

#[derive(Debug, Clone, Copy)]
enum Value {
    /// Between −1 and 1.
    Number(f64),
    Missing,
    Level(usize),
}

impl Move {
    fn apply(self, open: &OpenColumns, point: &mut [f64]) {
        let question = &open.questions[self.question];
        let columns = &mut point[question.columns.clone()];
        match self.value {
            Value::Number(value) => {
                columns.fill(value * question.domain.numbers().map_or(1.0, |numbers| numbers.scale))
            }
            Value::Missing => columns.copy_from_slice(&MISSING),
            Value::Level(level) => {
                columns.fill(0.0);
                columns[level] = 1.0;
            }
        }
    }
}

impl CounterexampleSearch {
    /// Adds the expected person and everyone who differs from them in one answer.
    pub fn begin(&mut self, open: &OpenColumns, expected: &[f64], tried: &mut Tried) {
        self.moves.clear();
        for (question, it) in open.questions.iter().enumerate() {
            self.moves.extend(values(it.domain).map(|value| Move { question, value }));
        }
        self.left.clear();
        self.expected = tried.push(expected);
        self.from_expected.clear();
        self.move_each(open, self.expected, tried);
        self.from_expected.extend(self.expected + 1..tried.len());
        self.left.push(self.expected);
    }

    /// The place of the expected person among the points tried.
    pub fn expected(&self) -> usize {
        self.expected
    }

    /// By how much changing an answer of the expected person makes the label win less, at most; of each open question.
    pub fn falls(&self, open: &OpenColumns, tried: &Tried, label: Label) -> Vec<f64> {
        let here = tried.margin(self.expected, label);
        let mut falls = vec![0.0; open.questions.len()];
        for (it, &place) in self.moves.iter().zip(&self.from_expected) {
            let fall: &mut f64 = &mut falls[it.question];
            *fall = fall.max(here - tried.margin(place, label));
        }
        falls
    }

    /// Tries points of the whole domain until one contradicts the label; whether one did.
    ///
    /// Everything that was tried before counts, and is started from.
    pub fn finds(&mut self, label: Label, runner: &mut BlackBoxRunner, tried: &mut Tried) -> bool {
        self.add_far_points(runner.open_columns(), tried);
        tried.run(runner);
        for _ in 0..ROUNDS {
            if tried.contradicts(label) {
                return true;
            }
            let starts = self.starts(label, tried);
            if starts.is_empty() {
                return false;
            }
            let moved: Vec<usize> = starts
                .iter()
                .map(|&start| {
                    let first = tried.len();
                    self.move_each(runner.open_columns(), start, tried);
                    first
                })
                .collect();
            tried.run(runner);
            for (&start, &first) in starts.iter().zip(&moved) {
                self.combine(runner.open_columns(), label, start, first, tried);
            }
            tried.run(runner);
            self.left.extend(starts);
        }
        tried.contradicts(label)
    }

    /// The points where the label wins least, of those that were not started from.
    fn starts(&self, label: Label, tried: &Tried) -> Vec<usize> {
        let mut places: Vec<usize> = (0..tried.len()).collect();
        places.sort_by(|&one, &other| tried.margin(one, label).total_cmp(&tried.margin(other, label)));
        let mut starts: Vec<usize> = Vec::with_capacity(STARTS);
        for place in places {
            let is_same = |other: &usize| tried.point(*other) == tried.point(place);
            if !self.left.iter().chain(&starts).any(is_same) {
                starts.push(place);
            }
            if starts.len() == STARTS {
                break;
            }
        }
        starts
    }

    /// Adds a point for each move from another.
    fn move_each(&mut self, open: &OpenColumns, from: usize, tried: &mut Tried) {
        for it in &self.moves {
            self.point.clear();
            self.point.extend_from_slice(tried.point(from));
            it.apply(open, &mut self.point);
            tried.push(&self.point);
        }
    }

    /// Adds points with several answers changed, those first that make the label win less by themselves. The points of
    /// all moves from `start` begin at `first`.
    fn combine(&mut self, open: &OpenColumns, label: Label, start: usize, first: usize, tried: &mut Tried) {
        let here = tried.margin(start, label);
        let mut best: Vec<(f64, Option<Move>)> = vec![(here, None); open.questions.len()];
        for (index, it) in self.moves.iter().enumerate() {
            let margin = tried.margin(first + index, label);
            if margin < best[it.question].0 {
                best[it.question] = (margin, Some(*it));
            }
        }
        best.sort_by(|one, other| one.0.total_cmp(&other.0));
        self.point.clear();
        self.point.extend_from_slice(tried.point(start));
        for (index, it) in best.iter().filter_map(|(_, it)| *it).enumerate() {
            it.apply(open, &mut self.point);
            if index > 0 {
                tried.push(&self.point);
            }
        }
    }

    /// Adds corners, and people each of whose answers is any at all.
    fn add_far_points(&mut self, open: &OpenColumns, tried: &mut Tried) {
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        for index in 0..FAR_POINTS {
            self.point.clear();
            self.point.resize(open.width, 0.0);
            for (question, it) in open.questions.iter().enumerate() {
                let value = if index % 2 == 0 { any_end(it.domain, &mut random) } else { any(it.domain, &mut random) };
                Move { question, value }.apply(open, &mut self.point);
            }
            tried.push(&self.point);
        }
    }

    /// Tries the whole domain if it is small; whether it is.
    pub fn exhausts(&mut self, runner: &mut BlackBoxRunner, tried: &mut Tried) -> bool {
        let open = runner.open_columns();
        let sizes: Option<Vec<usize>> = open.questions.iter().map(|question| size(question.domain)).collect();
        let Some(sizes) = sizes else { return false };
        let all = sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
        let Some(n_points) = all.filter(|all| *all <= MOST_ENUMERATED) else { return false };
        for index in 0..n_points {
            self.point.clear();
            self.point.resize(open.width, 0.0);
            let mut rest = index;
            for (question, (it, size)) in open.questions.iter().zip(&sizes).enumerate() {
                Move { question, value: nth(it.domain, rest % size) }.apply(open, &mut self.point);
                rest /= size;
            }
            tried.push(&self.point);
        }
        tried.run(runner);
        true
    }
}

/// How many answers a question has besides a missing number, if they can be counted.
fn points(domain: Domain) -> Option<usize> {
    match domain {
        Domain::Interval => None,
        Domain::Grid { points } => Some(points),
        Domain::OneOf { levels } => Some(levels),
        Domain::OrMissing { points } => points,
    }
}

fn can_be_missing(domain: Domain) -> bool {
    matches!(domain, Domain::OrMissing { .. })
}

/// How many answers a question has, if they can be counted.
fn size(domain: Domain) -> Option<usize> {
    points(domain).map(|points| points + usize::from(can_be_missing(domain)))
}

/// One of the answers that can be counted; the last of a number that can be missing is that it is.
fn nth(domain: Domain, index: usize) -> Value {
    match (domain, points(domain)) {
        (Domain::OneOf { .. }, _) => Value::Level(index),
        (_, Some(points)) if index >= points => Value::Missing,
        (_, Some(points)) if points > 1 => Value::Number(grid_value(index, points)),
        _ => Value::Number(-1.0),
    }
}

/// The answers that a question is tried at: all levels, or some values of a number with both ends, and that it is
/// missing.
fn values(domain: Domain) -> impl Iterator<Item = Value> {
    let points = points(domain);
    let n_values = match domain {
        Domain::OneOf { levels } => levels,
        _ => points.map_or(VALUES, |points| points.min(VALUES)),
    };
    let value = move |index: usize| match (domain, points) {
        (Domain::OneOf { .. }, _) => Value::Level(index),
        (_, Some(points)) => nth(domain, index * (points - 1) / (n_values - 1).max(1)),
        (_, None) => Value::Number(grid_value(index, VALUES)),
    };
    (0..n_values).map(value).chain(can_be_missing(domain).then_some(Value::Missing))
}

/// A whole number below another.
fn below<R: Rng>(n: usize, random: &mut R) -> usize {
    ((u128::from(random.next_u64()) * n as u128) >> 64) as usize
}

fn any<R: Rng>(domain: Domain, random: &mut R) -> Value {
    match size(domain) {
        Some(n_values) => nth(domain, below(n_values, random)),
        None if can_be_missing(domain) && below(4, random) == 0 => Value::Missing,
        None => Value::Number(-1.0 + 2.0 * ((random.next_u64() >> 11) as f64 / (1u64 << 53) as f64)),
    }
}

/// One end of a number's domain, or that it is missing, or any level.
fn any_end<R: Rng>(domain: Domain, random: &mut R) -> Value {
    if let Domain::OneOf { .. } = domain {
        return any(domain, random);
    }
    [Value::Number(-1.0), Value::Number(1.0), Value::Missing][below(2 + usize::from(can_be_missing(domain)), random)]
}
