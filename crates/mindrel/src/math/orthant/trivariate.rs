//! The distribution function of three correlated standard normal variables.

use core::f64::consts::TAU;

use super::bivariate::{bivariate_cdf, exponential};
use crate::math::normal::cdf;

/// The probability that three standard normal variables are at most h₁, h₂ and h₃.
///
/// ```text
/// Φ₃(h; ρ) = P(X₁ ≤ h₁, X₂ ≤ h₂, X₃ ≤ h₃),   ρ = (ρ₁₂, ρ₁₃, ρ₂₃)
/// ```
///
/// Plackett's identity moves one correlation at a time along a path on which the answer is known at one end:
///
/// ```text
/// ∂Φ₃/∂ρ_ij = φ₂(h_i, h_j; ρ_ij) Φ((h_k − E[X_k | X_i = h_i, X_j = h_j]) / sd(X_k | X_i, X_j))
/// ```
///
/// Well-conditioned matrices start from independence of one variable [Genz 2004]; the others from the nearest singular
/// matrix, where three half-planes in the plane have a closed form in Φ₂. A matrix that rounding has made slightly
/// indefinite is taken to be that singular matrix. The limits may be infinite.
///
/// # Numerics
/// Absolute error ≤ 1e-10.
pub fn trivariate_cdf(h: [f64; 3], rho: [f64; 3]) -> f64 {
    if h.iter().chain(&rho).any(|x| x.is_nan()) {
        return f64::NAN;
    }
    if h.contains(&f64::NEG_INFINITY) {
        return 0.0;
    }
    let rho = rho.map(|r| r.clamp(-1.0, 1.0));
    for k in 0..3 {
        let (i, j) = others(k);
        if h[k] == f64::INFINITY {
            return bivariate_cdf(h[i], h[j], rho[opposite(k)]);
        }
    }
    let edge = (0..3)
        .map(|k| Edge::seen_from(k, &rho))
        .fold(None, nearer)
        .expect("three edges");
    let probability = if edge.distance() < EDGE_REACH {
        edge.closed_form(&h, &rho) - edge.integral(&h, &rho)
    } else {
        from_independence(&h, &rho)
    };
    probability.clamp(0.0, 1.0)
}

/// How far from singular a matrix may be to start from the singular one.
const EDGE_REACH: f64 = 0.1;

/// The two variables other than k.
fn others(k: usize) -> (usize, usize) {
    [(1, 2), (0, 2), (0, 1)][k]
}

/// Where the correlation of the two variables other than k stands in (ρ₁₂, ρ₁₃, ρ₂₃).
fn opposite(k: usize) -> usize {
    2 - k
}

fn nearer(best: Option<Edge>, edge: Edge) -> Option<Edge> {
    match best {
        Some(best) if best.distance() <= edge.distance() => Some(best),
        _ => Some(edge),
    }
}

/// The nearest singular matrix reached by moving ρ_ij alone, where X_i and X_j become collinear given X_k.
///
/// ```text
/// ρ_ij = ρ_ik ρ_jk + covariance,   |covariance| ≤ spread = √((1 − ρ_ik²)(1 − ρ_jk²))
/// ```
struct Edge {
    k: usize,
    sigma_i: f64,
    sigma_j: f64,
    covariance: f64,
}

impl Edge {
    fn seen_from(k: usize, rho: &[f64; 3]) -> Self {
        let (i, j) = others(k);
        let (r_ik, r_jk) = (rho[opposite(j)], rho[opposite(i)]);
        Self {
            k,
            sigma_i: ((1.0 - r_ik) * (1.0 + r_ik)).sqrt(),
            sigma_j: ((1.0 - r_jk) * (1.0 + r_jk)).sqrt(),
            covariance: rho[opposite(k)] - r_ik * r_jk,
        }
    }

    fn spread(&self) -> f64 {
        self.sigma_i * self.sigma_j
    }

    fn distance(&self) -> f64 {
        self.spread() - self.covariance.abs()
    }

