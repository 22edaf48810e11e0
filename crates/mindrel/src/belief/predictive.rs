//! Some columns of one person, as a mixture of Gaussians that can be drawn from.

use super::posterior::{Posterior, Prior};

/// What is believed of some columns: components with weight, mean, covariance and a square root of it.
///
/// ```text
/// x ~ Σ_k π_k N(m_k, Σ_k),     a draw:  x = m_k + L_k z,   L_k L_kᵀ = Σ_k,   z ~ N(0, I),   k with probability π_k
/// ```
///
/// It has no `Debug`: it tells about answers.
#[derive(Clone, Default)]
pub struct Predictive {
    n_columns: usize,
    /// Whether every component is a point of the same weight.
    is_points: bool,
    weights: Vec<f64>,
    /// Component after component.
    means: Vec<f64>,
    /// Component after component, row after row; of points, the zeros of one.
    covariances: Vec<f64>,
    /// The same of `L`, lower triangular; of points, nothing.
    factors: Vec<f64>,
}

impl Predictive {
    /// What a posterior says of some sensitive columns, by their places.
    pub(crate) fn set(&mut self, prior: &Prior, posterior: &Posterior, places: impl Iterator<Item = usize>) {
        let places: Vec<usize> = places.collect();
        self.n_columns = places.len();
        self.weights.clear();
        self.weights.extend_from_slice(posterior.weights());
        self.means.clear();
        self.covariances.clear();
        self.factors.clear();
        self.is_points = posterior.is_points();
        if self.is_points {
            self.covariances.resize(places.len() * places.len(), 0.0);
            for component in 0..self.weights.len() {
                let point = posterior.component_mean(component);
                self.means.extend(places.iter().map(|&place| point[place]));
            }
            return;
        }
        self.factors.resize(self.weights.len() * places.len() * places.len(), 0.0);
        for component in 0..self.weights.len() {
            let mean = posterior.component_mean(component);
            self.means.extend(places.iter().map(|&place| mean[place]));
            for &row in &places {
                let entry = |&column: &usize| posterior.covariance(prior, component, row, column);
                self.covariances.extend(places.iter().map(entry));
            }
            let known_below = prior.known_below(component);
            self.factorise(component, |column| known_below[places[column]]);
        }
    }

    /// Cholesky's factor of one component's covariance.
    fn factorise(&mut self, component: usize, known_below: impl Fn(usize) -> f64) {
        let size = self.n_columns;
        let block = component * size * size..(component + 1) * size * size;
        let covariance = &self.covariances[block.clone()];
        let factor = &mut self.factors[block];
        for column in 0..size {
            let earlier = |row: usize, factor: &[f64]| -> f64 {
                (0..column).map(|source| factor[row * size + source] * factor[column * size + source]).sum()
            };
            let variance = covariance[column * size + column] - earlier(column, factor);
            // A column that is a function of those before it, as the last indicator of a category is, adds nothing of its own.
            if variance <= known_below(column) {
                continue;
            }
            let deviation = variance.sqrt();
            for row in column..size {
                let rest = covariance[row * size + column] - earlier(row, factor);
                factor[row * size + column] = rest / deviation;
            }
        }
    }

    /// How many columns.
    #[must_use]
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// How many points there are, if every component is one.
    pub(crate) fn n_points(&self) -> Option<usize> {
        self.is_points.then_some(self.weights.len())
    }

    /// The weights of the components, which sum to one.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The mean of one component.
    #[must_use]
    pub fn component_mean(&self, component: usize) -> &[f64] {
        &self.means[component * self.n_columns..(component + 1) * self.n_columns]
    }

    /// The covariance of one component, row after row.
    #[must_use]
    pub fn component_covariance(&self, component: usize) -> &[f64] {
        let size = self.n_columns * self.n_columns;
        let component = if self.is_points { 0 } else { component };
        &self.covariances[component * size..(component + 1) * size]
    }

    /// The mean of the whole.
    #[must_use]
    pub fn mean(&self) -> Vec<f64> {
        let mut total = vec![0.0; self.n_columns];
        for (component, weight) in self.weights.iter().enumerate() {
            total.iter_mut().zip(self.component_mean(component)).for_each(|(sum, mean)| *sum += weight * mean);
        }
        total
    }

    /// The covariance of the whole, row after row: that within the components and that between them.
    ///
    /// ```text
    /// Σ = Σ_k π_k (Σ_k + (m_k − m)(m_k − m)ᵀ)
    /// ```
    #[must_use]
    pub fn covariance(&self) -> Vec<f64> {
        if self.weights.len() == 1 {
            return self.covariances.clone();
        }
        let size = self.n_columns;
        let whole = self.mean();
        let mut total = vec![0.0; size * size];
        for (component, weight) in self.weights.iter().enumerate() {
            let away: Vec<f64> =
                self.component_mean(component).iter().zip(&whole).map(|(own, all)| own - all).collect();
            let within = self.component_covariance(component);
            for (place, sum) in total.iter_mut().enumerate() {
                *sum += weight * (within[place] + away[place / size] * away[place % size]);
            }
        }
        total
    }

    /// The component that a share of one, from 0 to 1, falls to.
    fn component_at(&self, share: f64) -> usize {
        if self.is_points {
            return ((share * self.weights.len() as f64) as usize).min(self.weights.len() - 1);
        }
        let mut rest = share;
        for (component, weight) in self.weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return component;
            }
        }
        self.weights.len() - 1
    }

    /// Writes a draw: `share`, uniform from 0 to 1, chooses the component, and standard normal numbers the place in it.
    pub fn draw(&self, share: f64, normals: &[f64], point: &mut Vec<f64>) {
        let size = self.n_columns;
        let component = if self.weights.len() == 1 { 0 } else { self.component_at(share) };
        point.clear();
        point.extend_from_slice(self.component_mean(component));
        if self.is_points {
            return;
        }
        let factor = &self.factors[component * size * size..];
        for (row, place) in point.iter_mut().enumerate() {
            let factor = &factor[row * size..row * size + row + 1];
            *place += factor.iter().zip(normals).map(|(share, normal)| share * normal).sum::<f64>();
        }
    }

    /// `leftᵀ Σ right` for two rows over the columns, in one component.
    pub(crate) fn covariance_of(&self, component: usize, left: &[f64], right: &[f64]) -> f64 {
        if self.is_points {
            return 0.0;
        }
        let size = self.n_columns.max(1);
        let rows = self.component_covariance(component).chunks_exact(size).zip(left);
        rows.map(|(row, weight)| weight * row.iter().zip(right).map(|(entry, weight)| entry * weight).sum::<f64>())
            .sum()
    }
}
