//! The distribution function of three correlated standard normal variables.
//!
//! Plackett's identity gives the slope of Φ₃ in any one correlation:
//!
//! ```text
//! ∂Φ₃/∂ρ_ij = φ₂(h_i, h_j; ρ_ij) Φ((h_k − E[X_k | h_i, h_j]) / sd(X_k | h_i, h_j))
//! ```
//!
//! so that Φ₃ is its value at some other correlation matrix plus an integral along the way. Two starting points have a
//! closed form: a matrix in which one variable is independent of the others, and a singular matrix. A well-conditioned
//! matrix is reached from the first, any other from the singular matrix next to it. The exponents and conditional
//! probabilities below are written in quantities that stay accurate when correlations approach ±1.

use core::f64::consts::TAU;

use super::bivariate::{FARTHEST_LIMIT, bivariate_cdf};
use crate::math::normal::{branchless_cdf, branchless_exp, cdf};
use crate::math::quadrature::{Node, legendre_table};

/// The probability that three standard normal variables are at most h₁, h₂ and h₃.
///
/// ```text
/// Φ₃(h; ρ) = P(X₁ ≤ h₁, X₂ ≤ h₂, X₃ ≤ h₃),   ρ = (ρ₁₂, ρ₁₃, ρ₂₃)
/// ```
///
/// By Plackett's formula from independence [Genz 2004, see [`bivariate_cdf`]], and, departing from it, from the nearest
/// singular matrix where the matrix is nearly singular itself. Singular matrices of rank one and two are in closed form.
/// A matrix that rounding has made slightly indefinite counts as the singular one next to it. The limits may be
/// infinite; NaN gives NaN.
///
/// # Numerics
/// Absolute error ≤ 1e-12 for well-conditioned matrices, ≤ 1e-9 for nearly singular ones, ≤ 1e-14 for singular ones.
pub fn trivariate_cdf(h: [f64; 3], rho: [f64; 3]) -> f64 {
    if h.iter().chain(&rho).any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let h = h.map(|h| h.clamp(-FARTHEST_LIMIT, FARTHEST_LIMIT));
    let [r12, r13, r23] = rho.map(|r| r.clamp(-1.0, 1.0));
    let views = [
        View { apex: h[0], left: h[1], right: h[2], to_left: r12, to_right: r13, across: r23 },
        View { apex: h[1], left: h[0], right: h[2], to_left: r12, to_right: r23, across: r13 },
        View { apex: h[2], left: h[0], right: h[1], to_left: r13, to_right: r23, across: r12 },
    ];
    let loosest = &views[position_of_largest([r23.abs(), r13.abs(), r12.abs()])];
    let shared = loosest.shared_variance();
    // A NaN, from 0/0 between collinear variables, is not below the limit.
    let probability = if shared <= WELL_CONDITIONED {
        loosest.starting_independent(shared)
    } else {
        let edges = views.each_ref().map(Edge::of);
        let nearest = position_of_largest(edges.each_ref().map(|edge| -edge.distance));
        views[nearest].starting_singular(&edges[nearest])
    };
    probability.clamp(0.0, 1.0)
}

fn position_of_largest(values: [f64; 3]) -> usize {
    let first = if values[1] > values[0] { 1 } else { 0 };
    if values[2] > values[first] { 2 } else { first }
}

/// A matrix is well conditioned if the variable apart from the closest two shares at most this part of its variance.
const WELL_CONDITIONED: f64 = 0.99;

/// The three variables as seen from one of them, the apex.
struct View {
    apex: f64,
    left: f64,
    right: f64,
    to_left: f64,
    to_right: f64,
    across: f64,
}

impl View {
    /// The part of the apex's variance that the two others explain: one for a singular matrix, NaN if they are one.
    fn shared_variance(&self) -> f64 {
        let sign = 1.0_f64.copysign(self.across);
        let difference = self.to_left - sign * self.to_right;
        let room = (1.0 - self.across) * (1.0 + self.across);
        let common = 2.0 * sign * self.to_left * self.to_right / (1.0 + sign * self.across);
        let shared = difference * difference / room + common;
        if shared < 0.0 { 0.0 } else { shared }
    }

    /// Φ₃ by Plackett's integral along t ↦ (t ρ_left, t ρ_right), from an independent apex at t = 0.
    ///
    /// The determinant vanishes at t* = 1/√shared. With t = t* 2τ/(1 + τ²) its root is smooth in τ.
    fn starting_independent(&self, shared: f64) -> f64 {
        const LEGENDRE_12: [Node; 12] = legendre_table();
        const LEGENDRE_24: [Node; 24] = legendre_table();

        let start = cdf(self.apex) * bivariate_cdf(self.left, self.right, self.across);
        let integral = if shared < 0.84 {
            self.independence_sum(&LEGENDRE_12, shared)
        } else {
            self.independence_sum(&LEGENDRE_24, shared)
        };
        start + integral / TAU
    }

