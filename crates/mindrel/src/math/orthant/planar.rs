//! The probability of a polygon under two independent standard normal variables.

use core::f64::consts::TAU;

use crate::math::normal::{branchless_exp, cdf};
use crate::math::quadrature::{Node, legendre_table};

/// A half-plane n·z ≤ distance, |n| = 1.
pub(super) struct HalfPlane {
    normal: [f64; 2],
    distance: f64,
}

impl HalfPlane {
    /// Zero is put this far inside a line that runs through it: T jumps there, and all lines must see the
    /// same jump.
    const NEAREST: f64 = 1e-100;

    /// The half-plane normal·z ≤ bound, for a normal of any length but zero.
    pub fn new([x, y]: [f64; 2], bound: f64) -> Self {
        let length = (x * x + y * y).sqrt();
        let distance = bound / length;
        let distance = if distance.abs() < Self::NEAREST { Self::NEAREST } else { distance };
        Self { normal: [x / length, y / length], distance }
    }
}

/// The standard normal measure of a convex polygon, bounded or not.
///
/// ```text
/// P = [0 inside] − Σ_edges (T(h, last/h) − T(h, first/h))
/// ```
///
/// with h the distance of the edge's line from zero, negative if zero is outside, `first` and `last` the
/// edge's ends along it, and T Owen's function. It is the divergence theorem for −z exp(−|z|²/2) /
/// 2π|z|², a field whose divergence is the normal density everywhere but in zero: its flux through an
/// edge is a difference of T.
///
/// # Numerics
/// Absolute error ≤ 1e-14.
pub(super) fn polygon_probability(half_planes: &[HalfPlane]) -> f64 {
    let inside = half_planes.iter().all(|half_plane| half_plane.distance >= 0.0);
    let mut probability = if inside { 1.0 } else { 0.0 };
    for (i, half_plane) in half_planes.iter().enumerate() {
        if let Some((first, last)) = edge(half_planes, i) {
            probability -= owen(half_plane.distance, last) - owen(half_plane.distance, first);
        }
    }
    probability.clamp(0.0, 1.0)
}

/// The part of the i-th line that lies in all the half-planes, as positions from the line's point nearest to
/// zero.
fn edge(lines: &[HalfPlane], i: usize) -> Option<(f64, f64)> {
    let HalfPlane { normal: [x, y], distance } = lines[i];
    let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
    for (j, other) in lines.iter().enumerate().filter(|(j, _)| *j != i) {
        let cosine = x * other.normal[0] + y * other.normal[1];
        let sine = x * other.normal[1] - y * other.normal[0];
        let facing = 1.0_f64.copysign(cosine);
        let gap = other.distance - facing * distance;
        if sine == 0.0 {
            // Parallel. Of two equal half-planes the first has the edge.
            let covered = gap < 0.0 || (gap == 0.0 && cosine > 0.0 && j < i);
            if covered {
                return None;
            }
            continue;
        }
        // (other.distance − distance · cosine) / sine, but with 1 ∓ cosine = sine²/(1 ± cosine): two lines
        // that are nearly parallel must agree on where they cross.
        let crossing = gap / sine + facing * distance * sine / (1.0 + facing * cosine);
        if sine > 0.0 {
            last = last.min(crossing);
        } else {
            first = first.max(crossing);
        }
        if first >= last {
            return None;
        }
    }
    Some((first, last))
}

/// Owen's T(h, s/h) for h ≠ 0. It is odd in h and in s.
///
/// ```text
/// T(h, s/h) = 1/2π ∫_0^{s/h} exp(−h²(1 + x²)/2) / (1 + x²) dx
/// T(h, s/h) + T(s, h/s) = ¼ − (Φ(h) − ½)(Φ(s) − ½)   for h, s ≥ 0
/// ```
///
/// # Numerics
/// Absolute error ≤ 3e-16.
fn owen(h: f64, s: f64) -> f64 {
    let sign = 1.0_f64.copysign(h) * 1.0_f64.copysign(s);
    let (h, s) = (h.abs(), s.abs());
    if s <= h {
        sign * owen_below_one(h, s / h)
    } else {
        sign * (0.25 - (cdf(h) - 0.5) * (cdf(s) - 0.5) - owen_below_one(s, h / s))
    }
}

/// Owen's T(h, a) for 0 ≤ a ≤ 1.
fn owen_below_one(h: f64, a: f64) -> f64 {
    const LEGENDRE_16: [Node; 16] = legendre_table();
    /// T(h, a) < exp(−h²/2)/8 is below 1e-18 from here on.
    const FARTHEST: f64 = 9.0;

    if h > FARTHEST {
        return 0.0;
    }
    let mut terms = [0.0; 16];
    for i in 0..16 {
        let x = 0.5 * a * (1.0 + LEGENDRE_16[i].at);
        let plus = 1.0 + x * x;
        terms[i] = LEGENDRE_16[i].weight * branchless_exp(-0.5 * h * h * plus) / plus;
    }
    0.5 * a * terms.iter().sum::<f64>() / TAU
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owens_function_takes_known_values() {
        for h in [1e-100, 0.3, 1.0, 2.5, 6.0, 12.0] {
            assert!((owen(h, f64::INFINITY) - 0.5 * cdf(-h)).abs() < 3e-16);
            assert!((owen(h, h) - 0.5 * cdf(h) * cdf(-h)).abs() < 3e-16);
            assert_eq!(owen(h, 0.0), 0.0);
        }
        for a in [0.2_f64, 0.9, 3.0] {
            assert!((owen(1e-9, a * 1e-9) - a.atan() / TAU).abs() < 3e-16);
        }
    }
}
