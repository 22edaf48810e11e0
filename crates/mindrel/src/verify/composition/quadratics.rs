//! Sums of a quadratic function of each open column.

use crate::schema::Domain;
use crate::verify::interval::Interval;
use crate::verify::part::{DomainPart, LARGEST_BESIDE_MISSING, OpenQuestions, Possible};

/// `constant + Σ_j (weight_j x_j + square_j x_j²)` over the open columns.
#[derive(Clone)]
pub(super) struct Quadratics {
    pub constant: Interval,
    pub weights: Vec<Interval>,
    pub squares: Vec<Interval>,
}

/// On a grid of at most so many points, all of them are looked at; on a finer one, everything in between.
const MOST_POINTS: usize = 1024;

impl Quadratics {
    pub fn zero(n_columns: usize) -> Self {
        Quadratics {
            constant: Interval::ZERO,
            weights: vec![Interval::ZERO; n_columns],
            squares: vec![Interval::ZERO; n_columns],
        }
    }

    /// Adds a multiple of another.
    pub fn add(&mut self, factor: Interval, other: &Quadratics) {
        self.constant = self.constant + factor * other.constant;
        self.weights.iter_mut().zip(&other.weights).for_each(|(sum, weight)| *sum = *sum + factor * *weight);
        self.squares.iter_mut().zip(&other.squares).for_each(|(sum, square)| *sum = *sum + factor * *square);
    }

    /// What it is at least in a part.
    pub fn least(&self, open: &OpenQuestions<'_>, part: &DomainPart) -> f64 {
        let terms = part.0.iter().zip(&open.questions).map(|(possible, (id, columns))| match possible {
            Possible::Between(low, high) => {
                let column = columns.start;
                let (weight, square) = (self.weights[column], self.squares[column]);
                least_number(weight, square, open.domain(*id), *low, *high)
            }
            Possible::OrMissing(numbers, missing) => {
                let (first, second) = (columns.start, columns.start + 1);
                let square = self.squares[first] + self.squares[second];
                let both = self.weights[first] + self.weights[second];
                let number = |(low, high)| least_number(both, square, open.domain(*id), low, high);
                let at_missing = || (self.weights[first] + -self.weights[second] + square).low;
                let least = numbers.map(number).into_iter().chain(missing.then(at_missing));
                least.fold(f64::INFINITY, f64::min)
            }
            Possible::Levels(levels) => {
                let values = columns.clone().zip(levels).filter(|(_, possible)| **possible);
                values
                    .map(|(column, _)| (self.weights[column] + self.squares[column]).low)
                    .fold(f64::INFINITY, f64::min)
            }
        });
        terms.fold(self.constant, |sum, term| sum + Interval::point(term)).low
    }

    /// What it is at most in a part.
    pub fn most(&self, open: &OpenQuestions<'_>, part: &DomainPart) -> f64 {
        let mut negated = Quadratics::zero(self.weights.len());
        negated.add(-Interval::ONE, self);
        -negated.least(open, part)
    }
}

/// What `weight x + square x²` is at least between two numbers of a domain.
fn least_number(weight: Interval, square: Interval, domain: Domain, low: f64, high: f64) -> f64 {
    let at = |x: f64| (Interval::point(x) * weight + Interval::point(x) * Interval::point(x) * square).low;
    let ends = at(low).min(at(high));
    if square.high <= 0.0 {
        // It bends downwards, so that it is least at an end.
        return ends;
    }
    let (points, size) = match domain {
        Domain::Grid { points } => (Some(points), 1.0),
        Domain::OrMissing { points } => (points, LARGEST_BESIDE_MISSING),
        Domain::Interval | Domain::OneOf { .. } => (None, 1.0),
    };
    match points {
        Some(points) if points <= MOST_POINTS => {
            let value = |index: usize| size * (-1.0 + 2.0 * (index as f64 / (points.max(2) - 1) as f64));
            let inside = (0..points).map(value).filter(|x| low <= *x && *x <= high);
            inside.map(at).fold(ends, f64::min)
        }
        _ if square.low > 0.0 => {
            let bottom = -weight.over(square * 2.0);
            if bottom.high < low || high < bottom.low {
                return ends;
            }
            ends.min(-((weight * weight).over(square * 4.0)).high)
        }
        _ => {
            let between = Interval { low, high };
            let squared = Interval { low: 0.0, high: (low * low).max(high * high).next_up() };
            (between * weight + squared * square).low
        }
    }
}