    /// Φ₃ at the edge: three half-planes with normals a₁, a₂, a₃ in a plane, tied by c₁a₁ + c₂a₂ + c₃a₃ = 0.
    ///
    /// If the c have one sign the half-planes close a triangle, which is empty when Σ c h < 0; the complements of its
    /// sides meet only in pairs. Otherwise one normal lies between the others: its half-plane is either implied by
    /// theirs, or the complements of theirs meet outside it.
    fn closed_form(&self, h: &[f64; 3], rho: &[f64; 3]) -> f64 {
        let (i, j) = others(self.k);
        let k = self.k;
        let (r_ik, r_jk) = (rho[opposite(j)], rho[opposite(i)]);
        let sign = 1.0_f64.copysign(self.covariance);
        let mut r = *rho;
        r[opposite(k)] = r_ik * r_jk + sign * self.spread();
        let mut c = [0.0; 3];
        c[i] = self.sigma_j;
        c[j] = -sign * self.sigma_i;
        c[k] = sign * r_jk * self.sigma_i - r_ik * self.sigma_j;
        if self.sigma_i == 0.0 && self.sigma_j == 0.0 {
            let mut s = [1.0; 3];
            s[i] = r_ik;
            s[j] = r_jk;
            return on_a_line(h, &s);
        }
        let pair = |a: usize, b: usize, s: f64| bivariate_cdf(s * h[a], s * h[b], r[opposite(3 - a - b)]);
        let excess = c[0] * h[0] + c[1] * h[1] + c[2] * h[2];
        let negative = c.iter().filter(|&&c| c < 0.0).count();
        let positive = c.iter().filter(|&&c| c > 0.0).count();
        if negative == 0 || positive == 0 {
            let signed = if negative == 0 { excess } else { -excess };
            if signed <= 0.0 {
                return 0.0;
            }
            let single: f64 = h.iter().map(|h| cdf(-h)).sum();
            return 1.0 - single + pair(0, 1, -1.0) + pair(0, 2, -1.0) + pair(1, 2, -1.0);
        }
        let odd_is_negative = negative == 1;
        let between = c
            .iter()
            .position(|&c| if odd_is_negative { c < 0.0 } else { c > 0.0 })
            .expect("one is odd");
        let (a, b) = others(between);
        let excess = if odd_is_negative { excess } else { -excess };
        if excess <= 0.0 {
            pair(a, b, 1.0)
        } else {
            pair(between, a, 1.0) + pair(between, b, 1.0) - cdf(h[between])
        }
    }

    /// What Φ₃ loses on the way from the edge to ρ, by Plackett's identity, signed.
    ///
    /// r = ρ_ik ρ_jk ± spread (1 − τ²)/(1 + τ²), so that sd(X_k | X_i, X_j) is smooth in τ.
    fn integral(&self, h: &[f64; 3], rho: &[f64; 3]) -> f64 {
        let (i, j) = others(self.k);
        let (r_ik, r_jk) = (rho[opposite(j)], rho[opposite(i)]);
        let spread = self.spread();
        let length = self.distance();
        if length <= 1e-15 {
            return 0.0;
        }
        let end = (length / (spread + self.covariance.abs())).sqrt();
        let sign = 1.0_f64.copysign(self.covariance);
        let (hi, hj, hk) = (h[i], h[j], h[self.k]);
        let integrand = |tau: f64| {
            let plus = 1.0 + tau * tau;
            let sine = 2.0 * tau / plus;
            let r = r_ik * r_jk + sign * spread * (1.0 - tau * tau) / plus;
            let s2 = (1.0 - r) * (1.0 + r);
            if s2 <= 0.0 {
                return 0.0;
            }
            let root = s2.sqrt();
            let exponent = -0.5 * (hi * hi + hj * hj - 2.0 * hi * hj * r) / s2;
            let numerator = hk * s2 - r_ik * (hi - r * hj) - r_jk * (hj - r * hi);
            2.0 / plus * sine / root * exponential(exponent) * cdf(numerator / (root * spread * sine))
        };
        sign * spread / TAU * adaptive(&integrand, 0.0, end)
    }
}

/// Φ₃ of three variables that are one up to sign.
fn on_a_line(h: &[f64; 3], signs: &[f64; 3]) -> f64 {
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    for (h, s) in h.iter().zip(signs) {
        if *s > 0.0 {
            upper = upper.min(*h);
        } else {
            lower = lower.max(-h);
        }
    }
    (cdf(upper) - cdf(lower)).max(0.0)
}

