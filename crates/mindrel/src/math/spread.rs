//! Evenly spread draws of independent standard normal numbers: quasi-Monte-Carlo.

use super::{normal, primes};

/// How many draws there are.
pub const POINTS: usize = 1024;

/// Draws of standard normal vectors that fill space more evenly than random ones.
///
/// ```text
/// x_ij = Φ⁻¹(u_ij),   u_ij = frac(½ + (i + 1) √p_j),   p_j the j-th prime
/// ```
///
/// a lattice along the roots of the primes [Richtmyer 1951], which works in any dimension and needs no table. The error
/// of a mean falls almost as 1/N for smooth functions, against 1/√N for random draws.
#[derive(Debug, Clone)]
pub struct Spread {
    dimension: usize,
    n_points: usize,
    points: Vec<f64>,
    /// The root of the first prime that no coordinate uses.
    share_step: f64,
}

impl Spread {
    /// [`POINTS`] draws of vectors.
    #[must_use]
    pub fn new(dimension: usize) -> Self {
        Spread::with(dimension, POINTS)
    }

    /// `n_points` draws of vectors.
    #[must_use]
    pub fn with(dimension: usize, n_points: usize) -> Self {
        let mut steps: Vec<f64> = primes().take(dimension + 1).map(|prime| f64::from(prime).sqrt()).collect();
        let share_step = steps.pop().expect("there is a prime past the last coordinate's");
        let mut points = Vec::with_capacity(dimension * n_points);
        for index in 0..n_points {
            points.extend(steps.iter().map(|step| normal::quantile(fraction(index, *step))));
        }
        Spread { dimension, n_points, points, share_step }
    }

    /// How many draws, also of vectors without coordinates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.n_points
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n_points == 0
    }

    /// A number from 0 to 1 to go with a draw, spread evenly and independently of its coordinates.
    #[must_use]
    pub fn share(&self, index: usize) -> f64 {
        fraction(index, self.share_step)
    }

    /// One draw.
    #[must_use]
    pub fn point(&self, index: usize) -> &[f64] {
        &self.points[index * self.dimension..(index + 1) * self.dimension]
    }
}

fn fraction(index: usize, step: f64) -> f64 {
    (0.5 + (index as f64 + 1.0) * step).fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of random draws the standard errors would be 0.03 and 0.04, and the largest of a hundred three times that.
    #[test]
    fn the_first_moments_are_those_of_the_standard_normal() {
        for dimension in [1, 2, 5, 12, 40] {
            let spread = Spread::new(dimension);
            for column in 0..dimension {
                let mean = |power: i32| {
                    let values = (0..spread.len()).map(|index| spread.point(index)[column].powi(power));
                    values.sum::<f64>() / spread.len() as f64
                };
                assert!(mean(1).abs() < 0.02, "{dimension} {column} {}", mean(1));
                assert!((mean(2) - 1.0).abs() < 0.05, "{dimension} {column} {}", mean(2));
            }
        }
    }

    #[test]
    fn no_draw_is_infinite() {
        let spread = Spread::with(3, 10_000);
        assert!((0..spread.len()).all(|index| spread.point(index).iter().all(|value| value.is_finite())));
    }
}
