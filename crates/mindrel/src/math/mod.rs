//! Numerics that know no people: normal distributions, exact sums, symmetric matrices.

pub mod exact_sum;
pub mod hitting;
pub mod mix;
pub mod normal;
pub mod orthant;
pub mod quadrature;
pub mod range_minima;
pub mod reveal;
pub mod spread;
pub(crate) mod vector;

/// No number of a plan or an encoded person is larger: sums, products and squares of them then stay far from overflow.
pub const LARGEST: f64 = 1e60;

/// The primes in ascending order.
fn primes() -> impl Iterator<Item = u32> {
    (2_u32..).filter(|n| (2..).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}
