//! One person's belief under a mixture: each component conditioned on its own, and weighed by how well it foresaw the answers.
//!
//! ```text
//! P(x_U | x_R) = Σ_k π_k(x_R) N_k(x_U | x_R),     π_k(x_R) ∝ π_k N_k(x_R)
//! ```

use std::ops::Range;

use super::density::LnDensity;
use super::gaussian::{GaussianPosterior, GaussianPrior};
use crate::belief::{GaussianBelief, MixtureBelief};
use crate::math::reveal::Symmetric;

/// The components once the public columns are known, before any value is.
#[derive(Debug)]
pub(crate) struct MixturePrior {
    components: Vec<Component>,
}

#[derive(Debug)]
struct Component {
    ln_weight: f64,
    public: PublicColumns,
    prior: GaussianPrior,
}

impl MixturePrior {
    pub fn new(belief: &MixtureBelief, columns: &[usize], public_columns: &[usize], weights: &[Vec<f64>]) -> Self {
        let component = |(weight, gaussian): (f64, &GaussianBelief)| Component {
            ln_weight: weight.ln(),
            public: PublicColumns::new(gaussian, public_columns),
            prior: GaussianPrior::new(gaussian, columns, public_columns, weights),
        };
        MixturePrior { components: belief.components().map(component).collect() }
    }

    pub fn component(&self, place: usize) -> &GaussianPrior {
        &self.components[place].prior
    }
}

/// The public columns of one component, for their density.
#[derive(Debug)]
struct PublicColumns {
    columns: Vec<usize>,
    mean: Vec<f64>,
    /// Row after row: how much of each earlier column's surprise a column shares.
    gains: Vec<f64>,
    /// What variance each column has once those before it are known; nothing where it is determined.
    variances: Vec<Option<f64>>,
}

impl PublicColumns {
    fn new(belief: &GaussianBelief, columns: &[usize]) -> Self {
        let size = columns.len();
        let mut covariance: Symmetric = belief.covariance().select(columns);
        let mut gains = vec![0.0; size * size];
        let mut variances = Vec::with_capacity(size);
        for (source, &column) in columns.iter().enumerate() {
            let variance = covariance.at(source, source);
            let gain = covariance.reveal(source, belief.known_below()[column]);
            variances.push(gain.is_some().then_some(variance));
            for (target, share) in gain.iter().flatten().enumerate().skip(source + 1) {
                gains[target * size + source] = *share;
            }
        }
        let mean = columns.iter().map(|&column| belief.mean()[column]).collect();
        PublicColumns { columns: columns.to_vec(), mean, gains, variances }
    }

    fn ln_density(&self, person: &[f64], surprises: &mut Vec<f64>) -> f64 {
        let size = self.columns.len();
        let mut density = LnDensity::default();
        surprises.clear();
        for (place, (&column, mean)) in self.columns.iter().zip(&self.mean).enumerate() {
            let told = self.gains[place * size..place * size + place].iter().zip(surprises.iter());
            let surprise = person[column] - mean - told.map(|(gain, surprise)| gain * surprise).sum::<f64>();
            density.add(self.variances[place], surprise);
            surprises.push(surprise);
        }
        density.value()
    }
}

/// Room for one person's posterior. It has no `Debug`: it tells about answers.
pub(crate) struct MixturePosterior {
    components: Vec<GaussianPosterior>,
    ln_weights: Vec<f64>,
    weights: Vec<f64>,
    mean: Vec<f64>,
    variance: Vec<f64>,
    surprises: Vec<f64>,
}

/// By hand, so that looking one answer ahead again and again allocates nothing.
impl Clone for MixturePosterior {
    fn clone(&self) -> Self {
        MixturePosterior {
            components: self.components.clone(),
            ln_weights: self.ln_weights.clone(),
            weights: self.weights.clone(),
            mean: self.mean.clone(),
            variance: self.variance.clone(),
            surprises: self.surprises.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.components.clone_from(&source.components);
        self.ln_weights.clone_from(&source.ln_weights);
        self.weights.clone_from(&source.weights);
        self.mean.clone_from(&source.mean);
        self.variance.clone_from(&source.variance);
        self.surprises.clone_from(&source.surprises);
    }
}

impl MixturePosterior {
    pub fn new(prior: &MixturePrior) -> Self {
        let components: Vec<GaussianPosterior> =
            prior.components.iter().map(|component| GaussianPosterior::new(&component.prior)).collect();
        let n_columns = components[0].mean().len();
        let mut posterior = MixturePosterior {
            ln_weights: prior.components.iter().map(|component| component.ln_weight).collect(),
            weights: vec![0.0; components.len()],
            components,
            mean: vec![0.0; n_columns],
            variance: vec![0.0; n_columns],
            surprises: Vec::new(),
        };
        posterior.weigh();
        posterior
    }

    pub fn begin(&mut self, prior: &MixturePrior, person: &[f64]) {
        for ((posterior, component), ln_weight) in
            self.components.iter_mut().zip(&prior.components).zip(&mut self.ln_weights)
        {
            posterior.begin(&component.prior, person);
            *ln_weight = component.ln_weight + component.public.ln_density(person, &mut self.surprises);
        }
        self.weigh();
    }

    pub fn reveal(&mut self, prior: &MixturePrior, places: Range<usize>, person: &[f64], with_scores: bool) {
        for ((posterior, component), ln_weight) in
            self.components.iter_mut().zip(&prior.components).zip(&mut self.ln_weights)
        {
            *ln_weight += posterior.reveal_with_density(&component.prior, places.clone(), person, with_scores);
        }
        self.weigh();
    }

    /// Works out weights, mean and variance of the whole.
    fn weigh(&mut self) {
        let largest = self.ln_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.weights.iter_mut().zip(&self.ln_weights).for_each(|(weight, ln)| *weight = (ln - largest).exp());
        let total: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= total);
        self.mean.fill(0.0);
        self.variance.fill(0.0);
        for (component, weight) in self.components.iter().zip(&self.weights) {
            self.mean.iter_mut().zip(component.mean()).for_each(|(sum, mean)| *sum += weight * mean);
        }
        for (component, weight) in self.components.iter().zip(&self.weights) {
            let moments = component.mean().iter().zip(component.variance()).zip(&self.mean);
            for (sum, ((mean, variance), whole)) in self.variance.iter_mut().zip(moments) {
                *sum += weight * (variance + (mean - whole) * (mean - whole));
            }
        }
    }

    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    pub fn variance(&self) -> &[f64] {
        &self.variance
    }

    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub fn component(&self, place: usize) -> &GaussianPosterior {
        &self.components[place]
    }
}
