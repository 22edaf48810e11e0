//! Orthant probabilities in four and more dimensions.
//!
//! The variables are separated as Genz does it [Genz 1992]: X = mean + L y with independent standard normal y, where
//! each inequality X_i ≥ 0 bounds the last y it contains given those before, so that the probability is an integral of
//! a product of one-dimensional probabilities. What remains has one dimension less than the covariance has rank:
//! nothing for rank one, a polygon in the plane for rank two, and a sum over a lattice for more.

use core::f64::consts::TAU;

use crate::math::normal::{branchless_cdf, branchless_exp, cdf, density, quantile};
use crate::math::quadrature::{Node, legendre_table};

/// How many lattice points [`orthant_probability`](super::orthant_probability) uses.
pub const POINTS: usize = 4093;

/// A variance given the variables before, as a part of one, below which the variable is a function of those.
///
/// Cholesky leaves 1e-15 or so of an exact zero. Taking 1e-12 for zero moves the probability by as little.
const ZERO_RESIDUAL: f64 = 1e-12;

/// P(X ≥ 0) for X with these means, unit variances and these correlations, row by row.
pub(super) fn separated_probability(mean: &[f64], correlation: &[f64], points: usize) -> f64 {
    let separated = Separated::new(mean, correlation);
    match separated.rank {
        1 => separated.on_a_line(),
        2 => separated.in_the_plane(),
        _ => separated.over_a_lattice(points),
    }
}

/// One inequality, filed under the last variable y_j with a coefficient other than zero.
///
/// ```text
/// mean + Σ_{k ≤ j} coefficients_k y_k ≥ 0
/// ```
struct Inequality {
    variable: usize,
    mean: f64,
    coefficients: Vec<f64>,
}

impl Inequality {
    fn last(&self) -> f64 {
        self.coefficients[self.variable]
    }
}

/// The inequalities in the order of the variables they bound.
struct Separated {
    rank: usize,
    inequalities: Vec<Inequality>,
}

impl Separated {
    /// Cholesky's factorisation, taking as next variable the one least likely to be non-negative given the expected
    /// values of those before [Gibson, Glasbey and Elston 1994]: the earlier factors vary most, the later ones least.
    ///
    /// A variable whose remaining variance is zero needs no y of its own. Its inequality bounds the y that took its
    /// variance away, alongside the inequality that y was made for.
    fn new(mean: &[f64], correlation: &[f64]) -> Self {
        let n = mean.len();
        let mut rows: Vec<Vec<f64>> = vec![Vec::new(); n];
        let mut residual = vec![1.0_f64; n];
        let mut expected = mean.to_vec();
        let mut open: Vec<usize> = (0..n).collect();
        let mut inequalities = Vec::with_capacity(n);
        let mut rank = 0;
        while !open.is_empty() {
            let score = |i: usize| expected[i] / residual[i].sqrt();
            let least = |a: usize, b: usize| if score(b) < score(a) { b } else { a };
            let pivot = open.iter().copied().reduce(least).expect("open is not empty");
            let deviation = residual[pivot].sqrt();
            let pivot_row = rows[pivot].clone();
            let value = expected_above(-expected[pivot] / deviation);
            for &i in &open {
                let explained: f64 = rows[i].iter().zip(&pivot_row).map(|(a, b)| a * b).sum();
                let coefficient = (correlation[i * n + pivot] - explained) / deviation;
                rows[i].push(coefficient);
                residual[i] -= coefficient * coefficient;
                expected[i] += coefficient * value;
            }
            residual[pivot] = 0.0;
            open.retain(|&i| {
                let settled = residual[i] <= ZERO_RESIDUAL;
                if settled {
                    let coefficients = std::mem::take(&mut rows[i]);
                    inequalities.push(Inequality { variable: rank, mean: mean[i], coefficients });
                }
                !settled
            });
            rank += 1;
        }
        Self { rank, inequalities }
    }

    /// Rank one: every inequality bounds the same variable.
    fn on_a_line(&self) -> f64 {
        let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
        for inequality in &self.inequalities {
            let bound = -inequality.mean / inequality.last();
            if inequality.last() > 0.0 {
                lower = lower.max(bound);
            } else {
                upper = upper.min(bound);
            }
        }
        // In the tail that is small, so that the difference keeps its digits.
        let mass = if lower > 0.0 { cdf(-lower) - cdf(-upper) } else { cdf(upper) - cdf(lower) };
        mass.max(0.0)
    }

