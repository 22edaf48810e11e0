//! Sums of a quadratic function of each open column: what linear models, naive Bayes and linear bounds of networks
//! are made of.

use crate::core_test::certified::open::{OpenColumns, OpenQuestion};
use crate::core_test::certified::region::{Region, grid_value};
use crate::schema::Domain;

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
        let (weight, square) = (self.weights[first], self.squares[first]);
        let (lower, upper) = (region.lower[first], region.upper[first]);
        let value = |x: f64| weight * x + square * x * x;
        let mut best = if value(upper) < value(lower) { upper } else { lower };
        let bottom = -weight / (2.0 * square);
        if square > 0.0 && lower < bottom && bottom < upper {
            let near = points_near(question.domain, bottom);
            best = near
                .into_iter()
                .filter(|x| lower <= *x && *x <= upper)
                .fold(best, |best, x| if value(x) < value(best) { x } else { best });
        }
        place[first] = best;
        value(best)
    }
}

/// On a finer grid, everything between its points counts as possible: a verifier looks at all points of a grid, or at
/// none.
const MOST_POINTS: usize = 1024;

/// A number that is possible, or those next to it on a grid.
fn points_near(domain: Domain, number: f64) -> Vec<f64> {
    match domain {
        Domain::Grid { points } if points > 1 && points <= MOST_POINTS => {
            let index = ((number + 1.0) / 2.0 * (points - 1) as f64).floor().max(0.0) as usize;
            (index.saturating_sub(1)..(index + 3).min(points)).map(|index| grid_value(index, points)).collect()
        }
        _ => vec![number],
    }
}
