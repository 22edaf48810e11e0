//! Gauss quadrature: Legendre's for an interval, Hermite's for an expectation under the standard normal distribution.
//!
//! Both rules come from one kernel. The nodes of an n-point Gauss rule are the zeros of the n-th polynomial that is
//! orthogonal under the rule's weight; these satisfy
//!
//! ```text
//! p_0 = 1,   p_1 = x,   p_{k+1}(x) = x p_k(x) − β_k p_{k−1}(x),
//! β_k = k²/(4k² − 1)  (Legendre),   β_k = k  (Hermite),
//! ```
//!
//! and are a Sturm sequence: the number of zeros above x is the number of sign changes in p_0(x), …, p_n(x). Bisection
//! on that count finds every node to the last bit, from no starting guess. The weight of a node is Christoffel's
//!
//! ```text
//! w(x) = mass / Σ_{k<n} p_k(x)² / (β_1 ⋯ β_k),
//! ```
//!
//! a sum of positive terms, so that even the far tail weights are good in relative terms. All of it runs at compile
//! time as well: the tables for hot paths are constants.

/// One node of a quadrature rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Where the integrand is evaluated.
    pub at: f64,
    /// What its value counts for.
    pub weight: f64,
}

/// The most nodes a rule may have; beyond it the unscaled polynomials of the Hermite rule would outgrow an `f64`.
pub const MAXIMUM_NODES: usize = 64;

/// The Gauss–Legendre rule with n nodes, ascending, on [−1, 1].
///
/// ```text
/// ∫_{−1}^{1} f(x) dx ≈ Σ_i w_i f(x_i),   exact for polynomials of degree < 2n
/// ```
///
/// # Numerics
/// Nodes to 2e-16 absolute, weights to 1e-14 relative, for n ≤ 64. Allocates; see [`legendre_table`] for constants.
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
/// Nodes to 1e-15 relative, weights to 5e-14 relative even where they are 1e-50, for n ≤ 64. Allocates; see
/// [`hermite_table`] for constants.
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

/// The positive zero of the n-th polynomial with `larger` zeros above it, by bisection to neighbouring floats.
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
