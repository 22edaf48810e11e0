//! Orthant probabilities in four and more dimensions.
//!
//! The variables are separated as A. Genz does it, *Numerical computation of multivariate normal
//! probabilities*, Journal of Computational and Graphical Statistics 1 (1992) 141–149: X = mean + L y with
//! independent standard normal y, where each inequality X_i ≥ 0 bounds the last y it contains given those
//! before. The probability is then an integral of a product of one-dimensional probabilities, over one
//! dimension less than the covariance has rank: nothing is left to integrate for rank one, and for more it is
//! a sum over a lattice.

use core::iter::successors;
use core::mem::take;

use crate::math::normal::{branchless_cdf, branchless_quantile, cdf, density};
use crate::math::primes;

/// The usual number of lattice points of [`orthant_probability`](super::orthant_probability).
pub const POINTS: usize = 4093;

/// A variable with no more variance than this, of one, given the variables before is a function of those.
///
/// Factorisation leaves up to 1e-13 of an exact zero. To take 1e-12 for zero moves a probability by about
/// that, or by its root if two inequalities that nearly coincide also nearly coincide in their limits.
const ZERO_RESIDUAL: f64 = 1e-12;

/// A pivot has at least this part of the largest remaining variance, so that rounding errors grow tenfold at
/// most.
const LEAST_PIVOT: f64 = 0.1;

/// Lattice points are taken in blocks of this many, in vector registers.
const LANES: usize = 16;

/// P(X ≥ 0) for X with these means, unit variances and these correlations, row by row.
pub(super) fn separated_probability(mean: &[f64], correlation: &[f64], points: usize) -> f64 {
    let separated = Separated::new(mean, correlation);
    if separated.rank == 1 { separated.on_a_line() } else { separated.over_a_lattice(points) }
}

/// One inequality, filed under the last variable y_j it contains.
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

/// The inequalities, in the order of the variables they bound.
struct Separated {
    rank: usize,
    inequalities: Vec<Inequality>,
}

