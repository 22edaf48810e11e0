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
pub struct Node {
    /// Where the integrand is evaluated.
    pub at: f64,
    /// What its value counts for.
    pub weight: f64,
}

/// The most nodes a rule may have. Not far beyond, the unscaled Hermite polynomials would outgrow an `f64`.
pub const MAXIMUM_NODES: usize = 64;

/// The Gauss–Legendre rule with n nodes, ascending, on [−1, 1].
///
/// ```text
/// ∫_{−1}^{1} f(x) dx ≈ Σ_i w_i f(x_i),   exact for polynomials of degree < 2n
/// ```
///
/// # Numerics
/// Nodes to 2e-16 absolute, weights to 2e-13 relative. Allocates; see [`legendre_table`] for constants.
///
/// # Panics
/// If n exceeds [`MAXIMUM_NODES`].
pub fn gauss_legendre(n: usize) -> Vec<Node> {
    (0..n).map(|i| node(Family::Legendre, n, i)).collect()
}

/// The Gauss–Hermite rule with n nodes, ascending, for the standard normal weight.
///
/// ```text
/// E[f(Z)] ≈ Σ_i w_i f(z_i),   Z ~ N(0, 1),   Σ_i w_i = 1,   exact for polynomials of degree < 2n
/// ```
///
/// # Numerics
/// Nodes to 1e-15 relative, weights to 5e-14 relative even where they are 1e-49. Allocates; see
/// [`hermite_table`] for constants.
///
/// # Panics
/// If n exceeds [`MAXIMUM_NODES`].
pub fn gauss_hermite(n: usize) -> Vec<Node> {
    (0..n).map(|i| node(Family::Hermite, n, i)).collect()
}

/// [`gauss_legendre`] as an array, for use in constants.
pub const fn legendre_table<const N: usize>() -> [Node; N] {
    table(Family::Legendre)
}

/// [`gauss_hermite`] as an array, for use in constants.
pub const fn hermite_table<const N: usize>() -> [Node; N] {
    table(Family::Hermite)
}

/// The Gauss–Hermite rule with 16 nodes: expectations of smooth functions of one normal variable.
pub static HERMITE_16: [Node; 16] = hermite_table();
/// The Gauss–Hermite rule with 32 nodes: the same, for functions with a steep but smooth step.
pub static HERMITE_32: [Node; 32] = hermite_table();
/// The Gauss–Legendre rule with 16 nodes.
pub static LEGENDRE_16: [Node; 16] = legendre_table();
/// The Gauss–Legendre rule with 32 nodes.
pub static LEGENDRE_32: [Node; 32] = legendre_table();

/// Which orthogonal polynomials.
#[derive(Clone, Copy)]
enum Family {
    Legendre,
    Hermite,
}

