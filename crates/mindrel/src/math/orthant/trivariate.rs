//! The distribution function of three correlated standard normal variables.
//!
//! Plackett's identity gives the slope of Φ₃ in any one correlation:
//!
//! ```text
//! ∂Φ₃/∂ρ_ij = φ₂(h_i, h_j; ρ_ij) Φ((h_k − E[X_k | h_i, h_j]) / sd(X_k | h_i, h_j))
//! ```
//!
//! so that Φ₃ is its value at some other correlation matrix plus an integral along the way. Two starting
//! points have a closed form: a matrix in which one variable is independent of the others, and a singular
//! matrix. A well-conditioned matrix is reached from the first, any other from the singular matrix next to
//! it. The exponents and conditional probabilities below are written in quantities that stay accurate when
//! correlations approach ±1.

use core::f64::consts::TAU;

use super::bivariate::{FARTHEST_LIMIT, bivariate_cdf};
use crate::math::normal::{branchless_cdf, branchless_exp, cdf};
use crate::math::quadrature::{Abscissa, legendre_table};

/// The probability that three standard normal variables are at most h₁, h₂ and h₃.
///
/// ```text
/// Φ₃(h; ρ) = P(X₁ ≤ h₁, X₂ ≤ h₂, X₃ ≤ h₃),   ρ = (ρ₁₂, ρ₁₃, ρ₂₃)
/// ```
///
/// Well-conditioned matrices are reached from independence, as in Genz (2004; see [`bivariate_cdf`]). Departs
/// from it: nearly singular matrices are reached from the nearest singular one, and singular ones, of rank
/// one or two, are in closed form. A matrix that rounding has made slightly indefinite counts as the singular
/// one next to it. The limits may be infinite; NaN gives NaN.
///
/// # Numerics
/// Absolute error ≤ 1e-12 for well-conditioned matrices, ≤ 1e-9 for nearly singular ones, ≤ 1e-14 for
/// singular ones.
pub fn trivariate_cdf(h: [f64; 3], rho: [f64; 3]) -> f64 {
    if h.iter().chain(&rho).any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let h = h.map(|h| h.clamp(-FARTHEST_LIMIT, FARTHEST_LIMIT));
    let [r12, r13, r23] = rho.map(|r| r.clamp(-1.0, 1.0));
    let views = [
        ApexView::new([h[0], h[1], h[2]], [r12, r13, r23]),
        ApexView::new([h[1], h[0], h[2]], [r12, r23, r13]),
        ApexView::new([h[2], h[0], h[1]], [r13, r23, r12]),
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

/// Which of three numbers is the largest.
fn position_of_largest(values: [f64; 3]) -> usize {
    let first = if values[1] > values[0] { 1 } else { 0 };
    if values[2] > values[first] { 2 } else { first }
}

/// A matrix is well conditioned if the variable apart from the closest two shares at most this part of its
/// variance.
const WELL_CONDITIONED: f64 = 0.99;

/// The three variables as seen from one of them, the apex.
struct ApexView {
    apex: f64,
    left: f64,
    right: f64,
    to_left: f64,
    to_right: f64,
    across: f64,
}

impl ApexView {
    fn new([apex, left, right]: [f64; 3], [to_left, to_right, across]: [f64; 3]) -> Self {
        Self { apex, left, right, to_left, to_right, across }
    }

    /// The part of the apex's variance that the two others explain: one for a singular matrix, NaN if they
    /// are one.
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
        const LEGENDRE_12: [Abscissa; 12] = legendre_table();
        const LEGENDRE_24: [Abscissa; 24] = legendre_table();

        let start = cdf(self.apex) * bivariate_cdf(self.left, self.right, self.across);
        let integral = if shared < 0.84 {
            self.independence_sum(&LEGENDRE_12, shared)
        } else {
            self.independence_sum(&LEGENDRE_24, shared)
        };
        start + integral / TAU
    }

    #[inline(always)]
    fn independence_sum<const N: usize>(&self, rule: &[Abscissa; N], shared: f64) -> f64 {
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

            let (r_left, r_right) = (to_left * t, to_right * t);
            let slope_left = slope([apex, left, right], r_left, [beyond_left * t, conditional], root_determinant);
            let slope_right = slope([apex, right, left], r_right, [beyond_right * t, conditional], root_determinant);
            let step = 0.5 * rule[i].weight * stretch * minus / (plus * plus);
            terms[i] = step * (to_left * slope_left + to_right * slope_right);
        }
        terms.iter().sum()
    }

    /// Φ₃ by Plackett's integral from the singular matrix reached by moving `across` alone.
    fn starting_singular(&self, edge: &Edge) -> f64 {
        const LEGENDRE_16: [Abscissa; 16] = legendre_table();
        const LEGENDRE_32: [Abscissa; 32] = legendre_table();

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

    /// The integral over τ, where `across` = ρ_left ρ_right ± spread (1 − τ²)/(1 + τ²). The conditional
    /// probability can turn from 0 to 1 close to τ = 0, so that τ = end · v² puts more nodes there.
    #[inline(always)]
    fn singular_sum<const N: usize>(&self, rule: &[Abscissa; N], edge: &Edge) -> f64 {
        let Self { apex, left, right, to_left, to_right, .. } = *self;
        let Edge { left_deviation, right_deviation, spread, distance, sign, apex_weight, correlation } = *edge;
        /// Keeps a division by 1 − r² finite where rounding makes r = ±1; the exponential vanishes there.
        const SMALLEST: f64 = f64::MIN_POSITIVE;
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
            let s2 = if s2 > SMALLEST { s2 } else { SMALLEST };
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

/// Plackett's slope of Φ₃ in the correlation r of the first two variables, times 2π, for r well inside (−1,
/// 1).
///
/// The cofactors are what the third variable's conditional mean counts the first two with, times 1 − r².
#[inline(always)]
fn slope([first, second, third]: [f64; 3], r: f64, cofactors: [f64; 2], root_determinant: f64) -> f64 {
    let s2 = (1.0 - r) * (1.0 + r);
    let root = s2.sqrt();
    let exponent = -0.5 * (first * first + second * second - 2.0 * first * second * r) / s2;
    let excess = third * s2 - first * cofactors[0] - second * cofactors[1];
    branchless_exp(exponent) / root * branchless_cdf(excess / (root * root_determinant))
}

/// A singular matrix closer than this, relative to the slope of the way there, is the matrix itself.
const NEGLIGIBLE_DISTANCE: f64 = 1e-14;

/// The singular matrix reached from a view by moving `across` until left and right are collinear given the
/// apex.
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
    /// The apex's coefficient in the relation `right_deviation · left − sign · left_deviation · right + … =
    /// 0`. Its size is √(1 − correlation²), free of cancellation.
    apex_weight: f64,
    /// What `across` is at the singular matrix.
    correlation: f64,
}

impl Edge {
    fn of(view: &ApexView) -> Self {
        let ApexView { to_left, to_right, across, .. } = *view;
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

    /// Φ₃ at the singular matrix, where the three inequalities are half-planes of one plane, or half-lines of
    /// one line.
    ///
    /// The variables satisfy c₁X₁ + c₂X₂ + c₃X₃ = 0. If the c have one sign, the half-planes enclose a
    /// triangle, empty unless Σ c h > 0, and their complements meet in pairs only. Otherwise one normal, with
    /// the odd sign, lies between the other two: either its inequality follows from theirs, or the
    /// complements of theirs meet outside it.
    fn probability(&self, view: &ApexView) -> f64 {
        if self.left_deviation == 0.0 && self.right_deviation == 0.0 {
            return on_a_line(view);
        }
        let ApexView { apex, left, right, to_left, to_right, .. } = *view;
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
fn on_a_line(view: &ApexView) -> f64 {
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

#[cfg(test)]
mod tests {
    use rand_distr::{Distribution, StandardNormal};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::math::normal::density;

    /// What the documentation promises for well-conditioned, nearly singular and singular matrices.
    const WELL: f64 = 1e-12;
    const NEARLY: f64 = 1e-9;
    const SINGULAR: f64 = 1e-14;

    type Vectors = [[f64; 3]; 3];

    fn normal(generator: &mut Pcg64Mcg) -> f64 {
        StandardNormal.sample(generator)
    }

    fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// Three unit vectors; the second and third coordinates are shrunk, which makes them nearly coplanar or
    /// collinear.
    fn random_vectors(generator: &mut Pcg64Mcg, shrink: [f64; 2]) -> Vectors {
        let mut unit = || {
            let raw = [normal(generator), shrink[0] * normal(generator), shrink[1] * normal(generator)];
            raw.map(|x| x / dot(&raw, &raw).sqrt())
        };
        [unit(), unit(), unit()]
    }

    fn correlations(vectors: &Vectors) -> [f64; 3] {
        [dot(&vectors[0], &vectors[1]), dot(&vectors[0], &vectors[2]), dot(&vectors[1], &vectors[2])]
    }

    /// Limits of which most are at hand, and some meet in a corner up to 1e-6 or so.
    fn random_limits(generator: &mut Pcg64Mcg, vectors: &Vectors, case: u32) -> [f64; 3] {
        if case.is_multiple_of(2) {
            return [normal(generator), normal(generator), normal(generator)];
        }
        let corner = [normal(generator), normal(generator), normal(generator)];
        let off = 10.0_f64.powf(-3.0 * normal(generator).abs());
        vectors.map(|v| dot(&v, &corner) + off * normal(generator))
    }

    /// Φ₃ = ∫_{−∞}^{h_k} φ(x) Φ₂(… | X_k = x) dx, by halving until two rules agree. It works from the
    /// vectors, because partial correlations lose their digits in the correlations when these are near ±1.
    fn by_conditioning(h: [f64; 3], vectors: &Vectors) -> f64 {
        let residual = |i: usize, k: usize| {
            let sign = 1.0_f64.copysign(dot(&vectors[i], &vectors[k]));
            let difference: [f64; 3] = std::array::from_fn(|c| vectors[i][c] - sign * vectors[k][c]);
            let along = dot(&difference, &vectors[k]);
            let rest: [f64; 3] = std::array::from_fn(|c| difference[c] - along * vectors[k][c]);
            (rest, dot(&rest, &rest).sqrt())
        };
        let spread = |k: usize| residual((k + 1) % 3, k).1 * residual((k + 2) % 3, k).1;
        let k = (0..3).reduce(|a, b| if spread(b) > spread(a) { b } else { a }).expect("three variables");
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let ((rest_i, sd_i), (rest_j, sd_j)) = (residual(i, k), residual(j, k));
        let (slope_i, slope_j) = (dot(&vectors[i], &vectors[k]), dot(&vectors[j], &vectors[k]));
        let partial = dot(&rest_i, &rest_j) / (sd_i * sd_j);
        let limits = |x: f64| ((h[i] - slope_i * x) / sd_i, (h[j] - slope_j * x) / sd_j);
        let integrand = |x: f64| density(x) * bivariate_cdf(limits(x).0, limits(x).1, partial);

        // Kinks, if the variables are nearly dependent: where the two conditional limits coincide, and where
        // they pass 0.
        let facing = 1.0_f64.copysign(partial);
        let crossing = (h[i] / sd_i - facing * h[j] / sd_j) / (slope_i / sd_i - facing * slope_j / sd_j);
        let mut cuts = vec![-9.0, h[k].min(9.0)];
        for kink in [crossing, h[i] / slope_i, h[j] / slope_j] {
            let around = (0..24).flat_map(|e| [-1.0, 1.0].map(|side| kink + side * 10.0_f64.powf(-0.5 * f64::from(e))));
            cuts.extend(around.chain([kink]).filter(|x| *x > -9.0 && *x < h[k].min(9.0)));
        }
        cuts.sort_by(f64::total_cmp);
        cuts.windows(2).map(|pair| halving(&integrand, pair[0], pair[1], 12)).sum()
    }

    fn halving(f: &impl Fn(f64) -> f64, lower: f64, upper: f64, depth: u32) -> f64 {
        let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower));
        let rule = |nodes: &[Abscissa]| half * nodes.iter().map(|n| n.weight * f(middle + half * n.at)).sum::<f64>();
        const COARSE: [Abscissa; 16] = legendre_table();
        const FINE: [Abscissa; 32] = legendre_table();
        let (coarse, fine) = (rule(&COARSE), rule(&FINE));
        if depth == 0 || (coarse - fine).abs() < 1e-15 {
            return fine;
        }
        halving(f, lower, middle, depth - 1) + halving(f, middle, upper, depth - 1)
    }

    #[test]
    fn the_octant_is_an_eighth_plus_the_angles() {
        let mut generator = Pcg64Mcg::new(1);
        for _ in 0..2000 {
            let rho = correlations(&random_vectors(&mut generator, [1.0, 1.0]));
            let exact = 0.125 + rho.iter().map(|r| r.asin()).sum::<f64>() / (2.0 * TAU);
            assert!((trivariate_cdf([0.0; 3], rho) - exact).abs() < WELL, "{rho:?}");
        }
    }

    #[test]
    fn independent_variables_multiply() {
        let h = [0.3, -0.8, 1.4];
        let product = cdf(0.3) * cdf(-0.8) * cdf(1.4);
        assert!((trivariate_cdf(h, [0.0; 3]) - product).abs() < SINGULAR);
        let pair = cdf(1.4) * bivariate_cdf(0.3, -0.8, 0.6);
        assert!((trivariate_cdf(h, [0.6, 0.0, 0.0]) - pair).abs() < SINGULAR);
        let collinear = cdf(1.4) * cdf(-0.8);
        assert!((trivariate_cdf(h, [1.0, 0.0, 0.0]) - collinear).abs() < SINGULAR);
    }

    #[test]
    fn conditioning_on_one_variable_gives_the_same() {
        let mut generator = Pcg64Mcg::new(2);
        for case in 0..600 {
            let vectors = random_vectors(&mut generator, [1.0, 1.0]);
            let h = random_limits(&mut generator, &vectors, case);
            let (found, exact) = (trivariate_cdf(h, correlations(&vectors)), by_conditioning(h, &vectors));
            let nearly_singular = dot(&vectors[0], &cross(&vectors[1], &vectors[2])).abs() < 0.1;
            let tolerance = if nearly_singular { NEARLY } else { WELL };
            assert!((found - exact).abs() < tolerance, "{found} {exact} {h:?} {vectors:?}");
        }
    }

    fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    #[test]
    fn nearly_singular_matrices_are_as_good_as_promised() {
        let mut generator = Pcg64Mcg::new(3);
        for case in 0..1500 {
            let flat = 10.0_f64.powf(-1.5 * normal(&mut generator).abs());
            let narrow = if case % 4 < 2 { 1.0 } else { 10.0_f64.powf(-1.5 * normal(&mut generator).abs()) };
            let vectors = random_vectors(&mut generator, [narrow, flat * narrow]);
            let h = random_limits(&mut generator, &vectors, case);
            let (found, exact) = (trivariate_cdf(h, correlations(&vectors)), by_conditioning(h, &vectors));
            assert!((found - exact).abs() < NEARLY, "{found} {exact} {h:?} {:?}", correlations(&vectors));
        }
    }

    /// Rank two, with correlations that are singular only up to rounding.
    #[test]
    fn variables_in_a_plane_are_in_closed_form() {
        let mut generator = Pcg64Mcg::new(4);
        for case in 0..1500 {
            let vectors = random_vectors(&mut generator, [1.0, 0.0]);
            let h = random_limits(&mut generator, &vectors, case);
            let (found, exact) = (trivariate_cdf(h, correlations(&vectors)), by_conditioning(h, &vectors));
            // The reference has kinks, which it resolves to 1e-12.
            assert!((found - exact).abs() < WELL, "{found} {exact} {h:?} {:?}", correlations(&vectors));
        }
    }

    /// X₃ = (X₁ + X₂)/√2 and its opposite, where Φ₃ is elementary in Φ and Φ₂.
    #[test]
    fn the_mean_of_two_variables_is_implied_or_cuts_the_corner() {
        let r = 0.5_f64.sqrt();
        let implied = trivariate_cdf([0.2, 0.3, 0.5], [0.0, r, r]);
        assert!((implied - cdf(0.2) * cdf(0.3)).abs() < SINGULAR);
        let corner = bivariate_cdf(0.2, 0.1, r) + bivariate_cdf(0.3, 0.1, r) - cdf(0.1);
        assert!((trivariate_cdf([0.2, 0.3, 0.1], [0.0, r, r]) - corner).abs() < SINGULAR);
        // X₁ ≤ −0.2, X₂ ≤ −0.3 and −(X₁ + X₂)/√2 ≤ 0.35 leave nothing; ≤ 0.36 leaves a small triangle.
        assert_eq!(trivariate_cdf([-0.2, -0.3, 0.35], [0.0, -r, -r]), 0.0);
        let triangle = trivariate_cdf([-0.2, -0.3, 0.36], [0.0, -r, -r]);
        let side = 0.36 * 2.0_f64.sqrt() - 0.5;
        let estimate = 0.5 * side * side * density(-0.2) * density(-0.3);
        assert!((triangle / estimate - 1.0).abs() < 0.01, "{triangle} {estimate}");
    }

    #[test]
    fn variables_on_a_line_leave_an_interval() {
        assert!((trivariate_cdf([0.4, 0.2, 0.7], [1.0, 1.0, 1.0]) - cdf(0.2)).abs() < SINGULAR);
        let interval = cdf(0.2) - cdf(-0.7);
        assert!((trivariate_cdf([0.4, 0.2, 0.7], [1.0, -1.0, -1.0]) - interval).abs() < SINGULAR);
        assert!((trivariate_cdf([0.4, 0.7, 0.2], [-1.0, 1.0, -1.0]) - interval).abs() < SINGULAR);
        assert_eq!(trivariate_cdf([0.4, -0.9, 0.7], [1.0, -1.0, -1.0]), 0.0);
    }

    #[test]
    fn one_collinear_pair_leaves_two_variables() {
        for rho in [-0.97, -0.4, 0.0, 0.3, 0.99] {
            let pair = bivariate_cdf(0.2, -0.3, rho);
            assert!((trivariate_cdf([0.2, 0.5, -0.3], [1.0, rho, rho]) - pair).abs() < SINGULAR, "{rho}");
            // X₂ = −X₁: −0.5 ≤ X₁ ≤ 0.2
            let strip = pair - bivariate_cdf(-0.5, -0.3, rho);
            assert!((trivariate_cdf([0.2, 0.5, -0.3], [-1.0, rho, -rho]) - strip).abs() < SINGULAR, "{rho}");
        }
    }

    #[test]
    fn the_order_of_the_variables_does_not_matter() {
        let mut generator = Pcg64Mcg::new(5);
        for case in 0..500 {
            let flat = 10.0_f64.powf(-2.0 * normal(&mut generator).abs());
            let vectors = random_vectors(&mut generator, [1.0, flat]);
            let [a, b, c] = random_limits(&mut generator, &vectors, case);
            let [r12, r13, r23] = correlations(&vectors);
            let found = trivariate_cdf([a, b, c], [r12, r13, r23]);
            assert!((found - trivariate_cdf([b, c, a], [r23, r12, r13])).abs() < NEARLY);
            assert!((found - trivariate_cdf([c, b, a], [r23, r13, r12])).abs() < NEARLY);
        }
    }

    /// Φ₃(h₁, h₂, h₃) + Φ₃(h₁, h₂, −h₃ for −X₃) = Φ₂(h₁, h₂): the two often take different paths.
    #[test]
    fn both_sides_of_one_variable_sum_to_the_other_two() {
        let mut generator = Pcg64Mcg::new(6);
        for case in 0..3000 {
            let flat = 10.0_f64.powf(-2.0 * normal(&mut generator).abs());
            let vectors = random_vectors(&mut generator, [1.0, flat]);
            let [a, b, c] = random_limits(&mut generator, &vectors, case);
            let [r12, r13, r23] = correlations(&vectors);
            let sum = trivariate_cdf([a, b, c], [r12, r13, r23]) + trivariate_cdf([a, b, -c], [r12, -r13, -r23]);
            assert!((sum - bivariate_cdf(a, b, r12)).abs() < 2.0 * NEARLY, "{a} {b} {c} {r12} {r13} {r23}");
        }
    }

    #[test]
    fn more_room_is_more_probable() {
        let mut generator = Pcg64Mcg::new(7);
        for case in 0..500 {
            let vectors = random_vectors(&mut generator, [1.0, 0.1]);
            let [a, b, c] = random_limits(&mut generator, &vectors, case);
            let rho = correlations(&vectors);
            let found = trivariate_cdf([a, b, c], rho);
            assert!(trivariate_cdf([a + 0.01, b, c], rho) >= found - NEARLY);
            assert!(found <= bivariate_cdf(a, b, rho[0]) + NEARLY);
        }
    }

    #[test]
    fn an_infinite_limit_leaves_the_other_two() {
        for rho in [[0.3, -0.2, 0.6], [0.9, 0.8, 0.95], [1.0, 0.5, 0.5]] {
            let pair = bivariate_cdf(0.4, -0.1, rho[1]);
            assert!((trivariate_cdf([0.4, f64::INFINITY, -0.1], rho) - pair).abs() < WELL);
            assert_eq!(trivariate_cdf([0.4, f64::NEG_INFINITY, -0.1], rho), 0.0);
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        assert!(trivariate_cdf([0.4, f64::NAN, -0.1], [0.1, 0.2, 0.3]).is_nan());
        assert!(trivariate_cdf([0.4, 0.2, -0.1], [0.1, f64::NAN, 0.3]).is_nan());
    }
}