/// Plackett's path on which the first variable is independent of the others at the start.
fn from_independence(h: &[f64; 3], rho: &[f64; 3]) -> f64 {
    let largest = (0..3).fold(0, |best, p| if rho[p].abs() > rho[best].abs() { p } else { best });
    let first = opposite(largest);
    let (second, third) = others(first);
    let (h1, h2, h3) = (h[first], h[second], h[third]);
    let (r12, r13, r23) = (rho[opposite(third)], rho[opposite(second)], rho[largest]);
    let base = cdf(h1) * bivariate_cdf(h2, h3, r23);
    let room = (1.0 - r23) * (1.0 + r23);
    let fraction2 = ((r12 * r12 + r13 * r13 - 2.0 * r12 * r13 * r23) / room).clamp(0.0, 1.0);
    if fraction2 == 0.0 {
        return base;
    }
    let cosine = (1.0 - fraction2).sqrt();
    let stretch = 2.0 / (1.0 + cosine);
    let tau2 = fraction2 / ((1.0 + cosine) * (1.0 + cosine));
    let integrand = |v: f64| {
        let plus = 1.0 + tau2 * v * v;
        let minus = 1.0 - tau2 * v * v;
        let t = stretch * v / plus;
        let det = room * (minus / plus) * (minus / plus);
        let (a, b) = (r12 * t, r13 * t);
        let term = |ra: f64, rb: f64, ha: f64, hb: f64| {
            let s2 = (1.0 - ra) * (1.0 + ra);
            let exponent = -0.5 * (h1 * h1 + ha * ha - 2.0 * h1 * ha * ra) / s2;
            let numerator = hb * s2 - rb * (h1 - ra * ha) - r23 * (ha - ra * h1);
            exponential(exponent) / s2.sqrt() * cdf(numerator / (s2 * det).sqrt())
        };
        stretch * minus / (plus * plus) * (r12 * term(a, b, h2, h3) + r13 * term(b, a, h3, h2))
    };
    base + adaptive(&integrand, 0.0, 1.0) / TAU
}

/// Gauss–Kronrod with 15 nodes, halving the interval where it disagrees with its Gauss rule of 7.
fn adaptive(f: &impl Fn(f64) -> f64, lower: f64, upper: f64) -> f64 {
    refine(f, lower, upper, 12)
}

const TOLERANCE: f64 = 1e-8;

fn refine(f: &impl Fn(f64) -> f64, lower: f64, upper: f64, depth: u32) -> f64 {
    let centre = 0.5 * (lower + upper);
    let half = 0.5 * (upper - lower);
    let middle = f(centre);
    let mut kronrod = KRONROD[7].1 * middle;
    let mut gauss = GAUSS[3] * middle;
    for (i, &(x, w)) in KRONROD[..7].iter().enumerate() {
        let pair = f(centre - half * x) + f(centre + half * x);
        kronrod += w * pair;
        if i % 2 == 1 {
            gauss += GAUSS[i / 2] * pair;
        }
    }
    if half * (kronrod - gauss).abs() <= TOLERANCE || depth == 0 {
        return half * kronrod;
    }
    refine(f, lower, centre, depth - 1) + refine(f, centre, upper, depth - 1)
}

const KRONROD: [(f64, f64); 8] = [
    (0.991_455_371_120_812_6, 0.022_935_322_010_529_224),
    (0.949_107_912_342_758_5, 0.063_092_092_629_978_55),
    (0.864_864_423_359_769_1, 0.104_790_010_322_250_18),
    (0.741_531_185_599_394_4, 0.140_653_259_715_525_92),
    (0.586_087_235_467_691_1, 0.169_004_726_639_267_9),
    (0.405_845_151_377_397_2, 0.190_350_578_064_785_4),
    (0.207_784_955_007_898_47, 0.204_432_940_075_298_9),
    (0.0, 0.209_482_141_084_727_82),
];
const GAUSS: [f64; 4] = [
    0.129_484_966_168_869_7,
    0.279_705_391_489_276_64,
    0.381_830_050_505_118_93,
    0.417_959_183_673_469_4,
];