    /// Rank two: the standard normal measure of a convex polygon, bounded or not.
    ///
    /// ```text
    /// P = [0 inside] − Σ_edges T(h, s/h) |_{s = first}^{s = last}
    /// ```
    ///
    /// with h the signed distance of the edge's line from zero and s the position along it. It is Gauss's divergence
    /// theorem for the field −z exp(−|z|²/2) / (2π|z|²), whose divergence is the density away from zero; its flux
    /// through a segment is Owen's T.
    fn in_the_plane(&self) -> f64 {
        let lines: Vec<Line> = self.inequalities.iter().map(Line::of).collect();
        let inside = lines.iter().all(|line| line.distance >= 0.0);
        let mut probability = if inside { 1.0 } else { 0.0 };
        for i in 0..lines.len() {
            if let Some((first, last)) = clip(&lines, i) {
                let distance = lines[i].distance;
                probability -= segment(distance, last) - segment(distance, first);
            }
        }
        probability.clamp(0.0, 1.0)
    }

    /// Rank three and more: the mean over the lattice of the product of conditional probabilities.
    fn over_a_lattice(&self, points: usize) -> f64 {
        let lattice = Lattice::with_at_least(points, self.rank - 1);
        let mut sample = vec![[0.0; LANES]; self.rank];
        let mut sum = 0.0;
        for start in (0..lattice.points).step_by(LANES) {
            let weights = self.conditional_products(start, &lattice, &mut sample);
            let count = LANES.min(lattice.points - start);
            sum += weights[..count].iter().sum::<f64>();
        }
        sum / lattice.points as f64
    }

    /// The products of conditional probabilities at the lattice points from `start` on.
    fn conditional_products(&self, start: usize, lattice: &Lattice, sample: &mut [[f64; LANES]]) -> [f64; LANES] {
        let mut products = [1.0; LANES];
        let mut rest = self.inequalities.as_slice();
        for variable in 0..self.rank {
            let count = rest.iter().take_while(|inequality| inequality.variable == variable).count();
            let (bounding, later) = rest.split_at(count);
            rest = later;
            let (above_lower, above_upper) = tails(bounding, sample);
            let mut mass = [0.0; LANES];
            for lane in 0..LANES {
                mass[lane] = (above_lower[lane] - above_upper[lane]).max(0.0);
                products[lane] *= mass[lane];
            }
            if variable + 1 == self.rank {
                break;
            }
            for lane in 0..LANES {
                let tail = above_upper[lane] + mass[lane] * lattice.coordinate(start + lane, variable);
                sample[variable][lane] = -quantile(tail).clamp(-FARTHEST_SAMPLE, FARTHEST_SAMPLE);
            }
        }
        products
    }
}

/// A lattice of Korobov's form, shifted, and folded by the tent (baker's) transform.
///
/// ```text
/// u_j(i) = 1 − |2 {i aʲ/N + √p_j} − 1|,   i = 0, …, N − 1,   p_j the j-th prime
/// ```
struct Lattice {
    points: usize,
    generator: Vec<u64>,
    shift: Vec<f64>,
}

impl Lattice {
    /// Prime N with the a that, among those tried, has the least worst-case error for functions with square integrable
    /// mixed derivatives, where the j-th coordinate counts 1/j² and there are 100 [Sloan and Joe 1994, ch. 4].
    const SIZES: [(usize, u64); 6] =
        [(251, 60), (1021, 455), (4093, 450), (16_381, 372), (65_521, 29_964), (262_139, 100_152)];

    fn with_at_least(points: usize, dimensions: usize) -> Self {
        let largest = Self::SIZES[Self::SIZES.len() - 1];
        let (size, multiplier) = Self::SIZES.into_iter().find(|(size, _)| *size >= points).unwrap_or(largest);
        let powers = std::iter::successors(Some(1), |power| Some(power * multiplier % size as u64));
        Self {
            points: size,
            generator: powers.take(dimensions).collect(),
            shift: primes().take(dimensions).map(|prime| f64::from(prime).sqrt().fract()).collect(),
        }
    }

    fn coordinate(&self, point: usize, dimension: usize) -> f64 {
        let residue = point as u64 * self.generator[dimension] % self.points as u64;
        let position = residue as f64 / self.points as f64 + self.shift[dimension];
        // The position lies in [0, 2), and so does the argument of the tent, up to a whole period.
        let fraction = if position < 1.0 { position } else { position - 1.0 };
        1.0 - (2.0 * fraction - 1.0).abs()
    }
}