    #[inline(always)]
    fn independence_sum<const N: usize>(&self, rule: &[Node; N], shared: f64) -> f64 {
        let Self { apex, left, right, to_left, to_right, across } = *self;
        let remainder = (1.0 - shared).max(0.0).sqrt();
        let stretch = 2.0 / (1.0 + remainder);
        let end_square = shared / ((1.0 + remainder) * (1.0 + remainder));
        let root_room = ((1.0 - across) * (1.0 + across)).sqrt();
        let beyond_left = to_right - to_left * across;
        let beyond_right = to_left - to_right * across;

        let mut terms = [0.0; N];
        for i in 0..N {
            let v = 0.5 * (1.0 + rule[i].at);
            let square = end_square * v * v;
            let (plus, minus) = (1.0 + square, 1.0 - square);
            let t = stretch * v / plus;
            let root_determinant = root_room * minus / plus;
            let conditional = across - to_left * to_right * t * t;

            let r = to_left * t;
            let s2 = (1.0 - r) * (1.0 + r);
            let exponent = -0.5 * (apex * apex + left * left - 2.0 * apex * left * r) / s2;
            let excess = right * s2 - apex * beyond_left * t - left * conditional;
            let root = s2.sqrt();
            let slope_left = branchless_exp(exponent) / root * branchless_cdf(excess / (root * root_determinant));

            let r = to_right * t;
            let s2 = (1.0 - r) * (1.0 + r);
            let exponent = -0.5 * (apex * apex + right * right - 2.0 * apex * right * r) / s2;
            let excess = left * s2 - apex * beyond_right * t - right * conditional;
            let root = s2.sqrt();
            let slope_right = branchless_exp(exponent) / root * branchless_cdf(excess / (root * root_determinant));

            let step = 0.5 * rule[i].weight * stretch * minus / (plus * plus);
            terms[i] = step * (to_left * slope_left + to_right * slope_right);
        }
        terms.iter().sum()
    }

    /// Φ₃ by Plackett's integral from the singular matrix reached by moving `across` alone.
    fn starting_singular(&self, edge: &Edge) -> f64 {
        const LEGENDRE_16: [Node; 16] = legendre_table();
        const LEGENDRE_32: [Node; 32] = legendre_table();

        let start = edge.probability(self);
        if edge.distance <= NEGLIGIBLE_DISTANCE * edge.apex_weight.abs() {
            return start;
        }
        let integral = if edge.distance < 1e-6 * edge.spread {
            self.singular_sum(&LEGENDRE_16, edge)
        } else {
            self.singular_sum(&LEGENDRE_32, edge)
        };
        start - edge.sign * edge.spread * integral / TAU
    }

    /// The integral over τ, where `across` = ρ_left ρ_right ± spread (1 − τ²)/(1 + τ²), with τ = end · v².
    #[inline(always)]
    fn singular_sum<const N: usize>(&self, rule: &[Node; N], edge: &Edge) -> f64 {
        let Self { apex, left, right, to_left, to_right, .. } = *self;
        let Edge { left_deviation, right_deviation, spread, distance, sign, apex_weight, correlation } = *edge;
        let end = (distance / (2.0 * spread - distance)).sqrt();
        let facing = 1.0_f64.copysign(correlation);
        let gap = left - facing * right;

        let mut terms = [0.0; N];
        for i in 0..N {
            let v = 0.5 * (1.0 + rule[i].at);
            let tau = end * v * v;
            let plus = 1.0 + tau * tau;
            let sine = 2.0 * tau / plus;
            let versine = tau * sine;
            let moved = spread * versine;
            let r = correlation - sign * moved;
            let s2 = apex_weight * apex_weight + moved * (2.0 * sign * correlation - moved);
            let s2 = if s2 > f64::MIN_POSITIVE { s2 } else { f64::MIN_POSITIVE };
            let root = s2.sqrt();
            let exponent = -0.5 * gap * gap / s2 - facing * left * right / (1.0 + facing * r);
            let left_cofactor = right_deviation * (sign * to_right * left_deviation * versine - apex_weight);
            let right_cofactor = sign * left_deviation * (apex_weight + to_left * right_deviation * versine);
            let excess = apex * s2 - left * left_cofactor - right * right_cofactor;
            let slope = branchless_exp(exponent) / root * branchless_cdf(excess / (root * spread * sine));
            terms[i] = rule[i].weight * 2.0 * end * v * sine / plus * slope;
        }
        terms.iter().sum()
    }
}