impl Separated {
    /// Cholesky's factorisation with pivots in the order of Gibson, Glasbey and Elston (1994): next comes the
    /// variable least likely to be non-negative, given expected values for those before. The last factors
    /// then vary least.
    ///
    /// A variable that has no variance left needs no y of its own. Its inequality bounds the y that took the
    /// last of its variance away, alongside the inequality for which that y was made.
    fn new(mean: &[f64], correlation: &[f64]) -> Self {
        let n = mean.len();
        let mut rows: Vec<Vec<f64>> = vec![Vec::new(); n];
        let mut residual = vec![1.0; n];
        let mut expected = mean.to_vec();
        let mut open: Vec<usize> = (0..n).collect();
        let mut inequalities = Vec::with_capacity(n);
        let mut rank = 0;
        while let Some(pivot) = next_pivot(&open, &expected, &residual) {
            let deviation = f64::sqrt(residual[pivot]);
            let value = expected_above(-expected[pivot] / deviation);
            let pivot_row = rows[pivot].clone();
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
                    inequalities.push(Inequality { variable: rank, mean: mean[i], coefficients: take(&mut rows[i]) });
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

    /// Rank two and more: the mean over the lattice of the product of conditional probabilities.
    fn over_a_lattice(&self, points: usize) -> f64 {
        let lattice = Lattice::with_at_least(points, self.rank - 1);
        let mut sample = vec![[0.0; LANES]; self.rank];
        let mut sum = 0.0;
        for start in (0..lattice.points).step_by(LANES) {
            let products = self.conditional_products(start, &lattice, &mut sample);
            let count = LANES.min(lattice.points - start);
            sum += products[..count].iter().sum::<f64>();
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
                let difference = above_lower[lane] - above_upper[lane];
                mass[lane] = if difference > 0.0 { difference } else { 0.0 };
                products[lane] *= mass[lane];
            }
            if variable + 1 < self.rank {
                let coordinates = lattice.coordinates(start, variable);
                for lane in 0..LANES {
                    let tail = above_upper[lane] + mass[lane] * coordinates[lane];
                    sample[variable][lane] = -branchless_quantile(tail);
                }
            }
        }
        products
    }
}

/// The variable least likely to be non-negative among those with enough variance left; `None` if none is open.
fn next_pivot(open: &[usize], expected: &[f64], residual: &[f64]) -> Option<usize> {
    let largest = open.iter().map(|&i| residual[i]).fold(0.0, f64::max);
    let height = |i: usize| expected[i] / residual[i].sqrt();
    let eligible = open.iter().copied().filter(|&i| residual[i] >= LEAST_PIVOT * largest);
    eligible.reduce(|a, b| if height(b) < height(a) { b } else { a })
}

/// E[Z | Z ≥ bound] of a standard normal Z.
fn expected_above(bound: f64) -> f64 {
    let tail = cdf(-bound);
    if tail > f64::MIN_POSITIVE { density(bound) / tail } else { bound }
}

/// P(y > lower) and P(y > upper) for the variable that these inequalities bound, given the sample so far.
fn tails(bounding: &[Inequality], sample: &[[f64; LANES]]) -> ([f64; LANES], [f64; LANES]) {
    let mut lower = [f64::NEG_INFINITY; LANES];
    let mut upper = [f64::INFINITY; LANES];
    for inequality in bounding {
        let scale = -1.0 / inequality.last();
        let mut bound = [inequality.mean * scale; LANES];
        for (coefficient, values) in inequality.coefficients[..inequality.variable].iter().zip(sample) {
            for lane in 0..LANES {
                bound[lane] += coefficient * scale * values[lane];
            }
        }
        for lane in 0..LANES {
            if scale < 0.0 {
                lower[lane] = if bound[lane] > lower[lane] { bound[lane] } else { lower[lane] };
            } else {
                upper[lane] = if bound[lane] < upper[lane] { bound[lane] } else { upper[lane] };
            }
        }
    }
    let two_sided = bounding.iter().any(|inequality| inequality.last() < 0.0);
    let above_upper = if two_sided { tails_above(&upper) } else { [0.0; LANES] };
    (tails_above(&lower), above_upper)
}

/// P(y > bound), lane by lane.
fn tails_above(bounds: &[f64; LANES]) -> [f64; LANES] {
    let mut tails = [0.0; LANES];
    for lane in 0..LANES {
        tails[lane] = branchless_cdf(-bounds[lane]);
    }
    tails
}

/// A lattice of Korobov's form, shifted, and folded by the tent (baker's) transform.
///
/// ```text
/// u_j(i) = 1 − |2 {i aʲ/N + √p_j} − 1|,   i = 0, …, N − 1,   j = 0, 1, …,   p_0, p_1, … = 2, 3, 5, …
/// ```
struct Lattice {
    points: usize,
    step: Vec<f64>,
    shift: Vec<f64>,
}

impl Lattice {
    /// Prime N, each with the a of least P₂ (Sloan and Joe, *Lattice methods for multiple integration*, 1994) in
    /// 100 dimensions, the j-th of weight 1/j². All a were tried for N up to 4093, every third for the next, and
    /// several hundred for the last two.
    const SIZES: [(usize, u64); 6] =
        [(251, 60), (1021, 455), (4093, 450), (16_381, 5_642), (65_521, 29_964), (262_139, 28_445)];

    /// The smallest lattice with at least `points` points, or the largest available.
    fn with_at_least(points: usize, dimensions: usize) -> Self {
        let largest = Self::SIZES[Self::SIZES.len() - 1];
        let (size, multiplier) = Self::SIZES.into_iter().find(|size| size.0 >= points).unwrap_or(largest);
        let powers = successors(Some(1), |power| Some(power * multiplier % size as u64));
        Self {
            points: size,
            step: powers.map(|power| power as f64 / size as f64).take(dimensions).collect(),
            shift: primes().map(|prime| f64::from(prime).sqrt()).take(dimensions).collect(),
        }
    }

    /// One coordinate of the points from `start` on.
    fn coordinates(&self, start: usize, dimension: usize) -> [f64; LANES] {
        /// From 2⁵² on every `f64` is a whole number.
        const WHOLE_NUMBERS: f64 = 4_503_599_627_370_496.0;
        let (step, shift) = (self.step[dimension], self.shift[dimension]);
        let mut tent = [0.0; LANES];
        for (lane, height) in tent.iter_mut().enumerate() {
            let position = (start as f64 + lane as f64) * step + shift;
            let nearest = (position + WHOLE_NUMBERS) - WHOLE_NUMBERS;
            // 1 − |2{x} − 1| is twice the distance from x to the nearest whole number.
            *height = 2.0 * (position - nearest).abs();
        }
        tent
    }
}

#[cfg(test)]
mod tests {
    use rand_distr::{Distribution, StandardNormal};
    use rand_pcg::Pcg64Mcg;

    use core::f64::consts::TAU;

    use super::super::trivariate_cdf;
    use super::*;
    use crate::math::quadrature::hermite_table;

