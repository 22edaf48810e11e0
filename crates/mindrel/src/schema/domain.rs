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
}

impl Domain {
    /// How many columns.
    #[must_use]
    pub fn n_columns(self) -> usize {
        match self {
            Domain::OneOf { levels } => levels,
            Domain::Interval | Domain::Grid { .. } => 1,
        }
    }

    /// The points among which every linear function of the columns has its extremes.
    #[must_use]
    pub fn n_vertices(self) -> usize {
        match self {
            Domain::OneOf { levels } => levels,
            Domain::Interval | Domain::Grid { .. } => 2,
        }
    }

    /// The value of one column at a vertex.
    #[must_use]
    pub fn vertex_value(self, vertex: usize, column: usize) -> f64 {
        match self {
            Domain::OneOf { .. } => f64::from(u8::from(vertex == column)),
            Domain::Interval | Domain::Grid { .. } => [-1.0, 1.0][vertex],
        }
    }

    /// What a linear function with these weights is at a vertex.
    #[must_use]
    pub fn at_vertex(self, vertex: usize, weights: &[f64]) -> f64 {
        match self {
            Domain::OneOf { .. } => weights[vertex],
            Domain::Interval | Domain::Grid { .. } => self.vertex_value(vertex, 0) * weights[0],
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
        }
    }
}