impl Family {
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

const fn table<const N: usize>(family: Family) -> [Node; N] {
    let mut nodes = [Node { at: 0.0, weight: 0.0 }; N];
    let mut i = 0;
    while i < N {
        nodes[i] = node(family, N, i);
        i += 1;
    }
    nodes
}

/// The i-th node, counted from below. Nodes below zero mirror those above, and a middle node is exactly zero.
const fn node(family: Family, n: usize, i: usize) -> Node {
    assert!(n <= MAXIMUM_NODES, "a quadrature rule has at most MAXIMUM_NODES nodes");
    let mirrored = n - 1 - i;
    let at = if i == mirrored {
        0.0
    } else if i > mirrored {
        zero_above(family, n, mirrored)
    } else {
        -zero_above(family, n, i)
    };
    Node { at, weight: weight(family, n, at) }
}

/// The positive zero of the n-th polynomial with `larger` zeros above it, by bisection to neighbouring
/// floats.
const fn zero_above(family: Family, n: usize, larger: usize) -> f64 {
    let mut lower = 0.0;
    let mut upper = family.outermost(n);
    loop {
        let middle = 0.5 * (lower + upper);
        if middle <= lower || middle >= upper {
            return middle;
        }
        if zeros_above(family, n, middle) > larger {
            lower = middle;
        } else {
            upper = middle;
        }
    }
}

/// How many zeros of the n-th polynomial lie above x: the sign changes in the sequence of polynomials.
const fn zeros_above(family: Family, n: usize, x: f64) -> usize {
    let (mut previous, mut current) = (1.0, x);
    let mut changes = (x < 0.0) as usize;
    let mut k = 1;
    while k < n {
        let next = x * current - family.coefficient(k) * previous;
        changes += ((next < 0.0) != (current < 0.0)) as usize;
        (previous, current) = (current, next);
        k += 1;
    }
    changes
}

/// Christoffel's weight of the node at x.
const fn weight(family: Family, n: usize, x: f64) -> f64 {
    let (mut previous, mut current) = (0.0, 1.0);
    let mut norm = 1.0;
    let mut sum = 1.0;
    let mut k = 1;
    while k < n {
        let step = if k == 1 { 0.0 } else { family.coefficient(k - 1) };
        let next = x * current - step * previous;
        (previous, current) = (current, next);
        norm *= family.coefficient(k);
        sum += current * current / norm;
        k += 1;
    }
    family.mass() / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(nodes: &[Node], f: impl Fn(f64) -> f64) -> f64 {
        nodes.iter().map(|node| node.weight * f(node.at)).sum()
    }

    #[test]
    fn legendre_is_exact_for_monomials_of_degree_below_twice_its_nodes() {
        for n in 1..=MAXIMUM_NODES {
            let nodes = gauss_legendre(n);
            for degree in 0..2 * n as i32 {
                let exact = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
                // n roundings of numbers of size one.
                assert!((sum(&nodes, |x| x.powi(degree)) - exact).abs() < 1e-14, "{n} nodes, degree {degree}");
            }
        }
    }

    /// E[Z^2k] = 1 · 3 ⋯ (2k − 1).
    #[test]
    fn hermite_is_exact_for_moments_of_degree_below_twice_its_nodes() {
        for n in 1..=MAXIMUM_NODES {
            let nodes = gauss_hermite(n);
            let mut moment = 1.0;
            for half in 0..n as i32 {
                let found = sum(&nodes, |z| z.powi(2 * half));
                // A last bit of a node z near 15 is 2k last bits of z^2k.
                assert!((found / moment - 1.0).abs() < 1e-13, "{n} nodes, degree {}", 2 * half);
                assert!(sum(&nodes, |z| z.powi(2 * half + 1)).abs() < 1e-13 * moment * f64::from(2 * half + 1));
                moment *= f64::from(2 * half + 1);
            }
        }
    }

    #[test]
    fn weights_are_positive_and_sum_to_the_length_or_to_one() {
        for n in 1..=MAXIMUM_NODES {
            for (nodes, mass) in [(gauss_legendre(n), 2.0), (gauss_hermite(n), 1.0)] {
                assert!(nodes.iter().all(|node| node.weight > 0.0));
                assert!((sum(&nodes, |_| 1.0) - mass).abs() < 1e-14, "{n} nodes");
            }
        }
    }

    #[test]
    fn nodes_ascend_and_mirror_each_other() {
        for n in 1..=MAXIMUM_NODES {
            for nodes in [gauss_legendre(n), gauss_hermite(n)] {
                assert!(nodes.windows(2).all(|pair| pair[0].at < pair[1].at));
                let mirrored = nodes.iter().rev().map(|node| Node { at: -node.at, weight: node.weight });
                assert!(nodes.iter().copied().eq(mirrored), "{n} nodes");
            }
        }
    }

    #[test]
    fn small_rules_are_the_ones_in_the_books() {
        let legendre = gauss_legendre(2);
        assert!((legendre[1].at - (1.0_f64 / 3.0).sqrt()).abs() < 1e-15 && (legendre[1].weight - 1.0).abs() < 1e-15);
        let hermite = gauss_hermite(3);
        assert!((hermite[2].at - 3.0_f64.sqrt()).abs() < 1e-15 && (hermite[2].weight - 1.0 / 6.0).abs() < 1e-15);
        assert!(hermite[1].at == 0.0 && (hermite[1].weight - 2.0 / 3.0).abs() < 1e-15);
        assert!(gauss_legendre(0).is_empty() && gauss_hermite(0).is_empty());
    }

    /// mpmath, 60 digits.
    #[test]
    fn the_outermost_nodes_of_the_largest_rules_are_right_to_the_last_digits() {
        let hermite = gauss_hermite(64)[63];
        assert!((hermite.at / 14.886_186_143_339_452 - 1.0).abs() < 1e-15, "{hermite:?}");
        assert!((hermite.weight / 3.123_187_965_107_721e-49 - 1.0).abs() < 5e-14, "{hermite:?}");
        let legendre = gauss_legendre(64)[63];
        assert!((legendre.at - 0.999_305_041_735_772_1).abs() < 2e-16, "{legendre:?}");
        assert!((legendre.weight / 0.001_783_280_721_696_433 - 1.0).abs() < 2e-13, "{legendre:?}");
    }

    #[test]
    fn tables_made_at_compile_time_are_the_same_rules() {
        assert_eq!(LEGENDRE_16.to_vec(), gauss_legendre(16));
        assert_eq!(LEGENDRE_32.to_vec(), gauss_legendre(32));
        assert_eq!(HERMITE_16.to_vec(), gauss_hermite(16));
        assert_eq!(HERMITE_32.to_vec(), gauss_hermite(32));
    }
}