/// P(y > lower) and P(y > upper) for the variable that these inequalities bound, given the sample so far.
fn tails(bounding: &[Inequality], sample: &[[f64; LANES]]) -> ([f64; LANES], [f64; LANES]) {
    let mut lower = [f64::NEG_INFINITY; LANES];
    let mut upper = [f64::INFINITY; LANES];
    for inequality in bounding {
        let mut sum = [inequality.mean; LANES];
        for (coefficient, values) in inequality.coefficients[..inequality.variable].iter().zip(sample) {
            for lane in 0..LANES {
                sum[lane] += coefficient * values[lane];
            }
        }
        let last = inequality.last();
        for lane in 0..LANES {
            let bound = -sum[lane] / last;
            if last > 0.0 {
                lower[lane] = if bound > lower[lane] { bound } else { lower[lane] };
            } else {
                upper[lane] = if bound < upper[lane] { bound } else { upper[lane] };
            }
        }
    }
    (lower.map(|bound| branchless_cdf(-bound)), upper.map(|bound| branchless_cdf(-bound)))
}

/// Lattice points are taken in blocks of this many, in vector registers.
const LANES: usize = 16;
/// Samples stop here: beyond, the normal density is zero in an `f64`.
const FARTHEST_SAMPLE: f64 = 38.0;

/// E[Z | Z ≥ bound] of a standard normal Z.
fn expected_above(bound: f64) -> f64 {
    let tail = cdf(-bound);
    if tail > 1e-300 { density(bound) / tail } else { bound }
}

/// The line n·z = distance of a half-plane n·z ≤ distance with |n| = 1.
struct Line {
    normal: [f64; 2],
    distance: f64,
}

impl Line {
    fn of(inequality: &Inequality) -> Self {
        let x = -inequality.coefficients[0];
        let y = inequality.coefficients.get(1).map_or(0.0, |c| -c);
        let length = x.hypot(y);
        Self { normal: [x / length, y / length], distance: inequality.mean / length }
    }
}

/// The part of the i-th line, as positions along it from its point nearest to zero, that all half-planes contain.
fn clip(lines: &[Line], i: usize) -> Option<(f64, f64)> {
    let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
    let Line { normal: [x, y], distance } = lines[i];
    for (j, other) in lines.iter().enumerate().filter(|(j, _)| *j != i) {
        let cosine = x * other.normal[0] + y * other.normal[1];
        let sine = x * other.normal[1] - y * other.normal[0];
        // Both lines must find the same crossing even if they are nearly parallel, so 1 ∓ cosine = sine²/(1 ± cosine).
        let facing = 1.0_f64.copysign(cosine);
        let gap = other.distance - facing * distance;
        if sine == 0.0 {
            // Of two equal lines the first counts.
            if gap < 0.0 || (gap == 0.0 && cosine > 0.0 && j < i) {
                return None;
            }
            continue;
        }
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

/// Owen's T(h, s/h), odd in both, with h = 0 taken from above.
///
/// ```text
/// T(h, s/h) = 1/2π ∫_0^{s/h} exp(−h²(1 + x²)/2) / (1 + x²) dx
/// ```
fn segment(h: f64, s: f64) -> f64 {
    let sign = 1.0_f64.copysign(s) * if h < 0.0 { -1.0 } else { 1.0 };
    let (h, s) = (h.abs(), s.abs());
    if s <= h { sign * owen(h, s) } else { sign * (0.25 - (cdf(h) - 0.5) * (cdf(s) - 0.5) - owen(s, h)) }
}

/// Owen's T(h, s/h) for 0 ≤ s ≤ h.
fn owen(h: f64, s: f64) -> f64 {
    const LEGENDRE_16: [Node; 16] = legendre_table();
    // T < exp(−h²/2)/8; and a line through zero ends there.
    if h > 9.0 || s == 0.0 {
        return 0.0;
    }
    let slope = s / h;
    let mut terms = [0.0; 16];
    for i in 0..16 {
        let x = 0.5 * slope * (1.0 + LEGENDRE_16[i].at);
        let plus = 1.0 + x * x;
        terms[i] = LEGENDRE_16[i].weight * branchless_exp(-0.5 * h * h * plus) / plus;
    }
    0.5 * slope * terms.iter().sum::<f64>() / TAU
}

/// The primes in ascending order.
fn primes() -> impl Iterator<Item = u32> {
    (2_u32..).filter(|n| (2..).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}
