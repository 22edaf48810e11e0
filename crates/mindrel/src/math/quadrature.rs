//! Gauss quadrature: Legendre's for an interval, Hermite's for an expectation under the standard normal
//! distribution.
//!
//! Both rules come from one kernel. The nodes of an n-point Gauss rule are the zeros of the n-th polynomial
//! that is orthogonal under the rule's weight; these satisfy
//!
//! ```text
//! p_0 = 1,   p_1 = x,   p_{k+1}(x) = x p_k(x) − β_k p_{k−1}(x),
//! β_k = k²/(4k² − 1)  (Legendre),   β_k = k  (Hermite),
//! ```
//!
//! and are a Sturm sequence: the number of zeros above x is the number of sign changes in p_0(x), …, p_n(x).
//! Bisection on that count finds every node to the last bit, from no starting guess. The weight of a node is
//! Christoffel's
//!
//! ```text
//! w(x) = mass / Σ_{k<n} p_k(x)² / (β_1 ⋯ β_k),
//! ```
//!
//! a sum of positive terms, so that even the far tail weights are good in relative terms. All of it runs at
//! compile time as well: the tables for hot paths are constants.

/// One node of a quadrature rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abscissa {
    /// Where the integrand is evaluated.
    pub at: f64,
    /// The weight of its value.
    pub weight: f64,
}

/// The most nodes a rule may have. Not far beyond, the unscaled Hermite polynomials would overflow an `f64`.
pub const MAXIMUM_NODES: usize = 64;

/// The Gauss–Legendre rule with N nodes, ascending, on [−1, 1].
///
/// ```text
/// ∫_{−1}^{1} f(x) dx ≈ Σ_i w_i f(x_i),   exact for polynomials of degree < 2N
/// ```
///
/// # Numerics
/// Nodes to 2e-16 absolute, weights to 2e-13 relative.
///
/// # Panics
/// If N exceeds [`MAXIMUM_NODES`].
pub const fn legendre_table<const N: usize>() -> [Abscissa; N] {
    table(Polynomials::Legendre)
}

/// The Gauss–Hermite rule with N nodes, ascending, for the standard normal weight.
///
/// ```text
/// E[f(Z)] ≈ Σ_i w_i f(z_i),   Z ~ N(0, 1),   Σ_i w_i = 1,   exact for polynomials of degree < 2N
/// ```
///
/// # Numerics
/// Nodes to 1e-15 relative, weights to 5e-14 relative even where they are 1e-49.
///
/// # Panics
/// If N exceeds [`MAXIMUM_NODES`].
pub const fn hermite_table<const N: usize>() -> [Abscissa; N] {
    table(Polynomials::Hermite)
}

/// Which orthogonal polynomials.
#[derive(Clone, Copy)]
enum Polynomials {
    Legendre,
    Hermite,
}

impl Polynomials {
    /// β_k of the three-term recurrence.
    const fn coefficient(self, k: usize) -> f64 {
        let k = k as f64;
        match self {
            Self::Legendre => k * k / (4.0 * k * k - 1.0),
            Self::Hermite => k,
        }
    }

    /// The integral of the weight function.
    const fn mass(self) -> f64 {
        match self {
            Self::Legendre => 2.0,
            Self::Hermite => 1.0,
        }
    }

    /// A bound above every zero of the n-th polynomial; the largest Hermite zero is below √(4n + 2) < n + 2.
    const fn outermost(self, n: usize) -> f64 {
        match self {
            Self::Legendre => 1.0,
            Self::Hermite => 2.0 + n as f64,
        }
    }
}

const fn table<const N: usize>(polynomials: Polynomials) -> [Abscissa; N] {
    let mut nodes = [Abscissa { at: 0.0, weight: 0.0 }; N];
    let mut i = 0;
    while i < N {
        nodes[i] = node(polynomials, N, i);
        i += 1;
    }
    nodes
}

/// The i-th node, counted from below. Nodes below zero mirror those above, and a middle node is exactly zero.
const fn node(polynomials: Polynomials, n: usize, i: usize) -> Abscissa {
    assert!(n <= MAXIMUM_NODES, "a quadrature rule has at most MAXIMUM_NODES nodes");
    let mirrored = n - 1 - i;
    let at = if i == mirrored {
        0.0
    } else if i > mirrored {
        zero_above(polynomials, n, mirrored)
    } else {
        -zero_above(polynomials, n, i)
    };
    Abscissa { at, weight: weight(polynomials, n, at) }
}

/// The positive zero of the n-th polynomial with `larger` zeros above it, by bisection to neighbouring
/// floats.
const fn zero_above(polynomials: Polynomials, n: usize, larger: usize) -> f64 {
    let mut lower = 0.0;
    let mut upper = polynomials.outermost(n);
    loop {
        let middle = 0.5 * (lower + upper);
        if middle <= lower || middle >= upper {
            return middle;
        }
        if zeros_above(polynomials, n, middle) > larger {
            lower = middle;
        } else {
            upper = middle;
        }
    }
}

