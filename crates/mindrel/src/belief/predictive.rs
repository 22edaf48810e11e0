//! Some columns of one person, as a distribution that can be drawn from.

use rand_core::Rng;
use rand_distr::{Distribution, StandardUniform};

use super::posterior::Posterior;
use crate::math::reveal::factorise;

/// What is believed of some columns: a normal distribution with the root of its covariance, or equally likely points.
///
/// ```text
/// x = m + L z,   L Lᵀ = Σ,   z ~ N(0, I),     or   x = x_k   with probability 1/N,   k = 1, …, N
/// ```
///
/// It has no `Debug`: it tells about answers.
#[derive(Clone, Default)]
pub struct Predictive {
    n_columns: usize,
    /// `None` for a normal distribution.
    n_points: Option<usize>,
    /// The mean of a normal distribution, or point after point.
    means: Vec<f64>,
    /// Row after row; empty for points.
    covariance: Vec<f64>,
    /// `L`, lower triangular, row after row; empty for points.
    factor: Vec<f64>,
}

impl Predictive {
    /// What a posterior says of some sensitive columns, by their places.
    pub(crate) fn set(&mut self, posterior: &Posterior, places: impl Iterator<Item = usize>) {
        let places: Vec<usize> = places.collect();
        self.n_columns = places.len();
        self.means.clear();
        self.covariance.clear();
        self.factor.clear();
        self.n_points = posterior.points().map(|points| points.len());
        if let Some(points) = posterior.points() {
            points.for_each(|point| self.means.extend(places.iter().map(|&place| point[place])));
            return;
        }
        self.means.extend(places.iter().map(|&place| posterior.mean()[place]));
        for &row in &places {
            self.covariance.extend(places.iter().map(|&column| posterior.covariance(row, column)));
        }
        let (size, covariance, known_below) = (self.n_columns, &self.covariance, posterior.known_below());
        let entry = |row: usize, column: usize| covariance[row * size + column];
        factorise(size, entry, |column| known_below[places[column]], &mut self.factor);
    }

    /// How many columns.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The equally likely points; `None` for a normal distribution.
    pub fn points(&self) -> Option<impl ExactSizeIterator<Item = &[f64]>> {
        self.n_points.map(|n_points| (0..n_points).map(|index| self.point(index)))
    }

    fn point(&self, index: usize) -> &[f64] {
        &self.means[index * self.n_columns..(index + 1) * self.n_columns]
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> Vec<f64> {
        let Some(points) = self.points() else { return self.means.clone() };
        let weight = 1.0 / points.len() as f64;
        let mut mean = vec![0.0; self.n_columns];
        for point in points {
            mean.iter_mut().zip(point).for_each(|(sum, value)| *sum += weight * value);
        }
        mean
    }

    /// The covariance, row after row.
    #[must_use]
    pub fn covariance(&self) -> Vec<f64> {
        let Some(points) = self.points() else { return self.covariance.clone() };
        let (size, mean, weight) = (self.n_columns, self.mean(), 1.0 / points.len() as f64);
        let mut covariance = vec![0.0; size * size];
        for point in points {
            let away: Vec<f64> = point.iter().zip(&mean).map(|(value, mean)| value - mean).collect();
            for (place, sum) in covariance.iter_mut().enumerate() {
                *sum += weight * (away[place / size] * away[place % size]);
            }
        }
        covariance
    }

    /// Writes a draw: one of the points, chosen by `share`, uniform from 0 to 1, or `m + L z` for standard `normals` z.
    pub fn draw(&self, share: f64, normals: &[f64], point: &mut Vec<f64>) {
        point.clear();
        if let Some(n_points) = self.n_points {
            point.extend_from_slice(self.point(((share * n_points as f64) as usize).min(n_points - 1)));
            return;
        }
        let size = self.n_columns;
        point.extend_from_slice(&self.means);
        for (row, place) in point.iter_mut().enumerate() {
            let factor = &self.factor[row * size..row * size + row + 1];
            *place += factor.iter().zip(normals).map(|(share, normal)| share * normal).sum::<f64>();
        }
    }

    /// A random share for [`draw`](Predictive::draw), taken from `random` only where there are points to choose from.
    pub(crate) fn random_share<R: Rng>(&self, random: &mut R) -> f64 {
        if self.n_points.is_some_and(|n_points| n_points > 1) { StandardUniform.sample(random) } else { 0.0 }
    }

    /// `leftᵀ Σ right` for two rows over the columns of a normal distribution.
    pub(crate) fn covariance_of(&self, left: &[f64], right: &[f64]) -> f64 {
        let rows = self.covariance.chunks_exact(self.n_columns.max(1)).zip(left);
        rows.map(|(row, weight)| weight * row.iter().zip(right).map(|(entry, weight)| entry * weight).sum::<f64>())
            .sum()
    }
}
