//! What the columns of an open question can be.

/// The set of values the encoded columns of an open question can take.
///
/// A category is exactly one of its levels, a corner of a simplex. Departs from [TF23, §2], which takes every column
/// from [−1, 1] on its own: that box is larger, so that more would be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// One column, any value in [−1, 1].
    Interval,
    /// One column, one of `points` evenly spaced values from −1 to 1.
    Grid {
        /// How many values.
        points: usize,
    },
    /// `levels` columns, one of them 1 and the others 0.
    OneOf {
        /// How many columns.
        levels: usize,
    },
    /// Two columns: a number that can also be missing.
    ///
    /// ```text
    /// { (v, v) : −½ ≤ v ≤ ½ } ∪ { (1, −1) }
    /// ```
    ///
    /// The first column sorts a missing number above all others and the second below. So a tree that sends missing
    /// numbers right or left compares one column with one threshold, and a linear function of both is any function
    /// that is linear in the number and any constant where it is missing.
    OrMissing {
        /// How many evenly spaced values `v` has, if it cannot have all.
        points: Option<usize>,
    },
}

/// The columns of a missing number, where that is an answer.
pub(crate) const MISSING: [f64; 2] = [1.0, -1.0];

/// How large a number in the two columns of a [`Domain::OrMissing`] is: halved, it is clear of a missing one.
pub(crate) const HALF: f64 = 0.5;

/// Whether two columns say that a number is missing, or are nearer to that than to any number.
pub(crate) fn is_missing(columns: &[f64]) -> bool {
    columns[0] - columns[1] >= 1.0
}

impl Domain {
    /// How many columns.
    #[must_use]
    pub fn n_columns(self) -> usize {
        match self {
            Domain::OneOf { levels } => levels,
            Domain::Interval | Domain::Grid { .. } => 1,
            Domain::OrMissing { .. } => 2,
        }
    }

    /// The points among which every linear function of the columns has its extremes.
    #[must_use]
    pub fn n_vertices(self) -> usize {
        match self {
            Domain::OneOf { levels } => levels,
            Domain::Interval | Domain::Grid { .. } => 2,
            Domain::OrMissing { .. } => 3,
        }
    }

    /// The value of one column at a vertex.
    #[must_use]
    pub fn vertex_value(self, vertex: usize, column: usize) -> f64 {
        match self {
            Domain::OneOf { .. } => f64::from(u8::from(vertex == column)),
            Domain::Interval | Domain::Grid { .. } => [-1.0, 1.0][vertex],
            Domain::OrMissing { .. } => [[-HALF; 2], [HALF; 2], MISSING][vertex][column],
        }
    }

    /// What a linear function with these weights is at a vertex, but for rounding.
    #[must_use]
    pub fn at_vertex(self, vertex: usize, weights: &[f64]) -> f64 {
        match self {
            Domain::OneOf { .. } => weights[vertex],
            Domain::Interval | Domain::Grid { .. } => self.vertex_value(vertex, 0) * weights[0],
            Domain::OrMissing { .. } => {
                self.vertex_value(vertex, 0) * weights[0] + self.vertex_value(vertex, 1) * weights[1]
            }
        }
    }

    /// The numbers of the domain, in order, as each of their columns has them; `None` if it has levels.
    pub(crate) fn numbers(self) -> Option<Numbers> {
        match self {
            Domain::Interval => Some(Numbers { points: None, scale: 1.0 }),
            Domain::Grid { points } => Some(Numbers { points: Some(points), scale: 1.0 }),
            Domain::OrMissing { points } => Some(Numbers { points, scale: HALF }),
            Domain::OneOf { .. } => None,
        }
    }

    /// Whether an encoded answer lies in the domain.
    ///
    /// Between two points of a grid is not looked: no answer is encoded there.
    #[must_use]
    pub fn contains(self, values: &[f64]) -> bool {
        match self {
            Domain::Interval | Domain::Grid { .. } => (-1.0..=1.0).contains(&values[0]),
            Domain::OneOf { .. } => {
                values.iter().all(|&value| value == 0.0 || value == 1.0) && values.iter().sum::<f64>() == 1.0
            }
            Domain::OrMissing { .. } => {
                values == MISSING || (values[0] == values[1] && (-HALF..=HALF).contains(&values[0]))
            }
        }
    }

    /// Moves columns to the nearest answer of the domain: a number to the nearest value, a category to the level with
    /// the largest indicator.
    pub fn bring_in(self, columns: &mut [f64]) {
        match self {
            Domain::Interval => columns[0] = columns[0].clamp(-1.0, 1.0),
            Domain::Grid { points } => columns[0] = nearest_of_grid(columns[0], points),
            Domain::OneOf { levels } => {
                let larger = |best: usize, level: usize| if columns[level] > columns[best] { level } else { best };
                let level = (1..levels).fold(0, larger);
                columns.fill(0.0);
                columns[level] = 1.0;
            }
            Domain::OrMissing { .. } if is_missing(columns) => columns.copy_from_slice(&MISSING),
            Domain::OrMissing { points } => {
                // Both columns are half of the number.
                let value = columns[0] + columns[1];
                let value = points.map_or(value.clamp(-1.0, 1.0), |points| nearest_of_grid(value, points));
                columns.fill(HALF * value);
            }
        }
    }
}

/// The numbers of a domain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers {
    points: Option<usize>,
    /// The largest; the smallest is its negative.
    pub scale: f64,
}

impl Numbers {
    /// How many there are, if they are on a grid of more than one point.
    pub fn grid(self) -> Option<usize> {
        self.points.filter(|&points| points > 1)
    }

    /// The last number up to a threshold between them, and the first above it.
    pub fn beside(self, threshold: f64) -> (f64, f64) {
        let Some(points) = self.grid() else { return (threshold, threshold.next_up()) };
        let last = points - 1;
        let value = |index: usize| self.scale * grid_value(index, points);
        let guess = ((threshold / self.scale + 1.0) / 2.0 * last as f64).floor() as usize;
        let near = guess.saturating_sub(1)..=(guess + 1).min(last - 1);
        let index = near.rev().find(|&index| value(index) <= threshold).unwrap_or(0);
        (value(index), value(index + 1))
    }

    /// The last number of the lower half from one to another, and the first of the upper half: the same one, or the
    /// next on a grid.
    pub fn middle(self, lower: f64, upper: f64) -> (f64, f64) {
        let Some(points) = self.grid() else {
            let middle = f64::midpoint(lower, upper);
            return (middle, middle);
        };
        let index = |value: f64| ((value / self.scale + 1.0) / 2.0 * (points - 1) as f64).round() as usize;
        let middle = usize::midpoint(index(lower), index(upper));
        (self.scale * grid_value(middle, points), self.scale * grid_value(middle + 1, points))
    }

    /// Whether they are on a grid.
    pub fn is_grid(self) -> bool {
        self.points.is_some()
    }
}

/// The value of a point of a grid, as an answer is encoded.
pub(crate) fn grid_value(index: usize, points: usize) -> f64 {
    -1.0 + 2.0 * (index as f64 / (points - 1) as f64)
}

fn nearest_of_grid(value: f64, points: usize) -> f64 {
    let index = (f64::midpoint(value.clamp(-1.0, 1.0), 1.0) * (points - 1) as f64).round();
    grid_value(index as usize, points)
}