/// How many zeros of the n-th polynomial lie above x: the sign changes in the sequence of polynomials.
const fn zeros_above(polynomials: Polynomials, n: usize, x: f64) -> usize {
    let (mut previous, mut current) = (1.0, x);
    let mut changes = (x < 0.0) as usize;
    let mut k = 1;
    while k < n {
        let next = x * current - polynomials.coefficient(k) * previous;
        changes += ((next < 0.0) != (current < 0.0)) as usize;
        (previous, current) = (current, next);
        k += 1;
    }
    changes
}

/// Christoffel's weight of the node at x.
const fn weight(polynomials: Polynomials, n: usize, x: f64) -> f64 {
    let (mut previous, mut current) = (0.0, 1.0);
    let mut norm = 1.0;
    let mut sum = 1.0;
    let mut k = 1;
    while k < n {
        let step = if k == 1 { 0.0 } else { polynomials.coefficient(k - 1) };
        let next = x * current - step * previous;
        (previous, current) = (current, next);
        norm *= polynomials.coefficient(k);
        sum += current * current / norm;
        k += 1;
    }
    polynomials.mass() / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(nodes: &[Abscissa], f: impl Fn(f64) -> f64) -> f64 {
        nodes.iter().map(|node| node.weight * f(node.at)).sum()
    }

    fn check_legendre<const N: usize>() {
        let nodes = legendre_table::<N>();
        check_shape(&nodes, 2.0);
        for degree in 0..2 * N as i32 {
            let exact = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
            // N roundings of numbers of size one.
            assert!((sum(&nodes, |x| x.powi(degree)) - exact).abs() < 1e-14, "{N} nodes, degree {degree}");
        }
    }

    /// E[Z^2k] = 1 · 3 ⋯ (2k − 1).
    fn check_hermite<const N: usize>() {
        let nodes = hermite_table::<N>();
        check_shape(&nodes, 1.0);
        let mut moment = 1.0;
        for half in 0..N as i32 {
            let found = sum(&nodes, |z| z.powi(2 * half));
            // A last bit of a node z near 15 is 2k last bits of z^2k.
            assert!((found / moment - 1.0).abs() < 1e-13, "{N} nodes, degree {}", 2 * half);
            assert!(sum(&nodes, |z| z.powi(2 * half + 1)).abs() < 1e-13 * moment * f64::from(2 * half + 1));
            moment *= f64::from(2 * half + 1);
        }
    }

    /// Weights are positive and sum to the mass; nodes ascend and mirror each other.
    fn check_shape(nodes: &[Abscissa], mass: f64) {
        assert!(nodes.iter().all(|node| node.weight > 0.0));
        assert!((sum(nodes, |_| 1.0) - mass).abs() < 1e-14, "{} nodes", nodes.len());
        assert!(nodes.windows(2).all(|pair| pair[0].at < pair[1].at));
        let mirrored = nodes.iter().rev().map(|node| Abscissa { at: -node.at, weight: node.weight });
        assert!(nodes.iter().copied().eq(mirrored), "{} nodes", nodes.len());
    }

    /// Every size from 1 to 64.
    #[test]
    fn rules_are_exact_for_polynomials_of_degree_below_twice_their_nodes() {
        macro_rules! check {
            ($($n:literal)*) => { $(check_legendre::<$n>(); check_hermite::<$n>();)* };
        }
        check!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
        check!(33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64);
    }

    #[test]
    fn small_rules_are_the_ones_in_the_books() {
        let legendre = legendre_table::<2>();
        assert!((legendre[1].at - (1.0_f64 / 3.0).sqrt()).abs() < 1e-15 && (legendre[1].weight - 1.0).abs() < 1e-15);
        let hermite = hermite_table::<3>();
        assert!((hermite[2].at - 3.0_f64.sqrt()).abs() < 1e-15 && (hermite[2].weight - 1.0 / 6.0).abs() < 1e-15);
        assert!(hermite[1].at == 0.0 && (hermite[1].weight - 2.0 / 3.0).abs() < 1e-15);
    }

    /// mpmath, 60 digits.
    #[test]
    fn the_outermost_nodes_of_the_largest_rules_are_right_to_the_last_digits() {
        let hermite = hermite_table::<64>()[63];
        assert!((hermite.at / 14.886_186_143_339_452 - 1.0).abs() < 1e-15, "{hermite:?}");
        assert!((hermite.weight / 3.123_187_965_107_721e-49 - 1.0).abs() < 5e-14, "{hermite:?}");
        let legendre = legendre_table::<64>()[63];
        assert!((legendre.at - 0.999_305_041_735_772_1).abs() < 2e-16, "{legendre:?}");
        assert!((legendre.weight / 0.001_783_280_721_696_433 - 1.0).abs() < 2e-13, "{legendre:?}");
    }
}