/// A singular matrix closer than this, relative to the slope of the way there, is the matrix itself.
const NEGLIGIBLE_DISTANCE: f64 = 1e-14;

/// The singular matrix reached from a view by moving `across` until left and right are collinear given the apex.
///
/// ```text
/// across = ρ_left ρ_right + covariance,   |covariance| ≤ spread = √(1 − ρ_left²) √(1 − ρ_right²)
/// ```
struct Edge {
    left_deviation: f64,
    right_deviation: f64,
    spread: f64,
    /// How far `across` is from there, or below zero if rounding has put it beyond.
    distance: f64,
    /// The sign of the covariance: which of the two singular matrices is the nearer.
    sign: f64,
    /// The apex's coefficient in the relation `right_deviation · left − sign · left_deviation · right + … = 0`. Its
    /// size is √(1 − correlation²), free of cancellation.
    apex_weight: f64,
    /// What `across` is at the singular matrix.
    correlation: f64,
}

impl Edge {
    fn of(view: &View) -> Self {
        let View { to_left, to_right, across, .. } = *view;
        let left_deviation = ((1.0 - to_left) * (1.0 + to_left)).sqrt();
        let right_deviation = ((1.0 - to_right) * (1.0 + to_right)).sqrt();
        let spread = left_deviation * right_deviation;
        // Rounded once: for three nearly equal variables the difference is far smaller than its terms.
        let covariance = (-to_left).mul_add(to_right, across);
        let sign = 1.0_f64.copysign(covariance);
        let apex_weight = sign * to_right * left_deviation - to_left * right_deviation;
        let correlation = (to_left * to_right + sign * spread).clamp(-1.0, 1.0);
        let distance = spread - covariance.abs();
        Self { left_deviation, right_deviation, spread, distance, sign, apex_weight, correlation }
    }

    /// Φ₃ at the singular matrix, where the three inequalities are half-planes of one plane, or half-lines of one line.
    ///
    /// The variables satisfy c₁X₁ + c₂X₂ + c₃X₃ = 0. If the c have one sign, the half-planes enclose a triangle, empty
    /// unless Σ c h > 0, and their complements meet in pairs only. Otherwise one normal, with the odd sign, lies between
    /// the other two: either its inequality follows from theirs, or the complements of theirs meet outside it.
    fn probability(&self, view: &View) -> f64 {
        if self.left_deviation == 0.0 && self.right_deviation == 0.0 {
            return on_a_line(view);
        }
        let View { apex, left, right, to_left, to_right, .. } = *view;
        let limits = [apex, left, right];
        let opposite = [self.correlation, to_right, to_left];
        let weights = [self.apex_weight, self.right_deviation, -self.sign * self.left_deviation];
        let excess: f64 = weights.iter().zip(&limits).map(|(c, h)| c * h).sum();
        let pair = |omitted: usize, flip: f64| {
            let (a, b) = [(1, 2), (0, 2), (0, 1)][omitted];
            bivariate_cdf(flip * limits[a], flip * limits[b], opposite[omitted])
        };
        match odd_one_out(&weights) {
            None if excess * weights.iter().sum::<f64>() <= 0.0 => 0.0,
            None => {
                let outside_one: f64 = limits.iter().map(|h| cdf(-h)).sum();
                1.0 - outside_one + pair(0, -1.0) + pair(1, -1.0) + pair(2, -1.0)
            }
            Some(between) if excess * weights[between] >= 0.0 => pair(between, 1.0),
            Some(between) => pair((between + 1) % 3, 1.0) + pair((between + 2) % 3, 1.0) - cdf(limits[between]),
        }
    }
}

/// The position of the number whose sign differs from that of the other two; zero agrees with either sign.
fn odd_one_out(numbers: &[f64; 3]) -> Option<usize> {
    (0..3).find(|&k| {
        let (a, b) = (numbers[k] * numbers[(k + 1) % 3], numbers[k] * numbers[(k + 2) % 3]);
        a <= 0.0 && b <= 0.0 && a + b < 0.0
    })
}

/// Φ₃ of three variables that are the same up to sign: the apex between the limits that the others set it.
fn on_a_line(view: &View) -> f64 {
    let (mut lower, mut upper) = (-FARTHEST_LIMIT, view.apex);
    for (limit, correlation) in [(view.left, view.to_left), (view.right, view.to_right)] {
        if correlation > 0.0 {
            upper = upper.min(limit);
        } else {
            lower = lower.max(-limit);
        }
    }
    (cdf(upper) - cdf(lower)).max(0.0)
}
