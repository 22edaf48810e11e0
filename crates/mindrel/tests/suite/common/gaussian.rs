//! Gaussians by the book, to compare with.

use super::*;

/// The pseudo-inverse of a covariance, worked out on correlations so that no column's scale counts.
///
/// An eigenvalue below `ZERO_EIGENVALUE` is the zero of a one-hot block.
pub fn pseudo_inverse(covariance: &DMatrix<f64>) -> DMatrix<f64> {
    let size = covariance.nrows();
    if size == 0 {
        return covariance.clone();
    }
    let scale = DVector::from_fn(size, |place, _| {
        let variance = covariance[(place, place)];
        if variance > 0.0 { 1.0 / variance.sqrt() } else { 0.0 }
    });
    let correlation =
        DMatrix::from_fn(size, size, |row, column| covariance[(row, column)] * scale[row] * scale[column]);
    let eigen = correlation.symmetric_eigen();
    let inverted = eigen.eigenvalues.map(|value| if value > ZERO_EIGENVALUE { 1.0 / value } else { 0.0 });
    let inverse = &eigen.eigenvectors * DMatrix::from_diagonal(&inverted) * eigen.eigenvectors.transpose();
    DMatrix::from_fn(size, size, |row, column| inverse[(row, column)] * scale[row] * scale[column])
}

/// Rounding leaves some 1e-15 of a zero eigenvalue of a correlation matrix; real ones of the samples here are larger.
pub const ZERO_EIGENVALUE: f64 = 1e-10;

/// The smallest eigenvalue of the correlations of a belief that is not zero: below some 1e-5, two ways of conditioning
/// can no longer be expected to agree to nine digits.
pub fn smallest_eigenvalue(belief: &GaussianBelief) -> f64 {
    let size = belief.n_columns();
    let covariance = belief.covariance();
    let scale = |place: usize| covariance.at(place, place).sqrt();
    let correlation = DMatrix::from_fn(size, size, |row, column| {
        let scale = scale(row) * scale(column);
        if scale > 0.0 { covariance.at(row, column) / scale } else { 0.0 }
    });
    correlation
        .symmetric_eigen()
        .eigenvalues
        .iter()
        .copied()
        .filter(|value| *value > ZERO_EIGENVALUE)
        .fold(1.0, f64::min)
}

/// The mean and covariance of all columns given some of them, by the direct formula [TF23, Prop. 3].
pub fn direct_condition(belief: &GaussianBelief, known: &[usize], person: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
    let size = belief.n_columns();
    let at = |row: usize, column: usize| belief.covariance().at(row, column);
    let all_known = DMatrix::from_fn(size, known.len(), |row, place| at(row, known[place]));
    let known_known = DMatrix::from_fn(known.len(), known.len(), |row, column| at(known[row], known[column]));
    let gain = &all_known * pseudo_inverse(&known_known);
    let surprise = DVector::from_fn(known.len(), |place, _| person[known[place]] - belief.mean()[known[place]]);
    let mean = DVector::from_column_slice(belief.mean()) + &gain * surprise;
    let covariance = DMatrix::from_fn(size, size, at) - &gain * all_known.transpose();
    (mean, covariance)
}

/// A matrix `L` with `L Lᵀ` a covariance, singular or not.
pub fn square_root(covariance: &DMatrix<f64>) -> DMatrix<f64> {
    let symmetric = (covariance + covariance.transpose()) * 0.5;
    let eigen = symmetric.symmetric_eigen();
    let roots = eigen.eigenvalues.map(|value| value.max(0.0).sqrt());
    eigen.eigenvectors * DMatrix::from_diagonal(&roots)
}

/// What the belief says of everybody who agrees with a person in everything known, by the direct formula.
pub struct Believed<'a> {
    plan: &'a Plan,
    known: Vec<bool>,
    mean: DVector<f64>,
    root: DMatrix<f64>,
}

impl<'a> Believed<'a> {
    pub fn new(plan: &'a Plan, person: &[f64], known: &[bool]) -> Self {
        let (columns, _) = columns_by_knowledge(plan.schema(), known);
        let (mut mean, mut covariance) = direct_condition(gaussian_of(plan), &columns, person);
        for &column in &columns {
            mean[column] = person[column];
            covariance.row_mut(column).fill(0.0);
            covariance.column_mut(column).fill(0.0);
        }
        Believed { plan, known: known.to_vec(), mean, root: square_root(&covariance) }
    }

    /// The same, with other questions counted as known when a draw is brought into the domain.
    pub fn bringing_in_all_but(self, known: &[bool]) -> Self {
        Believed { known: known.to_vec(), ..self }
    }

    /// The mean and the standard deviation of a column.
    pub fn moments(&self, column: usize) -> (f64, f64) {
        (self.mean[column], self.root.row(column).norm())
    }

    /// A draw, brought into the domain.
    pub fn draw(&self, random: &mut impl Rng) -> Vec<f64> {
        let normals = DVector::from_fn(self.mean.len(), |_, _| normal(random));
        let mut point = (&self.mean + &self.root * normals).as_slice().to_vec();
        bring_in(self.plan.schema(), &self.known, &mut point);
        point
    }

    /// The share of each label among so many draws.
    pub fn label_shares(&self, n_draws: usize, random: &mut impl Rng) -> Vec<f64> {
        let mut shares = vec![0.0; self.plan.schema().target().classes.len()];
        for _ in 0..n_draws {
            shares[self.plan.model().label(&self.draw(random)).index()] += 1.0 / n_draws as f64;
        }
        shares
    }
}

/// The Gaussian a plan believes in.
pub fn gaussian_of(plan: &Plan) -> &GaussianBelief {
    plan.belief().gaussian().expect("the belief is one Gaussian")
}
