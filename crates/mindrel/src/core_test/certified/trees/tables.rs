//! How the margins of an ensemble are bounded, worked out once.
//!
//! ```text
//! single     output ≥ start ⊕ min leaf_1 ⊕ … ⊕ min leaf_T                                one output
//! separate   output_c ≥ the same of class c's trees,   output_k ≤ the same of maxima      every tree adds to one class
//! joint      output_c − output_k ≥ start_c − start_k + Σ_t min_leaf (v_c − v_k) − slack   leaves with a value for each class
//! ```
//!
//! # Numerics
//! An addition rounded to nearest is monotone in both its arguments, and so is a division by a number of trees: adding
//! up minima in the order and the
//! precision of the model bounds what the model computes, without any slack. A joint bound is of exact sums, from
//! which each of two computed
//! ones is at most `(T + 1) u M` away, `u` the unit roundoff and `M` a bound of sums; the bound itself is computed in
//! double precision and
//! no further off. Where every value is a multiple of one power of two, and sums of them fit the precision, nothing is
//! rounded but the division: votes are of this kind, and their ties are told exactly.
//!
//! The Lagrangian bound ([`super::lagrangian`]) counts in whole *units*, into which every leaf's share is rounded
//! down. Its sums are exact in any
//! order, and must exceed the slack just as joint ones must.

use crate::model::{Arithmetic, Combine, TreeEnsemble};

/// An ensemble, and what is known of its sums.
#[derive(Debug)]
pub(crate) struct TreeTables {
    pub ensemble: TreeEnsemble,
    pub way: BoundMethod,
    /// What a joint bound must exceed for a strict win.
    pub slack: f64,
    /// Whether sums are not rounded, so that a joint bound of zero tells of a tie.
    pub is_exact: bool,
    /// How many units make one: a power of two, so large that no sum has more than 2^46 units.
    pub units: f64,
}

/// Sums have at most this many units, as a power of two: prices and their sums over all trees and questions then fit
/// 63 bits.
const UNIT_BITS: i32 = 46;

/// The way bounds are worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundMethod {
    Single,
    Separate,
    Joint,
}

impl TreeTables {
    pub fn new(ensemble: TreeEnsemble) -> Self {
        let way = match ensemble.n_outputs() {
            1 => BoundMethod::Single,
            _ if ensemble.trees().iter().all(|tree| tree.class.is_some()) => BoundMethod::Separate,
            _ => BoundMethod::Joint,
        };
        let (unit, bits, smallest) = match ensemble.arithmetic() {
            Arithmetic::Single => (f64::from(f32::EPSILON), 24, f64::from(f32::MIN_POSITIVE)),
            Arithmetic::Double => (f64::EPSILON, 53, f64::MIN_POSITIVE),
        };
        let magnitude = ensemble.magnitude();
        let is_exact = is_exact(&ensemble, magnitude, bits);
        let division = match ensemble.combine() {
            Combine::Sum => 0.0,
            Combine::Mean => 4.0 * (unit * magnitude + smallest * ensemble.n_trees() as f64),
        };
        let rounding = 8.0 * (ensemble.n_trees() as f64 + 4.0) * unit * magnitude;
        let slack = if is_exact { division } else { division + rounding };
        let units = libm::ldexp(1.0, (UNIT_BITS - exponent_above(magnitude)).min(f64::MAX_EXP - 1));
        TreeTables { ensemble, way, slack, is_exact, units }
    }

    /// A difference in units, rounded down.
    pub fn units_between(&self, plus: f64, minus: f64) -> i64 {
        whole_below(plus * self.units).saturating_add(whole_below(-minus * self.units))
    }
}

/// A number rounded down; much faster than the library's function on processors that have no instruction for it.
fn whole_below(number: f64) -> i64 {
    let towards_zero = number as i64;
    towards_zero.saturating_sub(i64::from(towards_zero as f64 > number))
}

/// The least power of two above a number.
fn exponent_above(number: f64) -> i32 {
    libm::frexp(number).1
}

/// Whether all values are multiples of a power of two `q`, and `2 M ≤ 2^bits q`: no sum or difference of them is then
/// rounded.
fn is_exact(ensemble: &TreeEnsemble, magnitude: f64, bits: i32) -> bool {
    let values = ensemble.values().iter().chain(ensemble.start()).filter(|value| **value != 0.0);
    let quantum = values.map(|value| lowest_bit(*value)).min();
    quantum.is_none_or(|quantum| 2.0 * magnitude <= libm::ldexp(1.0, quantum + bits))
}

/// The exponent of the lowest bit of a number other than zero.
fn lowest_bit(value: f64) -> i32 {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (significand, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
    exponent - 1075 + significand.trailing_zeros() as i32
}

#[cfg(test)]
mod tests {
    use super::lowest_bit;

    #[test]
    fn the_lowest_bit_of_a_number_is_the_largest_power_of_two_that_divides_it() {
        assert_eq!([1.0, 3.0, -0.75, 12.0].map(lowest_bit), [0, 0, -2, 2]);
        assert_eq!((lowest_bit(0.1), lowest_bit(f64::from_bits(1))), (-55, -1074));
    }
}