    /// Closed forms: a few roundings of terms of size one.
    const CLOSED_FORM: f64 = 1e-14;
    /// A lattice sum of 4093 points in a plane: twice the largest error in 4,000 cases of four and six inequalities.
    const PLANE: f64 = 6e-5;
    /// A lattice sum of 4093 points, for the seeded cases below: twice the largest error seen.
    const LATTICE: f64 = 4e-4;

    fn normal(generator: &mut Pcg64Mcg) -> f64 {
        StandardNormal.sample(generator)
    }

    /// Unit rows a_i of `rank` columns, and their correlations a_i·a_j.
    fn random_rows(generator: &mut Pcg64Mcg, n: usize, rank: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut row = || {
            let raw: Vec<f64> = (0..rank).map(|_| normal(generator)).collect();
            let length = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
            raw.iter().map(|x| x / length).collect::<Vec<f64>>()
        };
        let rows: Vec<Vec<f64>> = (0..n).map(|_| row()).collect();
        let dot = |i: usize, j: usize| rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum::<f64>();
        let correlations = (0..n * n).map(|c| if c / n == c % n { 1.0 } else { dot(c / n, c % n) }).collect();
        (rows, correlations)
    }

    fn equicorrelated(n: usize, rho: f64) -> Vec<f64> {
        (0..n * n).map(|c| if c / n == c % n { 1.0 } else { rho }).collect()
    }

    #[test]
    fn the_rank_of_a_product_of_few_columns_is_found() {
        let mut generator = Pcg64Mcg::new(1);
        for rank in 1..=5 {
            for n in [5, 10, 40] {
                for _ in 0..40 {
                    let (_, correlations) = random_rows(&mut generator, n, rank);
                    let means: Vec<f64> = (0..n).map(|_| normal(&mut generator)).collect();
                    let separated = Separated::new(&means, &correlations);
                    assert_eq!(separated.rank, rank, "{n} rows");
                    assert_eq!(separated.inequalities.len(), n);
                }
            }
        }
    }

    #[test]
    fn rank_one_is_an_interval() {
        let signs = [1.0, -1.0, 1.0, -1.0];
        let correlations: Vec<f64> = (0..16).map(|c| signs[c / 4] * signs[c % 4]).collect();
        // 0.3 + z ≥ 0, 1.2 − z ≥ 0, 0.8 + z ≥ 0, 2 − z ≥ 0
        let probability = separated_probability(&[0.3, 1.2, 0.8, 2.0], &correlations, POINTS);
        assert!((probability - (cdf(1.2) - cdf(-0.3))).abs() < CLOSED_FORM);
        assert_eq!(separated_probability(&[0.3, -0.5, 0.8, 2.0], &correlations, POINTS), 0.0);
    }

    #[test]
    fn a_square_is_a_product_of_intervals_however_it_is_turned() {
        for (turn, half) in [(0.0, 0.7), (0.3, 0.7), (1.1, 2.0), (0.785, 0.01), (0.2, 5.0)] {
            let angles: Vec<f64> = (0..4).map(|side| turn + 0.25 * TAU * f64::from(side)).collect();
            let correlations: Vec<f64> = (0..16).map(|c| (angles[c / 4] - angles[c % 4]).cos()).collect();
            let probability = separated_probability(&[half; 4], &correlations, POINTS);
            let side = cdf(half) - cdf(-half);
            assert!((probability - side * side).abs() < PLANE, "{probability} {}", side * side);
        }
    }

    #[test]
    fn three_inequalities_in_a_plane_agree_with_the_trivariate_closed_form() {
        let mut generator = Pcg64Mcg::new(2);
        for _ in 0..2000 {
            let (_, c) = random_rows(&mut generator, 3, 2);
            let h = [normal(&mut generator), normal(&mut generator), normal(&mut generator)];
            let plane = Separated::new(&h, &c).over_a_lattice(POINTS);
            let closed = trivariate_cdf(h, [c[1], c[2], c[5]]);
            assert!((plane - closed).abs() < PLANE, "{plane} {closed} {h:?} {c:?}");
        }
    }

    #[test]
    fn a_line_through_zero_halves_the_plane_and_an_implied_one_changes_nothing() {
        let lines = [[0.0, 1.0], [0.6, 0.8], [0.8, 0.6], [1.0, 0.0]];
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let correlations: Vec<f64> = (0..16).map(|c| dot(lines[c / 4], lines[c % 4])).collect();
        // The quadrant x, y ≥ 0 implies the two lines between.
        assert!((separated_probability(&[0.0; 4], &correlations, POINTS) - 0.25).abs() < PLANE);
        let far = separated_probability(&[0.0, 9.0, 9.0, 9.0], &correlations, POINTS);
        assert!((far - 0.5).abs() < PLANE);
    }

