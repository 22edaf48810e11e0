//! How well a Gaussian foresaw values, one after the other.

use std::f64::consts::TAU;

/// How far a value may be from where it was already determined to be and still count as rounding. Columns reach from −1 to 1.
const ROUNDING: f64 = 1e-3;

/// What a value that cannot be takes off the logarithm of a density: next to it no possible value matters, and what several
/// impossible values take off adds up in any order.
const IMPOSSIBLE: f64 = 1e6;

/// The logarithm of a normal density, column after column.
///
/// ```text
/// ln N(x; μ, Σ) = −½ Σ_j [ ln(2π v_j) + (x_j − m_j)² / v_j ],   m_j, v_j given the columns before j
/// ```
///
/// A column that those before it determine has no density of its own: it adds nothing, and a great deal is taken off if its
/// value is another. It has no `Debug`: it tells about answers.
#[derive(Default, Clone, Copy)]
pub(super) struct LnDensity(f64);

impl LnDensity {
    /// Adds a column: the variance it had, nothing where it was already determined, and how far it is from its mean.
    pub fn add(&mut self, variance: Option<f64>, surprise: f64) {
        match variance {
            Some(variance) => self.0 -= 0.5 * ((TAU * variance).ln() + surprise * surprise / variance),
            None if surprise.abs() > ROUNDING => self.0 -= IMPOSSIBLE,
            None => {}
        }
    }

    pub fn value(self) -> f64 {
        self.0
    }
}
