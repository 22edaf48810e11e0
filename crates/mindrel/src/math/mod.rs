//! Numerics that know no people: normal distributions, exact sums, symmetric matrices.

pub mod exact;
pub mod normal;
pub mod orthant;
pub mod quadrature;
pub mod reveal;