    #[test]
    fn independent_coordinates_multiply() {
        let means = [0.4, -0.3, 1.1, 0.2, -0.8, 2.0];
        let product: f64 = means.iter().map(|&m| cdf(m)).product();
        let probability = separated_probability(&means, &equicorrelated(6, 0.0), POINTS);
        assert!((probability - product).abs() < CLOSED_FORM);
    }

    /// P = ∫ φ(z) Φ((h + √ρ z)/√(1 − ρ))⁵ dz, by 64 Gauss–Hermite nodes.
    #[test]
    fn five_equicorrelated_coordinates_agree_with_an_integral_over_one() {
        for (h, rho) in [(0.5_f64, 0.5_f64), (0.0, 0.3), (-0.5, 0.6), (1.0, 0.1)] {
            let factor = |z: f64| cdf((h + rho.sqrt() * z) / (1.0 - rho).sqrt()).powi(5);
            let exact: f64 = hermite_table::<64>().iter().map(|node| node.weight * factor(node.at)).sum();
            let probability = separated_probability(&[h; 5], &equicorrelated(5, rho), POINTS);
            assert!((probability - exact).abs() < 1e-5, "{probability} {exact}");
        }
    }

    #[test]
    fn the_lattice_agrees_with_the_trivariate_integral() {
        let mut generator = Pcg64Mcg::new(3);
        for _ in 0..100 {
            let (_, c) = random_rows(&mut generator, 3, 3);
            let h = [normal(&mut generator), normal(&mut generator), normal(&mut generator)];
            let lattice = Separated::new(&h, &c).over_a_lattice(POINTS);
            let exact = trivariate_cdf(h, [c[1], c[2], c[5]]);
            assert!((lattice - exact).abs() < LATTICE, "{lattice} {exact} {c:?}");
        }
    }

    /// Nine cases of 400 000 draws, within five standard errors: fails by luck once in 190 000 choices of
    /// the seed.
    #[test]
    fn the_lattice_agrees_with_drawing_at_random() {
        const DRAWS: usize = 400_000;
        let mut generator = Pcg64Mcg::new(5);
        for (n, rank) in [(4, 3), (4, 4), (6, 2), (6, 3), (6, 6), (8, 5), (10, 4), (10, 10), (20, 5)] {
            let (rows, correlations) = random_rows(&mut generator, n, rank);
            let h: Vec<f64> = (0..n).map(|_| 1.0 + 0.5 * normal(&mut generator)).collect();
            let probability = separated_probability(&h, &correlations, POINTS);
            let mut hits = 0_usize;
            for _ in 0..DRAWS {
                let z: Vec<f64> = (0..rank).map(|_| normal(&mut generator)).collect();
                let dot = |row: &[f64]| row.iter().zip(&z).map(|(a, b)| a * b).sum::<f64>();
                hits += usize::from(rows.iter().zip(&h).all(|(row, h)| h + dot(row) >= 0.0));
            }
            let share = hits as f64 / DRAWS as f64;
            let standard_error = (share * (1.0 - share) / DRAWS as f64).sqrt();
            assert!((probability - share).abs() < 5.0 * standard_error + LATTICE, "{n} of rank {rank}");
        }
    }

    #[test]
    fn more_points_come_closer() {
        let mut generator = Pcg64Mcg::new(6);
        let mut error = [0.0; 3];
        for _ in 0..20 {
            let (_, correlations) = random_rows(&mut generator, 8, 8);
            let h: Vec<f64> = (0..8).map(|_| 0.7 + 0.5 * normal(&mut generator)).collect();
            let best = separated_probability(&h, &correlations, 262_139);
            for (error, points) in error.iter_mut().zip([251, 4093, 65_521]) {
                *error += (separated_probability(&h, &correlations, points) - best).abs() / 20.0;
            }
        }
        assert!(error[0] > 2.0 * error[1] && error[1] > 2.0 * error[2], "{error:?}");
    }

    #[test]
    fn a_hundred_coordinates_are_no_trouble() {
        // ∫ φ(z) Φ((h + √½ z)/√½)¹⁰⁰ dz: the least of a hundred equicorrelated variables.
        let exact: f64 = hermite_table::<64>()
            .iter()
            .map(|node| node.weight * cdf((2.0 + 0.5_f64.sqrt() * node.at) / 0.5_f64.sqrt()).powi(100))
            .sum();
        let probability = separated_probability(&[2.0; 100], &equicorrelated(100, 0.5), POINTS);
        assert!((probability - exact).abs() < 1e-3, "{probability} {exact}");
    }
}
