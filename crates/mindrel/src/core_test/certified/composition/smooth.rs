//! Sums of a quadratic function of each open column: what linear models, naive Bayes and linear bounds of networks
//! are made of.

use crate::region::open::{OpenColumns, OpenQuestion};
use crate::region::{NumberOrMissing, Region};
use crate::schema::{Domain, MISSING};

/// `constant + Σ_j (weight_j x_j + square_j x_j²)` over the open columns.
#[derive(Default, Clone)]
pub(super) struct SmoothSum {
    pub constant: f64,
    pub weights: Vec<f64>,
    pub squares: Vec<f64>,
}

impl SmoothSum {
    /// Becomes zero.
    pub fn clear(&mut self, open: &OpenColumns) {
        self.constant = 0.0;
        self.weights.clear();
        self.weights.resize(open.len(), 0.0);
        self.squares.clear();
        self.squares.resize(open.len(), 0.0);
    }

    /// Adds a multiple of another.
    pub fn add(&mut self, factor: f64, other: &SmoothSum) {
        self.constant += factor * other.constant;
        self.weights.iter_mut().zip(&other.weights).for_each(|(sum, weight)| *sum += factor * weight);
        self.squares.iter_mut().zip(&other.squares).for_each(|(sum, square)| *sum += factor * square);
    }

    /// What it is at least over a region, but for rounding; writes where that is.
    pub fn least(&self, open: &OpenColumns, region: &Region, place: &mut [f64]) -> f64 {
        open.questions.iter().fold(self.constant, |sum, question| sum + self.least_of(question, region, place))
    }

    /// What it is at most.
    pub fn most(&self, open: &OpenColumns, region: &Region, place: &mut [f64]) -> f64 {
        -self.negated().least(open, region, place)
    }

    fn negated(&self) -> SmoothSum {
        let negated = |values: &[f64]| values.iter().map(|value| -value).collect();
        SmoothSum { constant: -self.constant, weights: negated(&self.weights), squares: negated(&self.squares) }
    }

    /// How large its terms are together.
    pub fn size(&self) -> f64 {
        let sum = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>();
        self.constant.abs() + sum(&self.weights) + sum(&self.squares)
    }

    /// By how much it changes with a question, at most.
    pub fn reach(&self, question: &OpenQuestion, region: &Region) -> f64 {
        let columns = question.columns.clone();
        if let Domain::OneOf { .. } = question.domain {
            let possible = columns.filter(|&column| region.allows(column));
            let values = possible.map(|column| self.weights[column] + self.squares[column]);
            let (least, most) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| (least.min(v), most.max(v)));
            return (most - least).max(0.0);
        }
        let column = columns.start;
        if let Domain::OrMissing { .. } = question.domain {
            let (possible, mut place) = (region.numbers(&columns), vec![0.0; region.lower.len()]);
            let least = self.least_or_missing(question, possible, &mut place);
            let negated = self.negated();
            return (-negated.least_or_missing(question, possible, &mut place) - least).max(0.0);
        }
        let (lower, upper) = (region.lower[column], region.upper[column]);
        let largest = lower.abs().max(upper.abs());
        (upper - lower) * (self.weights[column].abs() + 2.0 * self.squares[column].abs() * largest)
    }

    fn least_of(&self, question: &OpenQuestion, region: &Region, place: &mut [f64]) -> f64 {
        let columns = question.columns.clone();
        let first = columns.start;
        if let Domain::OneOf { .. } = question.domain {
            let possible = columns.clone().filter(|&column| region.allows(column));
            let value = |column: usize| self.weights[column] + self.squares[column];
            let best = possible.reduce(|best, column| if value(column) < value(best) { column } else { best });
            let best = best.expect("a region has possible levels");
            columns.for_each(|column| place[column] = f64::from(u8::from(column == best)));
            return value(best);
        }
        if let Domain::OrMissing { .. } = question.domain {
            return self.least_or_missing(question, region.numbers(&columns), place);
        }
        let within = (region.lower[first], region.upper[first]);
        let (best, least) = least_number(question.domain, self.weights[first], self.squares[first], within);
        place[first] = best;
        least
    }

    /// The same of a number that may be missing, whose two columns are alike unless it is.
    fn least_or_missing(&self, question: &OpenQuestion, possible: NumberOrMissing, place: &mut [f64]) -> f64 {
        let columns = question.columns.clone();
        let (weights, squares) = (&self.weights[columns.clone()], &self.squares[columns.clone()]);
        let square = squares[0] + squares[1];
        let number = |within| {
            let (best, least) = least_number(question.domain, weights[0] + weights[1], square, within);
            ([best; 2], least)
        };
        let missing = possible.missing.then(|| (MISSING, weights[0] - weights[1] + square));
        let least = possible.numbers.map(number).into_iter().chain(missing);
        let (answer, least) =
            least.reduce(|best, other| if other.1 < best.1 { other } else { best }).expect("possible");
        place[columns].copy_from_slice(&answer);
        least
    }
}

/// Where between two ends `weight x + square x²` is least, and what it is there.
fn least_number(domain: Domain, weight: f64, square: f64, (lower, upper): (f64, f64)) -> (f64, f64) {
    let value = |x: f64| weight * x + square * x * x;
    let mut best = if value(upper) < value(lower) { upper } else { lower };
    let bottom = -weight / (2.0 * square);
    if square > 0.0 && lower < bottom && bottom < upper {
        let near = points_near(domain, bottom);
        best = near
            .into_iter()
            .filter(|x| lower <= *x && *x <= upper)
            .fold(best, |best, x| if value(x) < value(best) { x } else { best });
    }
    (best, value(best))
}

/// On a finer grid, everything between its points counts as possible: a verifier looks at all points of a grid, or at
/// none.
const MOST_POINTS: usize = 1024;

/// A number that is possible, or those next to it on a grid.
fn points_near(domain: Domain, number: f64) -> Vec<f64> {
    match domain.numbers() {
        Some(numbers) if numbers.grid().is_some_and(|points| points <= MOST_POINTS) => {
            let (below, above) = numbers.beside(number);
            vec![below, above]
        }
        _ => vec![number],
    }
}
